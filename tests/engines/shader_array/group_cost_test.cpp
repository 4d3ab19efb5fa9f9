// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/group_cost.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace fenceline;

namespace {

/// Lanes and latencies that are easy to divide by.
ShaderArrayConfig easy_sm() {
  ShaderArrayConfig sm;
  sm.alu_lanes = 128;
  sm.alu_latency_cycles = 4;
  sm.sfu_lanes = 16;
  sm.sfu_latency_cycles = 20;
  sm.texture_samples_per_clock = 4;
  sm.texture_latency_cycles = 400;
  sm.shared_lanes = 32;
  sm.shared_latency_cycles = 30;
  return sm;
}

double usage(const GroupCost& cost, SmUnit unit) { return cost.usage[static_cast<std::size_t>(unit)]; }

}  // namespace

TEST_CASE("group cost: a shader without instructions costs nothing", "[engines]") {
  const GroupCost cost = group_cost({256, 32, 0}, {}, easy_sm());
  CHECK(cost.cycles == 0);
}

TEST_CASE("group cost: a lone group waits for the latency of each instruction", "[engines]") {
  // 32 threads keep a quarter of 128 lanes busy in one of four cycles.
  const GroupCost cost = group_cost({32, 32, 0}, {1000, 0, 0, 0}, easy_sm());
  CHECK(cost.cycles == 4000);
  CHECK(usage(cost, SmUnit::alu) == Approx(32. / 128 / 4));
  CHECK(*std::max_element(cost.usage.begin(), cost.usage.end()) == usage(cost, SmUnit::alu));
}

TEST_CASE("group cost: latencies of all kinds add up, the units work side by side", "[engines]") {
  const ShaderCost shader{100, 10, 2, 5};
  const GroupCost cost = group_cost({64, 32, 0}, shader, easy_sm());
  CHECK(cost.cycles == 100 * 4 + 10 * 20 + 2 * 400 + 5 * 30);
  const auto cycles = static_cast<double>(cost.cycles);
  CHECK(usage(cost, SmUnit::alu) == Approx(64 * 100 / 128. / cycles));
  CHECK(usage(cost, SmUnit::sfu) == Approx(64 * 10 / 16. / cycles));
  CHECK(usage(cost, SmUnit::texture) == Approx(64 * 2 / 4. / cycles));
  CHECK(usage(cost, SmUnit::shared_memory) == Approx(64 * 5 / 32. / cycles));
  CHECK(*std::max_element(cost.usage.begin(), cost.usage.end()) == usage(cost, SmUnit::alu));
}

TEST_CASE("group cost: a group that fills a unit alone uses more than all of it", "[engines]") {
  // 1024 threads on 128 lanes need 8 cycles an instruction, twice the latency.
  const GroupCost cost = group_cost({1024, 32, 0}, {1000, 0, 0, 0}, easy_sm());
  CHECK(cost.cycles == 4000);
}

TEST_CASE("group cost: without latencies the busiest unit decides", "[engines]") {
  ShaderArrayConfig sm = easy_sm();
  sm.alu_latency_cycles = 0;
  sm.sfu_latency_cycles = 0;
  const GroupCost cost = group_cost({256, 32, 0}, {1000, 200, 0, 0}, sm);
  CHECK(cost.cycles == 256 * 200 / 16);
  CHECK(usage(cost, SmUnit::sfu) == Approx(1));
  CHECK(usage(cost, SmUnit::alu) == Approx(2000. / 3200));
}

TEST_CASE("group cost: threads count in whole warps", "[engines]") {
  const GroupCost cost = group_cost({33, 32, 0}, {100, 0, 0, 0}, easy_sm());
  CHECK(usage(cost, SmUnit::alu) == usage(group_cost({64, 32, 0}, {100, 0, 0, 0}, easy_sm()), SmUnit::alu));
}

TEST_CASE("group cost: usage times cycles is what each unit has to do", "[engines]") {
  std::mt19937_64 random(1);
  const ShaderArrayConfig sm = easy_sm();
  const auto up_to = [&](double most) { return static_cast<double>(random() % 10'000) / 10'000 * most; };
  for (int round = 0; round < 1000; ++round) {
    const ShaderCost shader{random() % 3 ? up_to(1e5) : 0, random() % 3 ? up_to(1e4) : 0, random() % 3 ? up_to(100) : 0,
                            random() % 3 ? up_to(1000) : 0};
    const auto warps = static_cast<std::uint32_t>(1 + random() % 32);
    const GroupCost cost = group_cost({32 * warps, 32, 0}, shader, sm);
    const double threads = 32. * warps;
    const auto cycles = static_cast<double>(cost.cycles);
    CHECK(usage(cost, SmUnit::alu) * cycles == Approx(threads * shader.alu_instructions / 128));
    CHECK(usage(cost, SmUnit::sfu) * cycles == Approx(threads * shader.sfu_instructions / 16));
    CHECK(usage(cost, SmUnit::texture) * cycles == Approx(threads * shader.texture_samples / 4));
    CHECK(usage(cost, SmUnit::shared_memory) * cycles == Approx(threads * shader.shared_accesses / 32));
  }
}
