// SPDX-License-Identifier: Apache-2.0
// The focus moves between processes while they run, and what Xe's preemption timeout says.
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

EngineConfig stops_at(CopyPreemption granularity) {
  EngineConfig config = plain_node();
  config.copy_preemption.granularity = granularity;
  return config;
}

struct Warnings : LogSink {
  explicit Warnings(Bench& of) : bench(of) { bench.log().attach(*this, EventLog::Detail::packets); }
  ~Warnings() override { bench.log().detach(*this); }
  void message(const EventLog& log, const Message& message) override {
    CHECK(message.severity == Severity::warning);
    lines.push_back(std::string(log.text(message.track)) + ": " + message.text);
    at_ps.push_back(message.at_ps);
  }
  Bench& bench;
  std::vector<std::string> lines;
  std::vector<std::uint64_t> at_ps;
};

}  // namespace

TEST_CASE("focus: a process that gets it preempts the one that loses it, on every node", "[scheduler]") {
  const EngineConfig node = stops_at(CopyPreemption::transfer_boundary);
  Bench bench({node, node});
  const ProcessId game = bench.process({"game", ProcessPriority::normal, true});
  const ProcessId desktop = bench.process({"desktop"});
  std::vector<std::uint64_t> games;
  std::vector<std::uint64_t> desktops;
  for (const std::uint32_t one : {0U, 1U}) {
    games.push_back(bench.execute(bench.context(one, 0, {}, 0, game), 100 * us));
    desktops.push_back(bench.execute(bench.context(one, 0, {}, 0, desktop), 100 * us));
  }
  bench.at(40 * us, [&] { bench.scheduler().set_focus(desktop); });
  bench.at(60 * us, [&] { bench.scheduler().set_focus(game); });
  CHECK(bench.run());
  for (const std::size_t one : {0, 1}) {
    for (const auto& packets : {games, desktops}) CHECK(bench.record(packets[one]).preemptions == 2);  // both come back
    CHECK(bench.record(desktops[one]).started_ps == 40 * us);
    CHECK(bench.record(games[one]).finished_ps == 120 * us);
    CHECK(bench.record(desktops[one]).finished_ps == 200 * us);
  }
}

TEST_CASE("focus: it moves normal contexts only, and losing it to nobody's window takes it away", "[scheduler]") {
  Bench bench({plain_node()});
  const ProcessId game = bench.process({"game"});
  const ProcessId service = bench.process({"service", ProcessPriority::idle});
  const ContextId normal = bench.context(0, 0, {}, 0, game);
  const ContextId high = bench.context(0, 100, {}, 0, game);
  const ContextId realtime = bench.context(0, 10000, {}, 0, game);
  const ContextId idle = bench.context(0, 0, {}, 0, service);
  const auto band = [&](ContextId context) { return bench.scheduler().context(context).rank.band; };
  bench.at(0, [&] { bench.scheduler().set_focus(game); });
  bench.at(1, [&] {
    CHECK(band(normal) == PriorityBand::focus);
    CHECK(band(high) == PriorityBand::focus);
    CHECK(bench.scheduler().context(high).rank.in_process == 1);
    CHECK(band(realtime) == PriorityBand::realtime);
    bench.scheduler().set_focus(service);
    CHECK(band(normal) == PriorityBand::normal);
    CHECK(band(idle) == PriorityBand::idle);
    bench.scheduler().set_focus({});
    CHECK(band(high) == PriorityBand::normal);
  });
  CHECK(bench.run());
}

TEST_CASE("preemption timeout: a warning names the node, the context and the time, once", "[scheduler]") {
  for (const SchedulingPolicy policy : {SchedulingPolicy::xe, SchedulingPolicy::strict_priority}) {
    SchedulerConfig config;
    config.policy = policy;
    config.preemption_timeout_us = 30;
    Bench bench({stops_at(CopyPreemption::dma_buffer_boundary)}, config);
    Warnings warnings(bench);
    const ContextId low = bench.context(0);
    const ContextId high = bench.context(0, 100);
    bench.execute(low, 100 * us);
    bench.execute(low, 100 * us);
    std::uint64_t urgent = 0;
    bench.at(10 * us, [&] { urgent = bench.execute(high, 10 * us); });
    CHECK(bench.run());
    CHECK(bench.record(urgent).started_ps == 100 * us);  // nothing is reset
    CHECK(bench.now() == 210 * us);
    if (policy != SchedulingPolicy::xe) {
      CHECK(warnings.lines.empty());
      continue;
    }
    REQUIRE(warnings.lines.size() == 1);
    CHECK(warnings.at_ps[0] == 40 * us);
    CHECK(warnings.lines[0] ==
          "adapter.node0: adapter.scheduler.queue0 has not stopped 30 us after request 3 to preempt "
          "(preemption_timeout_us)");
  }
}

TEST_CASE("preemption timeout: an answer in time takes it back, and the run ends with its work", "[scheduler]") {
  SchedulerConfig config;
  config.policy = SchedulingPolicy::xe;
  Bench bench({stops_at(CopyPreemption::dma_buffer_boundary)}, config);
  Warnings warnings(bench);
  const ContextId low = bench.context(0);
  const ContextId high = bench.context(0, 100);
  bench.execute(low, 100 * us);
  bench.execute(low, 100 * us);
  bench.at(10 * us, [&] { bench.execute(high, 10 * us); });
  CHECK(bench.run());
  CHECK(warnings.lines.empty());
  CHECK(bench.now() == 210 * us);
}
