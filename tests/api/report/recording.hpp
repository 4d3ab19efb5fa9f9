// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/recorder.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config_error.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace fenceline::testing {

/// Resources and pipelines for command lists that tests write.
inline nlohmann::json recording_workload() {
  return nlohmann::json::parse(R"({
    "name": "w",
    "resources": [
      {"type": "buffer", "name": "upload", "heap": "upload", "bytes": 4096},
      {"type": "buffer", "name": "readback", "heap": "readback", "bytes": 4096},
      {"type": "buffer", "name": "buffer", "bytes": 8192},
      {"type": "texture", "name": "color", "width": 64, "height": 32},
      {"type": "texture", "name": "other", "width": 32, "height": 32}
    ],
    "compute_pipelines": [{"name": "cs"}],
    "graphics_pipelines": [{"name": "gs"}, {"name": "gs2"}],
    "queues": []
  })");
}

inline const std::string draw = R"({"type": "draw", "pipeline": "gs", "vertices": 300})";
inline const std::string dispatch = R"({"type": "dispatch", "pipeline": "cs", "x": 4})";

struct TestList {
  const char* name;
  const char* type;
  std::string commands;  ///< JSON, without the brackets
};

using Streams = std::vector<std::shared_ptr<const CommandStream>>;

inline Streams record(const std::vector<TestList>& lists, nlohmann::json workload = recording_workload()) {
  for (const TestList& list : lists) {
    workload["command_lists"].push_back(
        {{"name", list.name}, {"type", list.type}, {"commands", nlohmann::json::parse("[" + list.commands + "]")}});
  }
  return record_lists(read_config<Workload>(workload, "w.json"), "w.json");
}

/// A change that must be refused at `pointer` with these words.
inline void check_refused(const std::vector<TestList>& lists, const std::string& pointer, const std::string& expected,
                          const std::string& found, const nlohmann::json& workload = recording_workload()) {
  for (const TestList& list : lists) UNSCOPED_INFO(list.name << ": " << list.commands);
  try {
    record(lists, workload);
    FAIL_CHECK("was recorded; expected an error at " << pointer);
  } catch (const ConfigError& error) {
    CHECK(error.pointer() == pointer);
    CHECK_THAT(error.expected(), Catch::Contains(expected));
    CHECK_THAT(error.found(), Catch::Contains(found));
  }
}

}  // namespace fenceline::testing
