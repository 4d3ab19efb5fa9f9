// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace fenceline::testing {

/// Values that follow from their keys, so that every process knows the right one: of 1 byte to some 100 KB, most of
/// them small.
struct KeyedValue {
  static std::string key_of(std::uint32_t number) { return "key " + std::to_string(number); }

  static std::string value_of(std::uint32_t number) {
    std::string value(size_of(number), '\0');
    std::uint64_t state = seed_of(number);
    for (std::size_t at = 0; at < value.size(); at += sizeof state) {
      state = mixed(state);
      std::memcpy(value.data() + at, &state, std::min(sizeof state, value.size() - at));
    }
    return value;
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ (x << 17);
  }
  static std::uint64_t seed_of(std::uint32_t number) { return mixed((std::uint64_t{number} + 1) * 0x9e3779b97f4a7c15); }
  static std::size_t size_of(std::uint32_t number) {
    const std::uint64_t random = mixed(seed_of(number) ^ 0x5bd1e995);
    const std::uint64_t kind = random % 100;
    const std::size_t most = kind < 80 ? 500 : kind < 96 ? 16'000 : 200'000;
    return static_cast<std::size_t>(1 + (random >> 20) % most);
  }
};

}  // namespace fenceline::testing
