// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Bytes that a valid resource takes of a heap, a multiple of its alignment. Textures are made of tiles of 4 KiB
/// (multisampled ones of 64 KiB) of the standard shape; the mips of a slice that are less than a tile in every
/// direction share one. ROW_MAJOR textures have rows of a multiple of 256 bytes.
D3D12_RESOURCE_ALLOCATION_INFO allocation_of(const D3D12_RESOURCE_DESC& desc);

/// Its largest mip has at most 16 tiles of 4 KiB and it has one sample and is no target: it may be aligned to 4 KiB.
bool may_be_small(const D3D12_RESOURCE_DESC& desc);

}  // namespace fenceline::d3d12
