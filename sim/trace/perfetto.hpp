// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"
#include "sim/trace/first_seen.hpp"
#include "sim/trace/lanes.hpp"
#include "sim/trace/output_file.hpp"
#include "sim/trace/packets.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// Writes trace.json, Chrome's trace event format, for ui.perfetto.dev and chrome://tracing. One process per module
/// that has tracks (the path up to the track, two components at most), one thread per lane of a track, one
/// asynchronous row per context with its packets and their reasons, in pieces where a packet was preempted, and one per
/// node with the requests to preempt it. Streams: memory grows with tracks and packets under way, not events.
///
/// Both viewers keep time in nanoseconds. Perfetto rounds `ts` and `dur` each for itself and drops a slice that then
/// reaches 1 ns into its neighbour, so spans get `ts` and `dur` on one nanosecond grid and their exact times as
/// `args.start_ps` and `args.end_ps`. All other events have an exact `ts`.
class PerfettoSink final : public LogSink {
 public:
  explicit PerfettoSink(OutputFile& file);
  void span(const EventLog& log, const Span& span) override;
  void instant(const EventLog& log, const Instant& instant) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  /// A packet ran, and its record has not come.
  struct Piece {
    std::uint64_t packet;
    std::uint64_t start_ps;
    std::uint64_t end_ps;
  };
  struct Track {
    std::string name;
    std::size_t number;
    std::size_t process;
    Lanes lanes;
    std::vector<std::string> threads;  ///< per lane: `,"pid":1,"tid":2`
  };

  std::vector<PacketReason> in_pieces(const PacketRecord& packet, const std::array<PacketReason, 6>& reasons);
  Track& track_of(const EventLog& log, LogName name);
  std::size_t process_of(std::string_view track);
  std::string_view thread_of(Track& track, std::size_t lane);
  void start_event(std::string_view text);
  void append_metadata(std::string_view kind, std::string_view ids, std::string_view name, std::size_t sort_index);
  void append_async(char phase, std::uint64_t at_ps, std::string_view ids, std::string_view name);

  OutputFile& file_;
  std::string_view separator_ = "\n";
  FirstSeen seen_;
  std::deque<Track> tracks_;  // deque: tracks stay where they are
  std::map<std::string, std::size_t, std::less<>> processes_;
  std::size_t threads_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace fenceline
