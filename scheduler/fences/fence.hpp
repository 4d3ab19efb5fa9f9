// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <limits>

namespace fenceline {

/// A fence of one machine.
enum class FenceId : std::uint32_t {};

/// Who moved a fence: the index of a node, or the CPU.
enum class Signaller : std::uint32_t { cpu = std::numeric_limits<std::uint32_t>::max() };

/// How a GPU signal tells the CPU. Source: native GPU fence objects, windows-driver-docs.
enum class FenceKind : std::uint8_t {
  monitored,  ///< every signal raises an interrupt, upon which the operating system looks through the waiting threads
  native,     ///< the GPU raises one only when the new value is above the fence's MonitoredValue
};
constexpr EnumNames<FenceKind, 2> enum_names(FenceKind) {
  return {{{FenceKind::monitored, "monitored"}, {FenceKind::native, "native"}}};
}

/// Hears that a fence reached the value it asked for.
class FenceWaiter {
 public:
  virtual ~FenceWaiter() = default;
  /// Called from inside the simulation: of a queue's wait inside the signal, of a CPU thread's when its interrupt has
  /// been handled.
  virtual void fence_reached(std::uint64_t token, Signaller by) = 0;
};

}  // namespace fenceline
