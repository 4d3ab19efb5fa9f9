// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/cause_link.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

namespace fenceline {

Cause CauseLink::ended(CauseKind kind, std::uint64_t until_ps) {
  cause_.kind = kind;
  cause_.until_ps = until_ps > log_.end_ps() ? 0 : until_ps;
  return cause_;
}

Cause CauseLink::ended_by(CauseKind kind, std::uint64_t until_ps, const std::optional<ThreadLog::Place>& place) {
  by_thread_ = place;
  if (place) cause_.by_thread = log_.threads().name(place->thread);
  return ended(kind, until_ps);
}

std::optional<Cause> CauseLink::waits_for_memory(const std::string& process) {
  if (const PagingRecord* const move = log_.moving_at(at_ps_)) return moves(*move, process);
  if (const CauseLog::Life* const packet = log_.paging_at(at_ps_)) {  // it is not over before the run is
    cause_.by = "which is moving";
    cause_.by_packet = packet->id;
    return ended(CauseKind::paging, packet->done ? packet->done->completed_ps : 0);
  }
  if (const auto room = log_.rooms().of_memory(at_ps_)) return waits_for_room(*room, process);
  return std::nullopt;
}

Cause CauseLink::waits_for_room(const RoomWaits::State& room, const std::string& process) {
  const std::string first = log_.process_of_device(room.process);
  if (!process.empty() && first != process) cause_.turn = first;
  cause_.turn_ps = cause_.turn.empty() ? 0 : room.until_ps;
  if (room.holder.packet != 0) cause_.by = in_quotes(log_.name(room.holder.resource));
  cause_.by_packet = room.holder.packet;
  return ended(CauseKind::room, room.until_ps);
}

Cause CauseLink::moves(const PagingRecord& move, const std::string& process) {
  cause_.by =
      fmt::format("{} ({}, {} bytes)", in_quotes(log_.name(move.resource)), name_of(move.operation), move.bytes);
  const std::string whose = log_.process_of_device(move.process);
  if (!process.empty() && whose != process) cause_.by += " for process " + in_quotes(whose);
  // What it stands behind is another packet's.
  const CauseLog::Life* const packet = log_.life(move.packet);
  if (packet != nullptr && packet->hardware_ps && *packet->hardware_ps <= at_ps_) cause_.by_packet = move.packet;
  return ended(CauseKind::paging, move.end_ps);
}

Cause CauseLink::waits_for(LogName fence, std::uint64_t value, const std::optional<CauseLog::Raised>& reached) {
  if (!reached) return waits_in_vain_for(fence, value);
  if (const CauseLog::Life* const signal = log_.signal_of(fence, *reached)) {
    cause_.by_packet = signal->id;
    return ended(CauseKind::fence, reached->at_ps);
  }
  if (log_.is_by_removal(*reached)) return waits_for_removal(fence, value, reached->at_ps);
  if (log_.is_of_frames(fence)) return waits_for_screen(fence, reached->value, reached->at_ps);
  if (reached->by) return ended_by(CauseKind::fence_by_cpu, reached->at_ps, reached->by);
  if (const PagingRecord* const move = log_.moving_until(at_ps_, reached->at_ps)) {
    if (const auto memory = waits_for_memory("")) return *memory;
    return moves(*move, "");
  }
  return ended(CauseKind::fence_by_cpu, reached->at_ps);
}

/// What would have signalled it had come to nothing by then, or nothing would.
Cause CauseLink::waits_for_removal(LogName fence, std::uint64_t value, std::uint64_t until_ps) {
  const CauseLog::Life* const signal = log_.signal_undone(fence, value);
  if (signal == nullptr) return ended(CauseKind::removed, until_ps);
  cause_.by_packet = signal->id;
  return ended(CauseKind::fence, until_ps);
}

Cause CauseLink::waits_for_screen(LogName fence, std::uint64_t frame, std::uint64_t until_ps) {
  cause_.frame = log_.frame_text(fence, frame);
  const CauseLog::Life* const present = log_.present_of(fence, frame);
  if (present != nullptr && !present->complete_at(at_ps_)) cause_.by_packet = present->id;
  return ended(CauseKind::screen, until_ps);
}

/// Who would have brought it there, had the run gone on.
Cause CauseLink::waits_in_vain_for(LogName fence, std::uint64_t value) {
  if (const CauseLog::Life* const signal = log_.signal_to_come(fence, value)) {
    cause_.by_packet = signal->id;
    return ended(CauseKind::fence, 0);
  }
  if (log_.present_of(fence, value) != nullptr) return waits_for_screen(fence, value, 0);
  if (const auto place = log_.threads().to_signal(log_.name(fence), value)) {
    return ended_by(CauseKind::fence_by_cpu, 0, place);
  }
  return ended(CauseKind::never, 0);
}

}  // namespace fenceline
