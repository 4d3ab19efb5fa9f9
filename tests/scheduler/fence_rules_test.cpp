// SPDX-License-Identifier: Apache-2.0
// Fences among queues: the rules of the specification, "multi-engine synchronization".
#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {}

TEST_CASE("queue wait: it passes when the fence is at the value or above, and not below", "[scheduler]") {
  const std::uint64_t initial = GENERATE(0, 4, 5, 6, 1'000'000);
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence(initial);
  bench.wait(queue, fence, 5);
  const std::uint64_t work = bench.execute(queue, 1 * us);
  CHECK(bench.run() == (initial >= 5));
  CHECK(bench.completed(work) == (initial >= 5));
}

TEST_CASE("queue wait: waits that come before their signal are satisfied by the CPU or a queue", "[scheduler]") {
  Bench bench({plain_node(), plain_node()});
  const ContextId waiting = bench.context(0);
  const ContextId signalling = bench.context(1);
  const FenceId fence = bench.fence();
  bench.wait(waiting, fence, 3);
  const std::uint64_t work = bench.execute(waiting, 2 * us);
  CHECK_FALSE(bench.run());
  SECTION("CPU") {
    bench.kernel().advance_to(5 * us);
    bench.cpu_signal(fence, 3);
    CHECK(bench.run());
    CHECK(bench.record(work).started_ps == 5 * us);
  }
  SECTION("queue") {
    bench.execute(signalling, 4 * us);
    bench.signal(signalling, fence, 4);
    CHECK(bench.run());
    CHECK(bench.record(work).started_ps == 4 * us);
    CHECK(bench.record(work).finished_ps == 6 * us);
  }
}

TEST_CASE("queue wait: after a rewind it compares with the lower value", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence();
  bench.cpu_signal(fence, 10);
  bench.cpu_signal(fence, 1);
  const std::uint64_t wait = bench.wait(queue, fence, 10);
  CHECK_FALSE(bench.run());
  const auto stuck = bench.scheduler().stuck();
  REQUIRE(stuck.size() == 1);
  CHECK(stuck[0].context == queue);
  CHECK(stuck[0].fence == fence);
  CHECK(stuck[0].value == 10);
  bench.cpu_signal(fence, 10);
  CHECK(bench.run());
  CHECK(bench.completed(wait));
  CHECK(bench.scheduler().stuck().empty());
}

