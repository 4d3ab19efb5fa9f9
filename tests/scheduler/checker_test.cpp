// SPDX-License-Identifier: Apache-2.0
// The checker itself: a log that keeps the rules passes, and one that breaks a single rule does not.
#include "tests/scheduler/story.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

struct Case {
  const char* what;
  std::function<void(Story&)> spoil;
  const char* expected;  ///< in the first violation
};

void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    Story story;
    one.spoil(story);
    const auto violations = story.violations();
    INFO(one.what);
    REQUIRE_FALSE(violations.empty());
    CHECK_THAT(violations.front(), Contains(one.expected));
  }
}

}  // namespace

TEST_CASE("checker: a run that keeps the rules passes", "[scheduler]") {
  Story story;
  CHECK(story.violations() == std::vector<std::string>{});
}

TEST_CASE("checker: a violation says where and when, what was expected and what was found", "[scheduler]") {
  Story story;
  story.nth<SubmissionRecord>(2).submission_fence_id = 2;
  CHECK(story.violations().front() ==
        "adapter.scheduler.high, render packet 6 to adapter.node0 queue 0, at 13.000000 us: expected an id above 3, "
        "found id 2");
  Checker checker(story.log, {});
  CHECK(checker.passed());
  CHECK(checker.report().empty());
  for (std::uint64_t at_ps = 5; at_ps > 0; --at_ps) checker.rests(at_ps);  // back in time
  CHECK(checker.count() == 4);
  CHECK_THAT(checker.report(), Contains("4 rules were broken: log, at 0.000004 us: expected no record before "
                                        "0.000005 us, found an earlier one; ") &&
                                   Contains("; and 1 more"));
}

TEST_CASE("checker: hardware queues", "[scheduler]") {
  check({
      {"two packets at once", [](Story& s) { s.nth<Span>(3).start_ps = 29 * us; },
       "nothing before 30.000000 us, when the hardware queue is done with what ran before"},
      {"one that is not the first", [](Story& s) { s.nth<Span>(2).id = 2; }, "packet 1 to run, the first"},
      {"running before it is there", [](Story& s) { s.nth<Span>(2).start_ps = 20 * us; }, "when it is submitted"},
      {"running after it has come back",
       [](Story& s) {
         s.insert(s.position<PreemptionRecord>(0), Span{s.node0, SpanKind::packet, {}, 12 * us, 13 * us, 2});
       },
       "a packet in a hardware queue of the node"},
      {"running on another node", [](Story& s) { s.nth<Span>(1).track = s.node1; },
       "a packet in a hardware queue of the node"},
      {"two pieces in one submission",
       [](Story& s) {
         s.insert(s.position<Span>(1), Span{s.node0, SpanKind::packet, {}, 13 * us, 13 * us, 6});
       },
       "one piece for each submission"},
      {"more than its depth",
       [](Story& s) {
         s.insert(s.position<PreemptionRequest>(0),
                  SubmissionRecord{s.node0, 0, s.high, 6, 3, PacketType::render, 0, 10 * us});
       },
       "at most 2 packets in the hardware queue"},
      {"a packet that is there already",
       [](Story& s) {
         SubmissionRecord again = s.nth<SubmissionRecord>(1);
         again.submission_fence_id = 3;
         s.insert(s.position<SubmissionRecord>(1) + 1, again);
       },
       "found one that is in a hardware queue already"},
      {"a packet that is complete",
       [](Story& s) {
         SubmissionRecord again = s.nth<SubmissionRecord>(2);
         again.submission_fence_id = 5;
         again.at_ps = 20 * us;
         s.insert(s.position<InterruptRecord>(1) + 1, again);
       },
       "found one that is complete"},
      {"another context's node", [](Story& s) { s.nth<SubmissionRecord>(0).node = s.node1; },
       "its context's node adapter.node0"},
      {"no such hardware queue", [](Story& s) { s.nth<SubmissionRecord>(0).hardware_queue = 1; },
       "one of 1 hardware queues"},
      {"no such node", [](Story& s) { s.nth<QueuedRecord>(0).node = s.low; }, "a node of the machine"},
      {"another type", [](Story& s) { s.nth<SubmissionRecord>(0).type = PacketType::wait; }, "as it was queued"},
      {"another context", [](Story& s) { s.nth<SubmissionRecord>(0).context = s.high; },
       "the context it was queued in"},
  });
}

