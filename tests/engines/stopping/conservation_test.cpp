// SPDX-License-Identifier: Apache-2.0
// What goes into the shader array comes out of it: groups, instructions and bytes, and nothing faster than the units.
#include "engines/shader_array/rules/sm_room.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "sim/log.hpp"
#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/shader_array/random_grids.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Wide = unsigned __int128;

/// What the residents of all SMs issue from one step until the next, in parts of full_speed. No unit of an SM does more
/// than it can.
Wide issued(const ShortcutDispatcher& dispatcher, const ShaderArrayConfig& config, std::uint64_t from,
            std::uint64_t until) {
  Wide sum = 0;
  const auto cost_of = [&](std::uint32_t index) {
    const Grid& grid = dispatcher.grid(index);
    return group_cost(grid.footprint, grid.work.shader, config);
  };
  for (const SmClass& sms : dispatcher.classes()) {
    for (std::uint64_t cycle = from; cycle < until;) {
      const std::uint64_t end = std::min(until, sms.next_issue_change(cycle));
      const std::vector<std::uint64_t> speeds = sms.speeds(cycle, config.issue_conflicts, cost_of);
      std::array<double, sm_units> busy{};
      for (std::size_t i = 0; i < speeds.size(); ++i) {
        sum += Wide{speeds[i]} * (end - cycle) * sms.sms.size();
        if (speeds[i] == 0) continue;
        const GroupCost cost = cost_of(sms.residents[i].grid);
        for (std::size_t unit = 0; unit < sm_units; ++unit) {
          busy[unit] += cost.usage[unit] * static_cast<double>(speeds[i]) / static_cast<double>(full_speed);
        }
      }
      for (const double one : busy) REQUIRE(one <= 1 + 1e-6);
      cycle = end;
    }
  }
  return sum;
}

void check_limits(const ShortcutDispatcher& dispatcher, const ShaderArrayConfig& config) {
  for (const SmClass& sms : dispatcher.classes()) {
    std::uint32_t threads = 0;
    std::uint32_t registers = 0;
    std::uint32_t shared_bytes = 0;
    for (const ResidentGroup& group : sms.residents) {
      threads += group.need.threads;
      registers += group.need.registers;
      shared_bytes += group.need.shared_bytes;
      // The grid of one that leaves may be over.
      if (!group.leaving && dispatcher.grid(group.grid).graphics) REQUIRE(sms.sms.back() < config.graphics_sms);
    }
    REQUIRE(sms.residents.size() <= config.groups_per_sm);
    REQUIRE(threads <= config.threads_per_sm);
    REQUIRE(registers <= config.registers_per_sm);
    if (config.shared_splits_kib.empty()) REQUIRE(shared_bytes <= config.shared_bytes_per_sm);
  }
}

/// Bytes that video memory moved, from its logged rate.
class Traffic : public LogSink {
 public:
  void counter(const EventLog& log, const Counter& counter) override {
    const std::string_view track = log.text(counter.track);
    if (counter.kind != CounterKind::bytes_per_s || track.substr(track.rfind('.')) != ".vram") return;
    moved_ += Wide{rate_} * (counter.at_ps - since_ps_);
    since_ps_ = counter.at_ps;
    rate_ = counter.value;
    most_ = std::max(most_, rate_);
    ++changes_;
  }
  double bytes() const { return static_cast<double>(moved_) / 1e12; }
  std::uint64_t rate() const { return rate_; }
  std::uint64_t most() const { return most_; }
  std::uint64_t changes() const { return changes_; }

