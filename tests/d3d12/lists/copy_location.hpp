// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"

namespace fenceline::testing {

inline D3D12_TEXTURE_COPY_LOCATION in_texture(ID3D12Resource* texture, UINT subresource = 0) {
  D3D12_TEXTURE_COPY_LOCATION location{};
  location.pResource = texture;
  location.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  location.SubresourceIndex = subresource;
  return location;
}

inline D3D12_TEXTURE_COPY_LOCATION in_buffer(ID3D12Resource* buffer,
                                             const D3D12_PLACED_SUBRESOURCE_FOOTPRINT& footprint) {
  D3D12_TEXTURE_COPY_LOCATION location{};
  location.pResource = buffer;
  location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  location.PlacedFootprint = footprint;
  return location;
}

}  // namespace fenceline::testing
