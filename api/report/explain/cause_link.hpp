// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/cause.hpp"
#include "api/report/explain/cause_log.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// One link of a chain, and the step of a CPU thread behind it, if there is one.
class CauseLink {
 public:
  /// At that time.
  CauseLink(const CauseLog& log, std::uint64_t at_ps) : log_(log), at_ps_(at_ps) {}

  /// The step that the next link is of; unset: a packet's, or there is none.
  const std::optional<ThreadLog::Place>& by_thread() const { return by_thread_; }

 protected:
  /// `until_ps` behind the end of the run, and 0, are its end.
  Cause ended(CauseKind kind, std::uint64_t until_ps);
  Cause ended_by(CauseKind kind, std::uint64_t until_ps, const std::optional<ThreadLog::Place>& place);
  /// What has to come into video memory for who waits there: what moves, or who has the room for it. `process`: whose
  /// it is, empty: not known. Unset: nothing of that is known at this time.
  std::optional<Cause> waits_for_memory(const std::string& process);
  Cause moves(const PagingRecord& move, const std::string& process);
  /// A fence has not got there; it does later, or never.
  Cause waits_for(LogName fence, std::uint64_t value, const std::optional<CauseLog::Raised>& reached);

  const CauseLog& log_;
  std::uint64_t at_ps_;
  Cause cause_{};

 private:
  Cause waits_for_room(const RoomWaits::State& room, const std::string& process);
  Cause waits_for_removal(LogName fence, std::uint64_t value, std::uint64_t until_ps);
  Cause waits_for_screen(LogName fence, std::uint64_t frame, std::uint64_t until_ps);
  Cause waits_in_vain_for(LogName fence, std::uint64_t value);

  std::optional<ThreadLog::Place> by_thread_;
};

/// A link as it was found.
struct FoundLink {
  Cause cause;
  std::optional<ThreadLog::Place> by_thread;  ///< the step that the next link is of
};
/// Why this packet is not done at that time.
FoundLink link_of(const CauseLog& log, const CauseLog::Life& life, std::uint64_t at_ps);
/// What a CPU thread did at that time, that was to come to a step; `then_ps`: when it did; 0: never.
FoundLink link_of(const CauseLog& log, const ThreadLog::Place& wanted, std::uint64_t at_ps, std::uint64_t then_ps);

}  // namespace fenceline
