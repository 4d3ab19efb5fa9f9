// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/hardware_depths.hpp"

#include <algorithm>

namespace fenceline {

std::size_t HardwareDepths::submission(const SubmissionRecord& submission) {
  std::vector<std::uint64_t>& held = held_[{submission.node, submission.hardware_queue}];
  held.push_back(submission.submission_fence_id);
  return held.size();
}

std::optional<std::size_t> HardwareDepths::interrupt(const InterruptRecord& interrupt) {
  const bool completed = interrupt.type == InterruptType::dma_completed;
  if (!completed && interrupt.type != InterruptType::dma_preempted) return std::nullopt;
  std::vector<std::uint64_t>& held = held_[{interrupt.node, interrupt.hardware_queue}];
  const auto gone = [&](std::uint64_t fence_id) {
    return completed ? fence_id <= interrupt.fence_id : fence_id > interrupt.last_completed_fence_id;
  };
  held.erase(std::remove_if(held.begin(), held.end(), gone), held.end());
  return held.size();
}

std::vector<HardwareDepths::Queue> HardwareDepths::reset(LogName node) {
  std::vector<Queue> emptied;
  for (auto& [queue, held] : held_) {
    if ((node != LogName{} && queue.first != node) || held.empty()) continue;
    held.clear();
    emptied.push_back(queue);
  }
  return emptied;
}

}  // namespace fenceline
