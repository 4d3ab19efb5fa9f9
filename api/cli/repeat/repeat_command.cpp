// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/recorded_run.hpp"
#include "api/cli/commands.hpp"
#include "api/repeat/played_run.hpp"
#include "api/repeat/repeat.hpp"
#include "api/report/run/outputs.hpp"
#include "api/version.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_directory.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace fenceline::cli {
namespace {

void add_times(std::string& text, const char* kind, const RepeatedTimes& times) {
  if (times.count == 0) return;
  std::string modes;
  for (const TimeMode& mode : times.modes) {
    modes += fmt::format("{}{:.3f} ({:.1f} %)", modes.empty() ? "" : ", ", us(mode.median_ps), 100 * mode.share);
  }
  const std::string name = times.what == kind ? times.what : fmt::format("{} {}", kind, times.what);
  text += one_line(fmt::format("{:<24} {:>9} {:>13.3f} {:>13.3f} {:>13.3f}  {}", name, times.count, us(times.p50_ps),
                               us(times.p90_ps), us(times.p99_ps), modes)) +
          '\n';
}

std::string name_of(const NamedPacket& packet) {
  return fmt::format("{} {} ({})", packet.queue, packet.number, packet.list);
}

std::string summary_of(const Repeated& repeated, const LoadedWorkload& loaded, const std::string& report) {
  std::string text = one_line(fmt::format("fenceline {}: {} on {}, {} runs, seeds from {} on", version,
                                          loaded.workload.name, loaded.machine.name, repeated.runs, repeated.seed)) +
                     '\n';
  if (repeated.completed < repeated.runs) {
    text += fmt::format("{} runs did not complete, and count for nothing\n", repeated.runs - repeated.completed);
  }
  text += fmt::format("{:<24} {:>9} {:>13} {:>13} {:>13}  {}\n", "times, us", "count", "p50", "p90", "p99",
                      "modes: median (share)");
  add_times(text, "makespan", repeated.makespan);
  add_times(text, "preemption", repeated.preemption);
  for (const RepeatedTimes& queue : repeated.queues) add_times(text, "queue", queue);
  for (const RepeatedDeadline& deadline : repeated.deadlines) {
    text += one_line(fmt::format("deadline {}: missed {} of {} times, in {} runs", deadline.late.what, deadline.missed,
                                 deadline.times, deadline.runs_missing)) +
            '\n';
    add_times(text, "late", deadline.late);
  }
  for (const RepeatedRace& race : repeated.races) {
    const auto outcome = [](const RepeatedRace::Outcome& of) {
      return fmt::format("makespan {:.3f}, ends {:.3f} and {:.3f} us ({} runs)", us(of.makespan_ps), us(of.one_end_ps),
                         us(of.other_end_ps), of.runs);
    };
    text += one_line(fmt::format("race: {} before {}: {}; after it: {}", name_of(race.one), name_of(race.other),
                                 outcome(race.one_first), outcome(race.other_first))) +
            '\n';
  }
  for (std::size_t i = 0; i < repeated.mode_seeds.size(); ++i) {
    text += fmt::format("a run of {:.3f} us: --seed {}\n", us(repeated.makespan.modes[i].median_ps),
                        repeated.mode_seeds[i]);
  }
  return text + one_line(fmt::format("files {}", report)) + '\n';
}

}  // namespace

int repeat(const RunArguments& arguments) {
  const std::filesystem::path workload = arguments.workload;
  const std::string name = workload == "-" ? "standard input" : workload.string();
  const LoadedWorkload loaded = replayed(load_workload(workload, arguments.machine, arguments.sets),
                                         {range_of(arguments.from, arguments.to), arguments.single_queue}, name);
  if (loaded.recorded) refuse_changed(*loaded.recorded);
  const std::filesystem::path directory =
      arguments.out.empty() ? std::filesystem::path("runs") / (workload == "-" ? "stdin" : workload.stem())
                            : std::filesystem::path(arguments.out);
  RunDirectory run(directory);
  RepeatOptions options{arguments.repeat, arguments.seed.value_or(1), arguments.jobs};
  if (arguments.limit_us > 0) options.limit_ps = ps_of_us(arguments.limit_us);
  const Repeated repeated = fenceline::repeat(loaded, options);
  nlohmann::ordered_json report;
  report["fenceline"] = version;
  report["workload_name"] = loaded.workload.name;
  report["machine_name"] = loaded.machine.name;
  report["repeat"] = json_of(repeated);
  report["machine"] = dump_config(with_jitter(loaded.machine, repeated.seed));
  report["workload"] = dump_config(loaded.workload);
  const std::string text = dump_json(report);
  OutputBudget budget{arguments.output_limit_mib << 20, 0, false};
  OutputFile file(run.file(report_file), &budget);
  file.append(text);
  file.close();
  run.commit();
  console::print("{}", arguments.json ? text : summary_of(repeated, loaded, (directory / report_file).string()));
  return repeated.completed == repeated.runs ? done : model_failed;
}

}  // namespace fenceline::cli
