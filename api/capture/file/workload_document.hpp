// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_facts.hpp"
#include "api/capture/file/recorded_run.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace fenceline {

/// What a workload file says, be it JSON, a capture, or what a run recorded of its workload.
struct WorkloadDocument {
  nlohmann::json workload;
  std::optional<CaptureFacts> capture;  ///< unset: it is JSON
  std::string bytes = {};               ///< of a capture from standard input, which cannot be read again
  /// Of report.json of a run: the workload has all its values then, what its code said among them.
  std::optional<RecordedRun> recorded = {};
};

/// Reads the file, which its first bytes tell, or the report of a run that is a directory. Throws ConfigError.
WorkloadDocument load_workload_document(const std::filesystem::path& file);

}  // namespace fenceline
