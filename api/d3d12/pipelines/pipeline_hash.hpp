// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/root/root_layout.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <string_view>

namespace fenceline::d3d12 {

/// The hash of any bytes.
DxbcHash hash_of(std::string_view bytes);

/// Names what a pipeline state is made of: the same code, root signature and state give the same hash in every process,
/// whichever way they were described. What has no effect does not count: the state of what is not enabled, names in
/// other case, the cached blob.
DxbcHash pipeline_hash(const PipelineDesc& desc, const PipelineShaders& shaders, const RootLayout& root);

}  // namespace fenceline::d3d12
