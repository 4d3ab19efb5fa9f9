// SPDX-License-Identifier: Apache-2.0
// Priorities between contexts, and what preemption does for them.
#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t packet_us = 100;
constexpr std::size_t low_packets = 6;
constexpr std::uint32_t depth = 4;
constexpr std::uint64_t arrival_us = 150;  // in the middle of the second low packet

/// A low context keeps the node's hardware queue full; a high one submits a packet in the middle of the second.
struct Overtaking {
  explicit Overtaking(CopyPreemption granularity) : bench({with(granularity)}) {
    const ContextId low_context = bench.context(0, 0);
    const ContextId high_context = bench.context(0, 100);
    for (std::size_t i = 0; i < low_packets; ++i) low.push_back(bench.execute(low_context, packet_us * us / 2, 2));
    bench.at(arrival_us * us, [this, high_context] { high = bench.execute(high_context, packet_us * us); });
    all_done = bench.run();
  }
  static EngineConfig with(CopyPreemption granularity) {
    EngineConfig config = plain_node(depth);
    config.copy_preemption.granularity = granularity;
    return config;
  }
  Bench bench;
  std::vector<std::uint64_t> low;
  std::uint64_t high = 0;
  bool all_done = false;
};

void check_work_is_exact(Overtaking& run) {
  CHECK(run.all_done);
  CHECK(run.bench.now() == (low_packets + 1) * packet_us * us);  // the node never stood still, nothing ran twice
  for (std::size_t i = 0; i < low_packets; ++i) {
    CHECK(run.bench.engine(0).started().at(run.low[i]) == 2);
    CHECK(run.bench.record(run.low[i]).finished_ps - run.bench.record(run.low[i]).started_ps == packet_us * us);
    if (i > 0) CHECK(run.bench.record(run.low[i]).started_ps >= run.bench.record(run.low[i - 1]).finished_ps);
  }
  CHECK(run.bench.engine(0).started().at(run.high) == 1);
}

}  // namespace

TEST_CASE("preemption: at DMA buffer boundary a high-priority packet overtakes those withheld", "[scheduler]") {
  Overtaking run(CopyPreemption::dma_buffer_boundary);
  check_work_is_exact(run);
  CHECK(run.bench.record(run.high).started_ps == 2 * packet_us * us);  // the running packet finishes first
  CHECK(run.bench.record(run.high).preemptions == 0);
  // At its arrival the hardware queue held the second (running) and three more, which came back.
  const std::vector<std::uint32_t> preemptions = {0, 0, 1, 1, 1, 0};
  for (std::size_t i = 0; i < low_packets; ++i) CHECK(run.bench.record(run.low[i]).preemptions == preemptions[i]);
  // Coming back to the hardware is a submission of its own.
  CHECK(run.bench.record(run.low[2]).submission_fence_id > run.bench.record(run.high).submission_fence_id);
  CHECK(run.bench.record(run.low[2]).hardware_ps == 2 * packet_us * us);  // they are back when the engine has stopped
}

TEST_CASE("preemption: a high-priority packet goes ahead of waiting ones though the hardware queue has room",
          "[scheduler]") {
  for (const auto granularity : {CopyPreemption::dma_buffer_boundary, CopyPreemption::none}) {
    Bench bench({Overtaking::with(granularity)});
    const ContextId low_context = bench.context(0, 0);
    const ContextId high_context = bench.context(0, 100);
    std::vector<std::uint64_t> low;
    for (std::size_t i = 0; i < depth - 1; ++i) low.push_back(bench.execute(low_context, packet_us * us));
    std::uint64_t high = 0;
    bench.at(packet_us * us / 2, [&] { high = bench.execute(high_context, packet_us * us); });
    CHECK(bench.run());
    const bool preempts = granularity != CopyPreemption::none;
    CHECK(bench.record(high).started_ps == (preempts ? 1 : depth - 1) * packet_us * us);
    CHECK(bench.record(low[1]).preemptions == (preempts ? 1 : 0));
    CHECK(bench.now() == depth * packet_us * us);
  }
}

