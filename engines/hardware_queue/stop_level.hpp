// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/command/preemption.hpp"
#include "engines/command/requested_level.hpp"
#include "engines/hardware_queue/command_executor.hpp"

#include <array>
#include <cstdint>

namespace fenceline {

/// By WorkClass.
using LevelSchedules = std::array<LevelSchedule, 3>;
using Levels = std::array<PreemptionLevel, 3>;

/// What a request may stop at now.
Levels levels_in_force(const RequestedLevel& requested, const LevelSchedules& schedules, std::uint64_t now_ps);
/// What it may come to.
Levels finest_levels(const LevelSchedules& schedules);

/// At which of the levels a command of the packet stops: that of its class, none finer than its submission allows.
PreemptionLevel level_of(const CommandExecutor& executor, const DmaPacket& packet, const Command& command,
                         const Levels& levels);
/// The level in force where no command says which counts: the finest of the classes that the engine runs.
PreemptionLevel level_between_packets(const CommandExecutor& executor, const Levels& levels);

}  // namespace fenceline
