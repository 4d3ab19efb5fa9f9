// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"
#include "scheduler/paging/context_holds.hpp"
#include "sim/log_records.hpp"

#include <cstdint>
#include <memory>

namespace fenceline {

/// What residency has done by the scheduler above it.
class PagingPort {
 public:
  virtual ~PagingPort() = default;
  /// A packet of the system's for the node, behind those before it there: a paging buffer, or one of no length, after
  /// which no context of a queue is loaded (Flags.ContextSwitch). Returns its id; Residency::paged or ::switched is
  /// told when the scheduler knows of its end.
  virtual std::uint64_t submit(PacketType type, std::uint32_t node, std::shared_ptr<const CommandStream> buffer,
                               std::shared_ptr<CommandEffects> effects) = 0;
  /// A wait of the context that holds up the hardware comes back, and with `ready` a packet of it that is ready is not
  /// any more, and asks again.
  virtual void withdraw(std::uint32_t context, bool ready) = 0;
  /// A wait holds up a hardware queue whose engine cannot stop it: what is behind it goes on once others have run.
  virtual bool held_up() const = 0;
  virtual ContextHolds& holds() = 0;  ///< how contexts are kept from their nodes meanwhile
};

}  // namespace fenceline
