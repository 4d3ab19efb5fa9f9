// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/distribution.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// What became of the frames of one swap chain: rules 17 to 19 of docs/display.md.
struct SwapChainResult {
  std::string name;                             ///< the queue's, in a workload
  std::string output;                           ///< where its frames went
  std::uint64_t presented;                      ///< frames
  std::uint64_t shown;                          ///< of them, also of those that tore
  std::uint64_t discarded;                      ///< of them
  std::uint64_t missed_vblanks;                 ///< vertical blanks at which a frame stayed longer than it was to
  std::uint64_t glitches;                       ///< in how many places
  Distribution frame;                           ///< from one frame on screen to the next
  Distribution present_to_screen;               ///< from the present call to the screen
  std::optional<Distribution> input_to_screen;  ///< from the input; unset: nobody said when it was read
};

/// Where frames tore on one output: rule 23 of docs/display.md.
struct TornOutput {
  std::string name;                           ///< of the output
  std::uint64_t tears = 0;                    ///< frames that came in the middle of the picture
  std::optional<std::uint32_t> first_line{};  ///< the uppermost line at which one tore; unset: none did
  std::optional<std::uint32_t> last_line{};   ///< the lowest
  double mean_line = 0;                       ///< of all of them
};

}  // namespace fenceline
