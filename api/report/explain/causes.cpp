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
    if (life_.complete_at(at_ps_)) return ended(CauseKind::complete, life_.done->completed_ps);
    if (life_.submitted_ps > at_ps_) return ended(CauseKind::not_submitted, life_.submitted_ps);
    const bool on_hardware = life_.hardware_ps && *life_.hardware_ps <= at_ps_;
    if (!on_hardware) {
      if (const Life* const before = log_.before(life_, at_ps_)) return behind(*before);
      if (life_.type == PacketType::wait) return waits();
    }
    if (takes_a_moment(life_.type) || life_.type == PacketType::wait)
      return ended(CauseKind::completing, end_of(life_));
    return on_node();
  }

 private:
  static std::uint64_t end_of(const Life& life) { return life.done ? life.done->completed_ps : 0; }

  Cause ended(CauseKind kind, std::uint64_t until_ps) {
    cause_.kind = kind;
    cause_.until_ps = until_ps;
    return cause_;
  }

  Cause behind(const Life& before) {
    cause_.by_packet = before.id;
    return ended(CauseKind::behind_queue, end_of(before));
  }

  Cause waits() {
    cause_.by = fmt::format("{} at {}", in_quotes(log_.name(life_.label)), life_.value);
    const std::uint64_t until_ps = life_.done ? life_.done->ready_ps : 0;
    const Life* const signal = log_.signal_of(life_.label, life_.value, at_ps_);
    const auto raised = log_.raised(life_.label, life_.value, at_ps_);
    const bool by_queue = signal != nullptr && (!raised || (signal->done && signal->done->completed_ps <= *raised));
    if (by_queue) {
      cause_.by_packet = signal->id;
      return ended(CauseKind::fence, until_ps);
    }
    return ended(raised ? CauseKind::fence_by_cpu : CauseKind::never, raised.value_or(until_ps));
  }

  Cause on_node() {
    const LogName node = life_.node;
    const std::optional<PacketRecord>& done = life_.done;
    cause_.by = log_.name(node);
    const Span* const span = log_.on_node(node, at_ps_);
    if (span != nullptr && span->kind == SpanKind::packet && span->id == life_.id)
      return ended(CauseKind::running, done ? done->finished_ps : 0);
    if (done && done->finished_ps <= at_ps_) return ended(CauseKind::completing, done->completed_ps);
    const bool has_run = done && done->started_ps <= at_ps_;
    if (span != nullptr && moves_state(span->kind)) {
      cause_.by = fmt::format("{}: {} of {}", log_.name(node), name_of(span->kind), log_.name(span->name));
      return ended(CauseKind::moves_state, span->end_ps);
    }
    if (span != nullptr) return busy(has_run ? CauseKind::preempted : CauseKind::engine_busy, span->id);
    if (const PagingRecord* const move = log_.moving_for(life_.context, life_.submitted_ps, at_ps_)) {
      cause_.by = fmt::format("{} ({} of {} bytes)", in_quotes(log_.name(move->resource)), name_of(move->operation),
                              move->bytes);
      cause_.by_packet = move->packet;
      return ended(CauseKind::paging, move->end_ps);
    }
    if (const Life* const ahead = log_.ahead_of(life_, node, at_ps_); ahead != nullptr && !has_run)
      return busy(CauseKind::engine_busy, ahead->id);
    return ended(has_run ? CauseKind::running : CauseKind::launching, done ? done->started_ps : 0);
  }

  Cause busy(CauseKind kind, std::uint64_t other) {
    cause_.by_packet = other;
    const Life* const life = log_.life(other);
    if (const AttemptRecord* const attempt = log_.attempt_for(life_.id, at_ps_);
        attempt != nullptr && attempt->running_packet == other) {
      cause_.attempt = log_.name(attempt->result);
      cause_.attempt_ps = attempt->at_ps;
    }
    return ended(kind, life == nullptr ? 0 : end_of(*life));
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
    case CauseKind::never: return fmt::format("waited for fence {}, to which nobody brought it, {}", cause.by, end);
    case CauseKind::engine_busy:
      return fmt::format("waited for {}, which had packet {} to run, {}", cause.by, cause.by_packet, end);
    case CauseKind::moves_state: return fmt::format("waited for {}, {}", cause.by, end);
    case CauseKind::paging: return fmt::format("waited for memory, {}, {}", cause.by, end);
    case CauseKind::launching: return fmt::format("was on its way to {}, {}", cause.by, end);
    case CauseKind::preempted:
      return fmt::format("had been stopped on {}, which ran packet {}, {}", cause.by, cause.by_packet, end);
    case CauseKind::running: return fmt::format("ran on {}, {}", cause.by, end);
    case CauseKind::completing: return "was done, and the scheduler had not heard of it, " + end;
    case CauseKind::complete: return fmt::format("was complete since {:.3f} us", us(cause.until_ps));
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
    case CauseKind::never: return "never";
    case CauseKind::engine_busy: return "engine_busy";
    case CauseKind::moves_state: return "moves_state";
    case CauseKind::paging: return "paging";
    case CauseKind::launching: return "launching";
    case CauseKind::preempted: return "preempted";
    case CauseKind::running: return "running";
    case CauseKind::completing: return "completing";
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
    text += one_line(fmt::format("{:<12}   it could {}be stopped for it at {:.3f} us: {}", "",
                                 cause.attempt == "Success" ? "" : "not ", us(cause.attempt_ps), cause.attempt));
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
    if (!cause.attempt.empty()) link["attempt"] = {{"result", cause.attempt}, {"at_ps", cause.attempt_ps}};
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace fenceline
