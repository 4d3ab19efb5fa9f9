// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/deadline_row.hpp"
#include "api/report/explain/deadline_time.hpp"
#include "sim/begin_record.hpp"
#include "sim/log.hpp"
#include "sim/room_record.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace fenceline {

/// Finds for deadlines the packet whose end kept or missed them, where its time went, and what its engine ran while it
/// waited for it. The packet is the last one of its queue before the signal that the deadline is about. It keeps one
/// packet for each signal of these fences, and what engines ran lately.
class DeadlineWork final : public LogSink {
 public:
  /// `fences`: of the deadlines.
  explicit DeadlineWork(std::set<LogName> fences) : fences_(std::move(fences)) {}
  void span(const EventLog& log, const Span& span) override;
  void turn(const EventLog& log, const ProcessTurnRecord& turn) override;
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override;
  void begun(const EventLog& log, const BeginRecord& begin) override;
  void room(const EventLog& log, const RoomRecord& room) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void recovery(const EventLog& log, const RecoveryRecord& record) override;

  /// The time of each row, in their order, at most so many.
  std::vector<DeadlineTime> times_of(const EventLog& log, const std::vector<DeadlineRow>& rows, std::size_t most) const;

 private:
  enum class What : std::uint8_t { ran, moved_state, switched_process, waited, was_reset };
  /// What an engine did.
  struct Did {
    Span span;
    What what;
    LogName context{};  ///< waited: whose wait it was
  };
  /// What an engine did in place of running a packet, and for how long.
  struct Other {
    LogName list;
    What what;
    SpanKind kind;
    std::uint64_t ps;
    LogName engine{};  ///< another one, where it had the shader array
  };
  /// A packet on its engine, that had no place on the shader array.
  struct NoPlace {
    std::uint64_t ps = 0;  ///< in all, before `since_ps`
    std::optional<std::uint64_t> since_ps;
    std::vector<RoomRecord::Holder> holders;  ///< since then
    std::vector<Other> others;
  };
  /// Of a queue: a wait was its first packet.
  struct Waited {
    std::uint64_t packet;
    std::uint64_t from_ps;
    std::uint64_t to_ps;
  };
  /// A packet that is over, and the last attempt to have another one stopped for it.
  struct Render {
    PacketRecord packet;
    std::optional<AttemptRecord> missed;
    std::vector<Other> meanwhile;       ///< most first
    LogName in_the_way{};               ///< list of the packet that could not be stopped
    bool wait_in_the_way = false;       ///< that is a wait: for this fence
    std::uint64_t queued_fence_ps = 0;  ///< behind waits of its queue, before it was the first there
    std::uint64_t engine_fence_ps = 0;  ///< the same behind waits in its hardware queue
    NoPlace no_place{};
  };
  struct Work {
    std::uint64_t value;      ///< of the fence, signalled behind it
    std::uint64_t signal_ps;  ///< that signal was over
    std::uint64_t render;     ///< the packet
    bool done;                ///< the signal took place
  };
  static constexpr std::size_t most_spans = 4096;  // of a node, that are looked back at
  static constexpr std::size_t most_waits = 4096;  // of a queue, the same
  static constexpr std::size_t most_others = 8;
  static constexpr std::size_t most_work = 200'000;

  void over(const PacketRecord& packet);
  void tell_signal(const PacketRecord& signal, std::uint64_t render);
  void keep(const Did& did);
  void end_no_place(NoPlace& one, std::uint64_t at_ps) const;
  bool is_by_removal(const DeadlineRow& row) const;
  std::vector<Other> meanwhile(const PacketRecord& packet) const;
  std::uint64_t waited_ps(const PacketRecord& packet, std::uint64_t from_ps, std::uint64_t to_ps) const;
  static DeadlinePacket packet_of(const EventLog& log, const Render& render);

  std::set<LogName> fences_;
  std::map<LogName, std::deque<Did>> spans_;        // by node, the last ones
  std::map<std::uint64_t, LogName> pending_waits_;  // waits that are not over: whose
  std::map<std::uint64_t, BeginRecord> begun_;      // packets that run
  std::map<std::uint64_t, NoPlace> no_places_;      // by packet
  std::map<LogName, std::uint64_t> resets_;         // nodes that are being reset, since when; empty: the adapter
  std::optional<std::uint64_t> removed_ps_;         // a device, the last time
  std::set<std::pair<LogName, std::uint64_t>> raised_by_removal_;  // fences, and when
  std::map<LogName, std::uint64_t> loads_;         // nodes that are being switched to another process, since when
  std::map<LogName, std::deque<Waited>> waits_;    // by context, the last ones
  std::map<LogName, std::uint64_t> last_render_;   // by context, the last one queued
  std::map<LogName, std::uint64_t> last_over_;     // by context, the last one that is over, kept for a signal to come
  std::map<std::uint64_t, std::uint64_t> behind_;  // of signals under way: the packet before each
  std::map<std::uint64_t, std::size_t> wanted_;    // packets that signals stand behind: how many
  std::map<std::uint64_t, Render> renders_;        // by packet
  std::map<LogName, std::vector<Work>> work_;      // by fence, in the order of signals
  std::size_t work_count_ = 0;
  std::map<std::uint64_t, AttemptRecord> attempts_;  // by the packet that waits
};

}  // namespace fenceline
