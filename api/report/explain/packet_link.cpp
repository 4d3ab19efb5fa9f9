// SPDX-License-Identifier: Apache-2.0
// The link of a packet.
#include "api/report/explain/cause_link.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace fenceline {
namespace {

using Life = CauseLog::Life;

std::string what_of(const CauseLog& log, const Life& life) {
  const std::string label = log.name(life.label);
  switch (life.type) {
    case PacketType::render: return label.empty() ? "a command list" : "list " + in_quotes(label);
    case PacketType::signal: return fmt::format("signal of {} to {}", in_quotes(label), life.value);
    case PacketType::wait: return fmt::format("wait for {} at {}", in_quotes(label), life.value);
    case PacketType::present: return fmt::format("present {} of {}", life.value, in_quotes(label));
    case PacketType::paging: return "paging";
    case PacketType::context_switch: return "context switch";
  }
  return "?";
}

/// Why this packet is not done at that time.
class PacketLink final : public CauseLink {
 public:
  PacketLink(const CauseLog& log, const Life& life, std::uint64_t at_ps) : CauseLink(log, at_ps), life_(life) {
    cause_.packet = life.id;
    cause_.queue = log.name(life.context);
    cause_.what = what_of(log, life);
  }

  Cause cause() {
    if (life_.complete_at(at_ps_)) return over(CauseKind::complete);
    if (life_.submitted_ps > at_ps_) return ended_by(CauseKind::not_submitted, life_.submitted_ps, life_.by);
    const bool on_hardware = life_.hardware_ps && *life_.hardware_ps <= at_ps_;
    if (!on_hardware) {
      if (const Life* const before = log_.before(life_, at_ps_); before != nullptr && !waits_first())
        return behind(*before);
    }
    if (life_.type == PacketType::wait) return waits();
    if (takes_a_moment(life_.type)) return over(CauseKind::completing);
    return on_node();
  }

 private:
  static std::uint64_t end_of(const Life& life) { return life.done ? life.done->completed_ps : 0; }

  /// It is, or it only has to be heard of; unless it was not done, but ended.
  Cause over(CauseKind kind) {
    const bool was_done = !life_.done || life_.done->status == PacketStatus::completed;
    if (!was_done) cause_.status = name_of(life_.done->status);
    return ended(was_done || kind == CauseKind::complete ? kind : CauseKind::reset, end_of(life_));
  }

  /// A wait that is the first of its software queue: it does not mind what of that one is on the hardware.
  bool waits_first() const { return life_.type == PacketType::wait && life_.done && life_.done->head_ps <= at_ps_; }

  Cause behind(const Life& before) {
    cause_.by_packet = before.id;
    const std::uint64_t end_ps = end_of(before);
    const bool first_before =
        life_.type == PacketType::wait && life_.done && (end_ps == 0 || life_.done->head_ps < end_ps);
    return ended(CauseKind::behind_queue, first_before ? life_.done->head_ps : end_ps);
  }

  Cause waits() {
    cause_.by = fmt::format("{} at {}", in_quotes(log_.name(life_.label)), life_.value);
    const auto reached = log_.reached(life_);
    const bool is_over = life_.done && life_.done->status != PacketStatus::completed;
    if (reached && reached->at_ps <= at_ps_) return ended(CauseKind::hearing, end_of(life_));
    if (!reached && is_over) return over(CauseKind::reset);
    return waits_for(life_.label, life_.value, reached);
  }

