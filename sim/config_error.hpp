// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// The configuration is wrong. `what()` is one line: `file: /json/pointer: expected ..., found ...`.
/// The accessors give the parts unescaped; the pointer of the root is empty there and `/` in `what()`. Where a reader
/// goes on behind what is wrong, it is of the first place, and `each()` has the others, too.
class ConfigError : public std::runtime_error {
 public:
  /// The parts as they are: `what()` escapes them.
  ConfigError(std::string file, std::string pointer, std::string expected, std::string found);
  /// Of several places, at least one: the first, which has the others.
  explicit ConfigError(const std::vector<ConfigError>& all);

  const std::string& file() const { return file_; }          ///< as it was named; "--set" of an override
  const std::string& pointer() const { return pointer_; }    ///< RFC 6901, into that file
  const std::string& expected() const { return expected_; }  ///< what it may be
  const std::string& found() const { return found_; }        ///< what it is

  static constexpr std::size_t most = 20;  ///< that `lines` shows
  /// All that are known, this one first, each alone.
  std::vector<ConfigError> each() const;
  /// For a person: a line for each, `what()` of it; where they are more than `most`, a last line that says so. Each
  /// ends in a newline.
  std::string lines() const;

 private:
  std::string file_;
  std::string pointer_;
  std::string expected_;
  std::string found_;
  std::shared_ptr<const std::vector<ConfigError>> others_;  // shared: copying an exception throws nothing
};

/// The text with everything that could break or disturb a line (control characters, line separators, bytes that are
/// not UTF-8) written as an escape.
std::string one_line(std::string_view text);

/// The text on one line, in double quotes, cut to about 60 characters: how messages show what they found.
std::string in_quotes(std::string_view text);

/// The text on one line, cut to about `limit` characters.
std::string shortened(std::string_view text, std::size_t limit);

}  // namespace fenceline
