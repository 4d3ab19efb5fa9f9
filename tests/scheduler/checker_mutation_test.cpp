// SPDX-License-Identifier: Apache-2.0
// The checker on the log of a run with much preemption: as it is it passes, with one record wrong it does not.
#include "tests/scheduler/bench.hpp"
#include "tests/scheduler/record_stream.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

SchedulerConfig slow_interrupts() {
  SchedulerConfig config;
  config.bands.normal.quantum_us = config.bands.realtime.quantum_us = 3;
  config.isr_us = 0.2;
  config.dpc_us = 0.3;
  config.interrupt_jitter_us = 0.4;
  return config;
}

/// Three contexts of rising priority on each of two nodes; every list is followed by a signal, and now and then a wait
/// for the context on the other node.
struct Run {
  Run() : bench({plain_node(3), plain_node(2, 2)}, slow_interrupts()) {
    bench.log().attach(recorder, EventLog::Detail::packets);
    for (std::uint32_t i = 0; i < 6; ++i) contexts.push_back(bench.context(i % 2, priorities[i / 2]));
    for (std::uint32_t i = 0; i < 6; ++i) fences.push_back(bench.fence());
    for (std::uint64_t round = 1; round <= 8; ++round) {
      for (std::uint32_t i = 0; i < 6; ++i) {  // the higher ones come in the middle of what the lower ones do
        bench.at((round * 31 + i * 3) * us, [this, round, i] {
          bench.execute(contexts[i], (3 + (round + i) % 4) * us, 3);
          bench.signal(contexts[i], fences[i], round);
          if (round > 1 && (round + i) % 3 == 0) bench.wait(contexts[i], fences[(i + 1) % 6], round - 1);
        });
      }
    }
    if (!bench.run()) FAIL("the run did not end");
    bench.log().detach(recorder);
  }
  std::size_t violations(const Records& records) {
    return violations_of(bench.log(), {limits_of(bench.engine(0)), limits_of(bench.engine(1))}, records, bench.now())
        .size();
  }
  static constexpr int priorities[] = {0, 100, 10000};
  Recorder recorder;  // outlives the bench's log
  Bench bench;
  std::vector<ContextId> contexts;
  std::vector<FenceId> fences;
};

/// A change of one record; false where it does not apply.
template <class T>
struct Change {
  const char* what;
  std::function<bool(T&)> make;
};

template <class T>
void check_found(Run& run, const char* kind, bool repeat_matters, const std::vector<Change<T>>& changes) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < run.recorder.records.size(); ++i) {
    if (!std::holds_alternative<T>(run.recorder.records[i])) continue;
    ++seen;
    const auto at = static_cast<std::ptrdiff_t>(i);
    Records records = run.recorder.records;
    records.erase(records.begin() + at);
    INFO(kind << " at position " << i);
    if (run.violations(records) == 0) FAIL_CHECK("dropped, and not found");
    if (repeat_matters) {
      records = run.recorder.records;
      records.insert(records.begin() + at, run.recorder.records[i]);
      if (run.violations(records) == 0) FAIL_CHECK("repeated, and not found");
    }
    for (const Change<T>& change : changes) {
      records = run.recorder.records;
      if (!change.make(std::get<T>(records[i]))) continue;
      if (run.violations(records) == 0) FAIL_CHECK(change.what << ", and not found");
    }
  }
  INFO(kind);
  CHECK(seen > 8);
}

/// Adds 1 to a member.
template <class T, class Number>
Change<T> one_more(const char* what, Number T::*member) {
  return {what, [member](T& record) {
            record.*member = static_cast<Number>(record.*member + 1);
            return true;
          }};
}
/// Another name in a member.
template <class T>
Change<T> renamed(const char* what, LogName T::*member, LogName to) {
  return {what, [member, to](T& record) {
            const bool changes = record.*member != to;
            record.*member = to;
            return changes;
          }};
}

}  // namespace

TEST_CASE("checker: the log of a run with much preemption passes", "[scheduler]") {
  Run run;
  CHECK(run.violations(run.recorder.records) == 0);
  std::size_t preemptions = 0;
  for (const Record& record : run.recorder.records) preemptions += std::holds_alternative<PreemptionRecord>(record);
  CHECK(preemptions > 8);
}

