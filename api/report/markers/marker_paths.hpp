// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// In which regions of markers each packet is that has not completed: those of its queue, "frame 3/shadows", and behind
/// them the outermost ones of its list, "frame 3/shadows/near + far". Memory grows with packets in regions only.
class MarkerPaths {
 public:
  /// Regions in each other, of a queue or of a list, that are told apart; those inside the innermost of them are not.
  static constexpr std::size_t most_nested = 64;

  void marker(const EventLog& log, const MarkerRecord& marker);
  void queued(const QueuedRecord& queued);
  /// What `of` says of the packet counts for nothing any more.
  void forget(std::uint64_t packet) { packets_.erase(packet); }

  /// Empty: it is in none.
  std::string_view of(std::uint64_t packet) const;
  /// Of the queue, at this moment.
  std::string_view of_queue(LogName context) const;

 private:
  /// Regions of a queue that have not ended.
  struct Queue {
    std::string path;
    std::vector<std::size_t> lengths;  ///< of the path before each began
    std::uint64_t deeper = 0;          ///< open ones that are not told apart
  };
  struct Packet {
    std::string path;
    std::uint64_t depth = 0;      ///< in its list
    std::uint64_t outermost = 0;  ///< regions of its list so far
  };
  static constexpr std::uint64_t most_named = 3;  ///< of a list's outermost regions

  std::map<LogName, Queue> queues_;                    // by context
  std::unordered_map<std::uint64_t, Packet> packets_;  // looked up, never walked through
};

}  // namespace fenceline
