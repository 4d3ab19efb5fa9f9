// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace fenceline {

/// Who read and wrote a resource in a run, from the files of its directory: an object with `resource`, `bytes`, `xxh3`
/// (null: it was not written), `written_bytes`, and `accesses` in their order. Throws ConfigError where the directory
/// holds no run whose workload acts on bytes, or that has no such resource.
nlohmann::ordered_json resource_history(const std::filesystem::path& run, const std::string& resource);

/// The same as a table.
std::string history_text(const nlohmann::ordered_json& history);

}  // namespace fenceline
