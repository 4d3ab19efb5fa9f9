// SPDX-License-Identifier: Apache-2.0
// Every bit of a small cache's files flipped, and each file cut, zeroed and overwritten from every place on.
#include "tests/crash/crash_figures.hpp"
#include "tests/crash/crash_workers.hpp"
#include "tests/crash/damage_bench.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// FENCELINE_CRASH_STRIDE: of the places among free slots of the index, which are most of it and all alike, each n-th.
std::vector<Damage> damages_of(const DamageBench& bench, const std::string& end) {
  const std::size_t stride = crash_size("FENCELINE_CRASH_STRIDE", 499);
  std::vector<Damage> all;
  for (std::size_t at = 0; at < bench.bytes_of(end); ++at) {
    if (bench.is_dull(end, at) && at % stride != 0) continue;
    for (int bit = 0; bit < 8; ++bit) all.push_back({Damage::Kind::flip, end, at, bit});
    for (const auto kind : {Damage::Kind::cut, Damage::Kind::zeros, Damage::Kind::random}) {
      all.push_back({kind, end, at, 0});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("shader cache crash: damage at any place loses what it touches alone, and is never a wrong value",
          "[crash]") {
  const std::string end = GENERATE(".val", ".idx", ".lock");
  const bool open = GENERATE(false, true);
  CAPTURE(end, open);
  std::array<DamageBench, CrashWorkers::workers> benches;
  const std::vector<Damage> damages = damages_of(benches[0], end);
  REQUIRE(!damages.empty());
  CrashWorkers(end + (open ? " damaged while it is open" : " damaged"))
      .each(damages.size(), [&](std::size_t worker, std::size_t number) {
        open ? benches[worker].try_open(damages[number]) : benches[worker].try_closed(damages[number]);
      });
  INFO(figures().failures());
  CHECK(figures()[CrashFigures::lost] == 0);
  CHECK(figures()[CrashFigures::wrong] == 0);
  CHECK(figures()[CrashFigures::crashes] == 0);
}
