// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/blob_files.hpp"
#include "api/contents/packed_blobs.hpp"
#include "api/contents/program_contents.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// A step's write with its names resolved. ConfigError at `pointer`, the step's, where the resource is no buffer that a
/// CPU thread can map, or ends before the bytes do.
ContentWrite content_write(const CpuWrite& write, const ResourceTable& resources, const std::string& file,
                           const std::string& pointer);

/// The workload's resources with what they hold at first. ConfigError where contents do not fit them.
std::vector<ContentResource> initial_contents(const Workload& workload, const std::string& file);
/// What the workload, which has been recorded without an error, does to bytes; null: it does not act on them.
/// ConfigError where contents come to more than most_content_bytes.
std::shared_ptr<const ProgramContents> recorded_contents(const Workload& workload,
                                                         std::vector<ContentResource> resources,
                                                         std::vector<ContentWrite> writes, const std::string& file);

/// The workload's contents that are blobs': those of resources, then those of CPU threads' writes. ConfigError where a
/// write names no resource.
std::vector<BlobContent> blob_contents(Workload& workload, const std::string& file);

/// Reads the blobs that the workload's contents name, from beside its file or out of its capture. ConfigError where one
/// is not there or longer than its resource.
void load_contents(Workload& workload, const BlobPlace& place);

}  // namespace fenceline
