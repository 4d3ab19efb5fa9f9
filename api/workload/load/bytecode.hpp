// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/workload_document.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// Adds to the pipelines of a workload's document what they leave out and their bytecode says. Code is looked up beside
/// `directory`. Throws ConfigError at the pipeline's key when a file cannot be read or is no sound container.
void apply_bytecode(nlohmann::json& workload, const std::string& file, const std::filesystem::path& directory);

/// The document names no code any more.
void erase_bytecode(nlohmann::json& workload);
/// What code says stands in the document, in place of the files' names: of a capture or a report it does already.
void take_in_bytecode(WorkloadDocument& read, const std::filesystem::path& file);

/// ConfigError when one of the `--set` texts for a workload names other code: it was read before.
void check_no_bytecode(const std::vector<std::string>& sets);

}  // namespace fenceline
