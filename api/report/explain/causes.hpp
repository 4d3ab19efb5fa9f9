// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/cause.hpp"
#include "api/report/explain/cause_log.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The chain of causes why a packet was not done at that time, from the packet to what was the matter in the end.
std::vector<Cause> causes_of(const CauseLog& log, std::uint64_t packet, std::uint64_t at_ps);

/// A deadline's fence was to have a value.
struct AwaitedFence {
  std::string deadline;                     ///< its name
  std::string fence;                        ///< as the workload has it
  std::uint64_t value = 0;                  ///< of the fence
  std::uint64_t due_ps = 0;                 ///< simulated time
  std::optional<std::uint64_t> reached_ps;  ///< unset: never
  std::uint64_t packet = 0;                 ///< the last before the queue's signal, if that is known; 0: not
};
/// The same: why it did not have it when it was due.
std::vector<Cause> causes_of(const CauseLog& log, const AwaitedFence& awaited);

/// The packet of a queue that was first in it and not complete at that time, else the next to be queued; 0: none.
std::uint64_t first_of_queue(const CauseLog& log, const std::string& queue, std::uint64_t at_ps);

/// In words, a line for each link.
std::string text_of(const std::vector<Cause>& causes);
nlohmann::ordered_json json_of(const std::vector<Cause>& causes);

}  // namespace fenceline
