// SPDX-License-Identifier: Apache-2.0
#include "sim/config/overrides.hpp"

#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/json_sax.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& pointer, const std::string& expected, const std::string& found) {
  throw ConfigError("--set", pointer, expected, found);
}

ordered_json value_of(std::string_view text) {
  try {
    return parse_json(text, "--set");
  } catch (const ConfigError&) {
    return std::string(text);  // --set /name=gpu: nobody wants to quote quotes in a shell
  }
}

/// The index that a token means in an array of the given size; `size` itself appends.
std::size_t index_of(const std::string& token, std::size_t size, const std::string& pointer) {
  if (token == "-") return size;
  const std::string expected = fmt::format("an index up to {}", size);
  const bool is_index = !token.empty() && token.find_first_not_of("0123456789") == std::string::npos &&
                        (token.size() == 1 || token[0] != '0');
  if (!is_index) fail(pointer, expected, in_quotes(token));
  if (token.size() > 9 || std::stoul(token) > size) fail(pointer, expected, shortened(token, 60));
  return std::stoul(token);
}

}  // namespace

std::string apply_override(ordered_json& document, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || assignment[0] != '/') fail("", "/pointer=value", in_quotes(assignment));
  const std::string_view text = assignment.substr(0, equals);
  const auto tokens = split_pointer(text);
  if (!tokens) fail("", "~0 for ~ and ~1 for / in a pointer", in_quotes(text));
  if (tokens->size() > max_json_depth) {
    fail("", fmt::format("a pointer of at most {} keys", max_json_depth), fmt::format("{}", tokens->size()));
  }

  // In a copy: a mistake at the end of the way must not leave half of it made.
  ordered_json made = document;
  ordered_json* at = &made;
  std::string pointer;
  for (const std::string& token : *tokens) {
    if (at->is_null()) *at = ordered_json::object();  // made by the step before
    if (at->is_array()) {
      const std::size_t index = index_of(token, at->size(), pointer_to(pointer, token));
      pointer = pointer_to(pointer, index);
      if (index == at->size()) at->push_back(nullptr);
      at = &(*at)[index];
    } else if (at->is_object()) {
      pointer = pointer_to(pointer, token);
      at = &(*at)[token];
    } else {
      fail(pointer, "an object or an array", shown(*at));
    }
  }
  *at = value_of(assignment.substr(equals + 1));
  document = std::move(made);
  return pointer;
}

}  // namespace fenceline
