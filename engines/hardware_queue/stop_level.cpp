// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/stop_level.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {

Levels levels_in_force(const RequestedLevel& requested, const LevelSchedules& schedules, std::uint64_t now_ps) {
  Levels levels;
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = requested.in_force(schedules[i], now_ps);
  return levels;
}

Levels finest_levels(const LevelSchedules& schedules) {
  return {schedules[0].finest(), schedules[1].finest(), schedules[2].finest()};
}

PreemptionLevel level_of(const CommandExecutor& executor, const DmaPacket& packet, const Command& command,
                         const Levels& levels) {
  const auto* indirect = std::get_if<ExecuteIndirect>(&command);
  const Command& what = indirect != nullptr ? packet.stream->indirect_calls[indirect->call].command : command;
  return std::min(packet.cost.finest_level, levels[static_cast<std::size_t>(executor.class_of(what))]);
}

PreemptionLevel level_between_packets(const CommandExecutor& executor, const Levels& levels) {
  PreemptionLevel finest = PreemptionLevel::none;
  for (const WorkClass one : executor.classes()) finest = std::max(finest, levels[static_cast<std::size_t>(one)]);
  return finest;
}

}  // namespace fenceline
