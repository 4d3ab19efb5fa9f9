// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/format_support.hpp"

#include "api/d3d12/formats/format.hpp"

#include <algorithm>
#include <initializer_list>

namespace fenceline::d3d12 {
namespace {

// The rules are those of "DXGI format support for Direct3D feature level 12.1 hardware".
constexpr UINT textures_2d = D3D12_FORMAT_SUPPORT1_TEXTURE2D | D3D12_FORMAT_SUPPORT1_TEXTURECUBE;
constexpr UINT textures = D3D12_FORMAT_SUPPORT1_TEXTURE1D | textures_2d | D3D12_FORMAT_SUPPORT1_TEXTURE3D;
constexpr UINT sampling = D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE | D3D12_FORMAT_SUPPORT1_SHADER_GATHER;
constexpr UINT comparison =
    D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE_COMPARISON | D3D12_FORMAT_SUPPORT1_SHADER_GATHER_COMPARISON;
constexpr UINT render_target = D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET |
                               D3D12_FORMAT_SUPPORT1_MULTISAMPLE_LOAD;
constexpr UINT blended = render_target | D3D12_FORMAT_SUPPORT1_BLENDABLE | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RESOLVE;
constexpr UINT vertices = D3D12_FORMAT_SUPPORT1_BUFFER | D3D12_FORMAT_SUPPORT1_IA_VERTEX_BUFFER;
constexpr UINT uav_stored = D3D12_FORMAT_SUPPORT2_UAV_TYPED_STORE;
constexpr UINT uav_loaded = uav_stored | D3D12_FORMAT_SUPPORT2_UAV_TYPED_LOAD;
constexpr UINT exchanged = D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_EXCHANGE;
constexpr UINT integer_atomics = D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_ADD | D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_BITWISE_OPS |
                                 D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_COMPARE_STORE_OR_COMPARE_EXCHANGE | exchanged;

bool of_family(const Format& format, std::initializer_list<DXGI_FORMAT> families) {
  return is_any_of(format.family, families);
}

FormatSupport support(UINT one, UINT two = 0) {
  return {static_cast<D3D12_FORMAT_SUPPORT1>(one), static_cast<D3D12_FORMAT_SUPPORT2>(two)};
}

UINT cast_bit(const Format& format) {
  const Format* family = find_format(format.family);
  return is_typeless(*family) ? UINT{D3D12_FORMAT_SUPPORT1_CAST_WITHIN_BIT_LAYOUT} : 0U;
}

FormatSupport block_support(const Format& format) {
  UINT one = textures_2d | D3D12_FORMAT_SUPPORT1_TEXTURE3D | D3D12_FORMAT_SUPPORT1_MIP | cast_bit(format);
  if (!is_typeless(format)) one |= D3D12_FORMAT_SUPPORT1_SHADER_LOAD | sampling;
  return support(one, D3D12_FORMAT_SUPPORT2_TILED);
}

FormatSupport depth_family_support(const Format& format) {
  const UINT common = D3D12_FORMAT_SUPPORT1_TEXTURE1D | textures_2d | D3D12_FORMAT_SUPPORT1_MIP | cast_bit(format);
  if (is_depth(format)) {
    // What has planes is not tiled.
    return support(common | D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET |
                       D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RESOLVE,
                   format.planes == PlaneScheme::one ? UINT{D3D12_FORMAT_SUPPORT2_TILED} : 0U);
  }
  if (is_typeless(format)) return support(common);
  const UINT read = common | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_LOAD;
  return support(format.kind == ComponentKind::uint ? read : read | sampling | comparison);
}

FormatSupport video_support(const Format& format) {
  constexpr UINT input = D3D12_FORMAT_SUPPORT1_TEXTURE2D | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | sampling |
                         D3D12_FORMAT_SUPPORT1_VIDEO_PROCESSOR_INPUT;
  switch (format.format) {
    case DXGI_FORMAT_NV12:
    case DXGI_FORMAT_P010:
      return support(input | D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_BLENDABLE |
                         D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW | D3D12_FORMAT_SUPPORT1_DECODER_OUTPUT |
                         D3D12_FORMAT_SUPPORT1_VIDEO_PROCESSOR_OUTPUT | D3D12_FORMAT_SUPPORT1_VIDEO_ENCODER,
                     uav_loaded);
    case DXGI_FORMAT_P016:
      return support(input | D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_BLENDABLE |
                         D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW | D3D12_FORMAT_SUPPORT1_DECODER_OUTPUT,
                     uav_loaded);
    case DXGI_FORMAT_420_OPAQUE: return support(D3D12_FORMAT_SUPPORT1_TEXTURE2D | D3D12_FORMAT_SUPPORT1_DECODER_OUTPUT);
    case DXGI_FORMAT_AYUV:
    case DXGI_FORMAT_Y410:
    case DXGI_FORMAT_Y416:
    case DXGI_FORMAT_YUY2:
    case DXGI_FORMAT_Y210:
    case DXGI_FORMAT_Y216: return support(input);
    default: return support(0);
  }
}

UINT display_bits(const Format& format) {
  UINT bits = 0;
  if (of_family(format,
                {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_B8G8R8A8_TYPELESS, DXGI_FORMAT_R10G10B10A2_TYPELESS}) &&
      !is_integer(format) && format.kind != ComponentKind::snorm) {
    bits |= D3D12_FORMAT_SUPPORT1_BACK_BUFFER_CAST;
    if (!is_typeless(format)) bits |= D3D12_FORMAT_SUPPORT1_DISPLAY;
  }
  if (format.format == DXGI_FORMAT_R16G16B16A16_FLOAT) {
    bits |= D3D12_FORMAT_SUPPORT1_DISPLAY | D3D12_FORMAT_SUPPORT1_BACK_BUFFER_CAST;
  }
  return bits;
}

UINT buffer_bits(const Format& format) {
  UINT bits = vertices;
  // Whole 32-bit components can be streamed out.
  const bool whole = std::all_of(format.bits.begin(), format.bits.end(), [](unsigned b) { return b == 0 || b == 32; });
  if (whole) bits |= D3D12_FORMAT_SUPPORT1_SO_BUFFER;
  if (format.format == DXGI_FORMAT_R32_UINT || format.format == DXGI_FORMAT_R16_UINT) {
    bits |= D3D12_FORMAT_SUPPORT1_IA_INDEX_BUFFER;
  }
  return bits;
}

UINT atomic_bits(DXGI_FORMAT format) {
  switch (format) {
    case DXGI_FORMAT_R32_UINT: return integer_atomics | D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_UNSIGNED_MIN_OR_MAX;
    case DXGI_FORMAT_R32_SINT: return integer_atomics | D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_SIGNED_MIN_OR_MAX;
    case DXGI_FORMAT_R32_FLOAT: return exchanged;
    default: return 0;
  }
}

FormatSupport color_support(const Format& format) {
  const UINT common = textures | D3D12_FORMAT_SUPPORT1_MIP | cast_bit(format) | display_bits(format);
  if (is_typeless(format)) return support(common, D3D12_FORMAT_SUPPORT2_TILED);
  UINT one = common | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | buffer_bits(format);
  if (is_integer(format)) {
    UINT two = uav_loaded | D3D12_FORMAT_SUPPORT2_TILED | atomic_bits(format.format);
    if (format.kind == ComponentKind::uint) two |= D3D12_FORMAT_SUPPORT2_OUTPUT_MERGER_LOGIC_OP;
    return support(
        one | render_target | D3D12_FORMAT_SUPPORT1_SHADER_GATHER | D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW,
        two);
  }
  one |= sampling | blended;
  if (is_any_of(format.format, {DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R16_UNORM})) one |= comparison;
  const bool bgr = of_family(format, {DXGI_FORMAT_B8G8R8A8_TYPELESS, DXGI_FORMAT_B8G8R8X8_TYPELESS});
  if (format.kind == ComponentKind::unorm_srgb) {
    return support(one & ~vertices, D3D12_FORMAT_SUPPORT2_TILED);
  }
  return support(one | D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW,
                 (bgr ? uav_stored : uav_loaded) | D3D12_FORMAT_SUPPORT2_TILED | atomic_bits(format.format));
}

}  // namespace

FormatSupport format_support(DXGI_FORMAT which) {
  const Format* format = find_format(which);
  if (format == nullptr) return {};
  if (is_video(*format)) return video_support(*format);
  if (is_block_compressed(*format)) return block_support(*format);
  switch (which) {
    case DXGI_FORMAT_UNKNOWN: return support(D3D12_FORMAT_SUPPORT1_BUFFER);  // a structured or raw one
    case DXGI_FORMAT_R1_UNORM: return support(0);
    case DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE:
    case DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE:
      return support(D3D12_FORMAT_SUPPORT1_TEXTURE2D);  // OPTIONS7 has no sampler feedback
    case DXGI_FORMAT_R9G9B9E5_SHAREDEXP:
    case DXGI_FORMAT_R8G8_B8G8_UNORM:
    case DXGI_FORMAT_G8R8_G8B8_UNORM:
      return support(textures | D3D12_FORMAT_SUPPORT1_MIP | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | sampling |
                         (which == DXGI_FORMAT_R9G9B9E5_SHAREDEXP ? 0U : UINT{D3D12_FORMAT_SUPPORT1_BUFFER}),
                     D3D12_FORMAT_SUPPORT2_TILED);
    case DXGI_FORMAT_R10G10B10_XR_BIAS_A2_UNORM:
      return support(D3D12_FORMAT_SUPPORT1_TEXTURE2D | D3D12_FORMAT_SUPPORT1_CAST_WITHIN_BIT_LAYOUT |
                     D3D12_FORMAT_SUPPORT1_DISPLAY | D3D12_FORMAT_SUPPORT1_BACK_BUFFER_CAST);
    case DXGI_FORMAT_B5G6R5_UNORM:
    case DXGI_FORMAT_B5G5R5A1_UNORM:
    case DXGI_FORMAT_B4G4R4A4_UNORM:
      return support(textures | D3D12_FORMAT_SUPPORT1_MIP | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | sampling | blended |
                         D3D12_FORMAT_SUPPORT1_BUFFER,
                     D3D12_FORMAT_SUPPORT2_TILED);
    case DXGI_FORMAT_R32G32B32_TYPELESS:
      return support(textures | D3D12_FORMAT_SUPPORT1_MIP | D3D12_FORMAT_SUPPORT1_CAST_WITHIN_BIT_LAYOUT);
    case DXGI_FORMAT_R32G32B32_FLOAT:
    case DXGI_FORMAT_R32G32B32_UINT:
    case DXGI_FORMAT_R32G32B32_SINT:
      return support(textures | D3D12_FORMAT_SUPPORT1_MIP | D3D12_FORMAT_SUPPORT1_SHADER_LOAD | cast_bit(*format) |
                     buffer_bits(*format));
    default: break;
  }
  const bool depth_only = of_family(*format, {DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_R32G8X24_TYPELESS});
  if (depth_only || is_depth(*format)) return depth_family_support(*format);
  if (static_cast<unsigned>(which) > DXGI_FORMAT_B4G4R4A4_UNORM) return support(0);  // A4B4G4R4 is optional
  return color_support(*format);
}

HRESULT check_format_support(D3D12_FEATURE_DATA_FORMAT_SUPPORT& data) {
  const FormatSupport found = format_support(data.Format);
  data.Support1 = found.support1;
  data.Support2 = found.support2;
  return found.support1 == 0 && found.support2 == 0 ? E_FAIL : S_OK;
}

HRESULT check_format_info(D3D12_FEATURE_DATA_FORMAT_INFO& data) {
  if (find_format(data.Format) == nullptr || data.Format == DXGI_FORMAT_R1_UNORM) return E_INVALIDARG;
  data.PlaneCount = static_cast<UINT8>(plane_count(data.Format));
  return S_OK;
}

UINT multisample_quality_levels(DXGI_FORMAT which, UINT samples) {
  const Format* format = find_format(which);
  if (format == nullptr) return 0;
  if (samples == 1) return 1;  // even of a format that nothing can be made of
  if (which == DXGI_FORMAT_UNKNOWN) return 0;
  const UINT one = format_support(which).support1;
  // A typeless resource is multisampled as one of its family.
  const bool typeless_target =
      is_typeless(*format) && !is_block_compressed(*format) && which != DXGI_FORMAT_R32G32B32_TYPELESS;
  const bool can = (one & D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET) != 0 || typeless_target;
  return can && (samples == 2 || samples == 4 || samples == 8) ? 1 : 0;
}

HRESULT check_multisample_quality_levels(D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS& data) {
  data.NumQualityLevels = 0;
  if (data.SampleCount == 0) return E_FAIL;
  const bool tiled = (data.Flags & D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_TILED_RESOURCE) != 0;
  if (tiled && (format_support(data.Format).support2 & D3D12_FORMAT_SUPPORT2_TILED) == 0) return S_OK;
  data.NumQualityLevels = multisample_quality_levels(data.Format, data.SampleCount);
  return S_OK;
}

}  // namespace fenceline::d3d12