TEST_CASE("checker: ids", "[scheduler]") {
  check({
      {"a submission's id again", [](Story& s) { s.nth<SubmissionRecord>(1).submission_fence_id = 1; },
       "an id above 1, found id 1"},
      {"a resubmission with its old id", [](Story& s) { s.nth<SubmissionRecord>(3).submission_fence_id = 1; },
       "an id above 4, found id 1"},
      {"a request with a submission's id", [](Story& s) { s.nth<PreemptionRequest>(0).preemption_fence_id = 2; },
       "request to preempt, at 10.000000 us: expected an id above 2"},
      {"completion of what is not there", [](Story& s) { s.nth<InterruptRecord>(1).fence_id = 1; },
       "it to be the last that completed"},
      {"completion of what has ended",
       [](Story& s) { s.nth<InterruptRecord>(2).fence_id = s.nth<InterruptRecord>(2).last_completed_fence_id = 4; },
       "a submission that is in the hardware queue, found DMA_COMPLETED of submission 4"},
      {"completion out of order",
       [](Story& s) { s.nth<InterruptRecord>(2).fence_id = s.nth<InterruptRecord>(2).last_completed_fence_id = 6; },
       "submission 5 to end first"},
      {"completion without a run", [](Story& s) { s.drop<Span>(1); },
       "packet 6 to run to its end before it is complete"},
      {"completion of what was stopped", [](Story& s) { s.nth<Span>(2).stopped = true; },
       "packet 1 to run to its end before it is complete"},
      {"return of what ran to its end", [](Story& s) { s.nth<Span>(0).stopped = false; },
       "packet 1 to complete, as it ran to its end"},
      {"an answer to no request", [](Story& s) { s.drop<PreemptionRequest>(0); }, "no DMA_PREEMPTED without a request"},
      {"an answer to another request", [](Story& s) { s.nth<InterruptRecord>(0).fence_id = 2; },
       "DMA_PREEMPTED of request 3, found DMA_PREEMPTED of request 2"},
      {"a second request before the answer",
       [](Story& s) {
         s.insert(s.position<PreemptionRequest>(0) + 1, PreemptionRequest{s.node0, 0, 4, 10 * us});
       },
       "request 3 to be answered first"},
      {"last completed: what did not complete", [](Story& s) { s.nth<InterruptRecord>(0).last_completed_fence_id = 1; },
       "LastCompletedFenceId 0, found 1"},
      {"learned before it happened", [](Story& s) { s.nth<InterruptRecord>(1).dpc_ps = 19 * us; },
       "the scheduler to learn of interrupts in their order, at 20.000000 us or later"},
      {"learned out of order",
       [](Story& s) {
         s.nth<InterruptRecord>(2).dpc_ps = 42 * us;
         s.of(1).completed_ps = 42 * us;
       },
       "expected no record before 42.000000 us"},
  });
}

TEST_CASE("checker: preemption", "[scheduler]") {
  check({
      {"not answered", [](Story& s) { s.records.resize(s.position<InterruptRecord>(0)); },
       "it to complete, found it left in a hardware queue"},
      {"submission while it stops",
       [](Story& s) {
         SubmissionRecord early = s.nth<SubmissionRecord>(2);
         early.at_ps = 11 * us;
         early.submission_fence_id = 4;
         s.insert(s.position<InterruptRecord>(0), early);
       },
       "nothing for a hardware queue that is being stopped"},
      {"resubmission before the scheduler knows", [](Story& s) { s.nth<InterruptRecord>(0).dpc_ps = 22 * us; },
       "nothing for a hardware queue that is being stopped"},
      {"not learned of", [](Story& s) { s.drop<PreemptionRecord>(0); },
       "the scheduler to take back what request 3 stopped"},
      {"learned of twice",
       [](Story& s) { s.insert(s.position<PreemptionRecord>(0), s.records[s.position<PreemptionRecord>(0)]); },
       "a DMA_PREEMPTED that has no record yet"},
      {"other packets", [](Story& s) { s.nth<PreemptionRecord>(0).packets = 1; }, "2 packets to come back, found 1"},
      {"requested at another time", [](Story& s) { s.nth<PreemptionRecord>(0).requested_ps = 9 * us; },
       "requested at 10.000000 us"},
      {"stopped at another time", [](Story& s) { s.nth<PreemptionRecord>(0).stopped_ps = 11 * us; },
       "stopped at 10.000000 us, when the packet was"},
      {"stopped before the request", [](Story& s) { s.nth<PreemptionRecord>(0).stopped_ps = 9 * us; },
       "stopped between the request and the end of the save"},
      {"free at another time", [](Story& s) { s.nth<PreemptionRecord>(0).free_ps = 13 * us; },
       "the engine free at 12.000000 us"},
      {"saved though nothing ran", [](Story& s) { s.drop<Span>(0); }, "nothing saved where nothing ran"},
      {"a packet says it came back more often", [](Story& s) { s.of(2).preemptions = 2; },
       "1 preemptions: so often it came back, found 2"},
      {"a submission says so", [](Story& s) { s.nth<SubmissionRecord>(3).resubmissions = 0; },
       "1 earlier submissions that came back, found 0"},
  });
}

