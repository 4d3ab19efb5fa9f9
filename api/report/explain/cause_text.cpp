// SPDX-License-Identifier: Apache-2.0
// Causes in words and as JSON.
#include "api/report/explain/causes.hpp"
#include "engines/command/preemption_level.hpp"
#include "sim/config_error.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace fenceline {
namespace {

std::string until(const Cause& cause) {
  return cause.until_ps == 0 ? "to the end of the run" : fmt::format("until {:.3f} us", us(cause.until_ps));
}

/// "CPU thread "boss"", or what stands for one that is not known.
std::string thread_of(const Cause& cause, const char* unknown) {
  return cause.by_thread.empty() ? unknown : "CPU thread " + in_quotes(cause.by_thread);
}

std::string sentence(const Cause& cause) {
  const std::string end = until(cause);
  switch (cause.kind) {
    case CauseKind::not_submitted:
      return fmt::format("was not queued yet by {}, {}", thread_of(cause, "its CPU thread"), end);
    case CauseKind::behind_queue: return fmt::format("stood behind packet {} of its queue, {}", cause.by_packet, end);
    case CauseKind::fence:
      return fmt::format("waited for fence {}, which packet {} signals, {}", cause.by, cause.by_packet, end);
    case CauseKind::fence_by_cpu:
      return fmt::format("waited for fence {}, which {} raises, {}", cause.by, thread_of(cause, "a CPU thread"), end);
    case CauseKind::screen:
      if (cause.by.empty()) return fmt::format("{} had to come on screen, {}", cause.frame, end);
      return fmt::format("waited for fence {}, for which {} has to come on screen, {}", cause.by, cause.frame, end);
    case CauseKind::hearing:
      return fmt::format("waited for fence {}, which had it, and it had not heard of it, {}", cause.by, end);
    case CauseKind::never:
      if (cause.by.empty()) return "nothing signals it to that value";
      return fmt::format("waited for fence {}, to which nobody brought it, {}", cause.by, end);
    case CauseKind::engine_busy:
      return fmt::format("waited for {}, which had packet {} to run, {}", cause.by, cause.by_packet, end);
    case CauseKind::moves_state:
      if (cause.by_packet == 0) return fmt::format("waited for {}, {}", cause.by, end);
      return fmt::format("waited for {}, which was stopped for packet {}, {}", cause.by, cause.by_packet, end);
    case CauseKind::process_switch:
      return fmt::format("waited for the switch of {} (process_switch_us), {}", cause.by, end);
    case CauseKind::process_turn: return fmt::format("waited for its turn: that on {} was not over, {}", cause.by, end);
    case CauseKind::paging: return fmt::format("waited for memory, {}, {}", cause.by, end);
    case CauseKind::room:
      if (cause.by_packet == 0) return "waited for room in video memory, " + end;
      return fmt::format("waited for room in video memory, where packet {} had {} in use, {}", cause.by_packet,
                         cause.by, end);
    case CauseKind::launching:
      if (cause.until_ps == 0) return fmt::format("was on its way to {}, or on it, {}", cause.by, end);
      return fmt::format("was on its way to {}, {}", cause.by, end);
    case CauseKind::preempted:
      return fmt::format("had been stopped on {}, which ran packet {}, {}", cause.by, cause.by_packet, end);
    case CauseKind::no_place:
      return fmt::format("was on {} and had no place on the shader array, which packet {} had, {}", cause.by,
                         cause.by_packet, end);
    case CauseKind::running: return fmt::format("ran on {}, {}", cause.by, end);
    case CauseKind::completing: return "was done, and the scheduler had not heard of it, " + end;
    case CauseKind::reset:
      return cause.status == "timed_out" ? "hung, and its engine was being reset, " + end
                                         : "was being thrown away: its device was removed, " + end;
    case CauseKind::removed:
      if (cause.by.empty()) return "nothing signalled it to that value: the removal of its device did, " + end;
      return fmt::format("waited for fence {}, which nothing but the removal of a device brought there, {}", cause.by,
                         end);
    case CauseKind::hung: return fmt::format("hung on {}, {}", cause.by, end);
    case CauseKind::complete:
      if (!cause.status.empty()) return fmt::format("was over since {:.3f} us: {}", us(cause.until_ps), cause.status);
      return fmt::format("was complete since {:.3f} us", us(cause.until_ps));
    case CauseKind::works: return "worked, " + end;
    case CauseKind::sleeps: return "slept, " + end;
    case CauseKind::waits: return fmt::format("waited for {}, {}", cause.by, end);
    case CauseKind::calls: return "was in calls, " + end;
    case CauseKind::not_signalled:
      return fmt::format("was not signalled yet by {}, {}", thread_of(cause, "a CPU thread"), end);
  }
  return "?";
}

/// The level at which something drained. A 3D engine's are called as those of draws: with the word for dispatches.
std::string level_text(const std::string& level) {
  std::string text = level;
  for_each_level([&](PreemptionLevel, const LevelTraits& traits) {
    const char* const of_draws = traits.names[static_cast<std::size_t>(WorkClass::graphics)];
    const char* const of_dispatches = traits.names[static_cast<std::size_t>(WorkClass::compute)];
    if (of_draws == nullptr || of_dispatches == nullptr || level != of_draws || level == of_dispatches) return;
    text += fmt::format(" (of dispatches {})", of_dispatches);
  });
  return text;
}

/// What is to be said beside a link, a line each, without the room before it.
std::vector<std::string> notes(const Cause& cause) {
  std::vector<std::string> lines;
  if (!cause.then.empty()) lines.push_back("then it " + cause.then);
  if (cause.kind == CauseKind::room && !cause.turn.empty()) {
    lines.push_back(fmt::format("what process {} needs comes in first", in_quotes(cause.turn)));
  } else if (!cause.turn.empty()) {
    lines.push_back(
        fmt::format("it was the turn of process {} there, {}", in_quotes(cause.turn),
                    cause.turn_ps == 0 ? "to the end of the run" : fmt::format("until {:.3f} us", us(cause.turn_ps))));
  }
  if (!cause.attempt.empty()) {
    std::string note = fmt::format("it {} for it at {:.3f} us: {}",
                                   cause.attempt == "Success" ? "was asked to stop" : "could not be stopped",
                                   us(cause.attempt_ps), cause.attempt);
    if (cause.drained_ps != 0) {
      note += cause.drained_to.empty() ? ", and it came to its end"
                                       : fmt::format(", and it drained to {}", level_text(cause.drained_to));
      note +=
          fmt::format(" at {:.3f} us, {:.3f} us later", us(cause.drained_ps), us(cause.drained_ps - cause.attempt_ps));
    }
    lines.push_back(std::move(note));
  }
  return lines;
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
    case CauseKind::process_switch: return "process_switch";
    case CauseKind::process_turn: return "process_turn";
    case CauseKind::paging: return "paging";
    case CauseKind::room: return "room";
    case CauseKind::launching: return "launching";
    case CauseKind::preempted: return "preempted";
    case CauseKind::running: return "running";
    case CauseKind::no_place: return "no_place";
    case CauseKind::completing: return "completing";
    case CauseKind::reset: return "reset";
    case CauseKind::removed: return "removed";
    case CauseKind::hung: return "hung";
    case CauseKind::complete: return "complete";
    case CauseKind::works: return "works";
    case CauseKind::sleeps: return "sleeps";
    case CauseKind::waits: return "waits";
    case CauseKind::calls: return "calls";
    case CauseKind::not_signalled: return "not_signalled";
  }
  return "?";
}

