// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/cause_log.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Why a packet was not done at some time.
enum class CauseKind : std::uint8_t {
  not_submitted,  ///< no CPU thread had queued it
  behind_queue,   ///< an earlier packet of its queue was not complete
  fence,          ///< it waits for a fence that a queue signals
  fence_by_cpu,   ///< it waits for a fence that a CPU thread raises
  screen,         ///< it waits for a frame to come on screen
  never,          ///< it waits for a fence that nobody brings there
  engine_busy,    ///< its node ran, or had before it in a hardware queue, another packet
  moves_state,    ///< its node saved, switched or restored state
  paging,         ///< memory of its process was still moving
  hearing,        ///< its fence had the value, and its queue had not yet heard of it
  launching,   ///< nothing was in its way: it was being launched, or the scheduler had not yet heard that it could be
  preempted,   ///< it was stopped for another one
  running,     ///< it ran: the end of a chain
  completing,  ///< it was done, and the scheduler had not yet heard of it
  reset,       ///< a reset was ending it, or its device was being removed
  complete     ///< it was complete
};
const char* name_of(CauseKind kind);

/// A link of a chain.
struct Cause {
  CauseKind kind;
  std::uint64_t packet = 0;     ///< that was not done
  std::string queue;            ///< its queue
  std::string what;             ///< "list x", "signal f 3", ...
  std::string by;               ///< engine, fence, resource: what it waits for; empty: nothing
  std::uint64_t by_packet = 0;  ///< the packet behind that, of which the next link is; 0: none
  std::uint64_t until_ps = 0;   ///< it was so until then; 0: to the end of the run
  std::string status;           ///< complete, reset: how it ended, if not by being done
  std::string attempt;          ///< result of the last attempt to stop what ran; empty: none was made
  std::uint64_t attempt_ps = 0;
};

/// The chain of causes why a packet was not done at that time, from the packet to what was the matter in the end.
std::vector<Cause> causes_of(const CauseLog& log, std::uint64_t packet, std::uint64_t at_ps);

/// The packet of a queue that was first in it and not complete at that time, else the next to be queued; 0: none.
std::uint64_t first_of_queue(const CauseLog& log, const std::string& queue, std::uint64_t at_ps);

/// In words, a line for each link.
std::string text_of(const std::vector<Cause>& causes);
nlohmann::ordered_json json_of(const std::vector<Cause>& causes);

}  // namespace fenceline
