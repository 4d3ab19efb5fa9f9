// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/repeat.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const RepeatedTimes& times) {
  Json json = {{"count", times.count},   {"p50_ps", times.p50_ps},     {"p90_ps", times.p90_ps},
               {"p99_ps", times.p99_ps}, {"least_ps", times.least_ps}, {"most_ps", times.most_ps}};
  json["modes"] = Json::array();
  for (const TimeMode& mode : times.modes) {
    json["modes"].push_back({{"share", std::round(mode.share * 1e6) / 1e6},
                             {"median_ps", mode.median_ps},
                             {"least_ps", mode.least_ps},
                             {"most_ps", mode.most_ps}});
  }
  return json;
}

Json named(const char* key, const RepeatedTimes& times) {
  Json json = {{key, times.what}};
  json.update(json_of(times));
  return json;
}

Json json_of(const NamedPacket& packet) {
  return {{"queue", packet.queue}, {"number", packet.number}, {"list", packet.list}};
}

Json json_of(const RepeatedRace::Outcome& outcome) {
  return {{"runs", outcome.runs},
          {"makespan_ps", outcome.makespan_ps},
          {"one_end_ps", outcome.one_end_ps},
          {"other_end_ps", outcome.other_end_ps}};
}

}  // namespace

Json json_of(const Repeated& repeated) {
  Json json = {{"runs", repeated.runs}, {"seed", repeated.seed}, {"completed", repeated.completed}};
  json["makespan"] = json_of(repeated.makespan);
  for (std::size_t i = 0; i < repeated.mode_seeds.size(); ++i) {
    json["makespan"]["modes"][i]["seed"] = repeated.mode_seeds[i];
  }
  json["preemption_latency"] = json_of(repeated.preemption);
  json["queue_latencies"] = Json::array();
  for (const RepeatedTimes& queue : repeated.queues) json["queue_latencies"].push_back(named("queue", queue));
  json["deadlines"] = Json::array();
  for (const RepeatedDeadline& deadline : repeated.deadlines) {
    json["deadlines"].push_back({{"deadline", deadline.late.what},
                                 {"times", deadline.times},
                                 {"missed", deadline.missed},
                                 {"runs_missing", deadline.runs_missing},
                                 {"late", json_of(deadline.late)}});
  }
  json["packets_followed"] = repeated.packets_followed;
  json["race_points"] = Json::array();
  for (const RepeatedRace& race : repeated.races) {
    json["race_points"].push_back({{"one", json_of(race.one)},
                                   {"other", json_of(race.other)},
                                   {"one_first", json_of(race.one_first)},
                                   {"other_first", json_of(race.other_first)}});
  }
  return json;
}

}  // namespace fenceline
