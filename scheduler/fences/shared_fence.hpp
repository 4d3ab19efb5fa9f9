// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fenceline {

enum class FenceId : std::uint32_t;
class FenceUnit;

/// A fence that several machines have: each has one of its own, and a signal of any is a signal of all.
///
/// The fences stand at one value at every moment, whoever moved it, in one order of signals. Queues and CPU threads of
/// the machine that signals go on as with a fence of its own. Those of the others go on when the operating system has
/// handled the signal's interrupt, and of a signal by the CPU at once: no adapter sees what another one writes, so that
/// it is the operating system that releases its queues (an assumption; the documentation does not say it).
///
/// Machines that share fences are to be simulated in step (coupled_machines.hpp). Not thread-safe: all of them under
/// one lock.
class SharedFence {
 public:
  /// Machines get it by Machine::create_fence.
  explicit SharedFence(std::uint64_t initial_value) : value_(initial_value) {}

  std::uint64_t value() const { return value_; }  ///< where it stands

 private:
  friend class FenceUnit;
  struct Member {
    FenceUnit* unit;
    FenceId fence;
  };
  std::uint64_t value_;
  std::vector<Member> members_;
};

}  // namespace fenceline
