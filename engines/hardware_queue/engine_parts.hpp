// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/command_executor.hpp"
#include "engines/hardware_queue/engine_config.hpp"
#include "engines/hardware_queue/engine_listener.hpp"
#include "engines/hardware_queue/engine_log.hpp"
#include "engines/hardware_queue/stop_level.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/clock_domain.hpp"
#include "sim/slots.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline {

/// A command that an engine executes.
struct RunningCommand : IssuedCommand {
  std::uint32_t queue = 0;     ///< the hardware queue
  std::uint64_t start_ps = 0;  ///< or when it went on
};

/// What the hardware queues of an engine share.
struct EngineParts {
  Engine& engine;  ///< as the listener knows it
  CommandExecutor& executor;
  const EngineConfig& config;
  const ClockDomain& clock;
  Agenda& agenda;
  EngineLog log;
  LevelSchedules schedules;
  std::uint64_t indirect_fetch_ps;
  Callback escalation_changed;  ///< when the next step of a request comes
  EngineListener* listener = nullptr;
  Slots<RunningCommand> commands{};  ///< by the id that the executor knows them by
  std::uint64_t next_sequence = 0;
};

}  // namespace fenceline
