// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_sax.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

/// nlohmann's words for what is wrong, and ours. The first that occurs in the message counts.
constexpr std::pair<std::string_view, std::string_view> wordings[] = {
    {"; expected end of input", "the end of the file"},
    {"number overflow", "a number within the range of a double"},
    {"ill-formed UTF-8", "valid UTF-8"},
    {"invalid BOM", "valid UTF-8"},
    {"control character", "control characters in strings to be escaped"},
    {"missing closing quote", "a closing double quote"},
    {"must be followed by 4 hex digits", "four hexadecimal digits after \\u"},
    {"surrogate", "a complete surrogate pair"},
    {"forbidden character after backslash", "a valid escape after \\"},
    {"invalid number", "a number"},
    {"while parsing object key", "a key in double quotes"},
    {"while parsing object separator", "':' after the key"},
    {"while parsing object -", "',' or '}'"},
    {"while parsing array", "',' or ']'"},
    {"while parsing value", "a value"},
};

std::string wording_of(std::string_view message, std::string_view token) {
  if (!token.empty() && (token[0] == '/' || token[0] == '#')) return "JSON, which has no comments";
  for (const auto& [theirs, ours] : wordings) {
    if (message.find(theirs) != std::string_view::npos) return std::string(ours);
  }
  return "valid JSON";
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool ends_word(char c) { return c == '\0' || std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos; }

/// The word, string or mark that the byte belongs to; a string by its closing quote.
std::string_view token_around(std::string_view text, std::size_t at) {
  std::size_t start = at;
  std::size_t end = at + 1;
  if (text[at] == '"') {
    do {
      start = start == 0 ? 0 : text.rfind('"', start - 1);
    } while (start != 0 && start != std::string_view::npos && text[start - 1] == '\\');
    if (start == std::string_view::npos) start = at;
  } else if (!ends_word(text[at])) {
    while (start > 0 && !ends_word(text[start - 1])) --start;
    while (end < text.size() && !ends_word(text[end])) ++end;
  }
  return text.substr(start, end - start);
}

}  // namespace

bool JsonSax::key(std::string& key) {
  if (errors_.size() <= ConfigError::most && levels_.back().container->contains(key)) {
    errors_.add({file_, pointer_to(pointer(), key), "each key once", in_quotes(key) + " a second time"});
  }
  levels_.back().key = std::move(key);
  return true;
}

nlohmann::json& JsonSax::place(nlohmann::json&& value) {
  if (levels_.empty()) return root_ = std::move(value);
  Level& level = levels_.back();
  if (level.container->is_object()) return (*level.container)[level.key] = std::move(value);
  return level.container->emplace_back(std::move(value));
}

bool JsonSax::add(nlohmann::json&& value) {
  place(std::move(value));
  return true;
}

bool JsonSax::open(nlohmann::json&& container) {
  if (levels_.size() == max_json_depth) {
    fail(fmt::format("at most {} levels of nesting", max_json_depth), "one more");
  }
  nlohmann::json& placed = place(std::move(container));
  levels_.push_back({&placed, ""});
  return true;
}

bool JsonSax::close() {
  levels_.pop_back();
  return true;
}

bool JsonSax::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& exception) {
  // `position` counts the bytes read: the last one is the offender, or ends the token that is.
  const std::string_view message = exception.what();
  if (position == 0 || position > text_.size()) {
    fail(wording_of(message, ""), "the end of the file " + line_and_column(text_.size()));
  }
  const bool in_string = message.find("invalid string") != std::string_view::npos;
  std::size_t at = position - 1;
  // "tru}": the parser has looked at the mark after the word as well.
  if (message.find("invalid literal") != std::string_view::npos && at > 0 && ends_word(text_[at])) --at;
  const std::string_view token = in_string ? text_.substr(at, 1) : token_around(text_, at);
  const auto start = static_cast<std::size_t>(token.data() - text_.data());
  fail(wording_of(message, token), in_quotes(token) + ' ' + line_and_column(start));
}

nlohmann::json JsonSax::finish() {
  // The parser takes a NUL for the end of its input. In a string or a container that is an error of its own.
  const std::size_t nul = text_.find('\0');
  if (nul != std::string_view::npos) {
    fail("the end of the file", in_quotes(text_.substr(nul, 1)) + ' ' + line_and_column(nul));
  }
  errors_.throw_any();
  return std::move(root_);
}

std::string JsonSax::pointer_of(std::size_t level) const {
  std::string pointer;
  for (std::size_t i = 0; i < level; ++i) {
    const Level& outer = levels_[i];
    pointer = outer.container->is_object() ? pointer_to(pointer, outer.key)
                                           : pointer_to(pointer, outer.container->size() - 1);
  }
  return pointer;
}

std::string JsonSax::line_and_column(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto characters = std::count_if(line.begin(), line.end(), [](char c) { return !is_continuation(c); });
  return fmt::format("at line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'), characters + 1);
}

void JsonSax::fail(const std::string& expected, const std::string& found) const {
  std::vector<ConfigError> all = errors_.all();
  all.emplace_back(file_, pointer(), expected, found);
  throw ConfigError(all);
}

}  // namespace fenceline
