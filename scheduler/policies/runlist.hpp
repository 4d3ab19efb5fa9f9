// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Engines that run one process at a time.
struct Runlist {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::string name;
  std::vector<std::uint32_t> nodes;
  std::uint32_t process = none;  ///< whose turn it is
  std::uint64_t slice_end_ps = 0;
  bool demanded = false;   ///< another process waits
  bool late = false;       ///< its slice was over before anything of it ran
  bool switching = false;  ///< its engines are being stopped, or the next process is being loaded
  std::uint32_t answers = 0;
};

/// What a runlist's engines do, as far as a process's turn depends on it.
struct RunlistView {
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  std::uint64_t now_ps = 0;
  std::uint64_t slice_ps = 0;                ///< of the process whose turn it is
  bool busy = false;                         ///< it has packets on the engines, or ready for them
  bool has_queued = false;                   ///< packets of it wait behind those that run
  bool loading = false;                      ///< a packet of it is there and has not begun
  std::uint64_t running_since_ps = nothing;  ///< the first that runs; `nothing` does
};

/// Another process waits: whether the present one's turn is over. Else its slice ends, or began anew, as the runlist
/// says from then on.
bool turn_is_over(Runlist& runlist, const RunlistView& view);

}  // namespace fenceline
