// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_facts.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace fenceline {

/// What a workload file says, be it JSON or a capture.
struct WorkloadDocument {
  nlohmann::json workload;
  std::optional<CaptureFacts> capture;  ///< unset: it is JSON
  std::string bytes = {};               ///< of a capture from standard input, which cannot be read again
};

/// Reads the file, which its first bytes tell. Throws ConfigError.
WorkloadDocument load_workload_document(const std::filesystem::path& file);

}  // namespace fenceline
