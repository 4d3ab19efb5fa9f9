// SPDX-License-Identifier: Apache-2.0
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Length of the well-formed UTF-8 character that the text starts with; 0 if it starts with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  // Overlong forms, surrogates and code points above U+10FFFF (RFC 3629, section 4).
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
  if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

/// Takes one character off the front and returns it in a form that cannot disturb a line.
std::string take_character(std::string_view& rest) {
  const std::size_t length = character_length(rest);
  const auto lead = static_cast<unsigned char>(rest[0]);
  if (length == 0) {
    rest.remove_prefix(1);
    return fmt::format("\\x{:02x}", lead);
  }
  std::string character(rest.substr(0, length));
  rest.remove_prefix(length);
  if (character == "\n") return "\\n";
  if (character == "\r") return "\\r";
  if (character == "\t") return "\\t";
  if (lead < 0x20 || lead == 0x7F) return fmt::format("\\u{:04x}", lead);
  if (lead == 0xC2) {  // U+0080..U+009F, control characters of ISO 8859
    const auto code = static_cast<unsigned char>(character[1]);
    if (code < 0xA0) return fmt::format("\\u{:04x}", code);
  }
  if (lead == 0xE2 && character[1] == '\x80') {  // U+2028..U+202E, line separators and direction overrides
    const auto low = static_cast<unsigned char>(character[2]);
    if (low >= 0xA8 && low <= 0xAE) return fmt::format("\\u20{:02x}", low - 0x80);
  }
  return character;
}

std::size_t width_of(const std::string& taken) {
  return static_cast<unsigned char>(taken[0]) < 0x80 ? taken.size() : 1;
}

std::string line_of(const std::string& file, const std::string& pointer, const std::string& expected,
                    const std::string& found) {
  return one_line(fmt::format("{}: {}: expected {}, found {}", file, pointer.empty() ? "/" : pointer, expected, found));
}

}  // namespace

ConfigError::ConfigError(std::string file, std::string pointer, std::string expected, std::string found)
    : std::runtime_error(line_of(file, pointer, expected, found)),
      file_(std::move(file)),
      pointer_(std::move(pointer)),
      expected_(std::move(expected)),
      found_(std::move(found)) {}

ConfigError::ConfigError(const std::vector<ConfigError>& all) : ConfigError(all.front()) {
  others_ = std::make_shared<const std::vector<ConfigError>>(all.begin() + 1, all.end());
}

std::vector<ConfigError> ConfigError::each() const {
  std::vector<ConfigError> all = {*this};
  all.front().others_.reset();
  if (others_ != nullptr) all.insert(all.end(), others_->begin(), others_->end());
  return all;
}

std::string ConfigError::lines() const {
  std::string text;
  std::size_t count = 0;
  for (const ConfigError& one : each()) {
    if (count++ == most)
      return text + one_line(fmt::format("{}: more is wrong than these {} places", file_, most)) + '\n';
    text += fmt::format("{}\n", one.what());
  }
  return text;
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) line += take_character(text);
  return line;
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::string line;
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string taken = take_character(text);
    width += width_of(taken);
    if (width > limit) return line + "...";
    line += taken;
  }
  return line;
}

std::string in_quotes(std::string_view text) {
  std::string escaped;
  for (const char c : text.substr(0, 256)) {  // more than any message shows
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return '"' + shortened(escaped, 60) + '"';
}

}  // namespace fenceline
