// SPDX-License-Identifier: Apache-2.0
#include "shadercache/checksum/wide_xxh3.hpp"

#include <catch2/catch.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

using namespace fenceline;

TEST_CASE("wide xxh3: it is the same number as by narrow instructions, of any length, place and seed",
          "[shadercache]") {
  if (!has_wide_xxh3()) return;
  std::mt19937_64 random(1);
  std::string bytes(20'000, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  const auto check = [&](std::size_t at, std::size_t count) {
    for (const std::uint64_t seed : {std::uint64_t{0}, random()}) {
      CAPTURE(at, count, seed);
      REQUIRE(wide_xxh3(bytes.data() + at, count, seed) == XXH3_64bits_withSeed(bytes.data() + at, count, seed));
    }
  };
  for (std::size_t count = 0; count < 2'000; ++count) check(count % 64, count);
  for (int i = 0; i < 1'000; ++i) check(random() % 64, random() % (bytes.size() - 64));
}
