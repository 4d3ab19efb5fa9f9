// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/recorded_run.hpp"
#include "api/capture/file/workload_document.hpp"
#include "api/capture/workload_capture.hpp"
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/cli/summary.hpp"
#include "api/cli/usage/number_arguments.hpp"
#include "api/compare/run_difference.hpp"
#include "api/documents/file_kind.hpp"
#include "api/repeat/played_run.hpp"
#include "api/report/run/outputs.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/blob_contents.hpp"
#include "api/workload/load/bytecode.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/whole_file.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  take_in_bytecode(read, file);
  if (!overridden) return read.workload;
  nlohmann::json document = dump_config(loaded.workload);
  erase_bytecode(document);
  return document;
}

/// Where the run goes: runs/ and the workload's name. What plays a run again does not replace it by itself.
std::filesystem::path directory_for(const std::filesystem::path& file, const std::string& out) {
  if (!out.empty()) return out;
  const std::filesystem::path runs = "runs";
  if (file == "-") return runs / "stdin";
  const FileKind kind = kind_of(file);
  if (kind != FileKind::report && kind != FileKind::run) return runs / file.stem();
  const std::filesystem::path run = std::filesystem::absolute(report_of(file)).lexically_normal().parent_path();
  return runs / (run.filename().string() + "_again");
}

/// How it is played: as was asked for, else as a report says of its run.
PlayedHow how_to_play(const RunArguments& arguments, PlayedHow how) {
  if (arguments.passes > 1) how.passes = arguments.passes;
  if (!arguments.fast_forward.empty()) how.fast_forward = arguments.fast_forward;
  if (!arguments.fork.empty()) how.change = PlayedChange{time_in(arguments.fork).value(), arguments.sets};
  if (arguments.limit_us > 0 || !arguments.until.empty()) {
    how.limit_ps = arguments.until.empty() ? ps_of_us(arguments.limit_us) : 0;
    how.until_ps = arguments.until.empty() ? 0 : time_in(arguments.until).value();
  }
  return how;
}

/// The files of a run are replaced by those of the next one.
void check_outside(const std::string& capture, const std::filesystem::path& directory) {
  if (capture.empty()) return;
  const auto place = [](const std::filesystem::path& path) {
    const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path));
    return whole.has_filename() ? whole : whole.parent_path();
  };
  if (place(capture).parent_path() != place(directory)) return;
  throw ConfigError("--capture", "", "a file outside the run's directory " + directory.string(), capture);
}

/// What a person is told of a run.
enum class Telling : std::uint8_t { summary, troubles };

