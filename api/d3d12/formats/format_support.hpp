// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

/// What a usual desktop GPU of feature level 12_1 can do with a format: everything that the level requires, and of the
/// optional things typed UAV loads of the additional formats, sRGB and XR display, NV12 and P010 video.
struct FormatSupport {
  D3D12_FORMAT_SUPPORT1 support1 = D3D12_FORMAT_SUPPORT1_NONE;
  D3D12_FORMAT_SUPPORT2 support2 = D3D12_FORMAT_SUPPORT2_NONE;
};
FormatSupport format_support(DXGI_FORMAT format);

/// D3D12_FEATURE_FORMAT_SUPPORT: E_FAIL and no bits for a value that is no format, as CheckFormatSupport's
/// documentation has it since Direct3D 10, and for a format that a device of that level cannot use at all.
HRESULT check_format_support(D3D12_FEATURE_DATA_FORMAT_SUPPORT& data);
/// D3D12_FEATURE_FORMAT_INFO: the plane count; E_INVALIDARG for a value that is no format, and for R1_UNORM.
HRESULT check_format_info(D3D12_FEATURE_DATA_FORMAT_INFO& data);
/// D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS: one level for 1 sample of every format, and for 2, 4 and 8 samples of
/// those that can be multisampled, else none; none for reserved resources (TILED_RESOURCE) of formats that cannot be
/// tiled. E_FAIL for no samples.
HRESULT check_multisample_quality_levels(D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS& data);
/// How many quality levels resources that are not reserved have with that many samples: 1 or 0.
UINT multisample_quality_levels(DXGI_FORMAT format, UINT samples);

}  // namespace fenceline::d3d12
