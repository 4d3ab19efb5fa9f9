// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/workload_document.hpp"
#include "api/capture/workload_capture.hpp"
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/cli/summary.hpp"
#include "api/repeat/played_run.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/bytecode.hpp"
#include "api/workload/recorded_contents.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

/// The workload in its own words, or, where `--set` may have changed them, with all its values. It names no shader
/// code.
nlohmann::json document_of(const LoadedWorkload& loaded, const std::filesystem::path& file, bool overridden) {
  if (file == "-") throw ConfigError("standard input", "", "a file: it is read twice", "-");
  WorkloadDocument read = load_workload_document(file);
  if (!read.capture) take_in_bytecode(read.workload, file.string(), file.parent_path());
  if (!overridden) return read.workload;
  nlohmann::json document = dump_config(loaded.workload);
  erase_bytecode(document);
  return document;
}

}  // namespace

int run(const RunArguments& arguments) {
  const std::filesystem::path file = arguments.workload;
  if (!arguments.capture.empty()) {
    check_output(arguments.capture, {file});
  }
  const ReplayChoice choice{range_of(arguments.from, arguments.to), arguments.single_queue};
  RunOptions options;
  options.fast_forward = arguments.fast_forward;
  const std::string name = file == "-" ? "standard input" : file.string();
  LoadedWorkload loaded = replayed(load_workload(file, arguments.machine, arguments.sets), choice, name);
  if (!loaded.cut_off.empty()) console::tell("{}\n", loaded.cut_off);
  options.directory = arguments.out.empty() ? std::filesystem::path("runs") / (file == "-" ? "stdin" : file.stem())
                                            : std::filesystem::path(arguments.out);
  options.output_limit_bytes = arguments.output_limit_mib << 20;
  if (arguments.limit_us > 0) options.limit_ps = ps_of_us(arguments.limit_us);
  if (arguments.seed) loaded.machine = with_jitter(loaded.machine, *arguments.seed);
  options.detailed_trace = arguments.trace;
  options.outputs = arguments.outputs;
  if (!arguments.only.empty()) {
    options.only = output_names_in(arguments.only, "--outputs");
    options.only->insert(arguments.outputs.begin(), arguments.outputs.end());
  }
  options.check_invariants = arguments.check_invariants;
  options.passes = arguments.passes;
  RunResult result;
  const bool changed =
      !arguments.sets.empty() || !arguments.from.empty() || !arguments.to.empty() || arguments.single_queue;
  std::optional<WholeFile> capture_file;
  std::optional<WorkloadCapture> capture;
  if (!arguments.capture.empty()) {
    capture_file.emplace(arguments.capture, std::vector<std::filesystem::path>{file});
    Workload workload = loaded.workload;
    nlohmann::json document = document_of(loaded, file, changed);
    const auto blobs = packed_blobs(blob_contents(workload, name), document);
    MachineConfig machine = loaded.machine;
    machine.shader_cache.directory.clear();  // documents say none
    capture.emplace(capture_file->content(), std::move(document), dump_config(machine), blobs);
    capture_file->place();
    options.steps = &*capture;
  }
  nlohmann::ordered_json report;
  {
    PacketProgress progress(packets_of(loaded.program) * arguments.passes);
    options.progress = &progress;
    run_workload(loaded, options, result, arguments.json ? &report : nullptr);
  }
  if (capture) {
    capture->finish();
    capture_file->commit();
  }
  if (arguments.json) {
    console::print(dump_json(report));
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
