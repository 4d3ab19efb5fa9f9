// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/cli/summary.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/json_file.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"
#include "sim/files/input_file.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

namespace fenceline::cli {

int run(const RunArguments& arguments) {
  const std::filesystem::path file = arguments.workload;
  const ReplayChoice choice{range_of(arguments.from, arguments.to), arguments.single_queue};
  RunOptions options;
  options.fast_forward = arguments.fast_forward;
  const std::string name = file == "-" ? "standard input" : file.string();
  const LoadedWorkload loaded = replayed(load_workload(file, arguments.machine, arguments.sets), choice, name);
  if (!loaded.cut_off.empty()) console::tell("{}\n", loaded.cut_off);
  options.directory = arguments.out.empty() ? std::filesystem::path("runs") / (file == "-" ? "stdin" : file.stem())
                                            : std::filesystem::path(arguments.out);
  options.output_limit_bytes = arguments.output_limit_mib << 20;
  if (arguments.limit_us > 0) options.limit_ps = ps_of_us(arguments.limit_us);
  options.detailed_trace = arguments.trace;
  options.outputs = arguments.outputs;
  options.check_invariants = arguments.check_invariants;
  options.passes = arguments.passes;
  RunResult result;
  {
    PacketProgress progress(packets_of(loaded.program) * arguments.passes);
    options.progress = &progress;
    run_workload(loaded, options, result);
  }
  if (arguments.json) {
    console::print(read_input(options.directory / "report.json", options.output_limit_bytes));
  } else {
    console::print(summary_of(loaded, options, result));
  }
  if (!result.bugcheck.empty()) console::tell("{}\n", result.bugcheck);
  for (const std::string& line : result.deadlock) console::tell("deadlock: {}\n", line);
  for (const std::string& line : result.unfinished) {
    console::tell("limit of {} us reached: {}\n", arguments.limit_us, line);
  }
  if (!options.fast_forward.empty() && !result.fast_forward_ps) {
    console::tell("the run ended before {}\n", options.fast_forward);
    return std::max<int>(model_failed, exit_code_of(result));
  }
  return exit_code_of(result);
}

}  // namespace fenceline::cli
