// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace fenceline {

/// A packet between its entry into a software queue and its completion, as far as other records name it by its id.
struct PacketUnderWay {
  LogName context;
  std::optional<std::uint64_t> ready_ps;  ///< wants its node since then; where it came back, since it did
  LogName node{};
  std::uint32_t hardware_queue = 0;               ///< of its last submission
  std::uint64_t submission_fence_id = 0;          ///< the same; 0: it has not been submitted
  std::uint64_t earlier_submission_fence_id = 0;  ///< before it came back; 0: it has not
};

/// What sinks have to know of packets that have not completed. Memory grows with their number only.
class PacketsUnderWay {
 public:
  void queued(const QueuedRecord& record) { packets_[record.packet].context = record.context; }
  void ready(const ReadyRecord& record) { packets_[record.packet].ready_ps = record.at_ps; }
  void submission(const SubmissionRecord& record) {
    PacketUnderWay& packet = packets_[record.packet];
    packet.context = record.context;
    packet.node = record.node;
    packet.hardware_queue = record.hardware_queue;
    packet.earlier_submission_fence_id = packet.submission_fence_id;
    packet.submission_fence_id = record.submission_fence_id;
  }
  void packet(const PacketRecord& record) { packets_.erase(record.id); }

  /// Null where it has completed, or was queued before anybody listened.
  const PacketUnderWay* find(std::uint64_t id) const {
    const auto found = packets_.find(id);
    return found == packets_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::uint64_t, PacketUnderWay> packets_;  // looked up, never walked through
};

}  // namespace fenceline
