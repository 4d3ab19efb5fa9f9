// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/validation/validation.hpp"
#include "api/workload/workload_file.hpp"
#include "sim/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline::cli {
namespace {

void print_row(const char* what, const ErrorSummary& errors) {
  fmt::print("{:<28} mean {:6.2f} %   median {:6.2f} %   p90 {:6.2f} %   max {:6.2f} %\n", what, errors.mean,
             errors.median, errors.p90, errors.max);
}

}  // namespace

int validate(const ValidateArguments& arguments) {
  const MachineConfig machine = load_machine(arguments.machine, "", arguments.sets);
  Validation validation;
  {
    ProgressBar bar("cases");
    validation = fenceline::validate(arguments.file, machine,
                                     [&](std::size_t index, std::size_t count) { bar.show(index, count); });
  }
  if (arguments.json) {
    fmt::print("{}", dump_json(json_of(validation)));
    return done;
  }
  std::size_t width = 4;
  for (const ValidationCase& one : validation.cases) width = std::max(width, one.name.size());
  fmt::print("{:<{}}  {:>14}  {:>14}  {:>9}  {:>13}\n", "case", width, "measured us", "simulated us", "error %",
             "op error % *");
  for (const ValidationCase& one : validation.cases) {
    fmt::print("{:<{}}  {:>14.2f}  {:>14.2f}  {:>+9.2f}  {:>13.2f}\n", one.name, width, one.measured_us,
               one.simulated_us, one.error_pct(), one.mean_op_error_pct());
    for (std::size_t i = 0; arguments.ops && i < one.ops.size(); ++i) {
      const ValidationOp& op = one.ops[i];
      fmt::print("  op {:<5} measured end {:>12.2f}   simulated {:>12.2f} .. {:>12.2f}   error {:>8.2f} %\n", i,
                 op.measured_end_us, op.simulated_start_us, op.simulated_end_us, op.abs_error_pct());
    }
  }
  fmt::print("\n{} cases of {} on {}\n", validation.cases.size(), arguments.file, machine.name);
  print_row("makespan, absolute error", validation.makespan());
  print_row("op end times, absolute error", validation.operations());
  fmt::print("* mean over the case's operations of |simulated end - measured end| / measured end\n");
  return done;
}

}  // namespace fenceline::cli
