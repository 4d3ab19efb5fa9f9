// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/pixel_flow.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace fenceline;

TEST_CASE("pixel flow: as many groups are resident as come while one stays", "[engines]") {
  // Machine tiny: 16 pixels a cycle, so a group of 256 every 16 cycles. 1000 groups in 16000 cycles that stay 64: 4.
  PixelFlow flow = pixel_flow(1000, 16'000, 64);
  CHECK(flow.groups == 4);
  CHECK(flow.cycles == 64);
  // Twice the rate, or twice the shader: twice as many.
  flow = pixel_flow(1000, 8000, 64);
  CHECK(flow.groups == 8);
  CHECK(flow.cycles == 64);
  flow = pixel_flow(1000, 16'000, 128);
  CHECK(flow.groups == 8);
  CHECK(flow.cycles == 128);
  // A part of a group is a group: 1.25 come in 20 cycles. Two stay until two more have come.
  flow = pixel_flow(1000, 16'000, 20);
  CHECK(flow.groups == 2);
  CHECK(flow.cycles == 32);
}

TEST_CASE("pixel flow: a draw whose pixels stay longer than they take to come has all of them resident", "[engines]") {
  const PixelFlow flow = pixel_flow(10, 160, 200);
  CHECK(flow.groups == 10);
  CHECK(flow.cycles == 160);
  CHECK(pixel_flow(0, 0, 100).groups == 0);
}

TEST_CASE("pixel flow: pixels come no faster than the rasteriser delivers and are gone when it ends", "[engines]") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t groups = 1 + random() % (round % 2 == 0 ? 50 : 100'000);
    const std::uint64_t pace = 1 + random() % (round % 3 == 0 ? 500 : 10'000'000);
    const std::uint64_t stay = random() % 3000;
    const PixelFlow flow = pixel_flow(groups, pace, stay);
    INFO(groups << " groups in " << pace << " cycles, each " << stay);
    REQUIRE(flow.groups > 0);
    REQUIRE(flow.groups <= groups);
    const std::uint64_t batches = (groups + flow.groups - 1) / flow.groups;
    CHECK(batches * flow.cycles <= pace);
    if (flow.groups < groups) {
      CHECK(flow.cycles >= stay);
      // Of the batches' number and cycles only what a whole number loses.
      CHECK((flow.cycles + 1) * batches > pace);
    }
    // No fewer than Little's law says.
    if (pace > stay) CHECK(flow.groups * pace >= groups * std::min(stay, pace));
  }
}
