// SPDX-License-Identifier: Apache-2.0
// Commands that never end, and resets of an engine, which end them.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <utility>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// A dispatch of a microsecond, then `end`.
template <class End>
DmaPacket ending_in(std::uint64_t id, End end) {
  CommandStream stream;
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].group.threads = 64;
  stream.compute_pipelines[0].work.cycles = 1000;
  stream.faulting_accesses.resize(1);
  stream.commands = {Dispatch{0, 1}, end, Dispatch{0, 1}};
  return packet_of(id, std::move(stream), {launch_ps, retire_ps});
}

PreemptionBench bench_at(PreemptionLevel level) {
  return {plain_board(), engine_of<ComputeEngine>(stopping_at(plain_engine<ComputeEngineConfig>(), level))};
}

}  // namespace

TEST_CASE("hang: nothing but a reset stops it, whatever the granularity", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    PreemptionBench bench = bench_at(level);
    bench.submit(0, 0, ending_in(1, Hang{}));
    bench.submit(0, 0, ending_in(2, Barrier{}));
    bench.preempt(5'000 * ns);
    bench.kernel.run_to_end();
    CHECK(bench.top().completed.empty());
    CHECK(bench.top().preempted.empty());
    REQUIRE(bench.top().stuck.size() == 1);
    CHECK(bench.top().stuck[0].at_ps == launch_ps + (10 + 1000 + 10) * ns);
    CHECK_FALSE(bench.top().stuck[0].page_fault);
    CHECK(bench.top().engine->stuck(0));
    bench.enter([](Board& board) { board.engine->reset(); });
    bench.kernel.run_to_end();
    REQUIRE(bench.top().resets.size() == 1);
    REQUIRE(bench.top().resets[0].packets.size() == 2);
    CHECK(bench.top().resets[0].packets[0].cursor.command == 1);
    CHECK(bench.top().resets[0].packets[1].started_ps == Progress::not_started);
    CHECK_FALSE(bench.top().engine->stuck(0));
    CHECK_FALSE(bench.top().engine->preempting(0));
    CHECK(bench.top().engine->last_completed(0) == 0);
    bench.enter([](Board& board) { board.engine->aborted_until(0, 1); });  // as who has reset it says
    CHECK(bench.top().engine->last_completed(0) == 1);
  }
}

TEST_CASE("page fault: the engine stands and tells of it", "[engines]") {
  PreemptionBench bench = bench_at(PreemptionLevel::shader);
  bench.submit(0, 0, ending_in(1, PageFault{0}));
  bench.kernel.run_to_end();
  REQUIRE(bench.top().stuck.size() == 1);
  CHECK(bench.top().stuck[0].page_fault);
}

TEST_CASE("reset: an engine of any granularity stops at once, and goes on with what it is given", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    PreemptionBench bench = bench_at(level);
    bench.submit(0, 0, ending_in(1, Barrier{}));
    bench.submit(0, 0, ending_in(2, Barrier{}));
    bench.reset(500 * ns, 100 * ns);
    bench.kernel.run_to_end();
    REQUIRE(bench.top().resets.size() == 1);
    CHECK(bench.top().resets[0].at_ps == 500 * ns);
    CHECK(bench.completed(1).preempted_ps >= 100 * ns);
    CHECK(bench.completed(2).finished_ps > 0);
  }
}
