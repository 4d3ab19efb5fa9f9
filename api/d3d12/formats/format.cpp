// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/format.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline::d3d12 {
namespace {

// Sizes and components from the DXGI_FORMAT reference; block sizes of video formats from the D3D12 format table.
// A4B4G4R4_UNORM is newer than the header.
using K = ComponentKind;
using P = PlaneScheme;
// clang-format off
constexpr Format rows[] = {
    {DXGI_FORMAT_UNKNOWN, "UNKNOWN", DXGI_FORMAT_UNKNOWN, 1, 1, 1, K::none, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R32G32B32A32_TYPELESS, "R32G32B32A32_TYPELESS", DXGI_FORMAT_R32G32B32A32_TYPELESS, 16, 1, 1, K::typeless, {32, 32, 32, 32}, P::one},
    {DXGI_FORMAT_R32G32B32A32_FLOAT, "R32G32B32A32_FLOAT", DXGI_FORMAT_R32G32B32A32_TYPELESS, 16, 1, 1, K::float_number, {32, 32, 32, 32}, P::one},
    {DXGI_FORMAT_R32G32B32A32_UINT, "R32G32B32A32_UINT", DXGI_FORMAT_R32G32B32A32_TYPELESS, 16, 1, 1, K::uint, {32, 32, 32, 32}, P::one},
    {DXGI_FORMAT_R32G32B32A32_SINT, "R32G32B32A32_SINT", DXGI_FORMAT_R32G32B32A32_TYPELESS, 16, 1, 1, K::sint, {32, 32, 32, 32}, P::one},
    {DXGI_FORMAT_R32G32B32_TYPELESS, "R32G32B32_TYPELESS", DXGI_FORMAT_R32G32B32_TYPELESS, 12, 1, 1, K::typeless, {32, 32, 32, 0}, P::one},
    {DXGI_FORMAT_R32G32B32_FLOAT, "R32G32B32_FLOAT", DXGI_FORMAT_R32G32B32_TYPELESS, 12, 1, 1, K::float_number, {32, 32, 32, 0}, P::one},
    {DXGI_FORMAT_R32G32B32_UINT, "R32G32B32_UINT", DXGI_FORMAT_R32G32B32_TYPELESS, 12, 1, 1, K::uint, {32, 32, 32, 0}, P::one},
    {DXGI_FORMAT_R32G32B32_SINT, "R32G32B32_SINT", DXGI_FORMAT_R32G32B32_TYPELESS, 12, 1, 1, K::sint, {32, 32, 32, 0}, P::one},
    {DXGI_FORMAT_R16G16B16A16_TYPELESS, "R16G16B16A16_TYPELESS", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::typeless, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R16G16B16A16_FLOAT, "R16G16B16A16_FLOAT", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::float_number, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R16G16B16A16_UNORM, "R16G16B16A16_UNORM", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::unorm, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R16G16B16A16_UINT, "R16G16B16A16_UINT", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::uint, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R16G16B16A16_SNORM, "R16G16B16A16_SNORM", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::snorm, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R16G16B16A16_SINT, "R16G16B16A16_SINT", DXGI_FORMAT_R16G16B16A16_TYPELESS, 8, 1, 1, K::sint, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_R32G32_TYPELESS, "R32G32_TYPELESS", DXGI_FORMAT_R32G32_TYPELESS, 8, 1, 1, K::typeless, {32, 32, 0, 0}, P::one},
    {DXGI_FORMAT_R32G32_FLOAT, "R32G32_FLOAT", DXGI_FORMAT_R32G32_TYPELESS, 8, 1, 1, K::float_number, {32, 32, 0, 0}, P::one},
    {DXGI_FORMAT_R32G32_UINT, "R32G32_UINT", DXGI_FORMAT_R32G32_TYPELESS, 8, 1, 1, K::uint, {32, 32, 0, 0}, P::one},
    {DXGI_FORMAT_R32G32_SINT, "R32G32_SINT", DXGI_FORMAT_R32G32_TYPELESS, 8, 1, 1, K::sint, {32, 32, 0, 0}, P::one},
    {DXGI_FORMAT_R32G8X24_TYPELESS, "R32G8X24_TYPELESS", DXGI_FORMAT_R32G8X24_TYPELESS, 8, 1, 1, K::typeless, {32, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_D32_FLOAT_S8X24_UINT, "D32_FLOAT_S8X24_UINT", DXGI_FORMAT_R32G8X24_TYPELESS, 8, 1, 1, K::float_number, {32, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS, "R32_FLOAT_X8X24_TYPELESS", DXGI_FORMAT_R32G8X24_TYPELESS, 8, 1, 1, K::float_number, {32, 0, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, "X32_TYPELESS_G8X24_UINT", DXGI_FORMAT_R32G8X24_TYPELESS, 8, 1, 1, K::uint, {0, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_R10G10B10A2_TYPELESS, "R10G10B10A2_TYPELESS", DXGI_FORMAT_R10G10B10A2_TYPELESS, 4, 1, 1, K::typeless, {10, 10, 10, 2}, P::one},
    {DXGI_FORMAT_R10G10B10A2_UNORM, "R10G10B10A2_UNORM", DXGI_FORMAT_R10G10B10A2_TYPELESS, 4, 1, 1, K::unorm, {10, 10, 10, 2}, P::one},
    {DXGI_FORMAT_R10G10B10A2_UINT, "R10G10B10A2_UINT", DXGI_FORMAT_R10G10B10A2_TYPELESS, 4, 1, 1, K::uint, {10, 10, 10, 2}, P::one},
    {DXGI_FORMAT_R11G11B10_FLOAT, "R11G11B10_FLOAT", DXGI_FORMAT_R11G11B10_FLOAT, 4, 1, 1, K::float_number, {11, 11, 10, 0}, P::one},
    {DXGI_FORMAT_R8G8B8A8_TYPELESS, "R8G8B8A8_TYPELESS", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::typeless, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::unorm, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, "R8G8B8A8_UNORM_SRGB", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::unorm_srgb, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R8G8B8A8_UINT, "R8G8B8A8_UINT", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::uint, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R8G8B8A8_SNORM, "R8G8B8A8_SNORM", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::snorm, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R8G8B8A8_SINT, "R8G8B8A8_SINT", DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 1, 1, K::sint, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_R16G16_TYPELESS, "R16G16_TYPELESS", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::typeless, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R16G16_FLOAT, "R16G16_FLOAT", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::float_number, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R16G16_UNORM, "R16G16_UNORM", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::unorm, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R16G16_UINT, "R16G16_UINT", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::uint, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R16G16_SNORM, "R16G16_SNORM", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::snorm, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R16G16_SINT, "R16G16_SINT", DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, K::sint, {16, 16, 0, 0}, P::one},
    {DXGI_FORMAT_R32_TYPELESS, "R32_TYPELESS", DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, K::typeless, {32, 0, 0, 0}, P::one},
    {DXGI_FORMAT_D32_FLOAT, "D32_FLOAT", DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, K::float_number, {32, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R32_FLOAT, "R32_FLOAT", DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, K::float_number, {32, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R32_UINT, "R32_UINT", DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, K::uint, {32, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R32_SINT, "R32_SINT", DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, K::sint, {32, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R24G8_TYPELESS, "R24G8_TYPELESS", DXGI_FORMAT_R24G8_TYPELESS, 4, 1, 1, K::typeless, {24, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_D24_UNORM_S8_UINT, "D24_UNORM_S8_UINT", DXGI_FORMAT_R24G8_TYPELESS, 4, 1, 1, K::unorm, {24, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_R24_UNORM_X8_TYPELESS, "R24_UNORM_X8_TYPELESS", DXGI_FORMAT_R24G8_TYPELESS, 4, 1, 1, K::unorm, {24, 0, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_X24_TYPELESS_G8_UINT, "X24_TYPELESS_G8_UINT", DXGI_FORMAT_R24G8_TYPELESS, 4, 1, 1, K::uint, {0, 8, 0, 0}, P::depth_stencil},
    {DXGI_FORMAT_R8G8_TYPELESS, "R8G8_TYPELESS", DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, K::typeless, {8, 8, 0, 0}, P::one},
    {DXGI_FORMAT_R8G8_UNORM, "R8G8_UNORM", DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, K::unorm, {8, 8, 0, 0}, P::one},
    {DXGI_FORMAT_R8G8_UINT, "R8G8_UINT", DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, K::uint, {8, 8, 0, 0}, P::one},
    {DXGI_FORMAT_R8G8_SNORM, "R8G8_SNORM", DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, K::snorm, {8, 8, 0, 0}, P::one},
    {DXGI_FORMAT_R8G8_SINT, "R8G8_SINT", DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, K::sint, {8, 8, 0, 0}, P::one},
    {DXGI_FORMAT_R16_TYPELESS, "R16_TYPELESS", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::typeless, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R16_FLOAT, "R16_FLOAT", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::float_number, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_D16_UNORM, "D16_UNORM", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::unorm, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R16_UNORM, "R16_UNORM", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::unorm, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R16_UINT, "R16_UINT", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::uint, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R16_SNORM, "R16_SNORM", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::snorm, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R16_SINT, "R16_SINT", DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, K::sint, {16, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R8_TYPELESS, "R8_TYPELESS", DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, K::typeless, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R8_UNORM, "R8_UNORM", DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, K::unorm, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R8_UINT, "R8_UINT", DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, K::uint, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R8_SNORM, "R8_SNORM", DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, K::snorm, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R8_SINT, "R8_SINT", DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, K::sint, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_A8_UNORM, "A8_UNORM", DXGI_FORMAT_A8_UNORM, 1, 1, 1, K::unorm, {0, 0, 0, 8}, P::one},
    {DXGI_FORMAT_R1_UNORM, "R1_UNORM", DXGI_FORMAT_R1_UNORM, 1, 8, 1, K::unorm, {1, 0, 0, 0}, P::one},
    {DXGI_FORMAT_R9G9B9E5_SHAREDEXP, "R9G9B9E5_SHAREDEXP", DXGI_FORMAT_R9G9B9E5_SHAREDEXP, 4, 1, 1, K::shared_exponent, {9, 9, 9, 0}, P::one},
    {DXGI_FORMAT_R8G8_B8G8_UNORM, "R8G8_B8G8_UNORM", DXGI_FORMAT_R8G8_B8G8_UNORM, 4, 2, 1, K::unorm, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_G8R8_G8B8_UNORM, "G8R8_G8B8_UNORM", DXGI_FORMAT_G8R8_G8B8_UNORM, 4, 2, 1, K::unorm, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_BC1_TYPELESS, "BC1_TYPELESS", DXGI_FORMAT_BC1_TYPELESS, 8, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC1_UNORM, "BC1_UNORM", DXGI_FORMAT_BC1_TYPELESS, 8, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC1_UNORM_SRGB, "BC1_UNORM_SRGB", DXGI_FORMAT_BC1_TYPELESS, 8, 4, 4, K::unorm_srgb, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC2_TYPELESS, "BC2_TYPELESS", DXGI_FORMAT_BC2_TYPELESS, 16, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC2_UNORM, "BC2_UNORM", DXGI_FORMAT_BC2_TYPELESS, 16, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC2_UNORM_SRGB, "BC2_UNORM_SRGB", DXGI_FORMAT_BC2_TYPELESS, 16, 4, 4, K::unorm_srgb, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC3_TYPELESS, "BC3_TYPELESS", DXGI_FORMAT_BC3_TYPELESS, 16, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC3_UNORM, "BC3_UNORM", DXGI_FORMAT_BC3_TYPELESS, 16, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC3_UNORM_SRGB, "BC3_UNORM_SRGB", DXGI_FORMAT_BC3_TYPELESS, 16, 4, 4, K::unorm_srgb, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC4_TYPELESS, "BC4_TYPELESS", DXGI_FORMAT_BC4_TYPELESS, 8, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC4_UNORM, "BC4_UNORM", DXGI_FORMAT_BC4_TYPELESS, 8, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC4_SNORM, "BC4_SNORM", DXGI_FORMAT_BC4_TYPELESS, 8, 4, 4, K::snorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC5_TYPELESS, "BC5_TYPELESS", DXGI_FORMAT_BC5_TYPELESS, 16, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC5_UNORM, "BC5_UNORM", DXGI_FORMAT_BC5_TYPELESS, 16, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC5_SNORM, "BC5_SNORM", DXGI_FORMAT_BC5_TYPELESS, 16, 4, 4, K::snorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_B5G6R5_UNORM, "B5G6R5_UNORM", DXGI_FORMAT_B5G6R5_UNORM, 2, 1, 1, K::unorm, {5, 6, 5, 0}, P::one},
    {DXGI_FORMAT_B5G5R5A1_UNORM, "B5G5R5A1_UNORM", DXGI_FORMAT_B5G5R5A1_UNORM, 2, 1, 1, K::unorm, {5, 5, 5, 1}, P::one},
    {DXGI_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", DXGI_FORMAT_B8G8R8A8_TYPELESS, 4, 1, 1, K::unorm, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_B8G8R8X8_UNORM, "B8G8R8X8_UNORM", DXGI_FORMAT_B8G8R8X8_TYPELESS, 4, 1, 1, K::unorm, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_R10G10B10_XR_BIAS_A2_UNORM, "R10G10B10_XR_BIAS_A2_UNORM", DXGI_FORMAT_R10G10B10A2_TYPELESS, 4, 1, 1, K::xr_bias, {10, 10, 10, 2}, P::one},
    {DXGI_FORMAT_B8G8R8A8_TYPELESS, "B8G8R8A8_TYPELESS", DXGI_FORMAT_B8G8R8A8_TYPELESS, 4, 1, 1, K::typeless, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_B8G8R8A8_UNORM_SRGB, "B8G8R8A8_UNORM_SRGB", DXGI_FORMAT_B8G8R8A8_TYPELESS, 4, 1, 1, K::unorm_srgb, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_B8G8R8X8_TYPELESS, "B8G8R8X8_TYPELESS", DXGI_FORMAT_B8G8R8X8_TYPELESS, 4, 1, 1, K::typeless, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_B8G8R8X8_UNORM_SRGB, "B8G8R8X8_UNORM_SRGB", DXGI_FORMAT_B8G8R8X8_TYPELESS, 4, 1, 1, K::unorm_srgb, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_BC6H_TYPELESS, "BC6H_TYPELESS", DXGI_FORMAT_BC6H_TYPELESS, 16, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC6H_UF16, "BC6H_UF16", DXGI_FORMAT_BC6H_TYPELESS, 16, 4, 4, K::float_number, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC6H_SF16, "BC6H_SF16", DXGI_FORMAT_BC6H_TYPELESS, 16, 4, 4, K::float_number, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC7_TYPELESS, "BC7_TYPELESS", DXGI_FORMAT_BC7_TYPELESS, 16, 4, 4, K::typeless, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC7_UNORM, "BC7_UNORM", DXGI_FORMAT_BC7_TYPELESS, 16, 4, 4, K::unorm, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_BC7_UNORM_SRGB, "BC7_UNORM_SRGB", DXGI_FORMAT_BC7_TYPELESS, 16, 4, 4, K::unorm_srgb, {0, 0, 0, 0}, P::one},
    {DXGI_FORMAT_AYUV, "AYUV", DXGI_FORMAT_AYUV, 4, 1, 1, K::unorm, {8, 8, 8, 8}, P::one},
    {DXGI_FORMAT_Y410, "Y410", DXGI_FORMAT_Y410, 4, 1, 1, K::unorm, {10, 10, 10, 2}, P::one},
    {DXGI_FORMAT_Y416, "Y416", DXGI_FORMAT_Y416, 8, 1, 1, K::unorm, {16, 16, 16, 16}, P::one},
    {DXGI_FORMAT_NV12, "NV12", DXGI_FORMAT_NV12, 1, 2, 2, K::unorm, {8, 8, 8, 0}, P::yuv_420_8},
    {DXGI_FORMAT_P010, "P010", DXGI_FORMAT_P010, 2, 2, 2, K::unorm, {10, 10, 10, 0}, P::yuv_420_16},
    {DXGI_FORMAT_P016, "P016", DXGI_FORMAT_P016, 2, 2, 2, K::unorm, {16, 16, 16, 0}, P::yuv_420_16},
    {DXGI_FORMAT_420_OPAQUE, "420_OPAQUE", DXGI_FORMAT_420_OPAQUE, 1, 2, 2, K::unorm, {8, 8, 8, 0}, P::opaque},
    {DXGI_FORMAT_YUY2, "YUY2", DXGI_FORMAT_YUY2, 4, 2, 1, K::unorm, {8, 8, 8, 0}, P::one},
    {DXGI_FORMAT_Y210, "Y210", DXGI_FORMAT_Y210, 8, 2, 1, K::unorm, {10, 10, 10, 0}, P::one},
    {DXGI_FORMAT_Y216, "Y216", DXGI_FORMAT_Y216, 8, 2, 1, K::unorm, {16, 16, 16, 0}, P::one},
    {DXGI_FORMAT_NV11, "NV11", DXGI_FORMAT_NV11, 1, 4, 1, K::unorm, {8, 8, 8, 0}, P::yuv_411_8},
    {DXGI_FORMAT_AI44, "AI44", DXGI_FORMAT_AI44, 1, 1, 1, K::unorm, {4, 0, 0, 4}, P::one},
    {DXGI_FORMAT_IA44, "IA44", DXGI_FORMAT_IA44, 1, 1, 1, K::unorm, {4, 0, 0, 4}, P::one},
    {DXGI_FORMAT_P8, "P8", DXGI_FORMAT_P8, 1, 1, 1, K::unorm, {8, 0, 0, 0}, P::one},
    {DXGI_FORMAT_A8P8, "A8P8", DXGI_FORMAT_A8P8, 2, 1, 1, K::unorm, {8, 0, 0, 8}, P::one},
    {DXGI_FORMAT_B4G4R4A4_UNORM, "B4G4R4A4_UNORM", DXGI_FORMAT_B4G4R4A4_UNORM, 2, 1, 1, K::unorm, {4, 4, 4, 4}, P::one},
    {DXGI_FORMAT_P208, "P208", DXGI_FORMAT_P208, 1, 2, 1, K::unorm, {8, 8, 8, 0}, P::yuv_422_8},
    {DXGI_FORMAT_V208, "V208", DXGI_FORMAT_V208, 1, 1, 2, K::unorm, {8, 8, 8, 0}, P::yuv_440_8},
    {DXGI_FORMAT_V408, "V408", DXGI_FORMAT_V408, 1, 1, 1, K::unorm, {8, 8, 8, 0}, P::yuv_444_8},
    {DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, "SAMPLER_FEEDBACK_MIN_MIP_OPAQUE", DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, 1, 1, 1, K::none, {0, 0, 0, 0}, P::opaque},
    {DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE, "SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE", DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE, 1, 1, 1, K::none, {0, 0, 0, 0}, P::opaque},
    {static_cast<DXGI_FORMAT>(191), "A4B4G4R4_UNORM", static_cast<DXGI_FORMAT>(191), 2, 1, 1, K::unorm, {4, 4, 4, 4}, P::one},
};
// clang-format on

constexpr bool in_order() {
  for (std::size_t i = 1; i < std::size(rows); ++i) {
    if (rows[i - 1].format >= rows[i].format) return false;
  }
  return true;
}
static_assert(in_order(), "find_format searches by bisection");

// D3D10.1's table of conversions between a compressed and an integer format of the same block size.
bool is_integer_of_block(DXGI_FORMAT integer, DXGI_FORMAT family) {
  switch (family) {
    case DXGI_FORMAT_R9G9B9E5_SHAREDEXP: return is_any_of(integer, {DXGI_FORMAT_R32_UINT, DXGI_FORMAT_R32_SINT});
    case DXGI_FORMAT_BC1_TYPELESS:
    case DXGI_FORMAT_BC4_TYPELESS:
      return is_any_of(integer, {DXGI_FORMAT_R16G16B16A16_UINT, DXGI_FORMAT_R16G16B16A16_SINT, DXGI_FORMAT_R32G32_UINT,
                                 DXGI_FORMAT_R32G32_SINT});
    case DXGI_FORMAT_BC2_TYPELESS:
    case DXGI_FORMAT_BC3_TYPELESS:
    case DXGI_FORMAT_BC5_TYPELESS:
    case DXGI_FORMAT_BC6H_TYPELESS:
    case DXGI_FORMAT_BC7_TYPELESS:
      return is_any_of(integer, {DXGI_FORMAT_R32G32B32A32_UINT, DXGI_FORMAT_R32G32B32A32_SINT});
    default: return false;
  }
}

}  // namespace

bool is_any_of(DXGI_FORMAT format, std::initializer_list<DXGI_FORMAT> formats) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

const Format* begin_formats() { return std::begin(rows); }
const Format* end_formats() { return std::end(rows); }

const Format* find_format(DXGI_FORMAT format) {
  const Format* found =
      std::lower_bound(std::begin(rows), std::end(rows), format, [](const Format& row, DXGI_FORMAT f) {
        return static_cast<std::uint32_t>(row.format) < static_cast<std::uint32_t>(f);
      });
  return found != std::end(rows) && found->format == format ? found : nullptr;
}

unsigned plane_count(DXGI_FORMAT format) {
  const Format* found = find_format(format);
  if (found == nullptr) return 1;
  switch (found->planes) {
    case PlaneScheme::one:
    case PlaneScheme::opaque: return 1;
    case PlaneScheme::yuv_440_8:
    case PlaneScheme::yuv_444_8: return 3;
    default: return 2;
  }
}

FormatPlane plane_of(const Format& format, unsigned plane) {
  const bool first = plane == 0;
  switch (format.planes) {
    case PlaneScheme::depth_stencil:
      return first ? FormatPlane{DXGI_FORMAT_R32_TYPELESS, 4} : FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1};
    case PlaneScheme::yuv_420_8:
      return first ? FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1} : FormatPlane{DXGI_FORMAT_R8G8_TYPELESS, 2, 2, 2, 2};
    case PlaneScheme::yuv_420_16:
      return first ? FormatPlane{DXGI_FORMAT_R16_TYPELESS, 2} : FormatPlane{DXGI_FORMAT_R16G16_TYPELESS, 4, 2, 2, 2};
    case PlaneScheme::yuv_422_8:
      return first ? FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1} : FormatPlane{DXGI_FORMAT_R8G8_TYPELESS, 2, 2, 1, 2};
    case PlaneScheme::yuv_440_8:
      return first ? FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1} : FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1, 1, 2, 1};
    case PlaneScheme::yuv_444_8: return {DXGI_FORMAT_R8_TYPELESS, 1};
    case PlaneScheme::yuv_411_8:
      return first ? FormatPlane{DXGI_FORMAT_R8_TYPELESS, 1} : FormatPlane{DXGI_FORMAT_R8G8_TYPELESS, 2, 4, 1, 2};
    default: return {format.format, format.block_bytes};
  }
}

bool is_typeless(const Format& format) { return format.kind == ComponentKind::typeless; }

bool is_depth(const Format& format) {
  return is_any_of(format.format, {DXGI_FORMAT_D16_UNORM, DXGI_FORMAT_D24_UNORM_S8_UINT, DXGI_FORMAT_D32_FLOAT,
                                   DXGI_FORMAT_D32_FLOAT_S8X24_UINT});
}

bool is_depth_stencil(const Format& format) { return is_depth(format) && format.planes == PlaneScheme::depth_stencil; }

bool may_be_depth(const Format& format) {
  return is_depth(format) || is_any_of(format.format, {DXGI_FORMAT_R16_TYPELESS, DXGI_FORMAT_R24G8_TYPELESS,
                                                       DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32G8X24_TYPELESS});
}

bool is_block_compressed(const Format& format) { return format.block_width == 4 && format.block_height == 4; }

bool is_video(const Format& format) {
  return (format.format >= DXGI_FORMAT_AYUV && format.format <= DXGI_FORMAT_A8P8) ||
         (format.format >= DXGI_FORMAT_P208 && format.format <= DXGI_FORMAT_V408);
}

bool is_integer(const Format& format) {
  return format.kind == ComponentKind::uint || format.kind == ComponentKind::sint;
}

bool is_opaque(const Format& format) { return format.planes == PlaneScheme::opaque; }

bool may_copy_between(DXGI_FORMAT from, DXGI_FORMAT to) {
  const Format* a = find_format(from);
  const Format* b = find_format(to);
  if (a == nullptr || b == nullptr) return false;
  return a->family == b->family || is_integer_of_block(from, b->family) || is_integer_of_block(to, a->family);
}

}  // namespace fenceline::d3d12