  Cause on_node() {
    cause_.by = log_.name(life_.node);
    if (const Span* const own = log_.own(life_, at_ps_)) {
      return own->kind == SpanKind::packet ? runs(*own) : moving_state(*own);
    }
    const std::optional<PacketRecord>& done = life_.done;
    if (done && done->finished_ps <= at_ps_) return over(CauseKind::completing);
    if (life_.is_held_at(at_ps_)) {
      if (const auto memory = waits_for_memory(process())) return *memory;
    }
    if (!life_.on_hardware_at(at_ps_)) turn_ = anothers_turn();
    if (turn_ && turn_->what == ProcessTurns::What::loads) return switched(CauseKind::process_switch);
    const bool has_run = done && done->started_ps <= at_ps_;
    const std::uint64_t next_ps = log_.next_run_ps(life_, at_ps_).value_or(0);
    const Span* const span = log_.in_the_way_of(life_, at_ps_);
    if (span != nullptr && span->start_ps <= at_ps_) {
      if (moves_state(span->kind)) return moving_state(*span);
      return busy(has_run ? CauseKind::preempted : CauseKind::engine_busy, span->id, span->end_ps);
    }
    const std::uint64_t before_ps = next_ps == 0 ? log_.end_ps() : next_ps;
    if (const PagingRecord* const move = log_.moving_for(life_.context, at_ps_, before_ps))
      return moves(*move, process());
    if (span != nullptr && !moves_state(span->kind))
      return busy(has_run ? CauseKind::preempted : CauseKind::engine_busy, span->id, span->end_ps);
    if (const Life* const ahead = log_.ahead_of(life_, at_ps_); ahead != nullptr && !has_run)
      return busy(CauseKind::engine_busy, ahead->id, end_of(*ahead));
    if (next_ps == 0 && done && done->status != PacketStatus::completed) return over(CauseKind::reset);
    if (turn_) return switched(CauseKind::process_turn);
    return ended(CauseKind::launching, next_ps);
  }

  std::string process() const { return log_.process_name(log_.process_of(life_.context)); }

  Cause runs(const Span& span) {
    if (const auto room = log_.rooms().of_places(life_.id, at_ps_)) {
      cause_.by_packet = room->holder.packet;
      return ended(CauseKind::no_place, room->until_ps);
    }
    const std::optional<std::uint64_t> stuck_ps = log_.stuck_ps(life_.id);
    const bool hangs = stuck_ps && *stuck_ps <= at_ps_ && *stuck_ps >= span.start_ps;
    return ended(hangs ? CauseKind::hung : CauseKind::running, span.end_ps);
  }

  /// Its process may not go to the node: another one may, or none for the moment.
  std::optional<ProcessTurns::State> anothers_turn() const {
    if (is_of_system(life_.type)) return std::nullopt;  // it has no turns
    const auto turn = log_.turn_at(life_.node, at_ps_);
    const bool is_own =
        turn && turn->what == ProcessTurns::What::begins && turn->process == log_.process_of(life_.context);
    return is_own ? std::nullopt : turn;
  }

  Cause switched(CauseKind kind) {
    cause_.by = fmt::format("{} {} process {}", log_.name(life_.node), kind == CauseKind::process_turn ? "of" : "to",
                            in_quotes(log_.process_name(turn_->process)));
    return ended(kind, turn_->until_ps);
  }

  Cause moving_state(const Span& span) {
    const Life* const whose = log_.life(span.id);
    cause_.by = fmt::format("{}: {} of {}", log_.name(life_.node), name_of(span.kind),
                            whose == nullptr ? "a context" : fmt::format("packet {}", whose->id));
    const std::uint64_t stopped_for = span.kind == SpanKind::save ? log_.stopped_for(span.id, span.start_ps) : 0;
    if (stopped_for != life_.id) cause_.by_packet = stopped_for;
    return ended(CauseKind::moves_state, span.end_ps);
  }

  Cause busy(CauseKind kind, std::uint64_t other, std::uint64_t until_ps) {
    cause_.by_packet = other;
    if (turn_ && turn_->what == ProcessTurns::What::begins) {
      cause_.turn = log_.process_name(turn_->process);
      cause_.turn_ps = turn_->until_ps;
    }
    if (const AttemptRecord* const attempt = log_.attempt_for(life_.id, at_ps_);
        attempt != nullptr && attempt->running_packet == other) {
      cause_.attempt = log_.name(attempt->result);
      cause_.attempt_ps = attempt->at_ps;
      const PreemptionRecord* const answer = cause_.attempt == "Success" ? log_.answer_to(*attempt) : nullptr;
      if (answer != nullptr && answer->stopped_ps > attempt->at_ps) {
        cause_.drained_to = log_.name(answer->level_reached);
        cause_.drained_ps = answer->stopped_ps;
      }
    }
    return ended(kind, until_ps);
  }

  const Life& life_;
  std::optional<ProcessTurns::State> turn_;  // another process's than its own
};

}  // namespace

FoundLink link_of(const CauseLog& log, const CauseLog::Life& life, std::uint64_t at_ps) {
  PacketLink link(log, life, at_ps);
  const Cause cause = link.cause();
  return {cause, link.by_thread()};
}

}  // namespace fenceline
