// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What paging came to, of an adapter or of a process (docs/residency.md, rule 22).
struct ResidencyStatistics {
  std::uint64_t in_bytes = 0;           ///< moved into video memory, promoted ones among them
  std::uint64_t out_bytes = 0;          ///< copied out, demoted ones among them
  std::uint64_t dropped_bytes = 0;      ///< left without being copied
  std::uint64_t initialised_bytes = 0;  ///< made in video memory: context allocations initialised, resources filled
  std::uint64_t purged_bytes = 0;       ///< that resets of the adapter took out of video memory; of a process: 0
  std::uint64_t demoted_bytes = 0;      ///< used in place now; of a process: on its list
  std::uint64_t resident_bytes = 0;     ///< in video memory now; of a process: on its list
  std::uint64_t paging_packets = 0;     ///< paging buffers
  std::uint64_t budget_bytes = 0;       ///< of a process: local, of the adapter: all of it
  std::uint64_t usage_bytes = 0;        ///< on its list
  std::uint64_t budget_changes = 0;     ///< of a process: how often its budget has become another one
  std::uint64_t reserved_bytes = 0;     ///< SetVideoMemoryReservation
  std::uint64_t remote_bytes = 0;       ///< that passed PCIe for what is used in place
  std::uint64_t out_of_memory = 0;      ///< calls of make_resident that failed
  std::uint64_t bytes_to_trim = 0;      ///< by which the last of them was too much (NumBytesToTrim)
  std::uint64_t evict_underflow = 0;    ///< evicts of what had no count
  std::uint64_t waited_ps = 0;          ///< for which packets were held, picoseconds
};

}  // namespace fenceline
