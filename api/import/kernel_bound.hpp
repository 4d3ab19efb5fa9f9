// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "engines/command/pipeline.hpp"

#include <cstdint>

namespace fenceline {

/// What a kernel's threads wait for, which decides how it slows where others run beside it. A profiler's trace says
/// nothing of it. The guess: they wait for video memory, and the kernel takes as long as their accesses do.
///
/// Sources: counters of the 733 kernels of 10 us and more in a step of each of six PyTorch jobs on an H100 (decoding,
/// prefill, vision's inference and training, a stream; bench/hardware/README.md, torch_mixes.json). Where so little
/// falls to each thread that at the whole bandwidth it would be 128 bytes or less, kernels move what a thread needs in
/// one go, and use a median of 88 % of the bandwidth; all others use 37 % of it in the mean over their time, from 15 to
/// 71 %, and are taken to use 36 %.
struct KernelBound {
  std::uint32_t bytes_in_flight_per_thread = 16;  ///< of accesses to video memory, at least 1
};

/// Of a kernel that takes `alone_us` > 0 with the machine for itself.
KernelBound bound_of(const GroupFootprint& footprint, std::uint64_t groups, double alone_us,
                     const MachineConfig& machine);

}  // namespace fenceline