TEST_CASE("checker: one wrong record among many is found, of every kind", "[scheduler]") {
  Run run;
  EventLog& log = run.bench.log();
  const LogName elsewhere = log.name("adapter.nowhere");
  check_found<QueuedRecord>(run, "queued", true,
                            {renamed("another context", &QueuedRecord::context, elsewhere),
                             renamed("another node", &QueuedRecord::node, elsewhere),
                             one_more("another packet", &QueuedRecord::packet),
                             one_more("later", &QueuedRecord::at_ps),
                             {"more commands",
                              [](QueuedRecord& record) {
                                ++record.commands;
                                return record.type == PacketType::render;
                              }},
                             {"another type",
                              [](QueuedRecord& record) {
                                record.type =
                                    record.type == PacketType::render ? PacketType::signal : PacketType::render;
                                return true;
                              }},
                             {"another value",
                              [](QueuedRecord& record) {
                                ++record.fence_value;
                                return record.type != PacketType::render;
                              }},
                             {"another fence value", [](QueuedRecord& record) {
                                ++record.stands_at;
                                return record.type == PacketType::wait;
                              }}});
  check_found<SubmissionRecord>(run, "submission", true,
                                {renamed("another node", &SubmissionRecord::node, elsewhere),
                                 renamed("another context", &SubmissionRecord::context, elsewhere),
                                 one_more("another packet", &SubmissionRecord::packet),
                                 one_more("another hardware queue", &SubmissionRecord::hardware_queue),
                                 one_more("another count", &SubmissionRecord::resubmissions),
                                 one_more("another end", &SubmissionRecord::end_command),
                                 {"not the last piece",
                                  [](SubmissionRecord& record) {
                                    record.last = false;
                                    return record.type == PacketType::render;
                                  }},
                                 {"another id",
                                  [](SubmissionRecord& record) {
                                    --record.submission_fence_id;
                                    return true;
                                  }},
                                 {"another type", [](SubmissionRecord& record) {
                                    record.type = PacketType::wait;
                                    return true;
                                  }}});
  check_found<Span>(run, "span", true,
                    {renamed("another node", &Span::track, elsewhere),
                     one_more("another packet", &Span::id),
                     one_more("ended later", &Span::end_ps),
                     {"ended otherwise",
                      [](Span& span) {
                        span.stopped = !span.stopped;
                        return true;
                      }},
                     {"began earlier", [](Span& span) {
                        if (span.start_ps == 0) return false;
                        --span.start_ps;
                        return true;
                      }}});
  check_found<InterruptRecord>(run, "interrupt", true,
                               {renamed("another node", &InterruptRecord::node, elsewhere),
                                one_more("another hardware queue", &InterruptRecord::hardware_queue),
                                one_more("another id", &InterruptRecord::fence_id),
                                one_more("another last one", &InterruptRecord::last_completed_fence_id),
                                {"known before it was raised",
                                 [](InterruptRecord& record) {
                                   record.dpc_ps = record.at_ps - 1;
                                   return true;
                                 }},
                                {"of another type", [](InterruptRecord& record) {
                                   record.type = record.type == InterruptType::dma_completed
                                                     ? InterruptType::dma_preempted
                                                     : InterruptType::dma_completed;
                                   return true;
                                 }}});
  check_found<PreemptionRequest>(
      run, "request", true,
      {renamed("another node", &PreemptionRequest::node, elsewhere),
       one_more("another hardware queue", &PreemptionRequest::hardware_queue),
       one_more("another id", &PreemptionRequest::preemption_fence_id), one_more("later", &PreemptionRequest::at_ps)});
  check_found<PreemptionRecord>(
      run, "preemption", true,
      {renamed("another node", &PreemptionRecord::node, elsewhere),
       one_more("another hardware queue", &PreemptionRecord::hardware_queue),
       one_more("another id", &PreemptionRecord::preemption_fence_id),
       one_more("requested later", &PreemptionRecord::requested_ps),
       one_more("stopped later", &PreemptionRecord::stopped_ps), one_more("free later", &PreemptionRecord::free_ps),
       one_more("one more packet", &PreemptionRecord::packets)});
  check_found<PacketRecord>(run, "packet", true,
                            {renamed("another context", &PacketRecord::context, elsewhere),
                             renamed("another node", &PacketRecord::node, elsewhere),
                             one_more("another id", &PacketRecord::id),
                             one_more("more preemptions", &PacketRecord::preemptions),
                             one_more("another submission", &PacketRecord::submission_fence_id),
                             one_more("submitted later", &PacketRecord::submitted_ps),
                             one_more("at the hardware later", &PacketRecord::hardware_ps),
                             one_more("started later", &PacketRecord::started_ps),
                             one_more("finished later", &PacketRecord::finished_ps),
                             one_more("completed later", &PacketRecord::completed_ps),
                             one_more("preempted for longer", &PacketRecord::preempted_ps),
                             {"another value", [](PacketRecord& record) {
                                ++record.fence_value;
                                return record.type != PacketType::render;
                              }}});
  check_found<Counter>(run, "fence", false,
                       {renamed("another fence", &Counter::track, elsewhere),
                        one_more("another value", &Counter::value), one_more("later", &Counter::at_ps)});
}