TEST_CASE("checker: every packet ends once", "[scheduler]") {
  check({
      {"lost in the software queue",
       [](Story& s) {
         s.records.resize(s.position<SubmissionRecord>(0));
         s.drop<QueuedRecord>(4);
         s.drop<QueuedRecord>(3);
       },
       "packet 1, at 70.000000 us: expected it to complete, found it left in its software queue"},
      {"lost in a hardware queue", [](Story& s) { s.records.resize(s.position<PreemptionRequest>(0)); },
       "it to complete, found it left in a hardware queue"},
      {"lost by the scheduler",
       [](Story& s) {
         s.records.resize(s.position<PacketRecord>(0));
         s.records.erase(s.records.begin(), s.records.begin());
       },
       "packet 1, at 70.000000 us: expected it to complete"},
      {"its record missing", [](Story& s) { s.drop<PacketRecord>(4); },
       "wait packet 4, queued before it, to be complete"},
      {"ended twice", [](Story& s) { s.insert(s.position<PacketRecord>(0), s.records[s.position<PacketRecord>(0)]); },
       "packet 6, at 21.000000 us: expected a packet that was queued and has not ended, found its end"},
      {"ended without an interrupt", [](Story& s) { s.drop<InterruptRecord>(1); },
       "a packet that its node has reported as completed"},
      {"ended before the scheduler knows", [](Story& s) { s.nth<InterruptRecord>(1).dpc_ps = 22 * us; },
       "completed when the scheduler learns of it, at 22.000000 us, found 21.000000 us"},
      {"never queued", [](Story& s) { s.drop<QueuedRecord>(7); }, "packet 8 to be queued next"},
      {"queued twice", [](Story& s) { s.nth<QueuedRecord>(1).packet = 1; }, "packet 2 to be queued next"},
      {"another node for its context", [](Story& s) { s.nth<QueuedRecord>(1).node = s.node1; },
       "its context on adapter.node0"},
      {"another type", [](Story& s) { s.of(6).type = PacketType::signal; }, "the type it was queued with"},
      {"another context", [](Story& s) { s.of(6).context = s.low; }, "the context it was queued in"},
      {"another node", [](Story& s) { s.of(6).node = s.node1; }, "expected adapter.node0, found adapter.node1"},
      {"another submission", [](Story& s) { s.of(1).submission_fence_id = 1; }, "submission 5, its last, found 1"},
      {"a signal on a node", [](Story& s) { s.of(3).node = s.node0; }, "neither node nor submission"},
  });
}

TEST_CASE("checker: what waits for ever is not lost, nor is what was aborted", "[scheduler]") {
  Story story;
  // The node is reset while packet 6 runs on it: everything there and behind it ends.
  Records aborted;
  for (std::uint64_t id = 1; id <= 6; ++id) {
    PacketRecord record = story.of(id);
    record.status = id == 6 ? PacketStatus::timed_out : PacketStatus::discarded;
    record.completed_ps = 60 * us;
    aborted.emplace_back(record);
  }
  story.records.resize(story.position<Span>(1));
  CHECK_THAT(story.violations().front(), Contains("packet 1, at 70.000000 us: expected it to complete"));
  story.records.insert(story.records.end(), aborted.begin(), aborted.end());
  CHECK(story.violations() == std::vector<std::string>{});
  // A wait on the hardware, whose fence does not come, holds what others have behind it.
  Story held;
  held.nth<QueuedRecord>(6).fence_value = 10;
  held.records.resize(held.position<Counter>(1));
  CHECK(held.violations() == std::vector<std::string>{});
  held.nth<QueuedRecord>(6).fence_value = 5;
  CHECK_THAT(held.violations().front(), Contains("packet 7, at 70.000000 us: expected it to pass, its fence was at 5, "
                                                 "found it left in a hardware queue"));
}

