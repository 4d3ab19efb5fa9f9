// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/capture_format.hpp"
#include "api/capture/file/read_capture.hpp"
#include "api/capture/file/recorded_run.hpp"
#include "api/cli/commands.hpp"
#include "api/documents/file_kind.hpp"
#include "api/machine_document.hpp"
#include "api/sweep/played_point.hpp"
#include "api/sweep/sweep_file.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/load_measured.hpp"
#include "api/validation/measured/measured_file.hpp"
#include "api/validation/measured_directory.hpp"
#include "api/workload/knobs/silent_knobs.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

std::string describe_measured(const MeasuredFile& measured, const std::string& machine) {
  const MachineConfig config = load_machine(machine.empty() ? "h200" : machine, "", {});
  std::size_t cases = 0;
  for (const MeasuredKind& kind : measured_kinds()) cases += kind.plan({measured, config}).size();
  return fmt::format("measured file, {} cases", cases);
}

std::string check_sweep_document(const nlohmann::json& document, const std::string& file) {
  ConfigErrors relations;
  const Sweep sweep = read_sweep(document, file, relations);
  const SweepPlan plan = checked_sweep(sweep, file, relations);
  return fmt::format("sweep {}, {} runs, {} axes, {} metrics", in_quotes(plan.sweep().name), plan.runs(),
                     plan.axis_names().size(), plan.metrics().size());
}

const std::vector<FileKind> checkable = {FileKind::workload, FileKind::capture, FileKind::machine, FileKind::sweep,
                                         FileKind::measured, FileKind::report,  FileKind::run};

struct Checked {
  std::string description;  ///< what kind of file it is and what it holds
  std::vector<SilentKnobs> silent = {};
  std::vector<std::string> differences = {};  ///< of a machine that is like another
  std::string expanded = {};                  ///< of a machine: all its values
};

Checked check_workload(const std::string& file, const std::string& machine) {
  const LoadedWorkload loaded = load_workload(file, machine, {});
  if (!loaded.cut_off.empty()) console::tell("{}\n", loaded.cut_off);
  return {fmt::format("workload {} on machine {}, {} queues, {} command lists", in_quotes(loaded.workload.name),
                      in_quotes(loaded.machine.name), loaded.program.queues.size(), loaded.program.lists.size()),
          silent_knobs(loaded)};
}

Checked check_machine_file(const nlohmann::json& said, const std::string& file) {
  const MachineDocument document(said, file, std::filesystem::path(file).parent_path());
  const MachineConfig config = read_machine(document, {});
  const PreemptionCaps caps = preemption_caps(config);
  const std::string like = document.like().empty() ? "" : fmt::format(", like {}", document.like());
  Checked checked = {fmt::format("machine {}{}, {} engines, preemption graphics {}, compute {}", in_quotes(config.name),
                                 like, config.engines.size(), name_of(caps.graphics), name_of(caps.compute)),
                     silent_knobs(config, named_in(document.said(), file, false))};
  if (!like.empty()) checked.differences = differences(document.liked(), config);
  checked.expanded = dump_json(dump_config(config));
  return checked;
}

/// Throws ConfigError.
Checked check_file(const std::string& file, const std::string& machine) {
  if (const std::string report = report_of(file).string(); report != file) return check_file(report, machine);
  if (file == "-" ? read_input(file).rfind(capture_magic, 0) == 0 : is_capture(file))
    return check_workload(file, machine);
  if (is_measured_text(file)) return {describe_measured(load_measured(file), machine)};
  const nlohmann::json document = load_json(file);
  const std::string name = file == "-" ? "standard input" : file;
  if (is_measured_machines(document)) {
    return {fmt::format("machines of measured files, {}", fmt::join(measured_machines(document, name).machines, ", "))};
  }
  switch (kind_of(document)) {
    case FileKind::sweep: return {check_sweep_document(document, name)};
    case FileKind::measured: {
      MeasuredFile measured = measured_file(document, name);
      find_traces(measured);
      return {describe_measured(measured, machine)};
    }
    case FileKind::machine: return check_machine_file(document, name);
    case FileKind::report: {
      Checked checked = check_workload(file, machine);
      checked.description = "report of a run of " + checked.description;
      return checked;
    }
    default: return check_workload(file, machine);
  }
}

}  // namespace

int check(const CheckArguments& arguments) {
  int code = done;
  for (const std::string& file : arguments.files) {
    try {
      Checked checked;
      with_files({{arguments.machine, {FileKind::machine}}, {file, checkable}}, [&] {
        checked = check_file(file, arguments.machine);
        return done;
      });
      console::print("{}: ok, {}\n", file, checked.description);
      for (const std::string& line : checked.differences) console::print("{}\n", line);
      for (const SilentKnobs& knobs : checked.silent) console::print("{}\n", line_of(knobs));
      if (arguments.expanded) console::print("{}", checked.expanded);
    } catch (const ConfigError& error) {  // the other files are checked all the same
      console::flush();
      console::tell(error.lines());
      code = wrong_input;
    }
  }
  return code;
}

}  // namespace fenceline::cli