 private:
  Wide moved_ = 0;
  std::uint64_t since_ps_ = 0;
  std::uint64_t rate_ = 0;
  std::uint64_t most_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace

TEST_CASE("dispatcher: all instructions are executed, and no unit does more than it can", "[engines]") {
  RandomGrids random(21);
  for (int round = 0; round < 500; ++round) {
    const ShaderArrayConfig config = random.config();
    std::vector<Launch> launches = random.launches();
    std::stable_sort(launches.begin(), launches.end(),
                     [](const Launch& a, const Launch& b) { return a.at_ps < b.at_ps; });
    Wide demand = 0;
    std::uint64_t groups = 0;
    for (const Launch& launch : launches) {
      const Grid& grid = launch.grid;
      demand += Wide{grid.groups} * group_cost(grid.footprint, grid.work.shader, config).cycles * full_speed;
      groups += grid.groups;
    }
    INFO("round " << round);
    ShortcutDispatcher dispatcher(config);
    Wide executed = 0;
    std::uint64_t now = 0;
    std::size_t arrived = 0;
    std::size_t finished = 0;
    for (;;) {
      const std::uint64_t arrival = arrived < launches.size() ? launches[arrived].at_ps / 500 : never;
      const std::uint64_t cycle = std::min(arrival, dispatcher.next());
      if (cycle == never) break;
      executed += issued(dispatcher, config, now, cycle);
      now = cycle;
      if (arrival == cycle) dispatcher.launch(launches[arrived++].grid, nullptr);
      dispatcher.step(cycle, true);  // with waves logged nothing is skipped
      finished += dispatcher.events().finished.size();
      check_limits(dispatcher, config);
    }
    REQUIRE(finished == launches.size());
    REQUIRE(dispatcher.groups_run() == groups);
    // A group ends at the edge by which its last instruction is over: less than a cycle more.
    REQUIRE(executed >= demand);
    REQUIRE(executed <= demand + Wide{groups} * full_speed);
  }
}

TEST_CASE("dispatcher: halted at any time at any level, all instructions are executed once", "[engines]") {
  RandomGrids random(28);
  int halts = 0;
  for (int round = 0; round < 300; ++round) {
    const ShaderArrayConfig config = random.config();
    ShortcutDispatcher dispatcher(config);
    std::vector<std::uint32_t> running;  // by grid, its name
    Wide demand = 0;
    std::uint64_t groups = 0;
    for (const Launch& launch : random.launches()) {
      Grid grid = launch.grid;
      grid.tag = running.size();
      if (random.one_in(4)) grid.units = 1 + random.below(20);
      demand += Wide{grid.groups} * group_cost(grid.footprint, grid.work.shader, config).cycles * full_speed;
      groups += grid.groups;
      running.push_back(dispatcher.launch(grid, nullptr));
    }
    INFO("round " << round);
    constexpr std::uint32_t not_running = ~std::uint32_t{0};
    std::vector<HaltedGrid> stopped;
    std::vector<int> finished(running.size(), 0);
    Wide executed = 0;
    std::uint64_t placed_again = 0;
    std::uint64_t now = 0;
    std::uint64_t next_halt = random.below(500);
    for (int left = 20; dispatcher.next() != never || now == 0 || !stopped.empty();) {
      // A grid is halted, or one that was goes on; when nothing else is left to do it goes on at once.
      const std::uint64_t event = left > 0 || !stopped.empty() ? next_halt : never;
      const std::uint64_t cycle = now == 0 ? 1 : std::min(std::max(event, now), dispatcher.next());
      executed += issued(dispatcher, config, now, cycle);
      now = cycle;
      if (cycle >= event) {
        next_halt = now + (random.one_in(3) ? 0 : random.below(1500));
        const std::size_t grid = random.below(running.size());
        if (!stopped.empty() && (left == 0 || random.one_in(2))) {
          const HaltedGrid& again = stopped.front();
          for (const SavedGroups& saved : again.left.saved) placed_again += saved.groups;
          running[again.grid.tag] = dispatcher.launch(again.grid, &again.left);
          stopped.erase(stopped.begin());
        } else if (left > 0) {
          --left;
          if (running[grid] != not_running) dispatcher.halt(running[grid], random.halting_level(), random.one_in(2));
        }
      }
      dispatcher.step(cycle, true);
      for (const Grid& grid : dispatcher.events().finished) {
        ++finished[grid.tag];
        running[grid.tag] = not_running;
      }
      for (const HaltedGrid& one : dispatcher.events().halted) {
        running[one.grid.tag] = not_running;
        stopped.push_back(one);
        ++halts;
      }
      check_limits(dispatcher, config);
    }
    REQUIRE(finished == std::vector<int>(running.size(), 1));
    REQUIRE(dispatcher.groups_run() == groups);
    REQUIRE(executed >= demand);
    REQUIRE(executed <= demand + Wide{groups + placed_again} * full_speed);
  }
  CHECK(halts > 500);
}

TEST_CASE("shader array: all bytes are moved, never faster than the channel can", "[engines]") {
  RandomGrids random(22);
  for (int round = 0; round < 300; ++round) {
    ShaderArrayConfig config = random.config();
    config.memory_group_overhead_ns = static_cast<double>(random.below(300));
    MemoryConfig memory;
    memory.vram = {static_cast<double>(20 + random.below(900)), static_cast<double>(random.below(50)),
                   ChannelSharing::fair, static_cast<double>(random.below(4))};
    std::vector<Launch> launches = random.launches();
    std::uint64_t demand = 0;
    std::uint64_t groups = 0;
    for (Launch& launch : launches) {
      if (!random.one_in(4)) launch.grid.work.vram_bytes = random.below(1 << 16);
      demand += launch.grid.groups * launch.grid.work.vram_bytes;
      groups += launch.grid.groups;
    }
    ArrayBench bench(config, memory);
    Traffic traffic;
    bench.enter([&](ArrayTop& top) { top.log.attach(traffic, EventLog::Detail::waves); });
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    bench.run();
    INFO("round " << round);
    REQUIRE(bench.all_ended_once());
    REQUIRE(bench.top().array.dispatcher().groups_run() == groups);
    REQUIRE(traffic.rate() == 0);
    REQUIRE(traffic.most() <= bench.top().memory.levels().capacity(1));
    // A transfer ends at the first picosecond by which its last byte has passed: up to a picosecond at its rate more.
    const auto bytes = static_cast<double>(demand);
    REQUIRE(traffic.bytes() >= bytes * (1 - 1e-12));
    REQUIRE(traffic.bytes() <= bytes + static_cast<double>(traffic.changes()));
  }
}

namespace {

/// A machine, a grid that has it for itself, and better machines.
struct Lone {
  Lone(RandomGrids& random, bool instructions, bool bytes) {
    config = random.config();
    config.wave_parts = 1;  // of waves that drift apart the last one may come to lie less well: Graham's anomalies
    config.memory_group_overhead_ns = static_cast<double>(random.below(300));
    memory.vram = {static_cast<double>(20 + random.below(900)), static_cast<double>(random.below(50)),
                   ChannelSharing::fair, static_cast<double>(random.below(4))};
    grid = grid_of(1 + random.below(300), random.footprint(), random.below(1000));
    if (instructions) grid.work.shader = random.shader();
    if (bytes) grid.work.vram_bytes = random.below(1 << 16);
    factor = 1 + static_cast<double>(1 + random.below(100)) / 50;
    more_sms = 1 + random.below32(4);
  }
  std::uint64_t end() const { return end_of(config, memory, grid); }
  std::uint64_t end_with_bandwidth() const {
    MemoryConfig more = memory;
    more.vram.gb_per_s *= factor;
    return end_of(config, more, grid);
  }
  std::uint64_t end_with_sms() const {
    ShaderArrayConfig more = config;
    more.sms += more_sms;
    return end_of(more, memory, grid);
  }
  std::uint64_t end_with_lanes() const {
    ShaderArrayConfig more = config;
    more.alu_lanes *= factor;
    more.sfu_lanes *= factor;
    more.texture_samples_per_clock *= factor;
    more.shared_lanes *= factor;
    return end_of(more, memory, grid);
  }
  std::uint64_t end_of_one_group() const {
    Grid one = grid;
    one.groups = 1;
    return end_of(config, memory, one);
  }
  static std::uint64_t end_of(const ShaderArrayConfig& config, const MemoryConfig& memory, const Grid& grid) {
    ArrayBench bench(config, memory);
    bench.launch(0, grid);
    return bench.run()[0];
  }

