// SPDX-License-Identifier: Apache-2.0
#include "api/report/text.hpp"

#include "tests/support/protocol_script.hpp"
#include "tests/support/sample_packet.hpp"
#include "tests/support/sink_output.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("log.txt: one line for each message, instant and packet", "[sim]") {
  EventLog log;
  const LogName copy = log.name("adapter.copy0");
  PacketRecord late = sample_packet(log);
  late.status = PacketStatus::timed_out;
  late.preemptions = 0;
  late.preempted_ps = 0;
  const std::string text = output_of<TextSink>(log, [&] {
    log.message({Severity::info, copy, 12'345'678, "two\nlines\x01"});
    log.message({Severity::warning, copy, 1'204'500'000, "too slow"});
    log.instant({log.name("adapter.app.fence"), log.name("signal"), 1'204'500'000, 5});
    log.packet(sample_packet(log));
    log.packet(late);
    log.finish(2'000'000'000);
  });
  CHECK(text ==
        "[      12.345678 us] adapter.copy0: two\\nlines\\x01\n"
        "[W   1204.500000 us] adapter.copy0: too slow\n"
        "[    1204.500000 us] adapter.app.fence: signal 5\n"
        "[      12.345679 us] adapter.app.compute: packet 12 render \"frame\" on adapter.compute0 done after 12.345678 "
        "us: "
        "queued 1.000000, node 1.999999, running 7.000000, preempted 2.345678, completing 0.000001, preempted 2 times\n"
        "[W     12.345679 us] adapter.app.compute: packet 12 render \"frame\" on adapter.compute0 timed_out after "
        "12.345678 us: queued 1.000000, node 1.999999, running 9.345678, completing 0.000001\n"
        "[    2000.000000 us] run: end\n");
}

TEST_CASE("log.txt: the protocol between scheduler and node is told in sentences", "[sim]") {
  EventLog log;
  const std::string text = output_of<TextSink>(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  CHECK(
      text ==
      "[       0.000000 us] adapter.3d0: packet 1 of adapter.scheduler.game, ready for 0.000000 us, submitted to "
      "hardware queue 0, SubmissionFenceId 1\n"
      "[     100.000000 us] adapter.3d0: attempt to preempt packet 1 of adapter.scheduler.game in hardware queue 0 for "
      "packet 2 of adapter.scheduler.compositor: MissRemainingPreemptionQuantum\n"
      "[     150.000000 us] adapter.3d0: attempt to preempt packet 1 of adapter.scheduler.game in hardware queue 0 for "
      "packet 2 of adapter.scheduler.compositor: Success\n"
      "[     150.000000 us] adapter.3d0: request to preempt hardware queue 0, PreemptionFenceId 2, higher_rank: packet "
      "1 of adapter.scheduler.game gives way to packet 2 of adapter.scheduler.compositor, ready for 50.000000 us, no "
      "finer than pixel_boundary\n"
      "[     175.000000 us] adapter.3d0: interrupt dma_preempted of hardware queue 0, PreemptionFenceId 2, "
      "LastCompletedFenceId 0, known at 180.000000 us\n"
      "[     180.000000 us] adapter.3d0: request 2 answered by hardware queue 0, packets back: 1, level reached: "
      "pixel_boundary, drain 20.000000 us, save 5.000000 us of 1234 bytes\n"
      "[     180.000000 us] adapter.3d0: packet 2 of adapter.scheduler.compositor, ready for 80.000000 us, submitted "
      "to "
      "hardware queue 0, SubmissionFenceId 3\n"
      "[     180.000000 us] adapter.3d0: packet 1 of adapter.scheduler.game, ready for 0.000000 us, submitted to "
      "hardware queue 0, SubmissionFenceId 4, was 1 before it came back\n"
      "[     204.000000 us] adapter.3d0: interrupt dma_completed of hardware queue 0, SubmissionFenceId 3, known at "
      "204.000000 us\n"
      "[     204.000000 us] adapter.scheduler.compositor: packet 2 render \"\" on adapter.3d0 done after 204.000000 "
      "us: "
      "node 204.000000\n"
      "[     301.000000 us] adapter.3d0: interrupt dma_completed of hardware queue 0, SubmissionFenceId 4, known at "
      "301.000000 us\n"
      "[     301.000000 us] adapter.scheduler.game: packet 1 render \"\" on adapter.3d0 done after 301.000000 us: node "
      "301.000000\n");
}

TEST_CASE("log.txt: interrupts have their payload, a list switch and a suspension their context", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.compute0");
  const LogName context = log.name("adapter.scheduler.app");
  const std::string text = output_of<TextSink>(log, [&] {
    log.interrupt({node, 1, InterruptType::hwcontextlist_switch_completed, 3, 0, 1'000'000, 2'000'000, context});
    log.interrupt({node, 1, InterruptType::suspend_context_completed, 4, 0, 1'000'000, 2'000'000, context});
    log.interrupt({node, 0, InterruptType::native_fence_signaled, 0, 0, 1'000'000, 1'000'000});
    log.context({context, node, log.name("process app"), 3, 31, -7, 1'000'000, 2'000'000, 3'000'000, 4'000'000,
                 5'000'000, 6'000'000});
    log.request({node, 0, 9, 5'000'000, PreemptionReason::runlist, 0, 0, {}});
  });
  CHECK(
      text ==
      "[       1.000000 us] adapter.compute0: interrupt hwcontextlist_switch_completed of hardware queue 1, "
      "ContextSwitchFence 3, adapter.scheduler.app, known at 2.000000 us\n"
      "[       1.000000 us] adapter.compute0: interrupt suspend_context_completed of hardware queue 1, "
      "ContextSuspendFence 4, adapter.scheduler.app, known at 2.000000 us\n"
      "[       1.000000 us] adapter.compute0: interrupt native_fence_signaled of hardware queue 0, known at 1.000000 "
      "us\n"
      "[       4.000000 us] adapter.scheduler.app: process app, realtime band, level 31, in-process priority -7; "
      "quantum 1.000000 us, of its process 5.000000 us; grace 2.000000 us, 3.000000 us for its process's, 6.000000 us "
      "for its equals\n"
      "[       5.000000 us] adapter.compute0: request to preempt hardware queue 0, PreemptionFenceId 9, runlist\n");
}
