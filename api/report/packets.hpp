// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/markers/marker_paths.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// Why a packet was not done yet: a piece of its life.
struct PacketReason {
  const char* name;
  std::uint64_t start_ps;
  std::uint64_t end_ps;
};

/// The reasons of a packet: queued, fence, node, running, preempted, completing. Each starts where the one before
/// ended, so they tile [submitted, completed]. A preempted packet runs in pieces; here they stand together, as if it
/// had been stopped once, at the end. Throws InternalError naming packet and stamp if a stamp is before the previous.
std::array<PacketReason, 6> reasons_of(const EventLog& log, const PacketRecord& packet);

/// Writes packets.csv: one row per queue packet, in order of completion, with GPUView's stamps.
class PacketsSink final : public LogSink {
 public:
  explicit PacketsSink(OutputFile& file);
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void queued(const EventLog&, const QueuedRecord& queued) override { paths_.queued(queued); }
  void marker(const EventLog& log, const MarkerRecord& marker) override { paths_.marker(log, marker); }

 private:
  OutputFile& file_;
  MarkerPaths paths_;
};

}  // namespace fenceline
