// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/measured/measured_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// The document has a key of measured rows.
bool is_measured(const nlohmann::json& document);
/// The file is a Kineto trace or a text table of measurements, which are no documents for `measured_file`.
bool is_measured_text(const std::filesystem::path& path);
/// Throws ConfigError for what is no measured file.
MeasuredFile measured_file(const nlohmann::json& document, const std::string& path);
/// Looks for the traces of measured steps in the file's directory.
void find_traces(MeasuredFile& file);
/// Reads a JSON file, a Kineto trace (with the key "traceEvents"), or a text table whose first line is "kernel_time avg
/// p50 p90 p99", with the traces that it needs.
MeasuredFile load_measured(const std::filesystem::path& path);

/// What says in a directory of measured files which machines they are of: it is no measured file itself.
constexpr const char* machines_file = "machines.json";
/// A measured file's name ends in .json or .dat; the file that says which machines a directory is of is none.
bool is_measured_name(const std::filesystem::path& path);
/// The path itself, or, for a directory, the files below it that are named so, in the order of their names.
std::vector<std::filesystem::path> measured_paths(const std::filesystem::path& path);

}  // namespace fenceline
