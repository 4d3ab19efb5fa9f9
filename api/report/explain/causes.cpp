// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/causes.hpp"

#include "sim/config_error.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <utility>

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

/// One link: why this packet is not done at that time.
class Link {
 public:
  Link(const CauseLog& log, const Life& life, std::uint64_t at_ps) : log_(log), life_(life), at_ps_(at_ps) {
    cause_.packet = life.id;
    cause_.queue = log.name(life.context);
    cause_.what = what_of(log, life);
  }

  Cause cause() {
    if (life_.complete_at(at_ps_)) return over(CauseKind::complete);
    if (life_.submitted_ps > at_ps_) return ended(CauseKind::not_submitted, life_.submitted_ps);
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

  Cause ended(CauseKind kind, std::uint64_t until_ps) {
    cause_.kind = kind;
    cause_.until_ps = until_ps;
    return cause_;
  }

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
    if (!reached) {
      if (is_over) return over(CauseKind::reset);
      return ended(CauseKind::never, 0);
    }
    if (const Life* const signal = log_.signal_of(life_.label, *reached)) {
      cause_.by_packet = signal->id;
      return ended(CauseKind::fence, reached->at_ps);
    }
    if (log_.is_of_frames(life_.label)) {
      const Life* const present = log_.present_of(life_.label, reached->value);
      if (present != nullptr && !present->complete_at(at_ps_)) cause_.by_packet = present->id;
      return ended(CauseKind::screen, reached->at_ps);
    }
    if (const PagingRecord* const move = log_.moving_until(at_ps_, reached->at_ps)) return moves(*move);
    return ended(CauseKind::fence_by_cpu, reached->at_ps);
  }

  Cause moves(const PagingRecord& move) {
    cause_.by =
        fmt::format("{} ({}, {} bytes)", in_quotes(log_.name(move.resource)), name_of(move.operation), move.bytes);
    // What it stands behind is another packet's.
    const Life* const packet = log_.life(move.packet);
    if (packet != nullptr && packet->hardware_ps && *packet->hardware_ps <= at_ps_) cause_.by_packet = move.packet;
    return ended(CauseKind::paging, move.end_ps);
  }

  Cause on_node() {
    cause_.by = log_.name(life_.node);
    if (const Span* const own = log_.own(life_, at_ps_)) {
      if (own->kind == SpanKind::packet) return ended(CauseKind::running, own->end_ps);
      return moving_state(*own);
    }
    const std::optional<PacketRecord>& done = life_.done;
    if (done && done->finished_ps <= at_ps_) return over(CauseKind::completing);
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
    return ended(CauseKind::launching, next_ps);
  }

  Cause moving_state(const Span& span) {
    const Life* const whose = log_.life(span.id);
    cause_.by = fmt::format("{}: {} of {}", log_.name(life_.node), name_of(span.kind),
                            whose == nullptr ? "a context" : fmt::format("packet {}", whose->id));
    return ended(CauseKind::moves_state, span.end_ps);
  }

  Cause busy(CauseKind kind, std::uint64_t other, std::uint64_t until_ps) {
    cause_.by_packet = other;
    if (const AttemptRecord* const attempt = log_.attempt_for(life_.id, at_ps_);
        attempt != nullptr && attempt->running_packet == other) {
      cause_.attempt = log_.name(attempt->result);
      cause_.attempt_ps = attempt->at_ps;
    }
    return ended(kind, until_ps);
  }

  const CauseLog& log_;
  const Life& life_;
  std::uint64_t at_ps_;
  Cause cause_{};
};

std::string until(const Cause& cause) {
  return cause.until_ps == 0 ? "to the end of the run" : fmt::format("until {:.3f} us", us(cause.until_ps));
}

