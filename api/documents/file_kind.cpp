// SPDX-License-Identifier: Apache-2.0
#include "api/documents/file_kind.hpp"

#include "api/capture/file/read_capture.hpp"
#include "api/capture/file/recorded_run.hpp"
#include "api/report/run/outputs.hpp"
#include "api/sweep/sweep_file.hpp"
#include "api/validation/load_measured.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
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
};

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

/// Throws what `given` is, if it is known and not wanted.
void refuse_another(const GivenFile& given) {
  const FileKind kind = kind_of(std::filesystem::path(given.name));
  const bool wanted = std::find(given.wanted.begin(), given.wanted.end(), kind) != given.wanted.end();
  if (kind == FileKind::unknown || wanted) return;
  throw ConfigError(given.name, "", names_of(given.wanted),
                    fmt::format("{}: {}", name_of(kind), row_of(kind).taken_by));
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
  if (std::filesystem::is_directory(file, none)) {
    const bool is_run =
        std::filesystem::exists(file / RunMarker::name, none) || std::filesystem::exists(file / report_file, none);
    return is_run ? FileKind::run : FileKind::unknown;
  }
  if (!std::filesystem::is_regular_file(file, none)) return FileKind::unknown;
  try {
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
    for (const GivenFile& given : files) {
      if (given.name == error.file()) refuse_another(given);
    }
    throw;
  }
}

}  // namespace fenceline
