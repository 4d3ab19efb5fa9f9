// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/critical_path.hpp"

#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace fenceline {
namespace {

bool same(const Cause& a, const Cause& b) {
  const bool same_places = a.kind != CauseKind::no_place || a.by_packet == b.by_packet;
  return a.kind == b.kind && a.packet == b.packet && a.by == b.by && same_places;
}

/// Before it there is nothing of the machine's: a CPU thread had not come so far.
bool begins_with_cpu(CauseKind kind) {
  return kind == CauseKind::not_submitted || kind == CauseKind::fence_by_cpu || kind == CauseKind::never;
}

/// Of a chain the last one that somebody queued: what the system moves it moves for that one.
std::uint64_t waiting_packet(const CauseLog& log, const std::vector<Cause>& causes) {
  for (auto cause = causes.rbegin(); cause != causes.rend(); ++cause) {
    const CauseLog::Life* const life = log.life(cause->packet);
    if (life != nullptr && !is_of_system(life->type)) return cause->packet;
  }
  return causes.back().packet;
}

/// Up to a packet that is on its engine: who has the places on the shader array runs beside it, and not before it.
std::vector<Cause> up_to_engine(std::vector<Cause> causes) {
  const auto on_engine =
      std::find_if(causes.begin(), causes.end(), [](const Cause& cause) { return cause.kind == CauseKind::no_place; });
  if (on_engine != causes.end()) causes.erase(on_engine + 1, causes.end());
  return causes;
}

/// What a part was, without times, for sums.
std::string sum_name(const Cause& cause) {
  switch (cause.kind) {
    case CauseKind::not_submitted: return "CPU: not queued yet";
    case CauseKind::fence_by_cpu: return "CPU: fence not raised";
    case CauseKind::never: return "a fence that nobody raises";
    case CauseKind::running: return cause.by + ": ran " + cause.what;
    case CauseKind::moves_state: return cause.by.substr(0, cause.by.find(" of "));
    case CauseKind::process_switch: return cause.by.substr(0, cause.by.find(" to process ")) + ": switch of processes";
    case CauseKind::process_turn: return cause.by.substr(0, cause.by.find(" of process ")) + ": another process's turn";
    case CauseKind::paging: return "memory moved";
    case CauseKind::room: return "room in video memory";
    case CauseKind::no_place: return cause.by + ": no place on the shader array";
    case CauseKind::screen: return "screen: until a frame was on it";
    case CauseKind::hearing: return "fence on its way to a queue";
    case CauseKind::removed: return "a fence that the removal of a device raised";
    case CauseKind::hung: return cause.by + ": hung " + cause.what;
    case CauseKind::reset: return "reset";
    case CauseKind::launching: return cause.by + ": launches";
    case CauseKind::completing: return "scheduler: had not heard of the end";
    default: return name_of(cause.kind);
  }
}

std::string part_text(const Cause& cause) {
  switch (cause.kind) {
    case CauseKind::not_submitted: return "no CPU thread had queued it";
    case CauseKind::fence_by_cpu: return fmt::format("waited for fence {}, which a CPU thread raises", cause.by);
    case CauseKind::never: return fmt::format("waited for fence {}, to which nobody brought it", cause.by);
    case CauseKind::running: return "ran on " + cause.by;
    case CauseKind::moves_state: return "waited for " + cause.by;
    case CauseKind::process_switch: return "waited for the switch of " + cause.by;
    case CauseKind::process_turn: return "waited for its turn: that on " + cause.by + " was not over";
    case CauseKind::paging: return "waited for memory, " + cause.by;
    case CauseKind::room: return "waited for room in video memory";
    case CauseKind::no_place:
      return fmt::format("was on {} and had no place on the shader array, which packet {} had", cause.by,
                         cause.by_packet);
    case CauseKind::removed:
      return fmt::format("waited for fence {}, which nothing but the removal of a device brought there", cause.by);
    case CauseKind::hung: return "hung on " + cause.by;
    case CauseKind::screen: return fmt::format("waited for fence {}: for a frame to come on screen", cause.by);
    case CauseKind::hearing: return fmt::format("had not heard that fence {} had it", cause.by);
    case CauseKind::reset:
      return cause.status == "timed_out" ? "hung, and its engine was being reset" : "was being thrown away";
    case CauseKind::launching: return "was on its way to " + cause.by;
    case CauseKind::completing: return "was done, and the scheduler had not heard of it";
    default: return fmt::format("{} {}", name_of(cause.kind), cause.by);
  }
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string chain_of(const CauseLog& log, const std::string& swap_chain) {
  const std::vector<std::string> chains = log.swap_chains();
  if (chains.empty()) throw ConfigError("--frame", "", "a run in which something is presented", "no present");
  if (swap_chain.empty()) {
    if (chains.size() == 1) return chains.front();
    throw ConfigError("--swap-chain", "", fmt::format("one of {}", fmt::join(chains, ", ")), "none");
  }
  if (std::find(chains.begin(), chains.end(), swap_chain) != chains.end()) return swap_chain;
  const std::string near = nearest_name(swap_chain, chains);
  throw ConfigError("--swap-chain", "", fmt::format("one of {}", fmt::join(chains, ", ")),
                    in_quotes(swap_chain) + (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"));
}

}  // namespace

std::vector<PathPart> critical_path(const CauseLog& log, std::uint64_t packet, std::uint64_t from_ps) {
  std::vector<PathPart> parts;
  const CauseLog::Life* const life = log.life(packet);
  const std::uint64_t to_ps = life != nullptr && life->done ? life->done->completed_ps : log.end_ps();
  if (life == nullptr || to_ps <= from_ps) return parts;
  const std::vector<std::uint64_t> times = log.changes(from_ps, to_ps);
  // Between two times nothing changes: what is so at the first is so up to the second.
  for (std::size_t i = times.size() - 1; i > 0; --i) {
    const std::vector<Cause> causes = up_to_engine(causes_of(log, packet, times[i - 1]));
    const Cause& cause = causes.back();
    packet = waiting_packet(log, causes);
    if (parts.empty() || !same(parts.back().cause, cause)) parts.push_back({times[i - 1], times[i], cause});
    parts.back().from_ps = begins_with_cpu(cause.kind) ? from_ps : times[i - 1];
    if (begins_with_cpu(cause.kind)) break;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

FramePath frame_path(const CauseLog& log, const std::string& swap_chain, std::uint64_t frame) {
  FramePath path;
  path.swap_chain = chain_of(log, swap_chain);
  path.frame = frame;
  const CauseLog::Life* const present = log.present_of(path.swap_chain, frame);
  if (present == nullptr) {
    throw ConfigError("--frame", "", "a frame that was presented to " + in_quotes(path.swap_chain),
                      fmt::format("{}", frame));
  }
  const CauseLog::Life* const before = log.present_of(path.swap_chain, frame - 1);
  if (before != nullptr) path.from_ps = before->done ? before->done->completed_ps : log.end_ps();
  path.presented = present->done.has_value();
  path.to_ps = std::max(path.from_ps, path.presented ? present->done->completed_ps : log.end_ps());
  const FrameRecord* const shown = log.shown(path.swap_chain, frame);
  if (shown != nullptr && shown->fate != FrameRecord::Fate::discarded) path.shown_ps = shown->on_screen_ps;
  path.parts = critical_path(log, present->id, path.from_ps);
  return path;
}

std::string text_of(const FramePath& path) {
  const std::uint64_t whole = path.to_ps - path.from_ps;
  std::string text =
      one_line(fmt::format("frame {} of {}: {:.3f} us, from {:.3f} us ({}) to {:.3f} us ({}){}", path.frame,
                           in_quotes(path.swap_chain), us(whole), us(path.from_ps),
                           path.frame == 1 ? "the start" : "the present before it", us(path.to_ps),
                           path.presented ? "its own" : "the end of the run: it was never complete",
                           path.shown_ps == 0 ? "; never on the screen"
                                              : fmt::format("; on the screen from {:.3f} us", us(path.shown_ps)))) +
      "\n";
  std::map<std::string, std::uint64_t> sums;
  for (const PathPart& part : path.parts) {
    text += one_line(fmt::format("{:>14.3f} us {:>12.3f} us  {:<12} packet {}, {}: {}", us(part.from_ps),
                                 us(part.took_ps()), part.cause.queue, part.cause.packet, part.cause.what,
                                 part_text(part.cause))) +
            "\n";
    sums[sum_name(part.cause)] += part.took_ps();
  }
  std::vector<std::pair<std::string, std::uint64_t>> longest(sums.begin(), sums.end());
  std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (!longest.empty()) text += "in all\n";
  for (const auto& [name, took_ps] : longest) {
    text += one_line(fmt::format("{:>13.1f} % {:>12.3f} us  {}", share(took_ps, whole), us(took_ps), name)) + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const FramePath& path) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const PathPart& part : path.parts) {
    nlohmann::ordered_json link = json_of(std::vector<Cause>{part.cause}).front();
    link.erase("until_ps");
    nlohmann::ordered_json one = {{"from_ps", part.from_ps}, {"to_ps", part.to_ps}};
    one.update(link);
    parts.push_back(std::move(one));
  }
  nlohmann::ordered_json document = {
      {"frame", path.frame}, {"swap_chain", path.swap_chain}, {"from_ps", path.from_ps}, {"to_ps", path.to_ps}};
  document["presented"] = path.presented;
  document["on_screen_ps"] = path.shown_ps == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(path.shown_ps);
  document["path"] = std::move(parts);
  return document;
}

}  // namespace fenceline