TEST_CASE("preemption: with granularity none what is in the hardware queue goes first", "[scheduler]") {
  Overtaking run(CopyPreemption::none);
  check_work_is_exact(run);
  CHECK(run.bench.record(run.high).started_ps == (1 + depth) * packet_us * us);
  for (const std::uint64_t packet : run.low) CHECK(run.bench.record(packet).preemptions == 0);
  CHECK(run.bench.record(run.low[5]).started_ps > run.bench.record(run.high).started_ps);
}

TEST_CASE("preemption: signals come back with their packet and take place after it", "[scheduler]") {
  Bench bench({plain_node(3)});
  const ContextId low = bench.context(0, 0);
  const ContextId high = bench.context(0, 100);
  const FenceId fence = bench.fence();
  std::vector<std::uint64_t> work;
  std::vector<std::uint64_t> signals;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    work.push_back(bench.execute(low, 10 * us));
    signals.push_back(bench.signal(low, fence, i));
    signals.push_back(bench.signal(low, fence, 10 * i));
  }
  bench.at(5 * us, [&] {
    for (int i = 0; i < 5; ++i) bench.execute(high, 10 * us);
  });
  CHECK(bench.run());
  CHECK(bench.record(work[1]).preemptions == 1);
  CHECK(bench.record(work[1]).started_ps == 60 * us);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    CHECK(bench.record(signals[i]).completed_ps == bench.record(work[i / 2]).completed_ps);
  }
  CHECK(bench.fences().signals(fence) == 8);
  CHECK(bench.fences().value(fence) == 40);
  CHECK(bench.now() == 90 * us);
}

TEST_CASE("preemption: equal and lower priorities take nothing back", "[scheduler]") {
  const int newcomer = GENERATE(0, -1);
  Bench bench({plain_node(3)});
  const ContextId first = bench.context(0, 0);
  const ContextId second = bench.context(0, newcomer);
  std::vector<std::uint64_t> work;
  for (int i = 0; i < 4; ++i) work.push_back(bench.execute(first, 10 * us));
  bench.at(5 * us, [&] { work.push_back(bench.execute(second, 10 * us)); });
  CHECK(bench.run());
  for (const std::uint64_t packet : work) CHECK(bench.record(packet).preemptions == 0);
}

TEST_CASE("preemption: it does not touch hardware queues that the ready context cannot use", "[scheduler]") {
  // The high context has a packet running in one hardware queue, so its next one must follow there.
  Bench bench({plain_node(2, 2)});
  const ContextId high = bench.context(0, 100);
  const ContextId low = bench.context(0, 0);
  const std::uint64_t first = bench.execute(high, 100 * us);
  const std::uint64_t second = bench.execute(high, 100 * us);
  const std::uint64_t third = bench.execute(high, 100 * us);
  std::vector<std::uint64_t> work;
  for (int i = 0; i < 5; ++i) work.push_back(bench.execute(low, 10 * us));
  CHECK(bench.run());
  for (const std::uint64_t packet : work) CHECK(bench.record(packet).preemptions == 0);
  CHECK(bench.record(work.back()).finished_ps == 50 * us);
  CHECK(bench.record(first).finished_ps == bench.record(second).started_ps);
  CHECK(bench.record(second).finished_ps == bench.record(third).started_ps);
}

TEST_CASE("priority: of ready contexts the higher is always served first", "[scheduler]") {
  Bench bench({plain_node(1)});
  const ContextId low = bench.context(0, 0);
  const ContextId middle = bench.context(0, 100);
  const ContextId high = bench.context(0, 10000);
  std::vector<std::uint64_t> expected;
  std::vector<std::vector<std::uint64_t>> packets(3);
  for (int i = 0; i < 3; ++i) packets[2].push_back(bench.execute(low, 10 * us));
  for (int i = 0; i < 3; ++i) packets[1].push_back(bench.execute(middle, 10 * us));
  for (int i = 0; i < 3; ++i) packets[0].push_back(bench.execute(high, 10 * us));
  for (const auto& of_context : packets) expected.insert(expected.end(), of_context.begin(), of_context.end());
  CHECK(bench.run());
  CHECK(bench.order() == expected);
}
