// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fenceline {

/// Where an allocation's bytes are.
enum class Residence : std::uint8_t {
  system,    ///< in system memory: it has to come in before it is used
  resident,  ///< in video memory
  demoted,   ///< in system memory, where it is used in place
};

/// Numbers of context allocations have this bit, those of resources have not.
constexpr std::uint32_t context_bit = std::uint32_t{1} << 31;
constexpr bool is_context(std::uint32_t allocation) { return (allocation & context_bit) != 0; }

/// D3D12_RESIDENCY_PRIORITY_NORMAL.
constexpr std::uint32_t normal_residency_priority = 0x78000000;

/// A resource in video memory, to be made.
struct AllocationConfig {
  std::string name;                                    ///< as the log calls it
  std::uint64_t bytes = 0;                             ///< rounded up to pages
  std::uint32_t priority = normal_residency_priority;  ///< D3D12_RESIDENCY_PRIORITY
  bool written = true;             ///< false: its copy in system memory stays good (the program's promise)
  bool not_resident = false;       ///< D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT
  bool fill = false;               ///< made without content: it is cleared when it is first needed
  std::uint32_t paging_hangs = 0;  ///< so many of its moves never end, from the first on (docs/recovery.md, rule 1a)
  std::uint64_t address = 0;       ///< GPU virtual address, of a page fault; 0: none
};

/// A resource in video memory, or what a context keeps there, as far as residency goes (docs/residency.md, rules 1 to
/// 6; docs/context_allocations.md).
struct Allocation {
  std::uint64_t bytes = 0;                             ///< rounded up to pages
  std::uint32_t priority = normal_residency_priority;  ///< whoever has a lower one makes room first
  bool dirty = true;                                   ///< its copy in system memory is no good any more
  bool evicted = false;                                ///< no device wants it to be resident
  bool in_use = false;                                 ///< by a packet that runs or has been prepared: it stays
  bool kept = false;                                   ///< what is being made resident needs it: it stays
  bool left_out = false;                               ///< what is being made resident does not fit with it
  bool fills = false;                                  ///< its content is made in video memory where there is none
  bool initialised = true;                             ///< it has content; else that is made when it comes in
  bool discarded = false;                              ///< its content is not needed
  bool small_pages = false;                            ///< the page table has pages of 4 KiB for it
  std::uint32_t hangs = 0;                             ///< so many of its next moves never end
  bool mapped = false;                                 ///< into the aperture, where that has to be told
  bool removed = false;                                ///< there is none of this number any more
  Residence where = Residence::system;
  bool used = false;             ///< by a packet that was handed to a hardware queue
  std::uint64_t recent_ps = 0;   ///< last used; never used: when it was created or came in
  std::uint64_t came_in_ps = 0;  ///< has been in video memory since then
};

}  // namespace fenceline
