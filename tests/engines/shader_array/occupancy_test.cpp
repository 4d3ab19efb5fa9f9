// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/occupancy.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace fenceline;

TEST_CASE("occupancy: a group takes whole warps and register units", "[engines]") {
  const ShaderArrayConfig sm;
  CHECK(occupancy_of({1, 1, 0}, sm).threads == sm.warp_threads);
  CHECK(occupancy_of({33, 1, 0}, sm).threads == 2 * sm.warp_threads);
  CHECK(occupancy_of({1024, 1, 0}, sm).threads == 1024);
  // 33 registers x 32 threads = 1056: five units of 256 for each of the two warps of 40 threads.
  CHECK(occupancy_of({40, 33, 0}, sm).registers == 2 * 5 * sm.register_allocation_unit);
  CHECK(occupancy_of({32, 32, 0}, sm).registers == 32 * 32);
  CHECK(occupancy_of({32, 0, 0}, sm).registers == 0);
  CHECK(occupancy_of({32, 0, 5000}, sm).shared_bytes == 5000 + sm.shared_bytes_reserved_per_group);
  ShaderArrayConfig wide = sm;
  wide.warp_threads = 64;
  wide.register_allocation_unit = 1;
  CHECK(occupancy_of({65, 3, 0}, wide).threads == 128);
  CHECK(occupancy_of({65, 3, 0}, wide).registers == 2 * 3 * 64);
}

TEST_CASE("occupancy: every limit of an SM can be the one that decides", "[engines]") {
  const ShaderArrayConfig sm;
  CHECK(groups_that_fit({32, 0, 0}, sm) == sm.groups_per_sm);
  CHECK(groups_that_fit({1024, 0, 0}, sm) == sm.threads_per_sm / 1024);
  CHECK(groups_that_fit({768, 0, 0}, sm) == 2);  // 2048 / 768
  CHECK(groups_that_fit({256, 64, 0}, sm) == sm.registers_per_sm / (256 * 64));
  CHECK(groups_that_fit({256, 65, 0}, sm) == sm.registers_per_sm / (8 * 2304));  // 65 * 32 = 2080 -> 9 units of 256
  CHECK(groups_that_fit({1024, 255, 0}, sm) == 0);                               // 1024 * 256 registers fit no SM
  CHECK(groups_that_fit({256, 32, 50'000}, sm) == sm.shared_bytes_per_sm / (50'000 + 1024));
  CHECK(groups_that_fit({256, 32, sm.shared_bytes_per_sm - 1024}, sm) == 1);
  CHECK(groups_that_fit({256, 32, sm.shared_bytes_per_sm - 1023}, sm) == 0);  // the reserve counts
  ShaderArrayConfig small = sm;
  small.threads_per_sm = 512;
  CHECK(groups_that_fit({544, 0, 0}, small) == 0);
}

TEST_CASE("occupancy: the wanted split is the smallest that holds the groups at full occupancy", "[engines]") {
  const ShaderArrayConfig sm;
  CHECK(wanted_split_bytes({256, 32, 0}, sm) == 0);
  CHECK(wanted_split_bytes({256, 32, 1}, sm) == 16 * 1024);      // 8 groups of 1025 bytes: just over 8 KiB
  CHECK(wanted_split_bytes({1024, 32, 3072}, sm) == 8 * 1024);   // 2 x 4 KiB: exactly
  CHECK(wanted_split_bytes({1024, 32, 3073}, sm) == 16 * 1024);  // one byte more
  CHECK(wanted_split_bytes({1024, 32, 110'000}, sm) == 228 * 1024);
  for (std::uint32_t shared = 1; shared <= sm.shared_bytes_per_sm - 1024; shared += 977) {
    for (const std::uint32_t threads : {32u, 256u, 1024u}) {
      const GroupFootprint group{threads, 32, shared};
      const std::uint32_t need = groups_that_fit(group, sm) * (shared + 1024);
      std::vector<std::uint32_t> enough;
      for (const std::uint32_t kib : sm.shared_splits_kib) {
        if (kib * 1024 >= need) enough.push_back(kib * 1024);
      }
      REQUIRE(wanted_split_bytes(group, sm) == *std::min_element(enough.begin(), enough.end()));
    }
  }
  ShaderArrayConfig any = sm;
  any.shared_splits_kib.clear();
  CHECK(wanted_split_bytes({256, 32, 5000}, any) == 0);
}
