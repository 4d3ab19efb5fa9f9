// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Texels in each direction; of a buffer bytes in one.
struct Extent {
  std::uint64_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t depth = 0;
};

/// A subresource by its parts. Its index counts mips first, then slices, then planes.
struct Subresource {
  std::uint32_t mip = 0;
  std::uint32_t slice = 0;
  std::uint32_t plane = 0;
};

/// The mips down to 1 x 1 x 1, what MipLevels 0 asks for.
std::uint32_t full_mip_chain(const D3D12_RESOURCE_DESC& desc);
/// MipLevels, or the full chain for 0.
std::uint32_t mip_count(const D3D12_RESOURCE_DESC& desc);
/// 1 for 3D textures and buffers.
std::uint32_t array_size(const D3D12_RESOURCE_DESC& desc);
/// Of all planes.
std::uint32_t subresource_count(const D3D12_RESOURCE_DESC& desc);

std::uint32_t subresource_index(const D3D12_RESOURCE_DESC& desc, const Subresource& subresource);
/// `index` is less than subresource_count.
Subresource subresource_at(const D3D12_RESOURCE_DESC& desc, std::uint32_t index);

/// The mip's texels, halved and rounded down, at least 1 in each direction; of the first plane.
Extent mip_extent(const D3D12_RESOURCE_DESC& desc, std::uint32_t mip);

/// A D3D12_RESOURCE_DESC1 without what it adds.
D3D12_RESOURCE_DESC without_feedback(const D3D12_RESOURCE_DESC1& desc);

}  // namespace fenceline::d3d12
