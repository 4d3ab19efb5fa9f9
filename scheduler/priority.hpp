// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fields.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
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

/// realtimeBandPriorityLevel: 0..31 inside the realtime band.
constexpr std::uint32_t highest_realtime_level = 31;

/// Where a context stands. D3D12's queue priorities: HIGH is a boost within the process, GLOBAL_REALTIME the realtime
/// band's highest level.
struct Rank {
  PriorityBand band = PriorityBand::normal;
  std::uint32_t level = 0;       ///< inside the realtime band
  std::uint32_t in_process = 0;  ///< higher ones go before the process's other contexts
};

/// D3DKMT_SCHEDULINGPRIORITYCLASS, as far as the bands tell them apart.
enum class ProcessPriority : std::uint8_t { idle, normal, realtime };
constexpr EnumNames<ProcessPriority, 3> enum_names(ProcessPriority) {
  return {
      {{ProcessPriority::idle, "idle"}, {ProcessPriority::normal, "normal"}, {ProcessPriority::realtime, "realtime"}}};
}

/// A process whose contexts the scheduler knows.
struct ProcessConfig {
  std::string name;
  ProcessPriority priority = ProcessPriority::normal;
  bool focus = false;  ///< its window has the focus: normal contexts move to the focus band
};
void describe(Fields& f, ProcessConfig& c);

/// Of a context whose queue has the D3D12_COMMAND_QUEUE_PRIORITY of this value.
Rank rank_of(int queue_priority, const ProcessConfig& process);

}  // namespace fenceline
