// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/markers/marker_paths.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fenceline {

/// A region of markers, or a single marker, with the time at which the GPU came to it.
struct MarkerRow {
  bool region;               ///< else SetMarker's place
  LogName context;           ///< path of the queue's context
  LogName name;              ///< its text
  std::uint32_t color;       ///< 0: not said
  std::uint64_t packet = 0;  ///< of a list's: id of its packet; 0: it is the queue's
  LogName list{};            ///< of a list's: the list's name
  std::string path = {};     ///< from the outermost region to this, "frame 3/shadows"
  std::uint64_t count = 0;   ///< lists in a queue's region, commands in a list's
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;
};

/// When the GPU was in each region of markers. A queue's region lasts from the start of the first list in it to the end
/// of the last. A list's begins with the first command in it, and ends when all commands before its end are complete; a
/// marker is where the next command begins, or the list ends, of a queue where all is complete that the queue has
/// before it. A queue's region without lists has no time, and is not told, nor is what stands in a list behind the
/// command in which a reset ended it, nor a region inside MarkerPaths::most_nested others. Memory grows with what is
/// under way.
class MarkerRegions {
 public:
  /// Hears of each once its time is known: inner regions before outer ones.
  using Tell = std::function<void(const EventLog& log, const MarkerRow& row)>;
  explicit MarkerRegions(Tell tell) : tell_(std::move(tell)) {}

  void marker(const EventLog& log, const MarkerRecord& marker);
  void queued(const QueuedRecord& queued);
  void span(const Span& span);
  void packet(const EventLog& log, const PacketRecord& packet);
  /// Regions that have not ended are told as far as they came.
  void finish(const EventLog& log);

 private:
  struct Region {
    MarkerRow row;
    bool ended = false;
    std::uint64_t under_way = 0;  ///< lists in it
  };
  struct Queue {
    std::vector<std::uint64_t> open;                             ///< numbers of regions, the outermost first
    std::uint64_t deeper = 0;                                    ///< open ones that are not told
    std::uint64_t last_packet = 0;                               ///< that it was given; 0: all are complete
    std::deque<std::pair<std::uint64_t, MarkerRow>> set_behind;  ///< markers, each behind a packet
  };
  /// From one marker of a list to the next.
  struct Stretch {
    std::uint64_t start_ps = ~std::uint64_t{0};
    std::uint64_t end_ps = 0;
  };
  /// A list that is under way.
  struct List {
    std::vector<std::uint64_t> regions;  ///< of its queue, numbers, the outermost first
    std::string path;                    ///< of these
    std::vector<MarkerRecord> markers;
    std::vector<Stretch> stretches;  ///< the first before all markers
    std::size_t complete = 0;        ///< commands from the first on
  };
  void end(const EventLog& log, std::uint64_t region);
  void tell_list(const EventLog& log, const List& list, const PacketRecord& packet) const;

  Tell tell_;
  MarkerPaths paths_;
  std::map<LogName, Queue> queues_;
  std::map<std::uint64_t, Region> regions_;  // of queues, by number
  std::uint64_t begun_ = 0;
  std::unordered_map<std::uint64_t, List> lists_;  // by packet; looked up, never walked through
};

}  // namespace fenceline
