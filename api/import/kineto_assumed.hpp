// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/import/lone_command.hpp"

#include <cstdint>

namespace fenceline {

/// How many operations do not say how large they are (profiles of AMD's GPUs), and got a size, or say more than they
/// do.
struct KinetoAssumed {
  std::uint64_t kernels = 0;
  std::uint64_t copies = 0;          ///< and memsets
  std::uint64_t concatenations = 0;  ///< kernels
};

/// Threads of a block where a kernel does not say: what most kernels of PyTorch have.
constexpr std::uint32_t assumed_block_threads = 256;

/// Gives them sizes. A kernel without grid and block: as many blocks of 256 threads as the machine holds at once. A
/// copy or memset without bytes: what the machine moves in its measured time. PyTorch's kernel of torch.cat has a row
/// of blocks for each tensor, whatever its length; taken is one row, as where a token is appended to a long cache.
KinetoAssumed assume_sizes(KinetoTrace& trace, const MachineConfig& machine, LoneCommands& lone);

}  // namespace fenceline
