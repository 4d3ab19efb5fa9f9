// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/paging/turn_length.hpp"
#include "scheduler/residency/budget.hpp"
#include "scheduler/residency/residency_statistics.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// What the device of a process wants to be resident, and what becomes of it (docs/residency.md, rules 11 to 17).
struct DeviceList {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// How often each allocation that the device knows has been asked to be resident, by number.
  std::map<std::uint32_t, std::uint32_t> counts;
  std::uint64_t wanted_bytes = 0;        ///< of those with a count
  std::uint64_t settled_at = 0;          ///< Residency's state in which nothing of the list has to move, whatever runs
  std::uint64_t waits_since_ps = never;  ///< it has something to run, and memory of its list is gone
  std::uint64_t complete_ps = 0;         ///< its list was last made complete
  TurnLength turn;                       ///< since then
  BudgetPeers peers;                     ///< of its process
  bool closed = false;                   ///< another device's turn has come: nothing of it goes to hardware

  bool wants(std::uint32_t allocation) const {
    const auto known = counts.find(allocation);
    return known != counts.end() && known->second > 0;
  }
  bool knows(std::uint32_t allocation) const { return counts.count(allocation) > 0; }

  /// What it came to so far; what is counted now is not in it (Residency::statistics).
  ResidencyStatistics figures;
};

/// The device's list, in order of resources.
inline std::vector<std::uint32_t> list_of(const std::vector<DeviceList>& devices, std::uint32_t process) {
  std::vector<std::uint32_t> list;
  if (process >= devices.size()) return list;
  for (const auto& [allocation, count] : devices[process].counts) {
    if (count > 0) list.push_back(allocation);
  }
  return list;
}

}  // namespace fenceline