TEST_CASE("checker: order of the queues", "[scheduler]") {
  check({
      {"a command list passes another",
       [](Story& s) { std::swap(s.nth<SubmissionRecord>(0).packet, s.nth<SubmissionRecord>(1).packet); },
       "render packet 1, queued before it, to be complete or ahead of it in the hardware queue"},
      {"a command list passes a wait",
       [](Story& s) {
         SubmissionRecord early = s.nth<SubmissionRecord>(5);
         early.at_ps = 40 * us;
         s.records.erase(s.records.begin() + static_cast<std::ptrdiff_t>(s.position<SubmissionRecord>(5)));
         s.insert(s.position<InterruptRecord>(3), early);
       },
       "wait packet 4, queued before it, to be complete or ahead of it in the hardware queue, found it in the software "
       "queue"},
      {"a signal before its work",
       [](Story& s) {
         PacketRecord signal = s.of(3);
         signal.ready_ps = signal.hardware_ps = signal.started_ps = signal.finished_ps = signal.completed_ps = 40 * us;
         Counter move = s.nth<Counter>(0);
         move.at_ps = 40 * us;
         s.drop<PacketRecord>(3);
         s.drop<Counter>(0);
         s.insert(s.position<Span>(3), move);  // packet 2 has not ended on its node
         s.insert(s.position<Span>(3), signal);
       },
       "render packet 2, queued before it, to complete first"},
      {"a signal that moves nothing", [](Story& s) { s.drop<Counter>(0); },
       "adapter.fences.done, packet 3, at 41.000000 us: expected the fence to move to 5 with the signal"},
      {"a signal of another value", [](Story& s) { s.nth<Counter>(0).value = 6; },
       "the fence to move to 5 with the signal"},
      {"a record of another value", [](Story& s) { s.of(3).fence_value = 6; },
       "adapter.fences.done and 5, as it was queued, found adapter.fences.done and 6"},
      {"a wait that passes early", [](Story& s) { s.nth<QueuedRecord>(3).fence_value = s.of(4).fence_value = 6; },
       "the fence at 6 or above at some moment since 0.000000 us, found it at 5"},
      {"a wait that ends on the hardware before its fence is there",
       [](Story& s) {
         s.nth<Span>(5).end_ps = s.of(7).finished_ps = 59 * us;
         std::swap(s.records[s.position<Span>(5)], s.records[s.position<Counter>(1)]);
       },
       "nothing before the fence is there at 60.000000 us"},
      {"a fence that stands elsewhere", [](Story& s) { s.nth<QueuedRecord>(6).stands_at = 4; },
       "adapter.fences.done at 5, found at 4"},
  });
}

TEST_CASE("checker: a wait counts from the moment it is queued", "[scheduler]") {
  Story story;
  // The fence reaches 5 and is rewound before wait 4 passes.
  story.insert(story.position<Counter>(0) + 1, Counter{story.fence, CounterKind::fence_value, 41 * us, 0});
  story.nth<QueuedRecord>(6).stands_at = 0;
  CHECK(story.violations() == std::vector<std::string>{});
  // Had it been queued after the rewind, it would wait.
  Story late;
  late.insert(late.position<Counter>(0) + 1, Counter{late.fence, CounterKind::fence_value, 41 * us, 0});
  late.nth<QueuedRecord>(6).stands_at = 0;
  late.nth<QueuedRecord>(6).fence_value = 5;
  late.of(7).fence_value = 5;
  late.nth<Counter>(2).value = 4;
  late.nth<QueuedRecord>(7).stands_at = 4;
  CHECK_THAT(late.violations().front(), Contains("the fence at 5 or above at some moment since 51.000000 us, found it "
                                                 "at 4"));
}

TEST_CASE("checker: time", "[scheduler]") {
  check({
      {"back in time", [](Story& s) { s.nth<Counter>(1).at_ps = 50 * us; }, "no record before 51.000000 us"},
      {"submitted at another time", [](Story& s) { s.of(6).submitted_ps = 9 * us; }, "when it was queued"},
      {"head before submitted", [](Story& s) { s.of(6).head_ps = 9 * us; }, "head not before submitted"},
      {"ready before head", [](Story& s) { s.of(6).ready_ps = 9 * us; }, "ready not before head"},
      {"hardware before ready", [](Story& s) { s.of(6).ready_ps = 14 * us; }, "hardware not before ready"},
      {"hardware at another time", [](Story& s) { s.of(6).hardware_ps = 12 * us; },
       "submitted for the run that started it at 13.000000 us, found 12.000000 us"},
      {"hardware of the resubmission", [](Story& s) { s.of(2).hardware_ps = 0; },
       "submitted for the run that started it at 21.000000 us"},
      {"started at another time", [](Story& s) { s.of(6).started_ps = 14 * us; },
       "started with its first piece at 13.000000 us"},
      {"finished at another time", [](Story& s) { s.of(6).finished_ps = 19 * us; },
       "finished with its last piece at 20.000000 us"},
      {"completed before finished", [](Story& s) { s.of(6).finished_ps = 22 * us; }, "completed not before finished"},
      {"a gap", [](Story& s) { s.of(1).preempted_ps = 11 * us; },
       "12.000000 us preempted, the time between its 2 pieces, found 11.000000 us"},
      {"a shorter piece", [](Story& s) { s.nth<Span>(2).start_ps = 23 * us; }, "13.000000 us preempted"},
      {"a signal that takes time", [](Story& s) { s.of(3).started_ps = 40 * us; }, "started not before hardware"},
      {"a wait in the software queue that takes time",
       [](Story& s) { s.of(4).ready_ps = s.of(4).hardware_ps = s.of(4).started_ps = 40 * us; }, "one moment"},
  });
}
