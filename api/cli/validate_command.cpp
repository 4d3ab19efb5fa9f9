// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/cli/validation_table.hpp"
#include "api/validation/measured_directory.hpp"
#include "api/validation/validation.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace fenceline::cli {

namespace {

namespace fs = std::filesystem;

int of_directories(const ValidateArguments& arguments) {
  std::vector<MachineValidation> validations;
  {
    ProgressBar bar("cases");
    validations = validate_directories(arguments.paths.front(), arguments.sets,
                                       [&](std::size_t index, std::size_t count) { bar.show(index, count); });
  }
  if (arguments.json) {
    console::print(dump_json(json_of(validations)));
  } else {
    console::print("{}", validation_tables(validations, arguments.rows || arguments.ops, arguments.ops));
  }
  const bool pass = std::all_of(validations.begin(), validations.end(),
                                [](const MachineValidation& one) { return one.validation.pass(); });
  return arguments.check && !pass ? model_failed : done;
}

}  // namespace

int validate(const ValidateArguments& arguments) {
  if (arguments.machine.empty() && arguments.paths.size() == 1 && is_directory_of_machines(arguments.paths.front())) {
    return of_directories(arguments);
  }
  const MachineConfig machine =
      load_machine(arguments.machine.empty() ? "h200" : arguments.machine, "", arguments.sets);
  const std::vector<fs::path> paths(arguments.paths.begin(), arguments.paths.end());
  Validation validation;
  {
    ProgressBar bar("cases");
    validation =
        fenceline::validate(paths, machine, [&](std::size_t index, std::size_t count) { bar.show(index, count); });
  }
  if (arguments.json) {
    console::print(dump_json(json_of(validation)));
  } else {
    const bool one_file = paths.size() == 1 && !fs::is_directory(paths.front());
    console::print(
        "{}", validation_table(validation, machine.name, arguments.rows || arguments.ops || one_file, arguments.ops));
  }
  return arguments.check && !validation.pass() ? model_failed : done;
}

}  // namespace fenceline::cli
