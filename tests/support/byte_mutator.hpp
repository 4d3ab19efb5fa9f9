// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/dxbc_builder.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace fenceline::testing {

/// Numbers near which parsers of so many bytes go wrong.
inline std::uint32_t awkward(std::mt19937_64& random, std::size_t size) {
  const std::uint32_t choices[] = {0,
                                   1,
                                   5,
                                   7,
                                   22,
                                   23,
                                   26,
                                   27,
                                   32,
                                   static_cast<std::uint32_t>(size),
                                   static_cast<std::uint32_t>(size - 8),
                                   static_cast<std::uint32_t>(size + 1),
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFF8,
                                   0xFFFFFFFF,
                                   static_cast<std::uint32_t>(random())};
  return choices[random() % std::size(choices)];
}

/// Bytes that are nearly these: cut, stretched, or with other bytes and numbers in a few places.
inline std::string mutated_bytes(std::string bytes, std::mt19937_64& random) {
  for (std::size_t times = 1 + random() % 3; times > 0; --times) {
    const std::size_t at = random() % (bytes.size() + 1);
    switch (random() % 5) {
      case 0: bytes.resize(at); break;
      case 1: bytes.insert(at, std::string(random() % 24, static_cast<char>(random() % 30))); break;
      case 2:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random());
        break;
      case 3: bytes.erase(at, random() % 24); break;
      default:
        if (bytes.size() >= 8) put_number(bytes, random() % (bytes.size() / 4) * 4, awkward(random, bytes.size()));
    }
  }
  return bytes;
}

}  // namespace fenceline::testing
