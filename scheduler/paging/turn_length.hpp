// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace fenceline {

/// How long a turn lasts before another one may end it: twice as long as the one before it, where in that nothing was
/// handed to hardware, up to 1024 times `turn_us`. So turns that are shorter than what it takes to get there do not
/// follow each other for ever.
class TurnLength {
 public:
  void begins() {
    fruitless_ = ran_ ? 0 : std::min<std::uint32_t>(fruitless_ + 1, 10);
    ran_ = false;
  }
  /// Something of it was handed to hardware.
  void ran() { ran_ = true; }
  std::uint64_t of(std::uint64_t turn_ps) const {
    constexpr std::uint64_t least_ps = 1'000'000;
    return fruitless_ == 0 ? turn_ps : std::max(turn_ps, least_ps) << fruitless_;
  }

 private:
  std::uint32_t fruitless_ = 0;  // turns in a row
  bool ran_ = true;
};

}  // namespace fenceline
