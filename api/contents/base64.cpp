// SPDX-License-Identifier: Apache-2.0
#include "api/contents/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace fenceline {
namespace {

std::optional<std::uint32_t> digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool padded = i >= text.size() - padding;
    const auto digit = padded ? std::optional<std::uint32_t>(0) : digit_of(text[i]);
    if (!digit) return std::nullopt;
    bits = bits << 6 | *digit;
    if (i % 4 < 3) continue;
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<std::byte>(bits >> shift));
    bits = 0;
  }
  for (; padding > 0; --padding) {
    if (bytes.back() != std::byte{0}) return std::nullopt;  // bits that mean nothing
    bytes.pop_back();
  }
  return bytes;
}

std::string base64_of(const std::byte* bytes, std::size_t count) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, count - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < left ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? digits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace fenceline
