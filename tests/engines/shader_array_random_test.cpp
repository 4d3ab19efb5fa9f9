// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array.hpp"
#include "tests/engines/array_bench.hpp"
#include "tests/engines/pool_reference.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

struct Launch {
  std::uint64_t at_ps;
  Grid grid;
};

/// The documented rules of the shader array with every group an event of its own. Fixed cycles only.
class ArrayReference {
 public:
  explicit ArrayReference(const ShaderArrayConfig& config) : config_(config), clock_(config.clock_khz), pool_(config) {}

  /// When each grid ends.
  std::vector<std::uint64_t> run(const std::vector<Launch>& launches) {
    std::vector<std::uint64_t> ends(launches.size(), 0);
    for (std::size_t i = 0; i < launches.size(); ++i) states_.push_back({&launches[i], launches[i].grid.groups, 0});
    for (;;) {
      std::uint64_t now = ~std::uint64_t{0};
      for (const Launch& launch : launches) {
        if (launch.at_ps >= next_ps_) now = std::min(now, launch.at_ps);
      }
      for (const Group& group : running_) now = std::min(now, group.end_ps);
      if (now == ~std::uint64_t{0}) return ends;
      next_ps_ = now + 1;
      step(launches, now, ends);
    }
  }

 private:
  struct State {
    const Launch* launch;
    std::uint64_t unplaced;
    std::uint64_t resident;
  };
  struct Group {
    std::uint64_t end_ps;
    std::size_t grid;
    std::uint32_t sm;
  };
  GroupOccupancy need(std::size_t i) const { return occupancy_of(states_[i].launch->grid.footprint, config_); }

  void step(const std::vector<Launch>& launches, std::uint64_t now, std::vector<std::uint64_t>& ends) {
    for (std::size_t i = 0; i < running_.size();) {
      const Group group = running_[i];
      if (group.end_ps != now) {
        ++i;
        continue;
      }
      pool_.release(need(group.grid), group.sm);
      if (--states_[group.grid].resident == 0 && states_[group.grid].unplaced == 0) ends[group.grid] = now;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i].at_ps == now) waiting_.push_back(i);
    }
    // Priority first; within one priority 3D before compute, then by arrival, grids of one moment by their packet.
    std::stable_sort(waiting_.begin(), waiting_.end(), [&](std::size_t a, std::size_t b) {
      const Launch& x = launches[a];
      const Launch& y = launches[b];
      if (x.grid.priority != y.grid.priority) return x.grid.priority > y.grid.priority;
      if (x.grid.graphics != y.grid.graphics) return x.grid.graphics;
      return x.at_ps != y.at_ps ? x.at_ps < y.at_ps : x.grid.order < y.grid.order;
    });
    bool blocked[2] = {false, false};
    std::vector<std::size_t> still_waiting;
    for (const std::size_t i : waiting_) {
      State& state = states_[i];
      const Grid& grid = state.launch->grid;
      bool& mine = blocked[grid.graphics ? 1 : 0];
      const std::uint32_t sm_limit = grid.graphics ? config_.graphics_sms : config_.sms;
      if (!mine && grid.groups == 0) ends[i] = now;
      while (!mine && state.unplaced > 0) {
        const auto sm = pool_.place(need(i), wanted_split_bytes(grid.footprint, config_), sm_limit);
        if (!sm) {
          mine = true;
          break;
        }
        --state.unplaced;
        ++state.resident;
        running_.push_back({clock_.after(now, grid.work.cycles + config_.group_overhead_cycles), i, *sm});
      }
      if (mine) still_waiting.push_back(i);
    }
    waiting_ = still_waiting;
  }

  ShaderArrayConfig config_;
  ClockDomain clock_;
  PoolReference pool_;
  std::uint64_t next_ps_ = 0;
  std::vector<State> states_;
  std::vector<std::size_t> waiting_;
  std::vector<Group> running_;
};

}  // namespace

TEST_CASE("shader array: contended grids end exactly when a model of every single group says", "[engines]") {
  std::mt19937_64 random(1);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (int round = 0; round < 600; ++round) {
    ShaderArrayConfig config;
    config.sms = static_cast<std::uint32_t>(1 + below(5));
    config.graphics_sms = static_cast<std::uint32_t>(1 + below(config.sms));
    config.clock_khz = round % 2 == 0 ? 1'755'000 : 1'000'000;
    config.group_overhead_cycles = static_cast<std::uint32_t>(1 + below(3) * 50);
    if (round % 7 == 0) config.shared_splits_kib.clear();
    // Few different lengths and times make many things happen at one moment.
    const std::uint64_t same = 1 + below(4);
    std::vector<Launch> launches;
    const std::uint64_t count = 1 + below(12);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto threads = static_cast<std::uint32_t>(32 * (1 + below(32)));
      GroupFootprint footprint{threads, static_cast<std::uint32_t>(below(64)), 0};
      if (below(3) == 0) footprint.shared_bytes = static_cast<std::uint32_t>(1 + below(60'000));
      Grid grid = grid_of(below(8) == 0 ? 0 : below(60), footprint, 100 * same * (1 + below(6)));
      grid.priority = static_cast<int>(below(3)) - 1;
      grid.graphics = below(3) == 0;
      grid.order = i;
      launches.push_back({below(2) == 0 ? 0 : below(20) * 100'000, grid});
    }
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    const auto expected = ArrayReference(config).run(launches);
    INFO("round " << round);
    REQUIRE(bench.run() == expected);
    REQUIRE(bench.all_ended_once());
    std::uint64_t groups = 0;
    for (const Launch& launch : launches) groups += launch.grid.groups;
    REQUIRE(bench.top().array.groups_run() == groups);
  }
}
