// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/marker_text.hpp"

#include "api/d3d12/pix_color.hpp"
#include "sim/text/utf8.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

// WCHAR is 32 bits wide here: one is one code point.
void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto rest = [&](unsigned shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
    text += replacement_character;
  } else if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    rest(6);
    rest(0);
  } else {
    put(0xF0 | code >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace

std::string utf8_of_wide(const void* text, std::size_t bytes) {
  std::string utf8;
  for (std::size_t at = 0; at + sizeof(WCHAR) <= bytes; at += sizeof(WCHAR)) {
    WCHAR code{};
    std::memcpy(&code, static_cast<const char*>(text) + at, sizeof(WCHAR));
    if (code == 0) break;
    append_utf8(utf8, static_cast<std::uint32_t>(code));
  }
  return utf8;
}

std::string utf8_of_narrow(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::string utf8;
  while (!text.empty()) {
    const bool plain = static_cast<unsigned char>(text[0]) < 0x80;
    const std::size_t length = plain ? 1 : utf8_length(text);
    utf8 += length > 0 ? text.substr(0, length) : replacement_character;
    text.remove_prefix(length > 0 ? length : 1);
  }
  return utf8;
}

Marker marker_of_program(MarkerKind kind, UINT metadata, const void* data, UINT bytes) {
  Marker marker;
  marker.kind = kind;
  marker.color = static_cast<std::uint32_t>(std::exchange(pix::next_color, 0));
  if (kind == MarkerKind::end) return marker;
  if (data != nullptr && metadata == wide_text) {
    marker.name = utf8_of_wide(data, bytes);
  } else if (data != nullptr && metadata == narrow_text) {
    marker.name = utf8_of_narrow({static_cast<const char*>(data), bytes});
  } else {
    marker.name = kind == MarkerKind::begin ? "event" : "marker";
  }
  return marker;
}

}  // namespace fenceline::d3d12
