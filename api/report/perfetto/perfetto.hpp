// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/markers/marker_regions.hpp"
#include "api/report/packets.hpp"
#include "api/report/packets_under_way.hpp"
#include "api/report/perfetto/command_batches.hpp"
#include "api/report/perfetto/fence_arrows.hpp"
#include "api/report/perfetto/hardware_depths.hpp"
#include "api/report/perfetto/lanes.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

struct DeadlineRow;

/// Writes trace.json, Chrome's trace event format, for ui.perfetto.dev and chrome://tracing. One process per module
/// that has tracks (the path up to the track, two components at most), one thread per lane of a track, one
/// asynchronous row per context with its packets and their reasons, in pieces where a packet was preempted, and one per
/// node with the requests to preempt it. Commands of a packet stand together in batches (CommandBatches), each by
/// itself where the log has waves, too. An arrow leads from the packet that a signal was behind to the one that waited
/// for it; counters tell how many packets stand in each software and hardware queue, instants how each deadline went. A
/// thread "adapter.3d0 protocol" of each node has an instant for everything that scheduler and node tell each other,
/// and an arrow leads from a request, which is a slice of a nanosecond there, too, to what stopped and on to the start
/// of the packet for which it was made. There each step after a timeout or page fault has an instant, too, and each
/// reset a slice; those of no node are on a thread "adapter recovery". Regions of markers are slices on the thread of
/// their queue, its single markers instants there. Streams: memory grows with tracks and packets under way, not events.
///
/// Both viewers keep time in nanoseconds. Perfetto rounds `ts` and `dur` each for itself and drops a slice that then
/// reaches 1 ns into its neighbour, so spans get `ts` and `dur` on one nanosecond grid and their exact times as
/// `args.start_ps` and `args.end_ps`. All other events have an exact `ts`.
class PerfettoSink final : public LogSink {
 public:
  /// `deadlines`: asked at the end of the run; may be empty.
  explicit PerfettoSink(OutputFile& file, std::function<std::vector<DeadlineRow>()> deadlines = {});
  void span(const EventLog& log, const Span& span) override;
  void instant(const EventLog& log, const Instant& instant) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void interrupt(const EventLog& log, const InterruptRecord& interrupt) override;
  void context(const EventLog& log, const ContextRecord& context) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void task(const EventLog& log, const TaskRecord& task) override;
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  void marker(const EventLog& log, const MarkerRecord& marker) override { regions_.marker(log, marker); }
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  /// A packet ran, and its record has not come.
  struct Piece {
    std::uint64_t packet;
    std::uint64_t start_ps;
    std::uint64_t end_ps;
  };
  struct Track {
    std::string name;
    std::size_t number;
    std::size_t process;
    Lanes lanes;
    std::vector<std::string> threads;  ///< per lane: `,"pid":1,"tid":2`
    std::string protocol;              ///< of the node's protocol; empty: nothing was said yet
  };
  /// An arrow that begins at a request to preempt.
  struct Arrow {
    std::uint64_t number;
    std::uint64_t from_ps;
  };
  /// What of an array is resident, as it came to be at the moment that was told last.
  struct Residents {
    Counter last;
    std::uint64_t written = 0;
  };
  using Queue = std::pair<LogName, std::uint32_t>;  // node, hardware queue

  // Protocol: perfetto_protocol.cpp.
  void start_instant(std::uint64_t at_ps, std::string_view thread, std::string_view kind, std::string_view name);
  void append_packet(const EventLog& log, std::string_view key, std::uint64_t packet);
  void end_instant();
  std::string_view protocol_of(Track& node);
  void follow_arrows(const Span& span, std::string_view thread);
  void append_arrow(char phase, const char* what, const Arrow& arrow, std::uint64_t at_ps, std::string_view thread);
  // Resets: perfetto_recovery.cpp.
  void forget_requests(LogName node);
  void append_reset(std::string_view name, std::string_view thread, std::uint64_t since_ps,
                    const RecoveryRecord& record);
  std::string_view adapter_thread();
  // Depths of queues, deadlines: perfetto_work.cpp.
  void append_depth(const Track& track, std::optional<std::uint32_t> hardware_queue, std::uint64_t at_ps,
                    std::size_t packets);
  void append_deadlines(const EventLog& log);
  void append(const EventLog& log, const MarkerRow& row);
  void append(const EventLog& log, const Counter& counter);
  void append(const EventLog& log, Residents& residents);
  // Everything else: perfetto.cpp.
  std::vector<PacketReason> in_pieces(const PacketRecord& packet, const std::array<PacketReason, 6>& reasons);
  Track& track_of(const EventLog& log, LogName name);
  std::size_t process_of(std::string_view track);
  std::string_view thread_of(Track& track, std::size_t lane);
  std::string_view start_span(const EventLog& log, const Span& span);
  void append(const EventLog& log, const CommandBatch& batch);
  void start_event(std::string_view text);
  void append_metadata(std::string_view kind, std::string_view ids, std::string_view name, std::size_t sort_index);
  void append_async(char phase, std::uint64_t at_ps, std::string_view ids, std::string_view name);

  OutputFile& file_;
  std::string_view separator_ = "\n";
  FirstSeen seen_;
  std::deque<Track> tracks_;  // deque: tracks stay where they are
  std::map<std::string, std::size_t, std::less<>> processes_;
  std::size_t threads_ = 0;
  std::vector<Piece> pieces_;
  PacketsUnderWay packets_;
  std::map<Queue, Arrow> asked_;                    // requests that have not been answered
  std::multimap<std::uint64_t, Arrow> benefiting_;  // by packet: has not started since
  std::uint64_t arrows_ = 0;
  std::map<LogName, Residents> residents_;
  std::map<LogName, std::uint64_t> resets_;  // nodes that are being reset, since when; the empty name: the adapter
  std::string adapter_thread_;
  CommandBatches batches_;
  FenceArrows fence_arrows_;
  HardwareDepths hardware_depths_;
  std::map<LogName, std::size_t> queued_;  // by context: packets in its software queue
  std::function<std::vector<DeadlineRow>()> deadlines_;
  MarkerRegions regions_;
};

}  // namespace fenceline
