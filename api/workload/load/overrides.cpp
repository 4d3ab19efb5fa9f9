// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/overrides.hpp"

namespace fenceline {
namespace {
constexpr std::string_view workload_prefix = "/workload/";
}  // namespace

bool Overrides::is_of_workload(std::string_view set) {
  return set.substr(0, workload_prefix.size()) == workload_prefix;
}

Overrides::Overrides(const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    if (is_of_workload(set)) {
      workload.push_back(set.substr(workload_prefix.size() - 1));
    } else {
      machine.push_back(set);
    }
  }
}

}  // namespace fenceline
