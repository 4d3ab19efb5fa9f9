// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/explain_deadline.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

/// How much too late; what was never reached is later than all else.
double late_ps(const DeadlineTime& time) {
  return time.reached_ps ? static_cast<double>(*time.reached_ps) - static_cast<double>(time.due_ps) : HUGE_VAL;
}

/// Up to the name of what it was done with.
const char* did(const RanMeanwhile& other) {
  if (!other.moved) return "ran list";
  if (*other.moved == "save") return "saved the state of list";
  if (*other.moved == "wait") return "waited for fence";
  if (*other.moved == "restore") return "restored the state of list";
  return *other.moved == "switch" ? "switched to the context of list" : "was switched to process";
}

std::string explained(const DeadlinePacket& packet) {
  std::string text = fmt::format("packet       {}, list {} of {} on {}, submitted at {:.3f} us\n", packet.id,
                                 in_quotes(packet.list), packet.queue, packet.engine, us(packet.submitted_ps));
  const std::pair<std::uint64_t, const char*> parts[] = {{packet.queued_ps, "behind others of its queue"},
                                                         {packet.fence_ps, "waiting for a fence"},
                                                         {packet.memory_ps, "waiting for video memory"},
                                                         {packet.engine_wait_ps, "waiting for the engine"},
                                                         {packet.running_ps, "running"},
                                                         {packet.preempted_ps, "preempted"}};
  for (const auto& [ps, what] : parts) {
    if (ps == 0) continue;
    text += fmt::format("{:>16.3f} us {}", us(ps), what);
    if (&ps == &parts[4].first && packet.no_place_ps) {
      text += fmt::format(", {:.3f} us of these without a place on the shader array", us(*packet.no_place_ps));
    }
    text += "\n";
  }
  for (const RanMeanwhile& other : packet.meanwhile) {
    const std::string what =
        other.moved == "reset" ? "was being reset" : fmt::format("{} {}", did(other), in_quotes(other.list));
    text += fmt::format("meanwhile    {} {}{} for {:.3f} us\n", other.engine.value_or(packet.engine), what,
                        other.engine ? " and had the shader array" : "", us(other.ps));
  }
  if (const auto& other = packet.could_not_stop) {
    text += fmt::format("not stopped  packet {}, {} {}, at {:.3f} us: {}\n", other->packet,
                        other->wait.value_or(false) ? "wait for fence" : "list", in_quotes(other->list),
                        us(other->at_ps), other->result);
  }
  return text;
}

bool is_of_workload(const nlohmann::json& report, const std::string& deadline) {
  const nlohmann::json::json_pointer pointer("/workload/deadlines");
  if (!report.contains(pointer) || !report.at(pointer).is_array()) return false;
  for (const nlohmann::json& one : report.at(pointer)) {
    if (one.is_object() && one.contains("name") && one["name"] == deadline) return true;
  }
  return false;
}

/// " at 300.000 us", of the simulated time at which the run was over.
std::string end_of(const nlohmann::json& report) {
  const nlohmann::json::json_pointer pointer("/statistics/end_ps");
  if (!report.contains(pointer) || !report.at(pointer).is_number_unsigned()) return "";
  return fmt::format(" at {:.3f} us", us(report.at(pointer).get<std::uint64_t>()));
}

}  // namespace

DeadlineTime deadline_time(const std::filesystem::path& run, const std::string& deadline, std::optional<double> at_ps) {
  const std::string file = (run.extension() == ".json" ? run : run / "report.json").string();
  const nlohmann::json report = load_json(file);
  if (!is_report(report)) throw ConfigError(file, "", "report.json of a run, or its directory", shown(report));
  refuse_several(report, file);
  const nlohmann::json::json_pointer pointer("/statistics/deadline_times");
  if (!report.contains(pointer) || !report.at(pointer).is_array()) {
    throw ConfigError(file, pointer.to_string(), "a run whose workload has deadlines", "none");
  }
  std::optional<DeadlineTime> best;
  std::set<std::string> names;  // each once
  const auto distance = [&](const DeadlineTime& one) { return std::fabs(static_cast<double>(one.due_ps) - *at_ps); };
  std::size_t index = 0;
  for (const nlohmann::json& element : report.at(pointer)) {
    DeadlineTime time = deadline_time_of(element, file, index++);
    names.insert(time.deadline);
    if (time.deadline != deadline) continue;
    if (!best || (at_ps ? distance(time) < distance(*best) : late_ps(time) > late_ps(*best))) best = std::move(time);
  }
  if (best) return *std::move(best);
  const std::string found = in_quotes(deadline);
  if (index < most_deadline_times && is_of_workload(report, deadline)) {
    const std::string end = end_of(report);
    throw ConfigError("--deadline", "", "a deadline whose time came before the end of the run" + end,
                      found + ", which was due later");
  }
  if (names.empty()) throw ConfigError("--deadline", "", "a deadline that the run came to: there was none", found);
  std::vector<std::string> quoted;
  std::transform(names.begin(), names.end(), std::back_inserter(quoted),
                 [](const std::string& name) { return in_quotes(name); });
  throw ConfigError("--deadline", "", fmt::format("a deadline of the run: {}", fmt::join(quoted, ", ")),
                    found + did_you_mean(deadline, {names.begin(), names.end()}));
}

std::string explained(const DeadlineTime& time) {
  const double late = late_ps(time) / 1e6;
  std::string text = fmt::format("{}, value {}: due at {:.3f} us, ", time.deadline, time.value, us(time.due_ps));
  if (time.reached_ps) {
    text += fmt::format("reached at {:.3f} us: {} by {:.3f} us\n", us(*time.reached_ps), late > 0 ? "missed" : "met",
                        std::fabs(late));
    if (time.device_removed.value_or(false)) text += "by removal   its device was removed, which raised the fence\n";
  } else {
    text += "not reached\n";
  }
  return time.packet ? text + explained(*time.packet) : text;
}

}  // namespace fenceline
