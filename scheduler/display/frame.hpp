// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace fenceline {

/// A frame that a swap chain presents.
struct Frame {
  std::uint64_t number = 0;    ///< within its swap chain, from 1
  std::uint32_t interval = 1;  ///< vertical blanks that it stays for at least; 0: newer frames need not wait for any
  std::uint32_t buffer = 0;    ///< the back buffer it is in
  bool tearing = false;        ///< interval 0: on screen at once, in the middle of a refresh
  bool restart = false;        ///< frames that still wait are thrown away
  std::optional<std::uint64_t> input_ps = {};  ///< when the input that it shows was read
  std::uint64_t presented_ps = 0;              ///< when it was submitted
  std::uint64_t ready_ps = 0;                  ///< when all that its queue has before it was complete
};

/// A swap chain of one machine.
enum class SwapChainId : std::uint32_t {};
/// An output of one machine; 0 is the primary one.
enum class OutputId : std::uint32_t {};

/// Where a swap chain's frames go.
struct SwapChainPlace {
  OutputId output{};  ///< of a window: its compositor's
  /// It is a window of the compositor that has this swap chain; unset: its frames are flipped.
  std::optional<SwapChainId> composed_by = {};
};

/// Hears that the GPU has come to a frame.
class FrameListener {
 public:
  virtual ~FrameListener() = default;
  /// Everything before the present is complete: the frame may go on screen. Called from inside the simulation.
  virtual void frame_reached(const Frame& frame) = 0;
};

}  // namespace fenceline
