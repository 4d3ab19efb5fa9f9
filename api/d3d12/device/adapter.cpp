// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/device/adapter.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace fenceline::d3d12 {
namespace {

std::string environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

/// What FENCELINE_SET says: a `/pointer=value` a line.
std::vector<std::string> set_lines() {
  std::istringstream text(environment("FENCELINE_SET"));
  std::vector<std::string> sets;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) sets.push_back(line);
  }
  return sets;
}

std::vector<Adapter> read_adapters() {
  try {
    return adapters_of(environment("FENCELINE_MACHINE"), set_lines());
  } catch (const ConfigError& error) {
    if (error.file() != "--set") throw;
    throw ConfigError("FENCELINE_SET", error.pointer(), error.expected(), error.found());
  }
}

}  // namespace

std::vector<Adapter> adapters_of(const std::string& names, const std::vector<std::string>& sets) {
  std::vector<Adapter> result;
  const auto add = [&](const std::string& name) {
    const MachineConfig machine = load_machine(name, "", sets);
    const LUID luid{static_cast<DWORD>(result.size() + 1), 0};
    result.push_back({machine, luid, std::make_shared<VideoMemory>(machine.video_memory)});
  };
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find_first_of(":,", at), names.size());
    if (end > at) add(names.substr(at, end - at));
    at = end + 1;
  }
  if (result.empty()) add("h200");
  return result;
}

const std::vector<Adapter>& adapters() {
  static const auto* const all = new std::vector<Adapter>(read_adapters());
  return *all;
}

const Adapter* find_adapter(LUID luid) {
  const auto is = [&](const Adapter& one) { return same_luid(one.luid, luid); };
  const auto found = std::find_if(adapters().begin(), adapters().end(), is);
  return found == adapters().end() ? nullptr : &*found;
}

}  // namespace fenceline::d3d12
