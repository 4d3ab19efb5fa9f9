// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class Machine;
struct Program;

/// The swap chains of a program that is played, by their places in Program::screens. Each is made when it is wanted
/// first.
class PlayedSwapChains {
 public:
  /// Both outlive it.
  PlayedSwapChains(Machine& machine, const Program& program);

  /// A compositor's is there before its windows'.
  SwapChainId of(std::uint32_t index);
  bool is_open(std::uint32_t index) const { return !closed_[index]; }  ///< nobody has closed it in this pass
  void close(std::uint32_t index);                                     ///< until the next pass
  /// Another pass begins: in place of those that were closed there are new ones.
  void begin_pass();
  /// What waits for the screen, of queues of that process.
  void discard_frames(const std::string& process);
  /// Frames presented so far; 0 where there is none.
  std::uint64_t presented(std::uint32_t index) const;

 private:
  Machine& machine_;
  const Program& program_;
  std::vector<std::optional<SwapChainId>> chains_;
  std::vector<bool> closed_;  // in this pass
};

}  // namespace fenceline
