// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace fenceline::d3d12 {

/// Other threads may end without a word: one wait looks again for itself, soon at first, then more and more seldom.
class LookAgain {
 public:
  /// Returns when `changed` is notified, else after 0.25 ms, each time twice as long, 16 ms at most.
  void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& held) {
    changed.wait_for(held, after_);
    after_ = std::min(2 * after_, most);
  }

 private:
  static constexpr std::chrono::microseconds most{16'000};
  std::chrono::microseconds after_{250};
};

}  // namespace fenceline::d3d12
