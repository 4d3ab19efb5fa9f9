// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <fmt/format.h>

namespace fenceline::testing {

/// Prints what happens, for the one who looks for a mistake.
class Teller final : public LogSink {
 public:
  void queued(const EventLog& log, const QueuedRecord& r) override {
    fmt::print("{} {} queued {} {} {}\n", r.at_ps, log.text(r.context), r.packet, name_of(r.type), r.fence_value);
  }
  void submission(const EventLog& log, const SubmissionRecord& r) override {
    fmt::print("{} {} packet {} submitted as {} to {} {}\n", r.at_ps, log.text(r.context), r.packet,
               r.submission_fence_id, log.text(r.node), r.hardware_queue);
  }
  void span(const EventLog& log, const Span& s) override {
    if (s.kind == SpanKind::wave) return;
    fmt::print("{} {} {} \"{}\" of packet {} since {}{}\n", s.end_ps, log.text(s.track), name_of(s.kind),
               log.text(s.name), s.id, s.start_ps, s.stopped ? ", stopped" : "");
  }
  void interrupt(const EventLog& log, const InterruptRecord& r) override {
    fmt::print("{} {} {} {} {}, known at {}\n", r.at_ps, log.text(r.node), r.hardware_queue, name_of(r.type),
               r.fence_id, r.dpc_ps);
  }
  void request(const EventLog& log, const PreemptionRequest& r) override {
    fmt::print("{} {} {} request {}: {}, packet {} for {} {}\n", r.at_ps, log.text(r.node), r.hardware_queue,
               r.preemption_fence_id, name_of(r.reason), r.victim_packet, r.beneficiary_packet,
               log.text(r.level_limit));
  }
  void attempt(const EventLog& log, const AttemptRecord& r) override {
    fmt::print("{} {} {} attempt of packet {}: {}, packet {} runs\n", r.at_ps, log.text(r.node), r.hardware_queue,
               r.waiting_packet, log.text(r.result), r.running_packet);
  }
  void ready(const EventLog& log, const ReadyRecord& r) override {
    fmt::print("{} {} packet {} ready\n", r.at_ps, log.text(r.context), r.packet);
  }
  void context(const EventLog& log, const ContextRecord& r) override {
    fmt::print("{} {} of {}: band {}, level {}, in-process {}\n", r.at_ps, log.text(r.context), log.text(r.process),
               r.band, r.level, r.in_process);
  }
  void instant(const EventLog& log, const Instant& i) override {
    fmt::print("{} {} {} {}\n", i.at_ps, log.text(i.track), log.text(i.name), i.value);
  }
  void frame(const EventLog& log, const FrameRecord& r) override {
    fmt::print("{} {} frame {} of interval {}: ready at {}, {} at {}\n", r.left_ps, log.text(r.swap_chain), r.frame,
               r.interval, r.ready_ps, name_of(r.fate), r.on_screen_ps);
  }
  void packet(const EventLog& log, const PacketRecord& r) override {
    fmt::print("{} {} packet {} {}\n", r.completed_ps, log.text(r.context), r.id, name_of(r.status));
  }
  void paging(const EventLog& log, const PagingRecord& r) override {
    fmt::print("{} {} {} of packet {} for \"{}\" since {}\n", r.end_ps, log.text(r.resource), name_of(r.operation),
               r.packet, log.text(r.process), r.start_ps);
  }
  void recovery(const EventLog& log, const RecoveryRecord& r) override {
    fmt::print("{} {} {} of episode {}: packet {}, id {}, of \"{}\" {}\n", r.at_ps, log.text(r.node), name_of(r.step),
               r.episode, r.packet, r.fence_id, log.text(r.process), log.text(r.reason));
  }
};

}  // namespace fenceline::testing
