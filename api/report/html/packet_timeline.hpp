// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/html/bar_lane.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace fenceline {

/// What the timeline of a run shows: a row per engine with its packets in the colour of their queue, and a row per
/// queue with what its packets waited for. Rows stand in order of first appearance; later engines and queues than the
/// first 16 and 32 are left out. Bounded memory: below 25 MiB whatever the run (176 lanes of 512 bars and 9 sets of
/// columns at most, of which a queue uses one), a few hundred bytes for a packet of a small run.
class PacketTimeline {
 public:
  static constexpr std::size_t most_engines = 16;
  static constexpr std::size_t most_queues = 32;
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

  /// Spans of packets only. They are shown when the packet's record comes, since it knows the queue.
  void span(const Span& span);
  void packet(const PacketRecord& packet);
  /// The run is over. Merges what is too much to draw, and what is too short once its row has merged bars.
  void settle(std::uint64_t end_ps);

  const std::deque<Engine>& engines() const { return engines_; }
  const std::deque<Queue>& queues() const { return queues_; }
  std::size_t engines_left_out() const { return engines_left_out_; }
  std::size_t queues_left_out() const { return queues_left_out_; }
  std::uint64_t end_ps() const { return end_ps_; }

 private:
  static constexpr std::size_t most_waiting_spans = 1024;

  void add_to_engine(const Span& span, const PacketRecord& packet, std::uint32_t colour);
  std::vector<BarLane*> lanes();

  FirstSeen seen_engines_;
  FirstSeen seen_queues_;
  std::deque<Engine> engines_;
  std::deque<Queue> queues_;
  std::size_t engines_left_out_ = 0;
  std::size_t queues_left_out_ = 0;
  std::deque<Span> waiting_;  ///< spans whose packet record has not come
  std::uint64_t end_ps_ = 0;
};

}  // namespace fenceline