std::string text_of(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) {
    const std::string packet = cause.packet == 0 ? "" : fmt::format("packet {}, ", cause.packet);
    text += one_line(fmt::format("{:<12} {}{}: {}", cause.queue, packet, cause.what, sentence(cause))) + "\n";
    for (const std::string& note : notes(cause)) text += one_line(fmt::format("{:<12}   {}", "", note)) + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<Cause>& causes) {
  nlohmann::ordered_json links = nlohmann::ordered_json::array();
  for (const Cause& cause : causes) {
    const bool is_packet = cause.packet != 0;
    const bool is_thread = !is_packet && cause.what == thread_link;
    nlohmann::ordered_json link = {{"cause", name_of(cause.kind)}};
    if (is_packet) link["packet"] = cause.packet;
    link[is_packet ? "queue" : is_thread ? "thread" : "deadline"] = cause.queue;
    link["what"] = cause.what;
    if (!cause.by.empty()) link["by"] = cause.by;
    if (cause.by_packet != 0) link["by_packet"] = cause.by_packet;
    if (!cause.by_thread.empty()) link["by_thread"] = cause.by_thread;
    link["until_ps"] = cause.until_ps == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(cause.until_ps);
    if (!cause.frame.empty()) link["frame"] = cause.frame;
    if (!cause.status.empty()) link["status"] = cause.status;
    if (!cause.then.empty()) link["then"] = cause.then;
    if (!cause.turn.empty()) {
      link["turn"] = {{"process", cause.turn}};
      link["turn"]["until_ps"] = cause.turn_ps == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(cause.turn_ps);
    }
    if (!cause.attempt.empty()) link["attempt"] = {{"result", cause.attempt}, {"at_ps", cause.attempt_ps}};
    if (cause.drained_ps != 0) {
      link["attempt"]["stopped_ps"] = cause.drained_ps;
      if (!cause.drained_to.empty()) link["attempt"]["level"] = cause.drained_to;
    }
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace fenceline
