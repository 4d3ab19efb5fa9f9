// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// How a draw's pixel groups come to the shader array: so many at a time, so many SM cycles apart.
struct PixelFlow {
  std::uint64_t groups = 0;  ///< 0: all at once
  std::uint64_t cycles = 0;
};

/// Of `groups` groups that the fixed-function stages deliver in `pace_cycles` and that each stay `stay_cycles` on an SM
/// that nothing slows. What has come leaves when the next comes, so that as many are resident as Little's law says:
/// rate of arrival times stay, in whole groups. The last batch leaves by `pace_cycles`, unless the first one alone
/// stays longer.
PixelFlow pixel_flow(std::uint64_t groups, std::uint64_t pace_cycles, std::uint64_t stay_cycles);

}  // namespace fenceline
