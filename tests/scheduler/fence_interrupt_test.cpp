// SPDX-License-Identifier: Apache-2.0
// What CPU threads wait for on the way from a queue's signal: the interrupt, its service routine and deferred call.
#include "tests/scheduler/woken_thread.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

SchedulerConfig with(FenceKind fences) {
  SchedulerConfig config = interrupting();
  config.fences = fences;
  return config;
}

struct Interrupts : LogSink {
  explicit Interrupts(Bench& of) : bench(of) { bench.log().attach(*this, EventLog::Detail::packets); }
  ~Interrupts() override { bench.log().detach(*this); }
  void interrupt(const EventLog&, const InterruptRecord& record) override {
    if (record.type != InterruptType::dma_completed) records.push_back(record);
  }
  Bench& bench;
  std::vector<InterruptRecord> records;
};

}  // namespace

TEST_CASE("fence interrupt: a thread goes on when the news of the packet before the signal has come", "[scheduler]") {
  const FenceKind kind = GENERATE(FenceKind::monitored, FenceKind::native);
  Bench bench({plain_node()}, with(kind));
  Interrupts interrupts(bench);
  WokenThread thread(bench);
  const ContextId queue = bench.context(0);
  const FenceId fence = bench.fence();
  bench.fences().cpu_wait(fence, 1, thread, 0);
  bench.execute(queue, 10 * us);
  bench.signal(queue, fence, 1);
  CHECK(bench.run());
  CHECK(thread.woken_ps == std::vector<std::uint64_t>{(10 + latency_us) * us});  // one deferred call for both
  REQUIRE(interrupts.records.size() == 1);
  const bool native = kind == FenceKind::native;
  CHECK(interrupts.records[0].type ==
        (native ? InterruptType::native_fence_signaled : InterruptType::monitored_fence_signaled));
  CHECK(interrupts.records[0].dpc_ps == (10 + latency_us) * us);
}

TEST_CASE("fence interrupt: a signal with nothing before it interrupts by itself", "[scheduler]") {
  Bench bench({plain_node()}, with(FenceKind::native));
  Interrupts interrupts(bench);
  WokenThread thread(bench);
  const ContextId queue = bench.context(0);
  const ContextId follower = bench.context(0);
  const FenceId fence = bench.fence();
  bench.fences().cpu_wait(fence, 1, thread, 0);
  bench.at(20 * us, [&] { bench.signal(queue, fence, 1); });
  const std::uint64_t wait = bench.wait(follower, fence, 1);
  CHECK(bench.run());
  CHECK(thread.woken_ps == std::vector<std::uint64_t>{(20 + latency_us) * us});
  CHECK(bench.record(wait).completed_ps == 20 * us);  // queues do not hear of it through the CPU
  REQUIRE(interrupts.records.size() == 1);
  CHECK(interrupts.records[0].at_ps == 20 * us);
  CHECK(interrupts.records[0].dpc_ps == (20 + latency_us) * us);
}

TEST_CASE("fence interrupt: of a hundred signals native fences report the one that is waited for", "[scheduler]") {
  for (const FenceKind kind : {FenceKind::monitored, FenceKind::native}) {
    Bench bench({plain_node()}, with(kind));
    Interrupts interrupts(bench);
    WokenThread thread(bench);
    const ContextId queue = bench.context(0);
    const FenceId fence = bench.fence();
    bench.fences().cpu_wait(fence, 60, thread, 0);
    for (std::uint64_t i = 1; i <= 100; ++i) {
      bench.execute(queue, 10 * us);
      bench.signal(queue, fence, i);
    }
    CHECK(bench.run());
    CHECK(thread.woken_ps.size() == 1);
    CHECK(interrupts.records.size() == (kind == FenceKind::native ? 1 : 100));
    CHECK(bench.fences().interrupts(fence) == interrupts.records.size());
  }
}