/// Plays it once; `sets` count from the beginning. `end_ps` gets when it ended.
int play(const RunArguments& arguments, const std::vector<std::string>& sets, Telling telling, std::uint64_t& end_ps) {
  const std::filesystem::path file = arguments.workload;
  if (!arguments.capture.empty()) {
    check_output(arguments.capture, {file});
  }
  const ReplayChoice choice{range_of(arguments.from, arguments.to), arguments.single_queue};
  RunOptions options;
  const std::string name = file == "-" ? "standard input" : file.string();
  LoadedWorkload loaded = replayed(load_workload(file, arguments.machine, sets), choice, name);
  if (!loaded.cut_off.empty()) console::tell("{}\n", loaded.cut_off);
  if (!arguments.capture.empty() && loaded.recorded) refuse_changed(*loaded.recorded);
  options.directory = directory_for(file, arguments.out);
  check_outside(arguments.capture, options.directory);
  options.output_limit_bytes = arguments.output_limit_mib << 20;
  play_as(how_to_play(arguments, loaded.recorded ? loaded.recorded->how : PlayedHow()), options);
  if (arguments.seed) loaded.machine = with_jitter(loaded.machine, *arguments.seed);
  options.detailed_trace = arguments.trace;
  options.outputs = arguments.outputs;
  if (!arguments.only.empty()) {
    options.only = output_names_in(arguments.only, "--outputs");
    options.only->insert(arguments.outputs.begin(), arguments.outputs.end());
  }
  options.check_invariants = arguments.check_invariants;
  RunResult result;
  const bool changed = !sets.empty() || !arguments.from.empty() || !arguments.to.empty() || arguments.single_queue;
  std::optional<WholeFile> capture_file;
  std::optional<WorkloadCapture> capture;
  if (!arguments.capture.empty()) {
    capture_file.emplace(arguments.capture, files_read());
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
    PacketProgress progress(packets_of(loaded.program) * options.passes);
    options.progress = &progress;
    run_workload(loaded, options, result, arguments.json ? &report : nullptr);
  }
  end_ps = result.end_ps;
  if (capture) {
    capture->finish();
    capture_file->commit();
  }
  if (telling == Telling::summary) {
    console::print(arguments.json ? dump_json(report) : cli::summary_of(loaded, options, result));
  }
  if (!result.bugcheck.empty()) console::tell("{}\n", result.bugcheck);
  for (const std::string& line : result.deadlock) console::tell("deadlock: {}\n", line);
  for (const std::string& line : result.unfinished) {
    const double us = static_cast<double>(options.limit_ps) / 1e6;
    if (options.is_end) {
      console::tell("ended at {} us: {}\n", us, line);
    } else {
      console::tell("limit of {} us reached: {}\n", us, line);
    }
  }
  if (!options.fast_forward.empty() && !result.fast_forward_ps) {
    console::tell("the run ended before {}\n", options.fast_forward);
    return std::max<int>(model_failed, exit_code_of(result));
  }
  if (options.is_end && !result.unfinished.empty() && result.bugcheck.empty()) return done;
  return exit_code_of(result);
}

}  // namespace

int run(const RunArguments& arguments) {
  std::uint64_t end_ps = 0;
  return play(arguments, arguments.sets, Telling::summary, end_ps);
}

int fork_run(const RunArguments& arguments) {
  const std::uint64_t at_ps = time_in(arguments.fork).value();
  if (arguments.sets.empty()) throw ConfigError("--fork", "", "--set beside it, of what changes then", "none");
  if (arguments.workload == "-") throw ConfigError("standard input", "", "a file: it is played twice", "-");
  std::filesystem::path directory = directory_for(arguments.workload, arguments.out);
  if (arguments.out.empty()) directory += "_fork";  // plain runs have the other place
  // What is wrong with the change is told before anything is played.
  const LoadedWorkload loaded = load_workload(arguments.workload, arguments.machine, {});
  if (loaded.recorded) refuse_changed(*loaded.recorded);
  check_machine(loaded.program, arguments.workload,
                live_change(loaded.workload, loaded.machine, arguments.sets).machine);
  RunArguments one = arguments;
  if (!one.only.empty()) one.only += ",report";  // is compared
  one.fork.clear();
  one.sets.clear();
  one.out = (directory / "unchanged").string();
  std::uint64_t end_ps = 0;
  const int code = play(one, {}, Telling::troubles, end_ps);
  if (at_ps >= end_ps) {
    throw ConfigError("--fork", "", fmt::format("a time before the run's end at {} us", TimeText(end_ps).view()),
                      arguments.fork);
  }
  RunArguments other = arguments;
  other.only = one.only;
  other.out = (directory / "changed").string();
  const int other_code = play(other, {}, Telling::troubles, end_ps);
  const RunDifference difference = difference_of(one.out, other.out);
  constexpr std::size_t most_lines = 20;
  if (arguments.json) {
    console::print(dump_json(json_of(difference)));
  } else {
    console::print("at {} us     {}\n{}runs         {} {}\n", TimeText(at_ps).view(),
                   one_line(fmt::format("{}", fmt::join(arguments.sets, "  "))), text_of(difference, most_lines),
                   one_line(one.out), one_line(other.out));
  }
  return std::max(code, other_code);
}

}  // namespace fenceline::cli
