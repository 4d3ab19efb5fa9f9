// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <string>

namespace fenceline {

/// The command of a list that names its resources; `at` is its pointer. ConfigError where D3D12 would not copy one to
/// the other: two buffers, other sizes or samples, a buffer that is too small.
CopyTexture texture_copy(const CopyTextureCommand& copy, const ResourceTable& resources, const std::string& file,
                         const std::string& at);

}  // namespace fenceline
