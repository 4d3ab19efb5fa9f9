// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace fenceline {

/// How an allocation is used now.
enum class UsedNow : std::uint8_t {
  in_video_memory,
  in_place,      ///< it is demoted
  not_resident,  ///< its device has evicted it: a page fault
};

/// An allocation as whoever uses it finds it.
struct AllocationNow {
  UsedNow used = UsedNow::in_video_memory;
  std::uint64_t bytes = 0;    ///< its size
  std::string name;           ///< of a page fault's resource
  std::uint64_t address = 0;  ///< GPU virtual address, of a page fault; 0: not known
};

/// The commands of a stream from `from` on as they run where its allocations are now (docs/residency.md, rules 10 and
/// 14): copies take the route that follows from where both ends lie, other commands read over PCIe what they use in
/// place, and the first one that uses what is not resident faults. `adapted` is a copy of `recorded`, perhaps adapted
/// before.
void adapt(CommandStream& adapted, const CommandStream& recorded, std::size_t from,
           const std::function<AllocationNow(std::uint32_t)>& now);

/// Bytes that pass PCIe in the commands from `from` to before `to` because of what is used in place.
std::uint64_t remote_bytes(const CommandStream& adapted, const CommandStream& recorded, std::size_t from,
                           std::size_t to);

}  // namespace fenceline
