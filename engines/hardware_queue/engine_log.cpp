// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/engine_log.hpp"

#include "sim/begin_record.hpp"
#include "sim/kernel/now.hpp"

namespace fenceline {

void EngineLog::begun(const DmaPacket& packet) {
  if (!log_.enabled()) return;
  log_.begun({track_, packet.label, packet.id, packet.piece_started_ps});
}

void EngineLog::packet(const DmaPacket& packet, bool stopped) {
  if (!log_.enabled()) return;
  log_.span({track_, SpanKind::packet, packet.label, packet.piece_started_ps, now_ps(), packet.id, stopped});
}

void EngineLog::command(const DmaPacket& packet, const Command& command, std::size_t index, std::uint64_t from_ps,
                        bool stopped) {
  if (!log_.enabled(EventLog::Detail::commands)) return;
  const LogName label = log_.name(label_of(*packet.stream, command));
  log_.span({track_, SpanKind::command, label, from_ps, now_ps(), packet.id, stopped, index});
}

void EngineLog::moved(SpanKind what, std::uint64_t from_ps, std::uint64_t packet) {
  if (!log_.enabled()) return;
  log_.span({track_, what, log_.name(name_of(what)), from_ps, now_ps(), packet});
}

}  // namespace fenceline
