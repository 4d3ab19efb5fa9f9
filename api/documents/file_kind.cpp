// SPDX-License-Identifier: Apache-2.0
#include "api/documents/file_kind.hpp"

#include "api/capture/file/read_capture.hpp"
#include "api/capture/file/recorded_run.hpp"
#include "api/report/contents/access_log.hpp"
#include "api/report/perfetto/perfetto_layout.hpp"
#include "api/report/run/outputs.hpp"
#include "api/sweep/sweep_file.hpp"
#include "api/validation/load_measured.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/run_marker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <new>
#include <string_view>
#include <system_error>

namespace fenceline {
namespace {

struct KindRow {
  FileKind kind;
  const char* name;
  const char* taken_by;  ///< where it belongs
};
constexpr KindRow kinds[] = {
    {FileKind::unknown, "a file", ""},
    {FileKind::workload, "a workload", "fenceline run plays it"},
    {FileKind::capture, "a capture", "fenceline run plays it"},
    {FileKind::machine, "a machine", "give it with --machine"},
    {FileKind::sweep, "a sweep", "fenceline sweep plays it"},
    {FileKind::measured, "a measured file", "fenceline validate plays it"},
    {FileKind::report, "report.json of a run", "fenceline run plays it again"},
    {FileKind::run, "the directory of a run", "fenceline run plays it again"},
    {FileKind::output, "a file of a run", ""},
    {FileKind::fork, "the directory of a fork", ""},
    {FileKind::swept, "the directory of a sweep", ""},
};
constexpr const char* fork_runs[] = {"unchanged", "changed"};

/// How files of a run begin that are known wherever they are.
struct Beginning {
  std::string_view text;
  const char* file;
};
constexpr Beginning beginnings[] = {{trace_beginning, "trace.json"},
                                    {"$version Fenceline $end", "waves.vcd"},
                                    {"id,context,type,label,", "packets.csv"}};

const KindRow& row_of(FileKind kind) {
  return *std::find_if(std::begin(kinds), std::end(kinds), [&](const KindRow& row) { return row.kind == kind; });
}

bool has_any(const nlohmann::json& document, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return document.contains(key); });
}

std::string names_of(const std::vector<FileKind>& wanted) {
  std::string names;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    names += (i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ") + std::string(name_of(wanted[i]));
  }
  return names;
}

bool is_run(const std::filesystem::path& directory) {
  std::error_code none;
  return std::filesystem::exists(directory / RunMarker::name, none) ||
         std::filesystem::exists(directory / report_file, none);
}

/// Which file of a run it is; empty: none but report.json, as far as one can see.
std::string output_at(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  const auto is_it = [&](const OutputRow& output) { return name == output.file; };
  const bool is_named = std::any_of(outputs().begin(), outputs().end(), is_it) || name == accesses_file;
  if (is_named && is_run(std::filesystem::absolute(file).parent_path())) return name;
  for (const Beginning& beginning : beginnings) {
    if (first_bytes(file, beginning.text.size()) == beginning.text) return beginning.file;
  }
  return "";
}

FileKind kind_of_directory(const std::filesystem::path& directory) {
  if (is_run(directory)) return RunMarker(directory).is_of_sweep() ? FileKind::swept : FileKind::run;
  const auto is_there = [&](const char* run) { return is_run(directory / run); };
  return std::all_of(std::begin(fork_runs), std::end(fork_runs), is_there) ? FileKind::fork : FileKind::unknown;
}

/// What it is, and what to do with it.
std::string told_of(const GivenFile& given, FileKind kind) {
  const std::filesystem::path file = given.name;
  const auto wants = [&](FileKind one) {
    return std::find(given.wanted.begin(), given.wanted.end(), one) != given.wanted.end();
  };
  switch (kind) {
    case FileKind::workload:
    case FileKind::capture:
      if (!wants(FileKind::run)) break;
      return fmt::format("{}: play it first, with fenceline run", name_of(kind));
    case FileKind::report:
      if (!wants(FileKind::run) || wants(FileKind::report)) break;
      return fmt::format("{}: give its directory", name_of(kind));
    case FileKind::output:
      return fmt::format("{} of a run{}", output_at(file),
                         wants(FileKind::run) ? ": give the run's directory, or its report.json" : "");
    case FileKind::fork:
      return fmt::format("{}: its runs are {} and {}", name_of(kind), (file / fork_runs[0]).string(),
                         (file / fork_runs[1]).string());
    case FileKind::swept:
      return fmt::format("{}: fenceline sweep --outputs report leaves its runs in {}", name_of(kind),
                         (file / "runs").string());
    default: break;
  }
  return fmt::format("{}: {}", name_of(kind), row_of(kind).taken_by);
}

/// Throws what `given` is, if it is known and not wanted.
void refuse_another(const GivenFile& given) {
  const FileKind kind = kind_of(std::filesystem::path(given.name));
  const bool wanted = std::find(given.wanted.begin(), given.wanted.end(), kind) != given.wanted.end();
  if (kind == FileKind::unknown || wanted) return;
  throw ConfigError(given.name, "", names_of(given.wanted), told_of(given, kind));
}

}  // namespace

const char* name_of(FileKind kind) { return row_of(kind).name; }

FileKind kind_of(const nlohmann::json& document) {
  if (!document.is_object()) return FileKind::unknown;
  if (is_report(document)) return FileKind::report;
  if (is_sweep(document)) return FileKind::sweep;
  if (is_measured(document)) return FileKind::measured;
  if (has_any(document, {"like", "engines", "shader_array", "memory", "submission_paths", "scheduler", "host"})) {
    return FileKind::machine;
  }
  if (has_any(document, {"queues", "cpus", "command_lists"})) return FileKind::workload;
  return FileKind::unknown;
}

FileKind kind_of(const std::filesystem::path& file) {
  std::error_code none;
  try {
    if (std::filesystem::is_directory(file, none)) return kind_of_directory(file);
    if (!std::filesystem::is_regular_file(file, none)) return FileKind::unknown;
    if (!output_at(file).empty()) return FileKind::output;
    if (is_capture(file)) return FileKind::capture;
    if (is_measured_text(file)) return FileKind::measured;
    return kind_of(load_json(file));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return FileKind::unknown;  // whoever reads it says why
  }
}

int with_files(const std::vector<GivenFile>& files, const std::function<int()>& command) {
  try {
    return command();
  } catch (const ConfigError& error) {
    std::vector<ConfigError> all = error.each();
    for (const GivenFile& given : files) {
      const std::string report = (std::filesystem::path(given.name) / report_file).string();
      const auto is_of_it = [&](const ConfigError& one) { return one.file() == given.name || one.file() == report; };
      const auto first = std::find_if(all.begin(), all.end(), is_of_it);
      if (first == all.end()) continue;
      try {
        refuse_another(given);
      } catch (const ConfigError& refusal) {  // that stands for all that its reader says of it
        *first = refusal;
        all.erase(std::remove_if(first + 1, all.end(), is_of_it), all.end());
      }
    }
    throw ConfigError(all);
  }
}

}  // namespace fenceline
