// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/explain_deadline.hpp"

#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace fenceline {
namespace {

/// A count or picoseconds, as a run writes them.
std::uint64_t whole(const nlohmann::json& object, const char* key) {
  const nlohmann::json& number = object.at(key);
  if (number.is_number_unsigned() || (number.is_number_integer() && number.get<std::int64_t>() >= 0)) {
    return number.get<std::uint64_t>();
  }
  throw ConfigError("report.json", "/statistics/deadline_times",
                    fmt::format("{} from 0 to 2^64 - 1, a whole number", key),
                    number.is_number() ? number.dump() : number.type_name());
}

double us_of(const nlohmann::json& object, const char* key) { return static_cast<double>(whole(object, key)) / 1e6; }

/// How much too late; what was never reached is later than all else.
double late_ps(const nlohmann::json& time) {
  if (time.at("reached_ps").is_null()) return HUGE_VAL;
  return time.at("reached_ps").get<double>() - time.at("due_ps").get<double>();
}

constexpr std::pair<const char*, const char*> parts[] = {{"queued_ps", "behind others of its queue"},
                                                         {"fence_ps", "waiting for a fence"},
                                                         {"engine_wait_ps", "waiting for the engine"},
                                                         {"running_ps", "running"},
                                                         {"preempted_ps", "preempted"}};

std::string text_of_time(const nlohmann::json& time) {
  const std::string name = time.at("deadline");
  const double late = late_ps(time) / 1e6;
  std::string text = fmt::format("{}, value {}: due at {:.3f} us, ", name, whole(time, "value"), us_of(time, "due_ps"));
  if (time.at("reached_ps").is_null()) {
    text += "not reached\n";
  } else {
    text += fmt::format("reached at {:.3f} us: {} by {:.3f} us\n", us_of(time, "reached_ps"),
                        late > 0 ? "missed" : "met", std::fabs(late));
  }
  if (!time.contains("packet")) return text + "no packet was behind it\n";
  const nlohmann::json& packet = time.at("packet");
  text += fmt::format("packet       {}, list {} of {} on {}, submitted at {:.3f} us\n", whole(packet, "id"),
                      in_quotes(packet.at("list").get<std::string>()), packet.at("queue").get<std::string>(),
                      packet.at("engine").get<std::string>(), us_of(packet, "submitted_ps"));
  for (const auto& [key, what] : parts) {
    if (packet.at(key) != 0) text += fmt::format("{:>16.3f} us {}\n", us_of(packet, key), what);
  }
  for (const nlohmann::json& other : packet.at("meanwhile")) {
    text += fmt::format("meanwhile    {} ran list {} for {:.3f} us\n", packet.at("engine").get<std::string>(),
                        in_quotes(other.at("list").get<std::string>()), us_of(other, "ps"));
  }
  if (packet.contains("could_not_stop")) {
    const nlohmann::json& other = packet.at("could_not_stop");
    text += fmt::format("not stopped  packet {}, list {}, at {:.3f} us: {}\n", whole(other, "packet"),
                        in_quotes(other.at("list").get<std::string>()), us_of(other, "at_ps"),
                        other.at("result").get<std::string>());
  }
  return text;
}

}  // namespace

nlohmann::json deadline_time(const std::filesystem::path& run, const std::string& deadline,
                             std::optional<double> at_ps) {
  const std::string file = (run.extension() == ".json" ? run : run / "report.json").string();
  const nlohmann::json report = load_json(file);
  const nlohmann::json::json_pointer pointer("/statistics/deadline_times");
  if (!report.contains(pointer) || !report.at(pointer).is_array()) {
    throw ConfigError(file, pointer.to_string(), "a run whose workload has deadlines", "none");
  }
  try {
    const nlohmann::json* best = nullptr;
    std::set<std::string> names;
    for (const nlohmann::json& time : report.at(pointer)) {
      names.insert(time.at("deadline").get<std::string>());
      if (time.at("deadline") != deadline) continue;
      const auto distance = [&](const nlohmann::json& one) {
        return std::fabs(one.at("due_ps").get<double>() - *at_ps);
      };
      if (best == nullptr || (at_ps ? distance(time) < distance(*best) : late_ps(time) > late_ps(*best))) best = &time;
    }
    if (best != nullptr) return *best;
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + in_quotes(name);
    throw ConfigError("--deadline", "", "a deadline of the run: " + known, in_quotes(deadline));
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError(file, pointer.to_string(), "what a run writes there", error.what());
  }
}

std::string explained(const nlohmann::json& time) {
  try {
    return text_of_time(time);
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError("report.json", "/statistics/deadline_times", "what a run writes there", error.what());
  }
}

}  // namespace fenceline
