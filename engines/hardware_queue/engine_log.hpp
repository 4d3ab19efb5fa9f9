// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline {

/// What an engine's track in the log tells: spans that end now.
class EngineLog {
 public:
  EngineLog(EventLog& log, const char* track) : log_(log), track_(log.name(track)) {}

  /// The packet begins to run, or goes on, now.
  void begun(const DmaPacket& packet);
  /// A piece of the packet: to its end, or until it was stopped.
  void packet(const DmaPacket& packet, bool stopped);
  /// A piece of the command, which is of the packet's stream, at that index or for what is there.
  void command(const DmaPacket& packet, const Command& command, std::size_t index, std::uint64_t from_ps, bool stopped);
  /// State was moved for the packet.
  void moved(SpanKind what, std::uint64_t from_ps, std::uint64_t packet);

 private:
  EventLog& log_;
  LogName track_;
};

}  // namespace fenceline
