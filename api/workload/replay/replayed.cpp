// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/replayed.hpp"

#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/replay/single_queue.hpp"

#include <algorithm>

namespace fenceline {

LoadedWorkload replayed(LoadedWorkload loaded, const ReplayChoice& choice, const std::string& file) {
  const bool is_range = choice.range.from || choice.range.to;
  if (!is_range && !choice.single_queue) return loaded;
  std::string name = file;
  if (is_range) {
    loaded.workload = trimmed(loaded.workload, choice.range, file);
    name += ", trimmed";
  }
  if (choice.single_queue) {
    loaded.workload = on_single_queue(loaded.workload, name);
    name += ", on a single queue";
  }
  loaded.program = make_program(loaded.workload, name);
  check_waits(loaded.program, name);
  check_machine(loaded.program, name, loaded.machine);
  loaded.as_recorded = false;
  const auto is_of_workload = [](const NamedParameter& one) { return one.of_workload; };
  loaded.named.erase(std::remove_if(loaded.named.begin(), loaded.named.end(), is_of_workload), loaded.named.end());
  return loaded;
}

}  // namespace fenceline