std::string sentence(const Cause& cause) {
  const std::string end = until(cause);
  switch (cause.kind) {
    case CauseKind::not_submitted: return "was not queued yet by its CPU thread, " + end;
    case CauseKind::behind_queue: return fmt::format("stood behind packet {} of its queue, {}", cause.by_packet, end);
    case CauseKind::fence:
      return fmt::format("waited for fence {}, which packet {} signals, {}", cause.by, cause.by_packet, end);
    case CauseKind::fence_by_cpu:
      return fmt::format("waited for fence {}, which a CPU thread raises, {}", cause.by, end);
    case CauseKind::screen:
      return fmt::format("waited for fence {}, for which a frame has to come on screen, {}", cause.by, end);
    case CauseKind::hearing:
      return fmt::format("waited for fence {}, which had it, and it had not heard of it, {}", cause.by, end);
    case CauseKind::never: return fmt::format("waited for fence {}, to which nobody brought it, {}", cause.by, end);
    case CauseKind::engine_busy:
      return fmt::format("waited for {}, which had packet {} to run, {}", cause.by, cause.by_packet, end);
    case CauseKind::moves_state: return fmt::format("waited for {}, {}", cause.by, end);
    case CauseKind::paging: return fmt::format("waited for memory, {}, {}", cause.by, end);
    case CauseKind::launching:
      if (cause.until_ps == 0) return fmt::format("was on its way to {}, or on it, {}", cause.by, end);
      return fmt::format("was on its way to {}, {}", cause.by, end);
    case CauseKind::preempted:
      return fmt::format("had been stopped on {}, which ran packet {}, {}", cause.by, cause.by_packet, end);
    case CauseKind::running: return fmt::format("ran on {}, {}", cause.by, end);
    case CauseKind::completing: return "was done, and the scheduler had not heard of it, " + end;
    case CauseKind::reset:
      return cause.status == "timed_out" ? "hung, and its engine was being reset, " + end
                                         : "was being thrown away: its device was removed, " + end;
    case CauseKind::complete:
      if (!cause.status.empty()) return fmt::format("was over since {:.3f} us: {}", us(cause.until_ps), cause.status);
      return fmt::format("was complete since {:.3f} us", us(cause.until_ps));
  }
  return "?";
}

}  // namespace

const char* name_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::not_submitted: return "not_submitted";
    case CauseKind::behind_queue: return "behind_queue";
    case CauseKind::fence: return "fence";
    case CauseKind::fence_by_cpu: return "fence_by_cpu";
    case CauseKind::screen: return "screen";
    case CauseKind::hearing: return "hearing";
    case CauseKind::never: return "never";
    case CauseKind::engine_busy: return "engine_busy";
    case CauseKind::moves_state: return "moves_state";
    case CauseKind::paging: return "paging";
    case CauseKind::launching: return "launching";
    case CauseKind::preempted: return "preempted";
    case CauseKind::running: return "running";
    case CauseKind::completing: return "completing";
    case CauseKind::reset: return "reset";
    case CauseKind::complete: return "complete";
  }
  return "?";
}

std::vector<Cause> causes_of(const CauseLog& log, std::uint64_t packet, std::uint64_t at_ps) {
  std::vector<Cause> causes;
  std::set<std::uint64_t> seen;  // who waits for each other round about
  for (const Life* life = log.life(packet); life != nullptr && seen.insert(life->id).second;) {
    causes.push_back(Link(log, *life, at_ps).cause());
    life = causes.back().by_packet == 0 ? nullptr : log.life(causes.back().by_packet);
  }
  return causes;
}

std::uint64_t first_of_queue(const CauseLog& log, const std::string& queue, std::uint64_t at_ps) {
  for (const std::uint64_t packet : log.of_queue(queue)) {
    if (!log.life(packet)->complete_at(at_ps)) return packet;
  }
  return 0;
}

std::string text_of(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) {
    text += one_line(fmt::format("{:<12} packet {}, {}: {}", cause.queue, cause.packet, cause.what, sentence(cause)));
    text += "\n";
    if (cause.attempt.empty()) continue;
    text += one_line(fmt::format("{:<12}   it {} for it at {:.3f} us: {}", "",
                                 cause.attempt == "Success" ? "was asked to stop" : "could not be stopped",
                                 us(cause.attempt_ps), cause.attempt));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<Cause>& causes) {
  nlohmann::ordered_json links = nlohmann::ordered_json::array();
  for (const Cause& cause : causes) {
    nlohmann::ordered_json link = {
        {"cause", name_of(cause.kind)}, {"packet", cause.packet}, {"queue", cause.queue}, {"what", cause.what}};
    if (!cause.by.empty()) link["by"] = cause.by;
    if (cause.by_packet != 0) link["by_packet"] = cause.by_packet;
    link["until_ps"] = cause.until_ps == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(cause.until_ps);
    if (!cause.status.empty()) link["status"] = cause.status;
    if (!cause.attempt.empty()) link["attempt"] = {{"result", cause.attempt}, {"at_ps", cause.attempt_ps}};
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace fenceline
