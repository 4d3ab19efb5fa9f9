// SPDX-License-Identifier: Apache-2.0
#include "sim/text/json_text.hpp"

#include "sim/text/utf8.hpp"

#include <cstddef>
#include <iterator>

namespace fenceline {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

}  // namespace

void append_json_string(fmt::memory_buffer& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;

    const auto byte = static_cast<unsigned char>(text[0]);
    std::size_t used = 1;
    if (byte == '"' || byte == '\\') {
      out.push_back('\\');
      out.push_back(text[0]);
    } else if (byte < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else if (const std::size_t length = utf8_length(text); length != 0) {
      out.append(text.substr(0, length));
      used = length;
    } else {
      out.append(replacement_character);
    }
    text.remove_prefix(used);
  }
  out.push_back('"');
}

}  // namespace fenceline
