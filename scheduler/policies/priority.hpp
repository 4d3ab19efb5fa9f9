// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// DXGK_SCHEDULING_PRIORITY_BAND: a context of a higher band goes before any of a lower one.
enum class PriorityBand : std::uint8_t { idle, normal, focus, realtime };
constexpr EnumNames<PriorityBand, 4> enum_names(PriorityBand) {
  return {{{PriorityBand::idle, "idle"},
           {PriorityBand::normal, "normal"},
           {PriorityBand::focus, "focus"},
           {PriorityBand::realtime, "realtime"}}};
}
constexpr std::size_t priority_bands = 4;

/// realtimeBandPriorityLevel: 0..31 inside the realtime band. Source: DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES.
constexpr std::uint32_t highest_realtime_level = 31;
/// inProcessPriority: -7..+7. Source: the same, and IDXGIDevice::SetGPUThreadPriority.
constexpr int highest_in_process_priority = 7;

/// Where a context stands: bands, then levels within one, then, against contexts of its own process only, its
/// in-process priority.
struct Rank {
  PriorityBand band = PriorityBand::normal;  ///< goes before level
  std::uint32_t level = 0;                   ///< realtime: 0..31; normal and focus: 0..3, by the process's class
  int in_process = 0;                        ///< -7..+7: higher ones go before the process's other contexts
  /// Equal in all three.
  friend bool operator==(const Rank& a, const Rank& b) {
    return a.band == b.band && a.level == b.level && a.in_process == b.in_process;
  }
};

/// Where the system's paging stands: above every other context, whatever the policy makes of ranks.
constexpr Rank paging_rank = {PriorityBand::realtime, highest_realtime_level + 1, 0};
constexpr bool is_paging(const Rank& rank) { return rank.level == paging_rank.level; }

/// Band and level as one number: the higher goes first, whoever owns it.
constexpr std::uint32_t height_of(const Rank& rank) {
  return static_cast<std::uint32_t>(rank.band) * (highest_realtime_level + 1) + rank.level;
}

/// D3DKMT_SCHEDULINGPRIORITYCLASS. `below_normal` to `high` are levels 0 to 3 of the normal band, or of the focus band
/// while the process has the focus (reading: Windows documents the names, not the levels).
enum class ProcessPriority : std::uint8_t { idle, below_normal, normal, above_normal, high, realtime };
constexpr EnumNames<ProcessPriority, 6> enum_names(ProcessPriority) {
  return {{{ProcessPriority::idle, "idle"},
           {ProcessPriority::below_normal, "below_normal"},
           {ProcessPriority::normal, "normal"},
           {ProcessPriority::above_normal, "above_normal"},
           {ProcessPriority::high, "high"},
           {ProcessPriority::realtime, "realtime"}}};
}

/// A process whose contexts the scheduler knows.
struct ProcessConfig {
  std::string name;                                    ///< unique in the machine
  ProcessPriority priority = ProcessPriority::normal;  ///< its class
  std::uint32_t realtime_level = 0;                    ///< of its contexts, where the priority is realtime
  bool focus = false;  ///< its window has the focus: normal contexts move to the focus band
};
void describe(Fields& f, ProcessConfig& c);

/// What a queue says of its own priority.
struct ContextPriority {
  int queue_priority = 0;         ///< D3D12_COMMAND_QUEUE_PRIORITY: 0, 100 (+1 in its process) or 10000 (realtime, 31)
  std::optional<int> in_process;  ///< -7..+7; unset: what queue_priority says
  std::optional<std::uint32_t> realtime_level;  ///< 0..31, where it is in the realtime band; unset: its process's
  bool paging = false;                          ///< above all others: the system's, which pages
};

Rank rank_of(const ContextPriority& context, const ProcessConfig& process);

}  // namespace fenceline
