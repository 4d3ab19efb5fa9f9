// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/cause_log.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline::testing {

using nlohmann::json;

/// A workload that is put together from queues, each with its lists, for `tiny`, which has room for 8 groups at once,
/// a clock of 1 GHz and no other cost.
class Built {
 public:
  /// A list that runs so long on a compute or 3D queue.
  std::string list(const std::string& name, const std::string& type, std::uint64_t us) {
    document_["compute_pipelines"].push_back(
        {{"name", "p " + name}, {"registers_per_thread", 0}, {"group_cycles", us * 1000}});
    document_["command_lists"].push_back(
        {{"name", name},
         {"type", type},
         {"commands", json::array({{{"type", "dispatch"}, {"pipeline", "p " + name}, {"x", 8}}})}});
    return name;
  }
  /// A buffer that this list has to have in video memory.
  void uses(const std::string& list, const std::string& buffer, std::uint64_t mib) {
    document_["resources"].push_back({{"type", "buffer"}, {"name", buffer}, {"bytes", mib << 20}});
    for (json& one : document_["command_lists"]) {
      if (one["name"] == list) one["uses"] = json::array({buffer});
    }
  }
  /// Of a queue's frames.
  void frames(const std::string& fence, const std::string& queue) {
    document_["fences"].push_back({{"name", fence}, {"frames_of", queue}});
  }
  void fence(const std::string& name) { document_["fences"].push_back({{"name", name}}); }
  json& queue(const std::string& name, const std::string& type, const std::string& process = "A") {
    document_["queues"].push_back({{"name", name}, {"type", type}, {"process", process}, {"timeline", json::array()}});
    return document_["queues"].back();
  }
  void process(const json& one) { document_["processes"].push_back(one); }
  void cpu(const std::string& name, const json& timeline) {
    document_["cpus"].push_back({{"name", name}, {"timeline", timeline}});
  }
  void set(const std::string& text) { sets_.push_back(text); }

  /// Plays it.
  void play(CauseLog& causes) const {
    const Shell shell;
    shell.write("w.json", document_.dump());
    const LoadedWorkload loaded = load_workload(shell.work() / "w.json", "tiny", sets_);
    RunOptions options;
    options.progress = &causes;
    RunResult result;
    run_workload(loaded, options, result);
    REQUIRE(result.completed);
  }

 private:
  json document_ = {{"name", "built"},         {"resources", json::array()},     {"compute_pipelines", json::array()},
                    {"fences", json::array()}, {"command_lists", json::array()}, {"processes", json::array()},
                    {"queues", json::array()}, {"cpus", json::array()}};
  std::vector<std::string> sets_;
};

inline json execute(const std::string& list) { return {{"type", "execute"}, {"lists", {list}}}; }
inline json signal(const std::string& fence, std::uint64_t value) {
  return {{"type", "signal"}, {"fence", fence}, {"value", value}};
}
inline json wait(const std::string& fence, std::uint64_t value) {
  return {{"type", "wait"}, {"fence", fence}, {"value", value}};
}

constexpr std::uint64_t ps = 1'000'000;  // of a microsecond

}  // namespace fenceline::testing
