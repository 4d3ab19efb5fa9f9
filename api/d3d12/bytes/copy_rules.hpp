// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// A D3D12_TEXTURE_COPY_LOCATION that knows its resource's description instead of the resource.
struct CopySide {
  const D3D12_RESOURCE_DESC* desc = nullptr;  ///< valid
  const void* resource = nullptr;             ///< only compared: which resource it is
  D3D12_TEXTURE_COPY_TYPE type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  UINT subresource = 0;                            ///< of a texture
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{};  ///< in a buffer
};

/// Does a box that is not empty, copied to (x, y, z) of its own subresource, overlap itself?
bool overlap(UINT x, UINT y, UINT z, const D3D12_BOX& box);

/// Which rule of CopyTextureRegion does that copy break? A null box is the whole source. An empty one is allowed.
/// Source and destination may be parts of one subresource that do not overlap.
Verdict check_copy(const CopySide& to, UINT x, UINT y, UINT z, const CopySide& from, const D3D12_BOX* box);
/// Depth, stencil and samples are copied of whole subresources and to whole ones, the other side may be larger: what
/// the documentation says of a copy that is not empty and follows check_copy, and what drivers do not ask for.
Verdict check_whole_copy(const CopySide& to, UINT x, UINT y, UINT z, const CopySide& from, const D3D12_BOX* box);

/// WriteToSubresource and ReadFromSubresource: a box within a subresource of the texture, with edges on blocks. Empty
/// ones, too, lie within.
Verdict check_subresource_box(const CopySide& texture, UINT subresource, const D3D12_BOX& box);

/// CopyBufferRegion: both are buffers and hold the bytes, and a buffer's own bytes do not overlap.
Verdict check_buffer_copy(const CopySide& to, UINT64 to_offset, const CopySide& from, UINT64 from_offset, UINT64 bytes);

/// CopyResource: two resources alike in all but layout, flags and format, or of as many blocks as the other has texels.
/// If their formats may be copied to each other, their bytes lie alike, too, as ResourceLayout says.
Verdict check_resource_copy(const CopySide& to, const CopySide& from);
/// And may they? D3D12 drops a CopyResource between formats that may not, and closes the list none the less.
Verdict check_resource_formats(const CopySide& to, const CopySide& from);

}  // namespace fenceline::d3d12
