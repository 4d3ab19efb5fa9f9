// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config/config.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Workloads whose pipelines are measured, and what became of their frames.
namespace fenceline::testing::background {

using nlohmann::json;

/// tiny, whose calls and launches take no time: a group of n thousand cycles takes n us. Every execution is measured,
/// for nothing; the third is acted upon; a compile takes 250 us.
inline MachineConfig measuring_machine() {
  MachineConfig config = builtin_machine("tiny");
  PgoConfig& pgo = config.background_processing.pgo;
  pgo.light_period = 1;
  pgo.light_cost = 0;
  pgo.intrusive_cost = 0;
  pgo.act_now_executions = 3;
  pgo.compile_us = 250;
  pgo.compile_us_per_instruction = 0;
  return config;
}

inline json dispatch(const json& constants, const char* pipeline = "p") {
  return {{"type", "dispatch"}, {"pipeline", pipeline}, {"root_constants", constants}};
}

/// A pipeline of 100 us, a quarter of which root constants fold away; lists "one" and "two" with other constants.
inline json document(const json& timeline, const json& cpus = json::array()) {
  return {{"name", "w"},
          {"compute_pipelines",
           {{{"name", "p"},
             {"group_cycles", 100000},
             {"folded", {{"constants", 0.25}, {"branches", 0.1}, {"resources", 0}}}}}},
          {"fences", {{{"name", "done"}}, {{"name", "committed"}}}},
          {"command_lists",
           {{{"name", "one"}, {"type", "compute"}, {"commands", json::array({dispatch({1})})}},
            {{"name", "two"}, {"type", "compute"}, {"commands", json::array({dispatch({2})})}},
            {{"name", "none"}, {"type", "compute"}, {"commands", json::array({dispatch(json::array())})}}}},
          {"queues", {{{"name", "q"}, {"type", "compute"}, {"timeline", timeline}}}},
          {"cpus", cpus}};
}

inline json execute(const char* list) { return {{"type", "execute"}, {"lists", {list}}}; }
inline json cpu_execute(const char* list) { return {{"type", "execute"}, {"queue", "q"}, {"lists", {list}}}; }
inline json mode(const char* which, const char* action = "keep_all") {
  return {{"type", "set_background_processing_mode"}, {"mode", which}, {"action", action}};
}
inline json commit(const char* which, const char* action, std::uint64_t value, std::uint64_t step = 0) {
  json one = mode(which, action);
  one["fence"] = "committed";
  one["value"] = value;
  one["value_step"] = step;
  return one;
}
inline json wait(const char* fence, std::uint64_t value, std::uint64_t step = 0) {
  return {{"type", "fence_wait"}, {"fence", fence}, {"value", value}, {"value_step", step}};
}
inline json queue_signal(std::uint64_t value, std::uint64_t step = 0) {
  return {{"type", "queue_signal"}, {"queue", "q"}, {"fence", "done"}, {"value", value}, {"value_step", step}};
}
inline json repeat(std::uint64_t count, const json& steps) {
  return {{"type", "repeat"}, {"count", count}, {"steps", steps.is_array() ? steps : json::array({steps})}};
}

/// Plays it, and keeps how long each packet ran, microseconds, and what became of tasks.
struct Played : LogSink {
  Played(const json& what, const MachineConfig& config) {
    const Program program = make_program(read_config<Workload>(what, "w.json"), "w.json");
    check_waits(program, "w.json");
    check_machine(program, "w.json", config);
    Machine machine(config);
    Player player(machine, program);
    machine.log().attach(*this);
    CHECK(player.play());
    end_us = static_cast<double>(machine.now_ps()) / us;
    statistics = machine.background_statistics();
  }
  void packet(const EventLog&, const PacketRecord& packet) override {
    if (packet.type == PacketType::render)
      ran_us.push_back(static_cast<double>(packet.finished_ps - packet.started_ps) / us);
  }
  void counter(const EventLog& log, const Counter& counter) override {
    if (log.text(counter.track) == "adapter.fences.committed" && counter.value > 0)
      committed_us.push_back(static_cast<double>(counter.at_ps) / us);
  }
  void task(const EventLog&, const TaskRecord& task) override {
    if (task.what == TaskRecord::What::finished) finished_us.push_back(static_cast<double>(task.at_ps) / us);
    if (task.what == TaskRecord::What::started) boosted.push_back(task.boosted);
  }
  std::vector<double> ran_us;
  std::vector<double> committed_us;
  std::vector<double> finished_us;
  std::vector<bool> boosted;
  std::map<std::string, BackgroundStatistics> statistics;
  double end_us = 0;
};

using Times = std::vector<double>;

}  // namespace fenceline::testing::background
