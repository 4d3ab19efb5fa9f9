// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json_file.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

using nlohmann::json;

/// Workloads whose deadline "goal" is missed for a cause that is known, for `tiny`: 8 groups of a microsecond run at
/// once, and nothing else takes time. Queues are given work by CPU threads alone.
class KnownCause {
 public:
  void fence(const std::string& name) { document_["fences"].push_back({{"name", name}}); }
  void frames(const std::string& name, const std::string& queue) {
    document_["fences"].push_back({{"name", name}, {"frames_of", queue}});
  }
  void process(const std::string& name, const std::string& priority = "normal") {
    document_["processes"].push_back({{"name", name}, {"priority", priority}});
  }
  void queue(const std::string& name, const std::string& type = "direct", const json& more = json::object()) {
    json one = {{"name", name}, {"type", type}};
    one.update(more);
    document_["queues"].push_back(one);
  }
  /// Dispatches that take so long each.
  void list(const std::string& name, std::uint64_t us, const std::string& type = "direct", int dispatches = 1) {
    json commands = json::array();
    for (int i = 0; i < dispatches; ++i) commands.push_back({{"type", "dispatch"}, {"pipeline", "k"}, {"x", 8 * us}});
    document_["command_lists"].push_back({{"name", name}, {"type", type}, {"commands", commands}});
  }
  /// One dispatch of so many groups that take so long each.
  void groups(const std::string& name, std::uint64_t count, std::uint64_t us, const std::string& type = "direct") {
    document_["compute_pipelines"].push_back({{"name", name + " k"}, {"threads", 64}, {"group_cycles", 1000 * us}});
    commands(name, json::array({{{"type", "dispatch"}, {"pipeline", name + " k"}, {"x", count}}}), type);
  }
  void commands(const std::string& name, const json& commands, const std::string& type = "direct") {
    document_["command_lists"].push_back({{"name", name}, {"type", type}, {"commands", commands}});
  }
  /// A buffer that the list has to have in video memory.
  void uses(const std::string& list, const std::string& buffer, std::uint64_t mib, const json& more = json::object()) {
    json made = {{"type", "buffer"}, {"name", buffer}, {"bytes", mib << 20}};
    made.update(more);
    document_["resources"].push_back(made);
    for (json& one : document_["command_lists"]) {
      if (one["name"] == list) one["uses"] = json::array({buffer});
    }
  }
  void cpu(const std::string& name, const json& timeline) {
    document_["cpus"].push_back({{"name", name}, {"timeline", timeline}});
  }
  void deadline(const std::string& fence, double us, std::uint64_t value = 1) {
    document_["deadlines"].push_back({{"name", "goal"}, {"fence", fence}, {"value", value}, {"us", us}});
  }

  /// `fenceline run`, with what is to be set or said besides.
  void run(const std::vector<std::string>& more = {}) const {
    shell_.write("w.json", document_.dump());
    std::vector<std::string> arguments = {"run", "w.json", "--out", "run"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Output output = shell_.fenceline(arguments);
    CAPTURE(output.err, document_.dump());
    REQUIRE(output.code == 0);
  }
  std::string explain(std::vector<std::string> more = {"--deadline", "goal"}) const {
    more.insert(more.begin(), {"explain", "run"});
    const Output output = shell_.fenceline(more);
    return output.out + output.err;
  }
  /// What the chain says, line by line.
  std::string chain() const {
    const std::string text = explain();
    const std::string before = "when it was due\n";
    const std::size_t at = text.find(before);
    CAPTURE(text);
    REQUIRE(at != std::string::npos);
    return text.substr(at + before.size());
  }
  /// The deadline's only time, of report.json, and its packet.
  json time() const {
    return parse_json(contents_of(shell_.work() / "run/report.json"), "report")["statistics"]["deadline_times"][0];
  }
  json packet() const { return time()["packet"]; }

 private:
  Shell shell_;
  json document_ = {{"name", "known"},
                    {"machine", "tiny"},
                    {"resources", json::array()},
                    {"compute_pipelines", json::array({{{"name", "k"}, {"threads", 64}, {"group_cycles", 1000}}})},
                    {"fences", json::array({{{"name", "done"}}})},
                    {"command_lists", json::array()},
                    {"processes", json::array()},
                    {"queues", json::array()},
                    {"cpus", json::array()},
                    {"deadlines", json::array()}};
};

inline json execute_on(const std::string& queue, const std::string& list) {
  return {{"type", "execute"}, {"queue", queue}, {"lists", {list}}};
}
inline json signal_on(const std::string& queue, const std::string& fence, std::uint64_t value = 1) {
  return {{"type", "queue_signal"}, {"queue", queue}, {"fence", fence}, {"value", value}};
}
inline json wait_on(const std::string& queue, const std::string& fence, std::uint64_t value = 1) {
  return {{"type", "queue_wait"}, {"queue", queue}, {"fence", fence}, {"value", value}};
}
inline json present_on(const std::string& queue) { return {{"type", "present"}, {"queue", queue}}; }
inline json cpu_signal(const std::string& fence) { return {{"type", "fence_signal"}, {"fence", fence}, {"value", 1}}; }
inline json cpu_wait(const std::string& fence) { return {{"type", "fence_wait"}, {"fence", fence}, {"value", 1}}; }
inline json work(double us) { return {{"type", "work"}, {"us", us}}; }
inline json sleep_until(double us) { return {{"type", "sleep_until"}, {"us", us}}; }

}  // namespace fenceline::testing
