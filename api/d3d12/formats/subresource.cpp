// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/subresource.hpp"

#include "api/d3d12/formats/format.hpp"

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

bool is_3d(const D3D12_RESOURCE_DESC& desc) { return desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D; }

}  // namespace

std::uint32_t full_mip_chain(const D3D12_RESOURCE_DESC& desc) {
  std::uint64_t largest = 1;
  switch (desc.Dimension) {
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D: largest = desc.Width; break;
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D: largest = std::max<std::uint64_t>(desc.Width, desc.Height); break;
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      largest = std::max<std::uint64_t>({desc.Width, desc.Height, desc.DepthOrArraySize});
      break;
    default: break;
  }
  std::uint32_t count = 1;
  while (largest > 1) {
    largest /= 2;
    ++count;
  }
  return count;
}

std::uint32_t mip_count(const D3D12_RESOURCE_DESC& desc) {
  return desc.MipLevels == 0 ? full_mip_chain(desc) : desc.MipLevels;
}

std::uint32_t array_size(const D3D12_RESOURCE_DESC& desc) {
  return is_3d(desc) || desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER ? 1 : desc.DepthOrArraySize;
}

std::uint32_t subresource_count(const D3D12_RESOURCE_DESC& desc) {
  return mip_count(desc) * array_size(desc) * plane_count(desc.Format);
}

std::uint32_t subresource_index(const D3D12_RESOURCE_DESC& desc, const Subresource& subresource) {
  return subresource.mip + mip_count(desc) * (subresource.slice + array_size(desc) * subresource.plane);
}

Subresource subresource_at(const D3D12_RESOURCE_DESC& desc, std::uint32_t index) {
  const std::uint32_t mips = mip_count(desc);
  const std::uint32_t slices = array_size(desc);
  return {index % mips, index / mips % slices, index / (mips * slices)};
}

Extent mip_extent(const D3D12_RESOURCE_DESC& desc, std::uint32_t mip) {
  const auto halved = [mip](auto size) {
    return mip < 32 ? std::max<decltype(size)>(size >> mip, 1) : decltype(size){1};
  };
  const std::uint32_t depth = is_3d(desc) ? desc.DepthOrArraySize : 1;
  return {halved(std::uint64_t{desc.Width}), halved(std::uint32_t{desc.Height}), halved(depth)};
}

D3D12_RESOURCE_DESC without_feedback(const D3D12_RESOURCE_DESC1& desc) {
  return {desc.Dimension, desc.Alignment, desc.Width,      desc.Height, desc.DepthOrArraySize,
          desc.MipLevels, desc.Format,    desc.SampleDesc, desc.Layout, desc.Flags};
}

}  // namespace fenceline::d3d12
