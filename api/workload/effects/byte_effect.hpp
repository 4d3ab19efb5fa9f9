// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/list_bytes.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/effects/effect_info.hpp"

#include <string>

namespace fenceline {

/// The effect with its names looked up; ConfigError at `pointer`, the effect's, where it does not fit what it names.
ByteEffect byte_effect(const EffectInfo& effect, const ResourceTable& resources, const std::string& file,
                       const std::string& pointer);

}  // namespace fenceline
