// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/fences/fence.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// One who waits for a fence.
struct FenceWait {
  std::uint64_t value;
  std::uint64_t sequence;  ///< of its coming
  FenceWaiter* waiter;
  std::uint64_t token;  ///< the waiter's
};

/// Those who wait for a fence to come to a value. Values mostly come in rising order; such waits are taken in constant
/// time, others in logarithmic.
class FenceWaits {
 public:
  void add(const FenceWait& wait) {
    if (rising_.size() == taken_ || wait.value >= rising_.back().value) {
      rising_.push_back(wait);
    } else {
      others_.push_back(wait);
      std::push_heap(others_.begin(), others_.end(), later);
    }
  }
  bool empty() const { return rising_.size() == taken_ && others_.empty(); }
  /// The smallest value that is waited for; not when empty.
  std::uint64_t least() const {
    if (others_.empty()) return rising_[taken_].value;
    const std::uint64_t least = others_.front().value;
    return rising_.size() == taken_ ? least : std::min(least, rising_[taken_].value);
  }
  /// Moves those who wait for `value` or less to the end of `out`.
  void take(std::uint64_t value, std::vector<FenceWait>& out) {
    for (; taken_ < rising_.size() && rising_[taken_].value <= value; ++taken_) out.push_back(rising_[taken_]);
    if (2 * taken_ >= rising_.size()) {  // moves none more than once for each that was taken
      rising_.erase(rising_.begin(), rising_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    while (!others_.empty() && others_.front().value <= value) {
      out.push_back(others_.front());
      std::pop_heap(others_.begin(), others_.end(), later);
      others_.pop_back();
    }
  }

 private:
  static bool later(const FenceWait& a, const FenceWait& b) {
    return a.value != b.value ? a.value > b.value : a.sequence > b.sequence;
  }

  std::vector<FenceWait> rising_;  // each value at least the one before
  std::size_t taken_ = 0;          // of them, from the front
  std::vector<FenceWait> others_;  // a heap, lowest value first
};

}  // namespace fenceline
