// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/kinds/kinds.hpp"
#include "api/validation/load_measured.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "sim/config_error.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace fenceline::testing {

/// The cases of one kind in a document.
inline Plan plan_of(const std::string& key, const nlohmann::json& document) {
  static const MachineConfig machine = builtin_machine("h200");
  const MeasuredFile file = measured_file(document, "m.json");
  for (const MeasuredKind& kind : measured_kinds()) {
    if (kind.name() == key) return kind.plan({file, machine});
  }
  FAIL("no kind " << key);
  return {};
}
inline PlannedCase only_case(const std::string& key, const nlohmann::json& document) {
  Plan cases = plan_of(key, document);
  REQUIRE(cases.size() == 1);
  return cases.front();
}
inline PlannedCase case_of(const std::string& key, const nlohmann::json& row) {
  return only_case(key, {{key, nlohmann::json::array({row})}, {"device", {{"used", {0, 2, 1}}}}});
}

inline const Workload& workload_of(const PlannedCase& one) {
  REQUIRE(one.plays.size() == 1);
  return one.plays.front();
}
template <class T>
std::vector<T> commands_of(const CommandListInfo& list) {
  std::vector<T> commands;
  for (const CommandInfo& command : list.commands) {
    if (const auto* of_type = std::get_if<T>(&command)) commands.push_back(*of_type);
  }
  return commands;
}
template <class T>
std::vector<T> steps_of(const QueueInfo& queue) {
  std::vector<T> steps;
  for (const QueueStep& step : queue.timeline) {
    if (const auto* of_type = std::get_if<T>(&step)) steps.push_back(*of_type);
  }
  return steps;
}

/// One list that the host submits to one Vulkan queue; what it sees, less an empty list.
inline void check_submission(const PlannedCase& one, QueueType type, const std::string& seen = "seen") {
  const Workload& workload = workload_of(one);
  REQUIRE(workload.queues.size() == 1);
  CHECK(workload.queues[0].type == type);
  CHECK(workload.queues[0].path == "vulkan_queue");
  CHECK(workload.command_lists.size() == 1);
  CHECK(one.figure.from.of == Moment::Of::release);
  CHECK((one.figure.to.of == Moment::Of::fence && one.figure.to.name == seen));
  CHECK(one.less_empty_list == type);
}

inline std::string refusal_of(const nlohmann::json& document) {
  try {
    const MachineConfig machine = builtin_machine("h200");
    const MeasuredFile file = measured_file(document, "m.json");
    for (const MeasuredKind& kind : measured_kinds()) kind.plan({file, machine});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace fenceline::testing
