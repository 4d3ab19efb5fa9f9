// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/blob_files.hpp"
#include "api/contents/packed_blobs.hpp"
#include "api/workload/workload.hpp"

#include <string>
#include <vector>

namespace fenceline {

/// The workload's contents that are blobs': those of resources, then those of commands' effects, then those of CPU
/// threads' writes. ConfigError where one names no resource.
std::vector<BlobContent> blob_contents(Workload& workload, const std::string& file);

/// Reads the blobs that the workload's contents name, from beside its file or out of its capture. ConfigError where one
/// is not there or longer than its resource.
void load_contents(Workload& workload, const BlobPlace& place);

}  // namespace fenceline
