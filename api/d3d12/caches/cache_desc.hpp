// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "shadercache/cache_description.hpp"
#include "shadercache/cache_status.hpp"

#include <string>

namespace fenceline::d3d12 {

/// What a description asks for; `refusal_of` the same says whether that can be.
CacheDescription description_of(const D3D12_SHADER_CACHE_SESSION_DESC& desc);
D3D12_SHADER_CACHE_SESSION_DESC desc_of(const CacheDescription& description);
/// What is wrong with it, after "expected"; empty: nothing.
std::string refusal_of(const D3D12_SHADER_CACHE_SESSION_DESC* desc);

HRESULT result_of(CacheStatus status);

}  // namespace fenceline::d3d12
