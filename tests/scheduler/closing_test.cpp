// SPDX-License-Identifier: Apache-2.0
// Contexts that end while the scheduler goes on.
#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("closing: a context is freed when all that it has is complete, and its id is nobody else's", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId first = bench.context(0);
  const ContextId idle = bench.context(0);
  const std::uint64_t one = bench.execute(first, 100);
  const std::uint64_t two = bench.execute(first, 100);
  const FenceId done = bench.fence();
  const std::uint64_t signal = bench.signal(first, done, 1);
  bench.scheduler().close(first);
  CHECK_FALSE(bench.scheduler().freed(first));
  REQUIRE(bench.run());
  CHECK(bench.record(one).completed_ps == 100);
  CHECK(bench.record(two).completed_ps == 200);
  CHECK(bench.record(signal).completed_ps == 200);
  CHECK(bench.scheduler().freed(first));
  CHECK_FALSE(bench.scheduler().freed(idle));
  CHECK(bench.context(0) == static_cast<ContextId>(2));
  CHECK(bench.scheduler().contexts() == 3);
}

TEST_CASE("closing: one that waits stays until its wait is over, and is told of as stuck until then", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId waiting = bench.context(0);
  const FenceId fence = bench.fence();
  bench.wait(waiting, fence, 5);
  const std::uint64_t work = bench.execute(waiting, 10);
  bench.scheduler().close(waiting);
  CHECK_FALSE(bench.run());
  CHECK_FALSE(bench.scheduler().freed(waiting));
  REQUIRE(bench.scheduler().stuck().size() == 1);
  CHECK(bench.scheduler().stuck()[0].context == waiting);
  bench.cpu_signal(fence, 5);
  REQUIRE(bench.run());
  CHECK(bench.completed(work));
  CHECK(bench.scheduler().freed(waiting));
  CHECK(bench.scheduler().stuck().empty());
  CHECK(bench.scheduler().busy().empty());
}

TEST_CASE("closing: a suspended context goes on, for nobody is left to resume it", "[scheduler]") {
  EngineConfig stops = plain_node();
  stops.copy_preemption.granularity = CopyPreemption::copy_boundary;
  Bench bench({stops});
  const ContextId held = bench.context(0);
  const std::uint64_t work = bench.execute(held, 1000, 2);
  bench.at(400, [&] { bench.scheduler().suspend(held); });  // it stops when its first command ends
  bench.at(1500, [&] { bench.scheduler().close(held); });
  REQUIRE(bench.run());
  CHECK(bench.record(work).completed_ps == 2500);
  CHECK(bench.scheduler().freed(held));
}

TEST_CASE("closing: ranks change and processes get the focus with contexts gone in between", "[scheduler]") {
  Bench bench({plain_node(2, 2)});
  const ProcessId game = bench.process({"game"});
  std::vector<ContextId> contexts;
  contexts.reserve(40);
  for (int i = 0; i < 40; ++i) contexts.push_back(bench.context(0, 0, {}, 0, i % 2 == 0 ? game : ProcessId{}));
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    bench.execute(contexts[i], 100);
    if (i % 3 != 0) bench.scheduler().close(contexts[i]);
  }
  bench.at(1500, [&] { bench.scheduler().set_focus(game); });
  bench.at(2500, [&] { bench.scheduler().set_priority({}, ProcessPriority::realtime, 3); });
  REQUIRE(bench.run());
  for (std::size_t i = 0; i < contexts.size(); ++i) CHECK(bench.scheduler().freed(contexts[i]) == (i % 3 != 0));
}

namespace {

/// When each packet of a random program completes. Contexts come and go; `closes`: those that have had their last
/// packet are closed at once, else never.
std::map<std::uint64_t, std::uint64_t> play(unsigned seed, bool closes) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  SchedulerConfig config;
  for (BandConfig* band : {&config.bands.normal, &config.bands.realtime}) {
    band->quantum_us = band->process_quantum_us = 1;
  }
  config.policy = static_cast<SchedulingPolicy>(below(4));
  config.hardware_waits = below(2) == 0;
  config.hardware_scheduling = config.policy == SchedulingPolicy::wddm && below(2) == 0;
  Bench bench({plain_node(1 + static_cast<std::uint32_t>(below(4))), plain_node(2, 3)}, config);
  std::vector<ProcessId> processes = {ProcessId{}};
  for (const char* name : {"a", "b"}) processes.push_back(bench.process({name}));
  const std::vector<FenceId> fences = {bench.fence(), bench.fence(), bench.fence()};
  std::uint64_t value = 0;
  for (int step = 0; step < 60; ++step) {
    const std::uint64_t at_ps = static_cast<std::uint64_t>(step) * 700'000;
    const auto node = static_cast<std::uint32_t>(below(2));
    const auto priority = static_cast<int>(below(2));
    const ProcessId process = processes[below(processes.size())];
    std::vector<std::uint64_t> lengths;
    for (std::uint64_t i = below(4); i > 0; --i) lengths.push_back(1 + below(3'000'000));
    const FenceId fence = fences[below(fences.size())];
    const std::uint64_t waits = below(3) == 0 ? value : 0;
    const std::uint64_t signals = below(2) == 0 ? ++value : 0;
    const std::uint64_t closed_ps = at_ps + below(2) * below(5'000'000);
    bench.at(at_ps, [&bench, node, priority, process, lengths, fence, waits, signals, closes, closed_ps] {
      const ContextId context = bench.context(node, priority, {}, 0, process);
      if (waits > 0) bench.wait(context, fence, waits);
      for (const std::uint64_t length : lengths) bench.execute(context, length, 1 + length % 3);
      if (signals > 0) bench.signal(context, fence, signals);
      if (!closes) return;
      if (closed_ps == bench.now()) {
        bench.scheduler().close(context);
      } else {
        bench.at(closed_ps, [&bench, context] { bench.scheduler().close(context); });
      }
    });
  }
  bench.at(60 * 700'000, [&bench, fences] {
    for (const FenceId fence : fences) bench.fences().signal(fence, 1000, Signaller::cpu);
  });
  REQUIRE(bench.run());
  std::map<std::uint64_t, std::uint64_t> completed_ps;
  for (const auto& [packet, record] : bench.records()) completed_ps[packet] = record.completed_ps;
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < bench.scheduler().contexts(); ++i) {
    left += bench.scheduler().freed(static_cast<ContextId>(i)) ? 0 : 1;
  }
  CHECK(left == (closes ? 0 : 60));
  return completed_ps;
}

}  // namespace

TEST_CASE("closing: what runs when is the same whether contexts go or stay", "[scheduler]") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto staying = play(seed, false);
    CHECK(play(seed, true) == staying);
  }
}