  ShaderArrayConfig config;
  MemoryConfig memory;
  Grid grid;
  double factor;
  std::uint32_t more_sms;
};

}  // namespace

// Where groups end sooner others get places in another order, and the last to end may be one that many go before. That
// is seldom, and costs little.
TEST_CASE("shader array: more lanes hardly ever make a lone grid slower, and then by less than a twentieth",
          "[engines]") {
  RandomGrids random(23);
  int slower = 0;
  for (int round = 0; round < 1000; ++round) {
    const Lone lone(random, true, random.one_in(2));
    const std::uint64_t with_lanes = lone.end_with_lanes();
    INFO("round " << round);
    REQUIRE(with_lanes <= lone.end() + lone.end() / 20);
    slower += with_lanes > lone.end();
  }
  CHECK(slower <= 10);
}

TEST_CASE("shader array: more bandwidth makes a lone grid without instructions never slower", "[engines]") {
  RandomGrids random(24);
  for (int round = 0; round < 1000; ++round) {
    const Lone lone(random, false, true);
    INFO("round " << round);
    REQUIRE(lone.end_with_bandwidth() <= lone.end());
  }
}

// Where groups wait for memory and for the units of their SM, an earlier end of some lets others start at a moment at
// which they are more in the way. That costs less than one group takes.
TEST_CASE("shader array: more bandwidth makes no grid slower by more than a group takes", "[engines]") {
  RandomGrids random(25);
  for (int round = 0; round < 2000; ++round) {
    const Lone lone(random, true, true);
    INFO("round " << round);
    REQUIRE(lone.end_with_bandwidth() <= lone.end() + lone.end_of_one_group());
  }
}

TEST_CASE("shader array: more SMs make a lone grid without memory accesses never slower", "[engines]") {
  RandomGrids random(26);
  for (int round = 0; round < 1000; ++round) {
    const Lone lone(random, true, false);
    INFO("round " << round);
    REQUIRE(lone.end_with_sms() <= lone.end());
  }
}

// With more SMs the first waves are larger. Where they were bound by bandwidth already that gains nothing, and the last
// wave may be left with so few groups that it is bound by latency: at most as long as a group alone.
TEST_CASE("shader array: more SMs make no grid slower by more than a group takes", "[engines]") {
  RandomGrids random(27);
  int slower = 0;
  for (int round = 0; round < 2000; ++round) {
    const Lone lone(random, random.one_in(2), true);
    INFO("round " << round);
    const std::uint64_t before = lone.end();
    const std::uint64_t after = lone.end_with_sms();
    slower += after > before ? 1 : 0;
    REQUIRE(after <= before + lone.end_of_one_group());
  }
  CHECK(slower < 2000 / 20);  // it is the exception
}
