// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/content_bytes.hpp"
#include "api/contents/program_contents.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// Where a piece's content stands, and how many bytes it may be.
ContentPlace place_of_piece(const ContentPiece& piece, std::uint64_t resource_bytes, const std::string& file,
                            const std::string& pointer);
/// The same of what a step writes.
ContentPlace place_of_write(const CpuWrite& write, const ResourceInfo& resource, const std::string& file,
                            const std::string& pointer);

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

}  // namespace fenceline
