// SPDX-License-Identifier: Apache-2.0
// Device, reserved resources and how they are divided into tiles.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <algorithm>

namespace fenceline::d3d12 {

HRESULT Device::CreateReservedResource(const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                       const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) {
  return create_reserved_resource(*this, desc, state, clear, iid, resource);
}

HRESULT Device::CreateReservedResource1(const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                        const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                                        REFIID iid, void** resource) {
  if (session != nullptr) return not_modelled("ID3D12Device4::CreateReservedResource1 of a protected session");
  return create_reserved_resource(*this, desc, state, clear, iid, resource);
}

HRESULT Device::CreateReservedResource2(const D3D12_RESOURCE_DESC* desc, D3D12_BARRIER_LAYOUT layout,
                                        const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session, UINT32,
                                        DXGI_FORMAT*, REFIID iid, void** resource) {
  if (resource != nullptr) *resource = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  const bool buffer = desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;  // which have no layout
  if (buffer && layout != D3D12_BARRIER_LAYOUT_UNDEFINED) return E_INVALIDARG;
  if (session != nullptr) return not_modelled("ID3D12Device4::CreateReservedResource1 of a protected session");
  return create_reserved_resource(*this, desc, std::nullopt, clear, iid, resource);
}

void Device::GetResourceTiling(ID3D12Resource* resource, UINT* tiles, D3D12_PACKED_MIP_INFO* packed_mips,
                               D3D12_TILE_SHAPE* shape, UINT* tilings, UINT first_tiling,
                               D3D12_SUBRESOURCE_TILING* subresource_tilings) {
  Host::spend(costs().call_ps);
  const auto* const tiled = com_cast<Resource>(resource);
  const TileLayout* const layout = tiled != nullptr ? tiled->tiles() : nullptr;
  // What is not reserved has no tiles.
  if (tiles != nullptr) *tiles = layout != nullptr ? layout->tiles() : 0;
  if (packed_mips != nullptr) *packed_mips = layout != nullptr ? layout->packed() : D3D12_PACKED_MIP_INFO{};
  if (shape != nullptr) {
    *shape = {};
    if (layout != nullptr) *shape = {layout->shape().width, layout->shape().height, layout->shape().depth};
  }
  if (tilings == nullptr) return;
  const UINT all = layout != nullptr ? layout->subresources() : 0;
  const UINT count = std::min(*tilings, all - std::min(first_tiling, all));
  *tilings = count;
  for (UINT i = 0; subresource_tilings != nullptr && i < count; ++i) {
    subresource_tilings[i] = layout->tiling(first_tiling + i);
  }
}

}  // namespace fenceline::d3d12
