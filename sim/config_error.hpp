// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fenceline {

/// The configuration is wrong. `what()` is one line: `file: /json/pointer: expected ..., found ...`.
/// The accessors give the parts unescaped; the pointer of the root is empty there and `/` in `what()`.
class ConfigError : public std::runtime_error {
 public:
  /// The parts as they are: `what()` escapes them.
  ConfigError(std::string file, std::string pointer, std::string expected, std::string found);

  const std::string& file() const { return file_; }          ///< as it was named; "--set" of an override
  const std::string& pointer() const { return pointer_; }    ///< RFC 6901, into that file
  const std::string& expected() const { return expected_; }  ///< what it may be
  const std::string& found() const { return found_; }        ///< what it is

 private:
  std::string file_;
  std::string pointer_;
  std::string expected_;
  std::string found_;
};

/// The text with everything that could break or disturb a line (control characters, line separators, bytes that are
/// not UTF-8) written as an escape.
std::string one_line(std::string_view text);

/// The text on one line, in double quotes, cut to about 60 characters: how messages show what they found.
std::string in_quotes(std::string_view text);

/// The text on one line, cut to about `limit` characters.
std::string shortened(std::string_view text, std::size_t limit);

}  // namespace fenceline
