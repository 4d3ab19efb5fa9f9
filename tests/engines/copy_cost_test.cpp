// SPDX-License-Identifier: Apache-2.0
#include "engines/command/command.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;

TEST_CASE("copy cost: a buffer moves its bytes on its route", "[engines]") {
  for (const CopyRoute route :
       {CopyRoute::device_to_device, CopyRoute::host_to_device, CopyRoute::device_to_host, CopyRoute::host_to_host}) {
    const auto cost = copy_cost(CopyBuffer{route, 12'345});
    REQUIRE(cost);
    CHECK(cost->route == route);
    CHECK(cost->bytes == 12'345);
  }
  CHECK(copy_cost(CopyBuffer{CopyRoute::host_to_device, 0})->bytes == 0);
}

TEST_CASE("copy cost: rows of a texture cross PCIe with their padding to 256 bytes", "[engines]") {
  for (const std::uint64_t row : {1ull, 255ull, 256ull, 257ull, 7680ull, 7681ull}) {
    std::uint64_t pitch = 0;
    while (pitch < row) pitch += 256;
    const std::uint64_t rows = 1080;
    for (const CopyRoute route : {CopyRoute::host_to_device, CopyRoute::device_to_host, CopyRoute::host_to_host}) {
      const auto cost = copy_cost(CopyTexture{route, row, rows});
      REQUIRE(cost);
      CHECK(cost->route == route);
      CHECK(cost->bytes == pitch * rows);
    }
    CHECK(copy_cost(CopyTexture{CopyRoute::device_to_device, row, rows})->bytes == row * rows);
  }
  CHECK(copy_cost(CopyTexture{CopyRoute::host_to_device, 100, 0})->bytes == 0);
  CHECK(copy_cost(CopyTexture{CopyRoute::host_to_device, 0, 100})->bytes == 0);
}

TEST_CASE("copy cost: other commands are no copies", "[engines]") {
  CHECK_FALSE(copy_cost(Draw{}));
  CHECK_FALSE(copy_cost(DrawIndexed{}));
  CHECK_FALSE(copy_cost(Dispatch{}));
  CHECK_FALSE(copy_cost(Clear{100}));
  CHECK_FALSE(copy_cost(Barrier{}));
  CHECK_FALSE(copy_cost(Timestamp{}));
}
