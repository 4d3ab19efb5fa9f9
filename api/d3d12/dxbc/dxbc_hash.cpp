// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/dxbc_hash.hpp"

#include <cmath>
#include <cstddef>
#include <string>

namespace fenceline::d3d12 {
namespace {

constexpr std::size_t hashed_from = 20;  // behind the tag and the hash
constexpr std::size_t block_bytes = 64;
constexpr std::size_t room_for_length = 56;

std::string number_text(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xFF));
  return bytes;
}

std::uint32_t rotated(std::uint32_t value, unsigned by) { return value << by | value >> (32 - by); }

/// RFC 1321's table: the first 32 bits behind the point of |sin(i + 1)|.
std::array<std::uint32_t, 64> make_sines() {
  std::array<std::uint32_t, 64> sines{};
  for (std::size_t i = 0; i < sines.size(); ++i) {
    sines[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
  }
  return sines;
}

/// RFC 1321, 3.4: one block of 64 bytes.
void add_block(DxbcHash& state, std::string_view block) {
  static const std::array<std::uint32_t, 64> sines = make_sines();
  constexpr unsigned turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < block_bytes; ++i) {
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(block[i])} << 8 * (i % 4);
  }
  auto [a, b, c, d] = state;
  for (unsigned i = 0; i < 64; ++i) {
    std::uint32_t mixed = 0;
    unsigned word = 0;
    switch (i / 16) {
      case 0: mixed = (b & c) | (~b & d), word = i; break;
      case 1: mixed = (d & b) | (~d & c), word = (5 * i + 1) % 16; break;
      case 2: mixed = b ^ c ^ d, word = (3 * i + 5) % 16; break;
      default: mixed = c ^ (b | ~d), word = 7 * i % 16; break;
    }
    const std::uint32_t next = b + rotated(a + mixed + sines[i] + words[word], turns[i / 16][i % 4]);
    a = d;
    d = c;
    c = b;
    b = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

DxbcHash dxbc_hash(std::string_view container) {
  const std::string_view content = container.substr(hashed_from);
  DxbcHash state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  const std::size_t whole = content.size() / block_bytes * block_bytes;
  for (std::size_t at = 0; at < whole; at += block_bytes) add_block(state, content.substr(at, block_bytes));

  const auto bits = static_cast<std::uint32_t>(content.size() * 8);
  const std::string_view rest = content.substr(whole);
  std::string last;
  if (rest.size() >= room_for_length) {
    last = std::string(rest) + '\x80';
    last.resize(block_bytes);
    last += number_text(bits);
  } else {
    last = number_text(bits) + std::string(rest) + '\x80';
  }
  last.resize((last.size() + block_bytes - 1) / block_bytes * block_bytes - 4);
  last += number_text(bits >> 2 | 1);
  for (std::size_t at = 0; at < last.size(); at += block_bytes) {
    add_block(state, std::string_view(last).substr(at, block_bytes));
  }
  return state;
}

}  // namespace fenceline::d3d12
