// SPDX-License-Identifier: Apache-2.0
// What paging comes to when a program sweeps more blocks than video memory holds, against closed forms: N equal blocks
// in order each frame, one in use at a time, room for C. Bytes exactly, times within a hundredth.
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using nlohmann::json;

constexpr std::uint64_t block_bytes = 1 << 20;
/// PCIe moves a byte in 7.8125 ns: a block in 8192 us, and 1 us for the page table of its 16 pages.
constexpr double move_us = 8193;
constexpr double pass_us = 8192;
constexpr double work_us = 1;

struct Sweep {
  std::uint64_t blocks = 0;  ///< N
  std::uint64_t room = 0;    ///< C
  const char* eviction = "lru";
  const char* over_commit = "page";
  bool written = true;
  bool reverses = false;       ///< every second frame goes the other way
  std::uint64_t distinct = 0;  ///< the first of them have priorities of their own, falling
  std::uint64_t high = 0;      ///< the first of them have a higher one
};

struct Came {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  std::uint64_t dropped = 0;
  std::uint64_t remote = 0;
  double us = 0;
};

json workload_of(const Sweep& sweep, std::uint64_t frames) {
  json workload = {{"name", "sweep"}, {"machine", "tiny"}};
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < sweep.blocks; ++i) {
    names.push_back(fmt::format("b{}", i));
    std::uint32_t priority = normal_residency_priority;
    if (i < sweep.distinct) priority += static_cast<std::uint32_t>(sweep.distinct - i);
    if (i < sweep.high) priority += 1;
    workload["resources"].push_back({{"type", "buffer"},
                                     {"name", names.back()},
                                     {"bytes", block_bytes},
                                     {"written", sweep.written},
                                     {"residency_priority", priority}});
    workload["command_lists"].push_back(
        {{"name", names.back()},
         {"type", "compute"},
         {"commands", {{{"type", "dispatch"}, {"pipeline", "work"}, {"x", 1}, {"resources", {names.back()}}}}}});
  }
  workload["compute_pipelines"] = {{{"name", "work"}, {"registers_per_thread", 0}, {"group_cycles", 1000}}};
  json timeline = json::array();
  std::uint64_t value = 0;
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    std::vector<std::string> order = names;
    if (sweep.reverses && frame % 2 == 1) std::reverse(order.begin(), order.end());
    for (const std::string& name : order) {  // one block in use at a time
      timeline.push_back({{"type", "execute"}, {"lists", {name}}});
      timeline.push_back({{"type", "signal"}, {"fence", "done"}, {"value", ++value}});
      timeline.push_back({{"type", "wait"}, {"fence", "done"}, {"value", value}});
    }
  }
  workload["fences"] = {{{"name", "done"}}};
  workload["queues"] = {{{"name", "q"}, {"type", "compute"}, {"timeline", timeline}}};
  return workload;
}

Came play(const Sweep& sweep, std::uint64_t frames) {
  const TemporaryDirectory directory;
  write_file(directory / "sweep.json", workload_of(sweep, frames).dump());
  const std::vector<std::string> sets = {"/memory/pcie_to_device/gb_per_s=0.128",
                                         "/memory/pcie_to_host/gb_per_s=0.128",
                                         "/video_memory/residency=allocation_list",
                                         fmt::format("/video_memory/over_commit={}", sweep.over_commit),
                                         fmt::format("/video_memory/eviction={}", sweep.eviction),
                                         fmt::format("/video_memory/dedicated_mib={}", sweep.room)};
  RunResult result;
  run_workload(load_workload(directory / "sweep.json", "", sets), {}, result);
  REQUIRE(result.completed);
  const ResidencyStatistics& all = result.residency.adapter;
  CHECK(all.resident_bytes + all.demoted_bytes <= sweep.blocks * block_bytes);
  return {all.in_bytes, all.out_bytes, all.dropped_bytes, all.remote_bytes, static_cast<double>(result.end_ps) / 1e6};
}

/// Of the frames behind the first `warm` ones.
Came steady(const Sweep& sweep, std::uint64_t warm, std::uint64_t frames) {
  const Came before = play(sweep, warm);
  const Came all = play(sweep, warm + frames);
  return {all.in - before.in, all.out - before.out, all.dropped - before.dropped, all.remote - before.remote,
          all.us - before.us};
}

