// SPDX-License-Identifier: Apache-2.0
// Each target of `./dev fuzz TARGET` with its seeds and parts of them, so that none of them rots.
#include "tests/fuzz/targets/target.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <random>
#include <set>

using namespace fenceline::testing;

TEST_CASE("fuzz targets: each takes or refuses its seeds, what is left when they end early, and with other bytes",
          "[fuzz]") {
  std::set<std::string> names;
  std::mt19937_64 random(22);
  for (const FuzzTarget& target : fuzz_targets()) {
    INFO(target.name);
    CHECK(names.insert(target.name).second);
    const auto seeds = target.seeds();
    REQUIRE(!seeds.empty());
    for (const std::string& seed : seeds) {
      REQUIRE_NOTHROW(target.run(seed));
      for (int i = 0; i < 20; ++i) {
        std::string bytes = seed;
        if (i % 2 == 0) bytes.resize(random() % (bytes.size() + 1));
        if (i % 2 == 1 && !bytes.empty()) bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto memory = std::make_unique<char[]>(bytes.size());  // a sanitizer sees a step beyond it
        bytes.copy(memory.get(), bytes.size());
        REQUIRE_NOTHROW(target.run({memory.get(), bytes.size()}));
      }
    }
  }
}
