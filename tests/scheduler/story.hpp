// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/scheduler/record_stream.hpp"
#include "tests/support/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline::testing {

/// A run of two nodes, by hand. Packets 1 and 2 of context "low" run until "high" comes with packet 6, and go on after
/// it; signal 3 then frees wait 4, behind which is packet 5. Packet 7 is a wait on the hardware of the second node,
/// which the CPU frees; packet 8 waits for ever and holds packet 9.
class Story {
 public:
  Story() {
    queued(low, 1);
    queued(low, 2);
    queued(low, 3, PacketType::signal, 5);
    queued(other, 4, PacketType::wait, 5);
    queued(other, 5);
    submit(low, 1, 1);
    submit(low, 2, 2);
    at(10);
    queued(high, 6);
    records.push_back(PreemptionRequest{node0, 0, 3, now});
    ran(1, 0, true);
    at(12);
    records.push_back(InterruptRecord{node0, 0, InterruptType::dma_preempted, 3, 0, now, 13 * us});
    at(13);
    records.push_back(PreemptionRecord{node0, 0, 3, 10 * us, 10 * us, 12 * us, 4096, 2});
    submit(high, 6, 4);
    at(20);
    ran(6, 13);
    completed(4, 21);
    at(21);
    records.push_back(render(high, 6, 4, 10, 13, 13, 20));
    submit(low, 1, 5, 1);
    submit(low, 2, 6, 1);
    at(30);
    ran(1, 22);
    completed(5, 30);
    PacketRecord first = render(low, 1, 5, 0, 0, 0, 30);
    first.preemptions = 1;
    first.preempted_ps = 12 * us;
    records.push_back(first);
    at(40);
    ran(2, 30);
    completed(6, 41);
    at(41);
    PacketRecord second = render(low, 2, 6, 0, 21, 30, 40);
    second.preemptions = 1;
    records.push_back(second);
    records.push_back(of_fence(low, 3, PacketType::signal, 5));
    moved(5);
    records.push_back(of_fence(other, 4, PacketType::wait, 5));
    submit(other, 5, 7);
    at(50);
    ran(5, 41);
    completed(7, 50);
    records.push_back(render(other, 5, 7, 0, 41, 41, 50));
    at(51);
    queued(waiting, 7, PacketType::wait, 9, 5);
    records.push_back(SubmissionRecord{node1, 1, waiting, 7, 1, PacketType::wait, 0, now});
    at(60);
    moved(9);
    records.push_back(Span{node1, SpanKind::packet, fence, 51 * us, now, 7});
    records.push_back(InterruptRecord{node1, 1, InterruptType::dma_completed, 1, 1, now, now});
    PacketRecord wait = render(waiting, 7, 1, 51, 51, 51, 60);
    wait.node = node1;
    wait.type = PacketType::wait;
    wait.label = fence;
    wait.fence_value = 9;
    records.push_back(wait);
    queued(waiting, 8, PacketType::wait, 100, 9);
    queued(waiting, 9);
  }

  std::vector<std::string> violations() {
    return violations_of(log, {{"adapter.node0", 1, 2}, {"adapter.node1", 2, 1}}, records, 70 * us);
  }

  /// The nth record of its kind, from 0.
  template <class T>
  T& nth(std::size_t n) {
    for (Record& record : records) {
      if (std::holds_alternative<T>(record) && n-- == 0) return std::get<T>(record);
    }
    throw std::out_of_range("no such record");
  }
  /// Position of the nth record of its kind.
  template <class T>
  std::size_t position(std::size_t n) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (std::holds_alternative<T>(records[i]) && n-- == 0) return i;
    }
    throw std::out_of_range("no such record");
  }
  template <class T>
  void drop(std::size_t n) {
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(position<T>(n)));
  }
  /// Packet record by id.
  PacketRecord& of(std::uint64_t id) {
    for (Record& record : records) {
      if (auto* one = std::get_if<PacketRecord>(&record); one != nullptr && one->id == id) return *one;
    }
    throw std::out_of_range("no such packet");
  }
  void insert(std::size_t before, const Record& record) {
    records.insert(records.begin() + static_cast<std::ptrdiff_t>(before), record);
  }

  EventLog log;
  LogName node0 = log.name("adapter.node0");
  LogName node1 = log.name("adapter.node1");
  LogName low = log.name("adapter.scheduler.low");
  LogName high = log.name("adapter.scheduler.high");
  LogName other = log.name("adapter.scheduler.other");
  LogName waiting = log.name("adapter.scheduler.waiting");
  LogName fence = log.name("adapter.fences.done");
  Records records;

 private:
  void at(std::uint64_t time_us) { now = time_us * us; }
  void queued(LogName context, std::uint64_t id, PacketType type = PacketType::render, std::uint64_t to = 0,
              std::uint64_t stands_at = 0) {
    records.push_back(QueuedRecord{context, context == waiting ? node1 : node0, id, type,
                                   type == PacketType::render ? LogName{} : fence, to, stands_at, now});
  }
  void submit(LogName context, std::uint64_t id, std::uint64_t fence_id, std::uint32_t resubmissions = 0) {
    records.push_back(SubmissionRecord{node0, 0, context, id, fence_id, PacketType::render, resubmissions, now});
  }
  void ran(std::uint64_t id, std::uint64_t from_us, bool stopped = false) {
    records.push_back(Span{node0, SpanKind::packet, LogName{}, from_us * us, now, id, stopped});
  }
  void completed(std::uint64_t fence_id, std::uint64_t dpc_us) {
    records.push_back(InterruptRecord{node0, 0, InterruptType::dma_completed, fence_id, fence_id, now, dpc_us * us});
  }
  void moved(std::uint64_t to) { records.push_back(Counter{fence, CounterKind::fence_value, now, to}); }
  PacketRecord render(LogName context, std::uint64_t id, std::uint64_t fence_id, std::uint64_t queued_us,
                      std::uint64_t hardware_us, std::uint64_t started_us, std::uint64_t finished_us) const {
    PacketRecord record{};
    record.id = id;
    record.context = context;
    record.node = node0;
    record.submission_fence_id = fence_id;
    record.submitted_ps = record.head_ps = record.ready_ps = queued_us * us;
    record.hardware_ps = hardware_us * us;
    record.started_ps = started_us * us;
    record.finished_ps = finished_us * us;
    record.completed_ps = now;
    return record;
  }
  PacketRecord of_fence(LogName context, std::uint64_t id, PacketType type, std::uint64_t to) const {
    PacketRecord record{};
    record.id = id;
    record.context = context;
    record.type = type;
    record.label = fence;
    record.fence_value = to;
    record.ready_ps = record.hardware_ps = record.started_ps = record.finished_ps = record.completed_ps = now;
    return record;
  }

  std::uint64_t now = 0;
};

}  // namespace fenceline::testing