/// So many blocks come in, and as many leave.
void check_paged(const Sweep& sweep, std::uint64_t warm, std::uint64_t frames, std::uint64_t blocks) {
  INFO(sweep.blocks << " blocks, room for " << sweep.room << ", " << sweep.eviction);
  for (const bool written : {true, false}) {
    Sweep one = sweep;
    one.written = written;
    const Came came = steady(one, warm, frames);
    CHECK(came.in == blocks * block_bytes);
    CHECK(came.out == (written ? blocks : 0) * block_bytes);
    CHECK(came.dropped == (written ? 0 : blocks) * block_bytes);
    CHECK(came.remote == 0);
    const double moves_us = static_cast<double>(blocks) * (move_us + (written ? move_us : 1));
    const double us = moves_us + static_cast<double>(sweep.blocks * frames - blocks) * work_us;
    CHECK(came.us == Approx(us).epsilon(0.01));
  }
}

struct Size {
  std::uint64_t blocks;
  std::uint64_t room;
};
const std::vector<Size> over_committed = {{90, 60}, {120, 60}, {6, 4}, {8, 4}};

}  // namespace

TEST_CASE("paging pressure: what fits moves nothing", "[api]") {
  for (const Size size : {Size{60, 60}, Size{4, 4}, Size{3, 4}}) {
    for (const char* eviction : {"lru", "mru", "fifo"}) {
      const Came came = play({size.blocks, size.room, eviction}, 3);
      CHECK(came.in + came.out + came.dropped + came.remote == 0);
      CHECK(came.us == Approx(static_cast<double>(3 * size.blocks) * work_us).epsilon(0.01));
    }
  }
}

TEST_CASE("paging pressure: least recent and first in first out pass every block in each frame", "[api]") {
  for (const Size size : over_committed) {
    for (const char* eviction : {"lru", "fifo"}) check_paged({size.blocks, size.room, eviction}, 2, 3, 3 * size.blocks);
  }
}

TEST_CASE("paging pressure: most recent moves N (N - C) blocks in N - 1 frames", "[api]") {
  for (const Size size : over_committed) {
    check_paged({size.blocks, size.room, "mru"}, 2, size.blocks - 1, size.blocks * (size.blocks - size.room));
  }
}

TEST_CASE("paging pressure: with priorities of their own all but one place are pinned", "[api]") {
  for (const Size size : over_committed) {
    Sweep sweep{size.blocks, size.room};
    sweep.distinct = size.blocks;
    check_paged(sweep, 2, 3, 3 * (size.blocks - size.room + 1));
  }
}

TEST_CASE("paging pressure: of two classes the high one stays", "[api]") {
  for (const Size size : over_committed) {
    for (const std::uint64_t high : {std::uint64_t{1}, size.room / 2, size.room - 1}) {
      Sweep sweep{size.blocks, size.room};
      sweep.high = high;
      check_paged(sweep, 2, 3, 3 * (size.blocks - high));
    }
  }
}

TEST_CASE("paging pressure: in the other direction every second frame, N - C blocks move", "[api]") {
  for (const Size size : over_committed) {
    Sweep sweep{size.blocks, size.room};
    sweep.reverses = true;
    check_paged(sweep, 2, 4, 4 * (size.blocks - size.room));
  }
}

TEST_CASE("paging pressure: what is demoted is read over PCIe in each frame, and nothing moves", "[api]") {
  for (const Size size : over_committed) {
    const Came came = steady({size.blocks, size.room, "lru", "demote"}, 1, 3);
    const std::uint64_t demoted = size.blocks - size.room;
    CHECK(came.in + came.out + came.dropped == 0);
    CHECK(came.remote == 3 * demoted * block_bytes);
    const double us = static_cast<double>(3 * demoted) * pass_us + static_cast<double>(3 * size.room) * work_us;
    CHECK(came.us == Approx(us).epsilon(0.01));
  }
}

TEST_CASE("paging pressure: the shipped sweep is what the closed forms say", "[api]") {
  const auto blocks_in = [](const std::vector<std::string>& sets) {
    std::vector<std::string> all = {"/video_memory/residency=allocation_list", "/video_memory/over_commit=page"};
    all.insert(all.end(), sets.begin(), sets.end());
    RunResult result;
    run_workload(load_workload(shipped_workload("paging_pressure"), "", all), {}, result);
    CHECK(result.residency.adapter.in_bytes == result.residency.adapter.out_bytes);
    return result.residency.adapter.in_bytes / (std::uint64_t{64} << 20);
  };
  CHECK(blocks_in({"/video_memory/dedicated_mib=7680"}) == 0);
  CHECK(blocks_in({"/video_memory/dedicated_mib=5120"}) == 40 + 3 * 120);
  CHECK(blocks_in({"/video_memory/dedicated_mib=3840"}) == 60 + 3 * 120);
}
