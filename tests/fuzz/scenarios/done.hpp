// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>

namespace fenceline::testing {

/// What a log says was done.
class Done final : public LogSink {
 public:
  explicit Done(std::uint64_t most_submissions) : most_submissions_(most_submissions) {}

  void span(const EventLog& log, const Span& span) override {
    if (span.kind != SpanKind::command) return;
    if (span.stopped) {
      ++stopped;
      return;
    }
    ++commands[span.id];
    indirect[span.id] += log.text(span.name) == "ExecuteIndirect";
  }
  void counter(const EventLog& log, const Counter& counter) override {
    if (counter.kind == CounterKind::fence_value) note(counter.at_ps, counter.value);
    if (counter.kind != CounterKind::bytes_per_s) return;
    Traffic& traffic = traffic_[log.text(counter.track) == "adapter.memory.pcie_to_device" ? 0
                                : log.text(counter.track) == "adapter.memory.pcie_to_host" ? 1
                                                                                           : 2];
    traffic.moved += static_cast<unsigned __int128>(traffic.rate) * (counter.at_ps - traffic.since_ps);
    traffic.since_ps = counter.at_ps;
    traffic.rate = counter.value;
  }
  void queued(const EventLog&, const QueuedRecord& queued) override {
    if (is_of_system(queued.type)) paging.insert(queued.packet);
  }
  void packet(const EventLog&, const PacketRecord& p) override {
    packets += !is_of_system(p.type);
    preemptions += p.preemptions;
    if (p.status != PacketStatus::completed) cut_short.insert(p.id);
    note(p.id, p.preemptions, p.submission_fence_id, p.submitted_ps, p.head_ps, p.ready_ps, p.hardware_ps, p.started_ps,
         p.finished_ps, p.completed_ps, p.preempted_ps);
  }
  void recovery(const EventLog&, const RecoveryRecord& record) override {
    using Kind = RecoveryRecord::Step;
    resets += record.step == Kind::engine_reset || record.step == Kind::adapter_reset;
    note(static_cast<std::uint64_t>(record.step), record.episode, record.at_ps, record.packet, record.fence_id);
  }
  void submission(const EventLog&, const SubmissionRecord& record) override {
    // Packets that go to and fro without getting on would do so for ever.
    if (++submissions > most_submissions_) throw std::runtime_error("packets are submitted again and again");
    note(record.packet, record.submission_fence_id, record.hardware_queue, record.at_ps);
  }
  void interrupt(const EventLog&, const InterruptRecord& record) override {
    note(record.fence_id, record.last_completed_fence_id, record.at_ps, record.dpc_ps);
  }
  void frame(const EventLog&, const FrameRecord& record) override {
    note(static_cast<std::uint64_t>(record.fate), record.frame, record.ready_ps, record.on_screen_ps, record.left_ps);
  }
  void preemption(const EventLog&, const PreemptionRecord& record) override {
    note(record.requested_ps, record.stopped_ps, record.free_ps, record.saved_bytes, record.packets);
  }

  /// Bytes over PCIe: 0 to the device, 1 to the host.
  double pcie_bytes(std::size_t direction) const { return static_cast<double>(traffic_[direction].moved) / 1e12; }

  std::map<std::uint64_t, std::uint64_t> commands;  // done, by packet
  std::map<std::uint64_t, std::uint64_t> indirect;  // of them ExecuteIndirects
  std::uint64_t stopped = 0;                        // commands
  std::set<std::uint64_t> cut_short;                // packets that were aborted or discarded
  std::set<std::uint64_t> paging;                   // packets that page
  std::uint64_t resets = 0;                         // of engines and the adapter
  std::uint64_t packets = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t submissions = 0;
  std::uint64_t digest = 14695981039346656037U;  // of all records, in their order
  std::uint64_t content = 0;                     // of all records, in any order

 private:
  struct Traffic {
    unsigned __int128 moved = 0;
    std::uint64_t rate = 0;
    std::uint64_t since_ps = 0;
  };
  template <class... Numbers>
  void note(Numbers... numbers) {  // FNV-1a over 64-bit words
    std::uint64_t record = 0;
    ((digest = (digest ^ static_cast<std::uint64_t>(numbers)) * 1099511628211U), ...);
    ((record = (record ^ static_cast<std::uint64_t>(numbers)) * 1099511628211U), ...);
    content += record;
  }

  std::uint64_t most_submissions_;
  std::array<Traffic, 3> traffic_;
};

}  // namespace fenceline::testing
