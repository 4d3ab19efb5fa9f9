// SPDX-License-Identifier: Apache-2.0
#include "sim/config/overrides.hpp"

#include "sim/config/element_name.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/json_sax.hpp"
#include "sim/config/nearest_name.hpp"
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

bool is_index(const std::string& token) {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string::npos &&
         (token.size() == 1 || token[0] != '0');
}

/// The index of the element that the token names.
std::size_t index_named(const std::string& token, const ordered_json& array, const std::string& pointer) {
  const std::vector<std::size_t> named = elements_named(array, token);
  if (named.size() == 1) return named[0];
  constexpr std::size_t most = 12;
  std::vector<std::string> all;
  std::string listed;
  for (const std::string& name : element_names(array)) {
    if (name.empty()) continue;
    if (all.size() < most) listed += in_quotes(name) + ", ";
    all.push_back(name);
  }
  if (all.size() > most) listed += "..., ";
  const std::string expected = (listed.empty() ? "" : listed.substr(0, listed.size() - 2) + " or ") +
                               fmt::format("an index up to {}", array.size());
  if (named.size() > 1) {
    fail(pointer, expected, fmt::format("{}, which {} elements are called", in_quotes(token), named.size()));
  }
  const std::string near = nearest_name(token, all);
  fail(pointer, expected, in_quotes(token) + (near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near))));
}

/// The index that a token means in an array; its size appends.
std::size_t index_of(const std::string& token, const ordered_json& array, const std::string& pointer) {
  if (token == "-") return array.size();
  if (!is_index(token)) return index_named(token, array, pointer);
  if (token.size() > 9 || std::stoul(token) > array.size()) {
    fail(pointer, fmt::format("an index up to {}", array.size()), shortened(token, 60));
  }
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
      const std::size_t index = index_of(token, *at, pointer_to(pointer, token));
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
