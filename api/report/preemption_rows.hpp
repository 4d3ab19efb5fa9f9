// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/packets_under_way.hpp"
#include "api/report/turns/turn_waits.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

/// A request to preempt from the moment at which somebody was ready until the packet that gave way goes on.
struct PreemptionRow {
  struct Party {
    std::uint64_t packet = 0;  ///< 0: nobody in particular
    LogName context{};
    std::uint64_t submission_fence_id = 0;  ///< when the request was made; 0: it waited in its software queue
  };
  /// How the packet that gave way went on.
  struct Resume {
    std::uint64_t submission_fence_id;  ///< its new one
    std::uint64_t started_ps;
  };
  PreemptionRequest request;
  std::optional<PreemptionRecord> answer;  ///< none: the run ended before
  bool deepened = false;                   ///< before the answer came another asked to stop finer: a row of its own
  bool stopped_inside = false;             ///< the packet that ran was stopped; else those behind it were withheld
  Party victim;
  Party beneficiary;
  std::optional<std::uint64_t> ready_ps;                ///< since when the beneficiary waited; none: it did not
  bool beside = false;                                  ///< it did not: it ran already, beside the victim
  std::optional<std::uint64_t> beneficiary_started_ps;  ///< began to run or went on
  std::uint64_t beneficiary_switch_ps = 0;              ///< on the way there: its context was loaded
  std::uint64_t resume_switch_ps = 0;                   ///< the same of the victim
  std::uint64_t restore_ps = 0;                         ///< the victim's state was restored
  std::optional<Resume> resumed;                        ///< none: it never did
  /// What the beneficiary waited for before the request, or before the one that asked to stop finer.
  std::vector<TurnWait> turns{};

  /// When the wait began that the request was to end.
  std::uint64_t began_ps() const { return ready_ps.value_or(request.at_ps); }
  /// Of an answered request: how long it waited for a restore to end, and then until nothing ran.
  std::uint64_t restore_wait_ps() const;
  std::uint64_t drain_ps() const;
  std::uint64_t save_ps() const { return answer->free_ps - answer->stopped_ps; }
};

/// Puts the rows together from a log's records, in the order of the requests. Memory grows with the packets that have
/// not completed and the rows behind one whose victim or beneficiary has not gone on.
class PreemptionRows {
 public:
  void queued(const QueuedRecord& record) { packets_.queued(record); }
  void ready(const ReadyRecord& record);
  void context(const ContextRecord& record) { turns_.context(record); }
  void attempt(const AttemptRecord& record, std::string_view result);  ///< `result`: its name
  void submission(const SubmissionRecord& record);
  void interrupt(const InterruptRecord& record);
  void request(const PreemptionRequest& request);
  void preemption(const PreemptionRecord& record);
  void span(const Span& span);
  void packet(const PacketRecord& record);

  /// The next row to which nothing can be added any more; nothing while there is none.
  std::optional<PreemptionRow> take_settled();
  /// The next row, as far as it is known.
  std::optional<PreemptionRow> take();
  const std::deque<PreemptionRow>& open() const { return rows_; }

 private:
  using Queue = std::pair<LogName, std::uint32_t>;  // node, hardware queue

  PreemptionRow::Party party_of(std::uint64_t packet) const;
  TurnWaits::Pair pair_of(std::uint64_t waiting, std::uint64_t running) const;
  PreemptionRow* unanswered(LogName node, std::uint32_t queue);
  void piece(const Span& span);
  void moved(const Span& span);
  void add_floor_wait(PreemptionRow& row) const;
  bool is_settled(const PreemptionRow& row) const;

  PacketsUnderWay packets_;
  TurnWaits turns_;
  std::map<Queue, std::deque<std::uint64_t>> in_hardware_;  // ids, the first one runs
  std::map<Queue, std::vector<std::uint64_t>> asked_;       // numbers of rows with the answer outstanding
  std::multimap<std::uint64_t, std::uint64_t> goes_on_;     // packet that has to start or go on, number of the row
  std::deque<PreemptionRow> rows_;
  std::uint64_t taken_ = 0;  // number of the first of them
};

}  // namespace fenceline
