// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"
#include "sim/marker_record.hpp"
#include "sim/paging_record.hpp"
#include "sim/recovery_record.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

class EventLog;
struct BeginRecord;
struct ProcessTurnRecord;
struct RoomRecord;

enum class Severity : std::uint8_t { info, warning };
/// A line for a person.
struct Message {
  Severity severity;    ///< warning: the run may not be what was wanted
  LogName track;        ///< path of the thing it is about
  std::uint64_t at_ps;  ///< simulated time
  std::string text;     ///< one line, without its end
};

/// Receives every event of a log in the order written. That order is the model's, not sorted by time: a span arrives
/// when it ends. Override what you need.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void span(const EventLog&, const Span&) {}                    ///< something has taken time, and ends now
  virtual void instant(const EventLog&, const Instant&) {}              ///< something happens
  virtual void counter(const EventLog&, const Counter&) {}              ///< a quantity changes
  virtual void packet(const EventLog&, const PacketRecord&) {}          ///< a queue packet has completed
  virtual void queued(const EventLog&, const QueuedRecord&) {}          ///< a queue packet enters its software queue
  virtual void submission(const EventLog&, const SubmissionRecord&) {}  ///< a packet enters a hardware queue
  virtual void begun(const EventLog&, const BeginRecord&) {
  }  ///< a piece of a packet begins to run (sim/begin_record.hpp)
  virtual void patch(const EventLog&, const PatchRecord&) {}          ///< a slot of a piece of a list is patched
  virtual void interrupt(const EventLog&, const InterruptRecord&) {}  ///< an interrupt has been raised
  virtual void context(const EventLog&, const ContextRecord&) {
  }                                                           ///< a context is made, or its rank or its times change
  virtual void ready(const EventLog&, const ReadyRecord&) {}  ///< a packet wants its node
  virtual void attempt(const EventLog&, const AttemptRecord&) {
  }  ///< a packet that waits could have one stopped, or not
  virtual void turn(const EventLog&, const ProcessTurnRecord&) {}       ///< of a process (sim/process_turn_record.hpp)
  virtual void request(const EventLog&, const PreemptionRequest&) {}    ///< the scheduler asks a node to preempt
  virtual void preemption(const EventLog&, const PreemptionRecord&) {}  ///< such a request has been answered
  virtual void task(const EventLog&, const TaskRecord&) {}              ///< something happens to a background task
  virtual void frame(const EventLog&, const FrameRecord&) {}            ///< a frame has left the screen
  virtual void recovery(const EventLog&, const RecoveryRecord&) {}      ///< a step after a timeout or page fault
  virtual void paging(const EventLog&, const PagingRecord&) {}          ///< an allocation has moved
  virtual void room(const EventLog&, const RoomRecord&) {}              ///< others have room (sim/room_record.hpp)
  virtual void marker(const EventLog&, const MarkerRecord&) {}  ///< a queue is given a marker, or a list with one
  virtual void message(const EventLog&, const Message&) {}      ///< a line for a person
  /// The run is over at `end_ps`; nothing follows.
  virtual void finish(const EventLog&, std::uint64_t end_ps) { (void)end_ps; }
};

/// The one place where modules say what happened. Sinks derive every output from it. Without a sink each call costs
/// one branch. Deterministic: no clock of the host, sinks are called in the order attached.
class EventLog {
 public:
  /// How much modules write. `packets`: packet records, packet spans, instants. `commands`: also a span per command.
  /// `waves`: also waves of groups and channel rates.
  enum class Detail : std::uint8_t { packets, commands, waves };

  EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// The sink must outlive the log's last call, or be detached. It gets at least the detail it asks for: what another
  /// sink asked for arrives here too, so a sink picks what it wants by kind.
  void attach(LogSink& sink, Detail detail = Detail::commands);
  void detach(LogSink& sink);  ///< it hears nothing any more

  /// Something listens.
  bool enabled() const { return !sinks_.empty(); }
  /// Something listens at this detail.
  bool enabled(Detail detail) const { return enabled() && detail <= detail_; }

  /// Interns: the same text gives the same LogName for the life of the log.
  LogName name(std::string_view text);
  /// A name for one thing alone: the text, or where another thing has it "text#2", "text#3" and so on.
  LogName own_name(const std::string& text);
  std::string_view text(LogName name) const {
    return texts_[static_cast<std::uint32_t>(name)];
  }  ///< valid as long as the log

  void span(const Span& span);                          ///< tells every sink
  void instant(const Instant& instant);                 ///< tells every sink
  void counter(const Counter& counter);                 ///< tells every sink
  void packet(const PacketRecord& packet);              ///< tells every sink
  void queued(const QueuedRecord& queued);              ///< tells every sink
  void submission(const SubmissionRecord& submission);  ///< tells every sink
  void begun(const BeginRecord& begin);                 ///< tells every sink
  void patch(const PatchRecord& patch);                 ///< tells every sink
  void interrupt(const InterruptRecord& interrupt);     ///< tells every sink
  void context(const ContextRecord& context);           ///< tells every sink
  void ready(const ReadyRecord& ready);                 ///< tells every sink
  void attempt(const AttemptRecord& attempt);           ///< tells every sink
  void turn(const ProcessTurnRecord& turn);             ///< tells every sink
  void request(const PreemptionRequest& request);       ///< tells every sink
  void preemption(const PreemptionRecord& preemption);  ///< tells every sink
  void task(const TaskRecord& task);                    ///< tells every sink
  void frame(const FrameRecord& frame);                 ///< tells every sink
  void recovery(const RecoveryRecord& recovery);        ///< tells every sink
  void paging(const PagingRecord& paging);              ///< tells every sink
  void room(const RoomRecord& room);                    ///< tells every sink
  void marker(const MarkerRecord& marker);              ///< tells every sink
  void message(const Message& message);                 ///< tells every sink
  void finish(std::uint64_t end_ps);                    ///< tells every sink that nothing follows

 private:
  struct Attached {
    LogSink* sink;
    Detail detail;
  };
  std::vector<Attached> sinks_;
  Detail detail_ = Detail::packets;
  std::deque<std::string> texts_;  // deque: texts never move, so that the views below stay valid
  std::map<std::string_view, LogName> names_;
  std::optional<LogName> last_name_;         // asked for: things that follow each other often have one name
  std::map<LogName, std::uint64_t> owners_;  // things that asked for this name as their own
};

}  // namespace fenceline
