// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/verdict.hpp"

namespace fenceline::d3d12 {

/// What devices differ in.
struct ResourceRules {
  /// D3D12_FEATURE_DATA_D3D12_OPTIONS8::UnalignedBlockTexturesSupported: compressed textures of any width and height.
  bool unaligned_block_textures = true;
  /// D3D12_FEATURE_DATA_D3D12_OPTIONS::StandardSwizzle64KBSupported.
  bool standard_swizzle = false;
};

/// Is that a resource that a device of feature level 12_1 can have? Of what D3D12 leaves open a desktop GPU's choice.
/// MipLevels 0 stands for the full chain; more mips than that, up to 15, are allowed as D3D12 does.
Verdict check_resource_desc(const D3D12_RESOURCE_DESC& desc, const ResourceRules& rules = {});
/// Is that a resource that a device of feature level 12_1 can have, and its mip region one of a sampler feedback map?
/// Zeros for every other format.
Verdict check_resource_desc(const D3D12_RESOURCE_DESC1& desc, const ResourceRules& rules = {});

/// Several queues may access the texture at a time: ALLOW_SIMULTANEOUS_ACCESS, and ALLOW_CROSS_ADAPTER, which has its
/// features. Source: D3D12_RESOURCE_FLAGS.
bool is_simultaneous(const D3D12_RESOURCE_DESC& desc);

/// May such a resource be in a heap of these properties and flags? The description is valid.
Verdict check_resource_in_heap(const D3D12_RESOURCE_DESC& desc, const D3D12_HEAP_PROPERTIES& properties,
                               D3D12_HEAP_FLAGS flags);

}  // namespace fenceline::d3d12
