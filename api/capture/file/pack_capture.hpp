// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"

#include <nlohmann/json_fwd.hpp>

namespace fenceline {

/// Writes a workload's document as a whole capture, with the machine that it runs on, or null. Reading it gives the
/// same document, whatever that is.
void pack_capture(const nlohmann::json& workload, const nlohmann::json& machine, OutputFile& file);

/// The document with empty arrays in place of its command lists and of the steps of its timelines.
nlohmann::json without_lists_and_steps(const nlohmann::json& workload);

}  // namespace fenceline
