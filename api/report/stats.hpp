// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/distribution.hpp"
#include "api/report/first_seen.hpp"
#include "api/report/interval_union.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// What a track did, from its spans of packets.
struct TrackStats {
  std::string track;                       ///< path of the node
  std::uint64_t packet_spans;              ///< pieces of packets
  std::uint64_t busy_ps;                   ///< time with at least one of them: overlapping spans count once
  std::vector<IntervalUnion::Piece> busy;  ///< when, picoseconds
};

/// What a queue did.
struct ContextStats {
  std::string context;            ///< path of the context
  std::uint64_t render_packets;   ///< command lists; of the system that pages its paging buffers
  Distribution queue;             ///< of render packets: how long from submission until they started
  std::uint64_t running_ps;       ///< sum over render packets
  std::uint64_t preempted_ps;     ///< sum over render packets: stopped, and not yet gone on
  std::uint64_t preemptions;      ///< sum over render packets
  std::uint64_t fence_ps;         ///< reason "fence" over all packets: what wait packets hold up counts here
  std::uint64_t pieces;           ///< sum over render packets: of lists that are split, else one each
  std::uint64_t rejected_pieces;  ///< that leaked bindings
};

/// A fence, from counters named "value": the track is the fence.
struct FenceStats {
  std::string fence;         ///< path of the fence
  std::uint64_t last_value;  ///< at the end
  std::uint64_t signals;     ///< times its value was set
};

/// Of the whole run.
struct RunTotals {
  std::uint64_t packets;  ///< of all types
  std::uint64_t end_ps;   ///< 0 before finish()
};

/// Adds up a run. Everything is exact, in picoseconds, and listed in order of first appearance. Keeps 8 bytes for each
/// render packet and at most 8 for its span (16 for spans or idle times over 2.1 ms, which are few by nature).
class StatsSink final : public LogSink {
 public:
  void span(const EventLog& log, const Span& span) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

  std::vector<TrackStats> tracks() const;                     ///< nodes
  std::vector<ContextStats> contexts() const;                 ///< queues
  std::vector<FenceStats> fences() const { return fences_; }  ///< fences
  RunTotals totals() const { return totals_; }                ///< of the run

 private:
  struct Track {
    std::string name;
    std::uint64_t packet_spans = 0;
    IntervalUnion busy;
  };
  struct Context {
    ContextStats sums;
    std::deque<std::uint64_t> queue_ps;  // deque: no spare half as in a vector
  };

  FirstSeen seen_tracks_;
  FirstSeen seen_contexts_;
  FirstSeen seen_fences_;
  std::deque<Track> tracks_;
  std::deque<Context> contexts_;
  std::vector<FenceStats> fences_;
  RunTotals totals_{};
};

}  // namespace fenceline
