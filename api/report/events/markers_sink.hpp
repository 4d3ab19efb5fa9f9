// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/markers/marker_regions.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <cstdint>

namespace fenceline {

/// Writes markers.csv: a row per region of markers and per single marker, of queues and of lists each time that they
/// are executed, once its time is known.
class MarkersSink final : public LogSink {
 public:
  explicit MarkersSink(OutputFile& file);
  void marker(const EventLog& log, const MarkerRecord& marker) override { regions_.marker(log, marker); }
  void queued(const EventLog&, const QueuedRecord& queued) override { regions_.queued(queued); }
  void span(const EventLog&, const Span& span) override { regions_.span(span); }
  void packet(const EventLog& log, const PacketRecord& packet) override { regions_.packet(log, packet); }
  void finish(const EventLog& log, std::uint64_t) override { regions_.finish(log); }

 private:
  void write(const EventLog& log, const MarkerRow& row);

  OutputFile& file_;
  MarkerRegions regions_;
};

}  // namespace fenceline
