// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fenceline {

/// What a file is that the command is given.
enum class FileKind {
  unknown,   ///< cannot be read, or is none of these
  workload,  ///< in JSON
  capture,
  machine,
  sweep,
  measured,  ///< rows for `fenceline validate`, or a trace
  report,    ///< report.json of a run
  run,       ///< the directory of a run
  output,    ///< another file of a run, such as trace.json
  fork,      ///< the directory of a fork, with those of its two runs
  swept,     ///< the directory of a sweep
};

/// Of a JSON document, by its keys.
FileKind kind_of(const nlohmann::json& document);
/// By its name beside a run's report.json, by its first bytes, else as a document. Throws nothing but std::bad_alloc;
/// standard input is unknown: it can be read once.
FileKind kind_of(const std::filesystem::path& file);
/// "a machine".
const char* name_of(FileKind kind);

/// A file that was given, and what it may be.
struct GivenFile {
  std::string name;  ///< as it was given; one that is not there, such as the name of a built-in machine, is no matter
  std::vector<FileKind> wanted;
};
/// What `command` returns. Where it throws a ConfigError of some of the files, or of the report.json that was to be in
/// one, and that file is of another kind, throws in its place one that says of which, and who takes it.
int with_files(const std::vector<GivenFile>& files, const std::function<int()>& command);

}  // namespace fenceline
