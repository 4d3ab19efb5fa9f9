// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config_errors.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// Containers in containers that a document may have.
constexpr std::size_t max_json_depth = 64;

/// Builds the document for `parse_json` while nlohmann's parser walks the text. It knows the pointer of every value,
/// so that what is wrong is told with its place; everything wrong is a ConfigError. It goes on behind keys that an
/// object has twice, and tells all of them.
class JsonSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// Both must outlive the object.
  JsonSax(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // text has none

  bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& key) override;

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& exception) override;

  /// The document, after the parser came to its end.
  nlohmann::json finish();

 private:
  struct Level {
    nlohmann::json* container;  // stays where it is: its parent grows only after it is closed
    std::string key;            // of the member that comes next, in an object
  };

  nlohmann::json& place(nlohmann::json&& value);
  bool add(nlohmann::json&& value);
  bool open(nlohmann::json&& container);
  bool close();

  /// Pointer of the container that is open on the given level, 0 being the root.
  std::string pointer_of(std::size_t level) const;
  std::string pointer() const { return levels_.empty() ? "" : pointer_of(levels_.size() - 1); }
  /// "at line 3, column 14" for a byte of the text.
  std::string line_and_column(std::size_t offset) const;
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

  std::string_view text_;
  const std::string& file_;
  nlohmann::json root_;
  std::vector<Level> levels_;
  ConfigErrors errors_;  // keys that are there again
};

}  // namespace fenceline