TEST_CASE("queue wait: once reached it stays satisfied, even while it is behind other packets", "[scheduler]") {
  // vkd3d-proton, test_fence_signal_availability.
  Bench bench({plain_node(1), plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId gate = bench.fence();
  const FenceId fence = bench.fence();
  SECTION("behind another wait") { bench.wait(queue, gate, 1); }
  SECTION("behind work") {
    bench.wait(queue, gate, 1);
    bench.execute(queue, 10 * us);
    bench.execute(queue, 10 * us);
  }
  const std::uint64_t wait = bench.wait(queue, fence, 5);
  bench.run();
  bench.cpu_signal(fence, 5);
  bench.cpu_signal(fence, 0);
  bench.cpu_signal(gate, 1);
  CHECK(bench.run());
  CHECK(bench.completed(wait));
  CHECK(bench.fences().value(fence) == 0);
}

TEST_CASE("queue wait: a fence that reaches and leaves the value at one moment satisfies it", "[scheduler]") {
  Bench bench({plain_node(), plain_node()});
  const ContextId waiting = bench.context(0);
  const ContextId racing = bench.context(1);
  const FenceId fence = bench.fence();
  const std::uint64_t wait = bench.wait(waiting, fence, 5);
  bench.execute(racing, 1 * us);
  bench.signal(racing, fence, 5);
  bench.signal(racing, fence, 2);
  CHECK(bench.run());
  CHECK(bench.completed(wait));
  CHECK(bench.fences().value(fence) == 2);
}

TEST_CASE("CPU signal: it is immediate and does not cancel a pending queue signal", "[scheduler]") {
  // vkd3d-proton, test_fence_pending_signal_cpu_rewind.
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence(3);
  bench.execute(queue, 10 * us);
  bench.signal(queue, fence, 10);
  bench.kernel().advance_to(5 * us);
  CHECK(bench.fences().value(fence) == 3);
  bench.cpu_signal(fence, 0);
  CHECK(bench.fences().value(fence) == 0);
  CHECK(bench.now() == 5 * us);
  bench.kernel().advance_to(10 * us - 1);
  CHECK(bench.fences().value(fence) == 0);
  bench.kernel().advance_to(10 * us);
  CHECK(bench.fences().value(fence) == 10);
}

TEST_CASE("queue signal: a wait for it on the same queue passes", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence();
  bench.execute(queue, 3 * us);
  bench.signal(queue, fence, 1);
  bench.wait(queue, fence, 1);
  const std::uint64_t after = bench.execute(queue, 1 * us);
  CHECK(bench.run());
  CHECK(bench.record(after).started_ps == 3 * us);
}

TEST_CASE("queue signal: it takes place only when everything before it is complete", "[scheduler]") {
  // Deep hardware queue, time to retire, two signals behind each other and one behind a wait.
  NodePath path;
  path.retire_ns = 250;
  Bench bench({plain_node(8), plain_node()});
  const ContextId queue = bench.context(0, 0, path);
  const FenceId gate = bench.fence();
  const FenceId fence = bench.fence();
  std::uint64_t work = 0;
  for (int i = 0; i < 3; ++i) work = bench.execute(queue, 2 * us);
  const std::uint64_t first = bench.signal(queue, fence, 1);
  const std::uint64_t second = bench.signal(queue, fence, 7);
  bench.wait(queue, gate, 1);
  const std::uint64_t third = bench.signal(queue, fence, 9);
  bench.run();
  const std::uint64_t retired = 3 * (2 * us + 250'000);
  CHECK(bench.record(work).finished_ps == retired - 250'000);
  CHECK(bench.record(work).completed_ps == retired);
  CHECK(bench.record(first).completed_ps == retired);
  CHECK(bench.record(second).completed_ps == retired);
  CHECK_FALSE(bench.completed(third));
  CHECK(bench.fences().value(fence) == 7);
  CHECK(bench.fences().signals(fence) == 2);
  bench.cpu_signal(gate, 1);
  CHECK(bench.run());
  CHECK(bench.fences().value(fence) == 9);
}

TEST_CASE("queue signal: it does not hold back later packets", "[scheduler]") {
  Bench bench({plain_node(2)});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence();
  bench.execute(queue, 5 * us);
  const std::uint64_t signal = bench.signal(queue, fence, 1);
  const std::uint64_t later = bench.execute(queue, 5 * us);
  CHECK(bench.run());
  CHECK(bench.record(later).hardware_ps == 0);  // in the hardware queue behind the first from the start
  CHECK(bench.record(later).started_ps == 5 * us);
  CHECK(bench.record(signal).completed_ps == 5 * us);
}

TEST_CASE("queue signal: without work before it, it takes place at once", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence();
  bench.signal(queue, fence, std::uint64_t{1} << 60);
  CHECK(bench.run());
  CHECK(bench.now() == 0);
  CHECK(bench.fences().value(fence) == std::uint64_t{1} << 60);
}

TEST_CASE("fence chain: a thousand hops over three queues, all waits queued before any signal", "[scheduler]") {
  constexpr std::uint64_t hops = 1000;
  Bench bench({plain_node(), plain_node(), plain_node()});
  const std::vector<ContextId> queues = {bench.context(0), bench.context(1), bench.context(2)};
  const FenceId fence = bench.fence();
  std::vector<std::uint64_t> work;
  for (std::uint64_t hop = 1; hop <= hops; ++hop) {
    const ContextId queue = queues[hop % 3];
    bench.wait(queue, fence, hop);
    work.push_back(bench.execute(queue, hop));
    bench.signal(queue, fence, hop + 1);
  }
  CHECK_FALSE(bench.run());
  bench.cpu_signal(fence, 1);
  CHECK(bench.run());
  CHECK(bench.fences().value(fence) == hops + 1);
  CHECK(bench.now() == hops * (hops + 1) / 2);
  for (std::size_t i = 1; i < work.size(); ++i) {
    if (bench.record(work[i]).started_ps != bench.record(work[i - 1]).finished_ps) FAIL("hop " << i << " is late");
  }
}

TEST_CASE("fence hop: its cost depends on who signals, and grows for further waiters of one signal", "[scheduler]") {
  NodePath path;
  path.fence_same_node_ns = 100;
  path.fence_cross_node_ns = 1000;
  path.fence_from_cpu_ns = 5000;
  constexpr double next_ns = 30;
  Bench bench({plain_node(), plain_node()});
  const ContextId signaller = bench.context(0, 0, path, next_ns);
  const std::vector<ContextId> waiting = {bench.context(0, 0, path, next_ns), bench.context(1, 0, path, next_ns),
                                          bench.context(1, 0, path, next_ns)};
  const FenceId fence = bench.fence();
  std::vector<std::uint64_t> waits;
  for (const ContextId queue : waiting) waits.push_back(bench.wait(queue, fence, 1));
  std::uint64_t signalled = 2 * us;
  std::vector<std::uint64_t> hop_ns = {100, 1000 + 30, 1000 + 60};
  SECTION("by a queue") {
    bench.execute(signaller, signalled);
    bench.signal(signaller, fence, 1);
  }
  SECTION("by the CPU") {
    bench.kernel().advance_to(signalled);
    bench.cpu_signal(fence, 1);
    hop_ns = {5000, 5000 + 30, 5000 + 60};
  }
  CHECK(bench.run());
  for (std::size_t i = 0; i < waits.size(); ++i) {
    CHECK(bench.record(waits[i]).completed_ps == signalled + hop_ns[i] * 1000);
  }
}

TEST_CASE("fence hop: a wait that is reached before its turn comes costs nothing", "[scheduler]") {
  NodePath path;
  path.fence_from_cpu_ns = 5000;
  Bench bench({plain_node(1), plain_node()});
  const ContextId busy = bench.context(0, 0, path, 100);
  const ContextId waiting = bench.context(1, 0, path, 100);
  const FenceId fence = bench.fence();
  bench.execute(busy, 10 * us);
  bench.execute(busy, 10 * us);  // keeps the wait behind it from the head until the first is done
  const std::uint64_t behind = bench.wait(busy, fence, 1);
  const std::uint64_t waited = bench.wait(waiting, fence, 1);
  bench.at(4 * us, [&] { bench.cpu_signal(fence, 1); });
  CHECK(bench.run());
  CHECK(bench.record(behind).completed_ps == 10 * us);
  CHECK(bench.record(waited).completed_ps == 9 * us);  // the first that the signal releases
  const std::uint64_t late = bench.wait(waiting, fence, 1);
  const std::uint64_t now = bench.now();
  CHECK(bench.run());
  CHECK(bench.record(late).completed_ps == now);
}

TEST_CASE("holders: queues whose own wait holds back a signal of at least the value", "[scheduler]") {
  Bench bench({plain_node(), plain_node()});
  const ContextId first = bench.context(0);
  const ContextId second = bench.context(1);
  const FenceId a = bench.fence();
  const FenceId b = bench.fence();
  bench.wait(first, a, 5);
  bench.signal(first, b, 5);
  bench.wait(second, b, 3);
  bench.signal(second, a, 4);
  CHECK_FALSE(bench.run());
  CHECK(bench.scheduler().stuck().size() == 2);
  CHECK(bench.scheduler().holders(b, 3) == std::vector<ContextId>{first});
  CHECK(bench.scheduler().holders(a, 4) == std::vector<ContextId>{second});
  CHECK(bench.scheduler().holders(a, 5).empty());
}
