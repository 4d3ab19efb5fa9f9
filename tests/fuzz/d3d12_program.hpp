// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::testing {

/// How a random program came to its end.
struct ProgramEnd {
  std::uint64_t calls = 0;              ///< of all threads
  std::uint64_t executed = 0;           ///< lists that could be closed, given to a queue of their type
  std::uint64_t stored = 0;             ///< values, in shader caches
  std::uint64_t granted = 0;            ///< commits of measurements
  std::uint64_t desired = 0;            ///< answers that further measurements are desired
  std::uint32_t device_references = 0;  ///< that are left when the program has given back everything
  bool fences_ended = false;            ///< after removal every fence that it has is at its highest value
  bool commits_ended = false;           ///< every commit's event is set, but for those that were closed
};

/// Plays the random D3D12 program of that seed on a device of its own, machine `tiny` with one kind or another of
/// processor, background processing and shader cache: 1 to 3 threads make legal and
/// illegal calls of all interfaces, the device is removed somewhere among them, and what waits goes on. It does what no
/// program may do but pass pointers to what is not there and use one list, allocator or swap chain on several threads.
ProgramEnd play_d3d12_program(std::uint64_t seed);

}  // namespace fenceline::testing
