// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/html/bar_lane.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace fenceline {

/// What the timeline of a run shows: a row per engine with its packets in the colour of their queue, a row per queue
/// with what its packets waited for, and a row per worker with the background tasks that it ran. Rows stand in order of
/// first appearance; later engines, queues and workers than the first 16, 32 and 16 are left out. Bounded memory: below
/// 25 MiB whatever the run (192 lanes of 512 bars and 9 sets of columns at most, of which a queue or a worker uses
/// one), a few hundred bytes for a packet of a small run.
class PacketTimeline {
 public:
  static constexpr std::size_t most_engines = 16;
  static constexpr std::size_t most_queues = 32;
  static constexpr std::size_t most_workers = 16;
  static constexpr std::size_t most_bars = 1200;          ///< in all rows, after settle()
  static constexpr std::uint32_t queue_colours = 8;       ///< queues beyond them begin again with the first colour
  static constexpr std::uint32_t colour_of_no_queue = 8;  ///< spans whose packet never completed

  struct Engine {
    LogName track;
    BarLane running;
  };
  struct Queue {
    LogName context;
    std::uint32_t colour;
    BarLane running;    ///< render packets on their engine
    BarLane fence;      ///< first in the queue, and a wait not satisfied
    BarLane node;       ///< render packets that could run, and the node was not theirs yet
    BarLane preempted;  ///< render packets that had begun, and were stopped
    BarLane signals;    ///< fence signals, without length
  };

  struct Worker {
    LogName track;
    /// Of a bar's packet `id` is the task's number, `label` what it works on, `completed_ps` 0 if it never finished.
    BarLane tasks;
    std::optional<TaskRecord> running;  ///< a task that has not finished, until settle()
  };

  /// Spans of packets only. They are shown when the packet's record comes, since it knows the queue.
  void span(const Span& span);
  void packet(const PacketRecord& packet);
  /// A worker runs a task at a time. Shown when it has finished, at the latest by settle().
  void task(const TaskRecord& task);
  /// The run is over. Merges what is too much to draw, and what is too short once its row has merged bars.
  void settle(std::uint64_t end_ps);

  const std::deque<Engine>& engines() const { return engines_; }
  const std::deque<Queue>& queues() const { return queues_; }
  const std::deque<Worker>& workers() const { return workers_; }
  std::size_t engines_left_out() const { return engines_left_out_; }
  std::size_t queues_left_out() const { return queues_left_out_; }
  std::size_t workers_left_out() const { return workers_left_out_; }
  std::uint64_t end_ps() const { return end_ps_; }

 private:
  static constexpr std::size_t most_waiting_spans = 1024;

  void add_to_engine(const Span& span, const PacketRecord& packet, std::uint32_t colour);
  void add_to_worker(Worker& worker, const TaskRecord& task, std::uint64_t end_ps);
  std::vector<BarLane*> lanes();

  FirstSeen seen_engines_;
  FirstSeen seen_queues_;
  FirstSeen seen_workers_;
  std::deque<Engine> engines_;
  std::deque<Queue> queues_;
  std::deque<Worker> workers_;
  std::size_t engines_left_out_ = 0;
  std::size_t queues_left_out_ = 0;
  std::size_t workers_left_out_ = 0;
  std::deque<Span> waiting_;  ///< spans whose packet record has not come
  std::uint64_t end_ps_ = 0;
};

}  // namespace fenceline
