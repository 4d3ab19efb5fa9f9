// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/cli/validation_table.hpp"
#include "api/validation/validation.hpp"
#include "api/workload/workload_file.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <filesystem>

namespace fenceline::cli {

int validate(const ValidateArguments& arguments) {
  const MachineConfig machine = load_machine(arguments.machine, "", arguments.sets);
  const std::vector<std::filesystem::path> paths(arguments.paths.begin(), arguments.paths.end());
  Validation validation;
  {
    ProgressBar bar("cases");
    validation =
        fenceline::validate(paths, machine, [&](std::size_t index, std::size_t count) { bar.show(index, count); });
  }
  if (arguments.json) {
    console::print(dump_json(json_of(validation)));
  } else {
    const bool one_file = paths.size() == 1 && !std::filesystem::is_directory(paths.front());
    console::print(
        "{}", validation_table(validation, machine.name, arguments.rows || arguments.ops || one_file, arguments.ops));
  }
  return arguments.check && !validation.pass() ? model_failed : done;
}

}  // namespace fenceline::cli
