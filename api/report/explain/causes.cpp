// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/causes.hpp"

#include "api/report/explain/thread_spent.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

namespace fenceline {
namespace {

using Life = CauseLog::Life;
using Place = ThreadLog::Place;

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

/// One link, and the step of a CPU thread behind it, if there is one.
class Link {
 public:
  Link(const CauseLog& log, std::uint64_t at_ps) : log_(log), at_ps_(at_ps) {}

  const std::optional<Place>& by_thread() const { return by_thread_; }

 protected:
  Cause ended(CauseKind kind, std::uint64_t until_ps) {
    cause_.kind = kind;
    cause_.until_ps = until_ps > log_.end_ps() ? 0 : until_ps;
    return cause_;
  }

  Cause ended_by(CauseKind kind, std::uint64_t until_ps, const std::optional<Place>& place) {
    by_thread_ = place;
    if (place) cause_.by_thread = log_.threads().name(place->thread);
    return ended(kind, until_ps);
  }

  Cause moves(const PagingRecord& move) {
    cause_.by =
        fmt::format("{} ({}, {} bytes)", in_quotes(log_.name(move.resource)), name_of(move.operation), move.bytes);
    // What it stands behind is another packet's.
    const Life* const packet = log_.life(move.packet);
    if (packet != nullptr && packet->hardware_ps && *packet->hardware_ps <= at_ps_) cause_.by_packet = move.packet;
    return ended(CauseKind::paging, move.end_ps);
  }

  /// A fence has not got there; it does later, or never.
  Cause waits_for(LogName fence, std::uint64_t value, const std::optional<CauseLog::Raised>& reached) {
    if (!reached) return waits_in_vain_for(fence, value);
    if (const Life* const signal = log_.signal_of(fence, *reached)) {
      cause_.by_packet = signal->id;
      return ended(CauseKind::fence, reached->at_ps);
    }
    if (log_.is_of_frames(fence)) return waits_for_screen(log_.present_of(fence, reached->value), reached->at_ps);
    if (reached->by) return ended_by(CauseKind::fence_by_cpu, reached->at_ps, reached->by);
    if (const PagingRecord* const move = log_.moving_until(at_ps_, reached->at_ps)) return moves(*move);
    return ended(CauseKind::fence_by_cpu, reached->at_ps);
  }

 private:
  Cause waits_for_screen(const Life* present, std::uint64_t until_ps) {
    if (present != nullptr && !present->complete_at(at_ps_)) cause_.by_packet = present->id;
    return ended(CauseKind::screen, until_ps);
  }

  /// Who would have brought it there, had the run gone on.
  Cause waits_in_vain_for(LogName fence, std::uint64_t value) {
    if (const Life* const signal = log_.signal_to_come(fence, value)) {
      cause_.by_packet = signal->id;
      return ended(CauseKind::fence, 0);
    }
    if (const Life* const present = log_.present_of(fence, value)) return waits_for_screen(present, 0);
    if (const auto place = log_.threads().to_signal(log_.name(fence), value)) {
      return ended_by(CauseKind::fence_by_cpu, 0, place);
    }
    return ended(CauseKind::never, 0);
  }

 protected:
  const CauseLog& log_;
  std::uint64_t at_ps_;
  Cause cause_{};

 private:
  std::optional<Place> by_thread_;
};

/// Why this packet is not done at that time.
class PacketLink final : public Link {
 public:
  PacketLink(const CauseLog& log, const Life& life, std::uint64_t at_ps) : Link(log, at_ps), life_(life) {
    cause_.packet = life.id;
    cause_.queue = log.name(life.context);
    cause_.what = what_of(log, life);
  }

