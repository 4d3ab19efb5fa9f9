// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// Of each queue of a device, how many of its executions are known to be over: a vector clock. Queues are numbered from
/// 0, executions from 1.
class QueueClock {
 public:
  std::uint64_t operator[](std::size_t queue) const { return queue < executions_.size() ? executions_[queue] : 0; }
  void set(std::size_t queue, std::uint64_t executions) {
    if (queue >= executions_.size()) executions_.resize(queue + 1);
    executions_[queue] = executions;
  }
  /// Also all that the other one knows.
  void join(const QueueClock& other) {
    if (other.size() > size()) executions_.resize(other.size());
    for (std::size_t queue = 0; queue < other.size(); ++queue) {
      executions_[queue] = std::max(executions_[queue], other.executions_[queue]);
    }
  }
  /// Knows all that the other one does.
  bool covers(const QueueClock& other) const {
    for (std::size_t queue = 0; queue < other.size(); ++queue) {
      if ((*this)[queue] < other.executions_[queue]) return false;
    }
    return true;
  }
  /// Queues that it knows of.
  std::size_t size() const { return executions_.size(); }

 private:
  std::vector<std::uint64_t> executions_;
};

}  // namespace fenceline::d3d12
