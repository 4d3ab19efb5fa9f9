// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/resources/back_buffer.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <cstdint>
#include <memory>

namespace fenceline::d3d12 {

/// What a descriptor shows: of a render target, depth stencil or unordered access view part of a mip in some slices; of
/// what only shaders read the resource or the address.
struct TargetView {
  Held<Resource> resource;  ///< null: of a null descriptor
  DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN;
  std::uint32_t mip = 0;
  std::uint32_t first_slice = 0;  ///< of an array, or of a 3D texture's depth
  std::uint32_t slices = 0;       ///< ~0: all from the first one on
  std::uint32_t plane = 0;
  std::uint64_t first_byte = 0;  ///< of a buffer
  std::uint64_t bytes = 0;
  bool read_only_depth = false;  ///< of a depth stencil view
  bool read_only_stencil = false;
  Held<Resource> counter;                         ///< of an unordered access view
  std::uint64_t address = 0;                      ///< of a constant buffer view, which has no resource
  std::shared_ptr<const BackBuffer> back_buffer;  ///< that the resource is; else null
};

/// What ID3D12Device's functions write into descriptors. A null description is that of the whole resource.
TargetView render_target_view(Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc);
TargetView depth_stencil_view(Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc);
TargetView unordered_access_view(Resource* resource, const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc);

/// Whether what it shows is all there, in a format that D3D12 knows.
Verdict check_view(const TargetView& view);

}  // namespace fenceline::d3d12
