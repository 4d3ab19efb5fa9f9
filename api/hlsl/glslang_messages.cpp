// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/glslang_messages.hpp"

#include <string_view>

namespace fenceline::d3d12 {
namespace {

bool begins_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

/// Where "name:12: " ends, the line's number before it; npos: the text says no place.
std::size_t end_of_place(std::string_view text) {
  for (std::size_t colon = text.find(": "); colon != std::string_view::npos; colon = text.find(": ", colon + 1)) {
    const std::size_t before = text.substr(0, colon).find_last_not_of("0123456789");
    if (before != std::string_view::npos && before + 1 < colon && text[before] == ':') return colon;
  }
  return std::string_view::npos;
}

}  // namespace

std::string compiler_messages(const std::string& log, const std::string& file) {
  std::string messages;
  std::string_view left = log;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    const bool error = begins_with(line, "ERROR: ");
    const bool warning = begins_with(line, "WARNING: ");
    if (!error && !warning) continue;  // rules, repetitions
    line.remove_prefix(error ? 7 : 9);
    if (line.find("compilation errors.") != std::string_view::npos) continue;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    const char* const kind = error ? ": error: " : ": warning: ";
    const std::size_t place = end_of_place(line);
    if (place == std::string_view::npos) {
      messages.append(file).append(kind).append(line);
    } else {
      messages.append(line.substr(0, place)).append(kind).append(line.substr(place + 2));
    }
    messages += '\n';
  }
  return messages;
}

}  // namespace fenceline::d3d12