  Cause cause() {
    if (life_.complete_at(at_ps_)) return over(CauseKind::complete);
    if (life_.submitted_ps > at_ps_) return ended_by(CauseKind::not_submitted, life_.submitted_ps, life_.by);
    const bool on_hardware = life_.hardware_ps && *life_.hardware_ps <= at_ps_;
    if (!on_hardware) {
      if (const Life* const before = log_.before(life_, at_ps_)) return behind(*before);
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

  Cause behind(const Life& before) {
    cause_.by_packet = before.id;
    return ended(CauseKind::behind_queue, end_of(before));
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
      if (own->kind == SpanKind::packet) return ended(CauseKind::running, own->end_ps);
      return moving_state(*own);
    }
    const std::optional<PacketRecord>& done = life_.done;
    if (done && done->finished_ps <= at_ps_) return over(CauseKind::completing);
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
    if (const PagingRecord* const move = log_.moving_for(life_.context, at_ps_, before_ps)) return moves(*move);
    if (span != nullptr && !moves_state(span->kind))
      return busy(has_run ? CauseKind::preempted : CauseKind::engine_busy, span->id, span->end_ps);
    if (const Life* const ahead = log_.ahead_of(life_, at_ps_); ahead != nullptr && !has_run)
      return busy(CauseKind::engine_busy, ahead->id, end_of(*ahead));
    if (next_ps == 0 && done && done->status != PacketStatus::completed) return over(CauseKind::reset);
    if (turn_) return switched(CauseKind::process_turn);
    return ended(CauseKind::launching, next_ps);
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

/// What a CPU thread did at that time, that was to come to a step.
class ThreadLink final : public Link {
 public:
  /// `then_ps`: when it came to the step; 0: never.
  ThreadLink(const CauseLog& log, const Place& wanted, std::uint64_t at_ps, std::uint64_t then_ps)
      : Link(log, at_ps), wanted_(wanted), then_ps_(then_ps) {
    cause_.queue = log.threads().name(wanted.thread);
    cause_.what = thread_link;
  }

  Cause cause() {
    const ThreadLog& threads = log_.threads();
    const std::optional<Place> place = threads.at(wanted_.thread, at_ps_);
    if (!place || place->step >= wanted_.step) return ended(CauseKind::calls, then_ps_);
    cause_.then = spent_text(log_.threads(), {wanted_.thread, place->step + 1}, wanted_.step);
    const std::uint64_t end_ps = threads.end_of(*place);
    switch (threads.did(*place).kind) {
      case Step::Kind::work: return ended(CauseKind::works, end_ps);
      case Step::Kind::sleep_until: return ended(CauseKind::sleeps, end_ps);
      case Step::Kind::fence_wait: return waits_for_fence(threads.did(*place), end_ps);
      case Step::Kind::wait_vblank: return waits_for_thing("a vertical blank", end_ps);
      case Step::Kind::create_pipeline_states: return waits_for_thing("pipeline states that it created", end_ps);
      case Step::Kind::make_resident: return waits_for_thing("memory that it made resident", end_ps);
      case Step::Kind::wait_for_budget_change: return waits_for_thing("its budget of video memory to change", end_ps);
      default: return ended(CauseKind::calls, end_ps);
    }
  }

 private:
  Cause waits_for_thing(const char* what, std::uint64_t end_ps) {
    cause_.by = what;
    return ended(CauseKind::waits, end_ps);
  }

  Cause waits_for_fence(const ThreadLog::Did& did, std::uint64_t end_ps) {
    const std::string name = log_.threads().fence_of(did);
    cause_.by = fmt::format("{} at {}", in_quotes(name), did.value);
    const std::optional<LogName> fence = log_.fence(name);
    if (!fence) {
      if (const auto place = log_.threads().to_signal(name, did.value)) {
        return ended_by(CauseKind::fence_by_cpu, 0, place);
      }
      return ended(CauseKind::never, 0);
    }
    const auto reached = log_.reached(*fence, did.value, did.at_ps);
    if (reached && reached->at_ps <= at_ps_) return ended(CauseKind::hearing, end_ps);
    return waits_for(*fence, did.value, reached);
  }

  Place wanted_;
  std::uint64_t then_ps_;
};

/// Links from a packet, else a thread, on.
void follow(const CauseLog& log, std::uint64_t packet, std::optional<Place> thread, std::uint64_t at_ps,
            std::vector<Cause>& causes) {
  std::set<std::uint64_t> seen;  // who waits for each other round about
  std::set<std::size_t> seen_threads;
  for (;;) {
    if (const Life* const life = log.life(packet); life != nullptr && seen.insert(packet).second) {
      PacketLink link(log, *life, at_ps);
      causes.push_back(link.cause());
      thread = link.by_thread();
    } else if (thread && seen_threads.insert(thread->thread).second) {
      ThreadLink link(log, *thread, at_ps, causes.back().until_ps);
      causes.push_back(link.cause());
      thread = link.by_thread();
    } else {
      return;
    }
    packet = causes.back().by_packet;
  }
}

}  // namespace

std::vector<Cause> causes_of(const CauseLog& log, std::uint64_t packet, std::uint64_t at_ps) {
  std::vector<Cause> causes;
  follow(log, packet, std::nullopt, at_ps, causes);
  return causes;
}

std::vector<Cause> causes_of(const CauseLog& log, const AwaitedFence& awaited) {
  const Life* const before = log.life(awaited.packet);
  if (before != nullptr && !before->complete_at(awaited.due_ps)) return causes_of(log, before->id, awaited.due_ps);
  Cause cause{};
  cause.kind = CauseKind::not_signalled;
  cause.queue = awaited.deadline;
  cause.what = fmt::format("fence {} at {}", in_quotes(awaited.fence), awaited.value);
  cause.until_ps = awaited.reached_ps.value_or(0);
  std::optional<Place> thread;
  const Life* signal = nullptr;
  const std::optional<LogName> fence = log.fence(awaited.fence);
  const auto reached = fence && awaited.reached_ps ? log.reached(*fence, awaited.value, *awaited.reached_ps)
                                                   : std::optional<CauseLog::Raised>();
  if (reached) {
    signal = log.signal_of(*fence, *reached);
    thread = reached->by;
  } else if (!awaited.reached_ps) {
    if (fence) signal = log.signal_to_come(*fence, awaited.value);
    if (signal == nullptr) thread = log.threads().to_signal(awaited.fence, awaited.value);
  }
  if (signal == nullptr && fence && log.is_of_frames(*fence)) {
    const Life* const present = log.present_of(*fence, awaited.value);
    if (present != nullptr && !present->complete_at(awaited.due_ps)) signal = present;
    cause.kind = CauseKind::screen;
  }
  if (signal != nullptr) return causes_of(log, signal->id, awaited.due_ps);
  const bool is_signalled = thread || awaited.reached_ps || cause.kind == CauseKind::screen;
  if (!is_signalled) {
    if (!log.threads().known()) return {};
    cause.kind = CauseKind::never;
  }
  if (thread) cause.by_thread = log.threads().name(thread->thread);
  std::vector<Cause> causes = {cause};
  follow(log, 0, thread, awaited.due_ps, causes);
  return causes;
}

std::uint64_t first_of_queue(const CauseLog& log, const std::string& queue, std::uint64_t at_ps) {
  for (const std::uint64_t packet : log.of_queue(queue)) {
    if (!log.life(packet)->complete_at(at_ps)) return packet;
  }
  return 0;
}

}  // namespace fenceline
