// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/resource_desc.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/format_support.hpp"
#include "api/d3d12/formats/resource_size.hpp"
#include "api/d3d12/formats/subresource.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr UINT known_flags = 0x1FF;
constexpr UINT views = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL |
                       D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
constexpr UINT video_references =
    D3D12_RESOURCE_FLAG_VIDEO_DECODE_REFERENCE_ONLY | D3D12_RESOURCE_FLAG_VIDEO_ENCODE_REFERENCE_ONLY;

bool has(const D3D12_RESOURCE_DESC& desc, UINT flags) { return (desc.Flags & flags) != 0; }

Verdict check_range(const char* name, std::uint64_t value, std::uint64_t most) {
  if (value >= 1 && value <= most) return {};
  return invalid("{}: expected 1 to {}, found {}", name, most, value);
}

Verdict first_of(std::initializer_list<Verdict> verdicts) {
  for (const Verdict& verdict : verdicts) {
    if (!verdict.ok()) return verdict;
  }
  return {};
}

Verdict check_buffer(const D3D12_RESOURCE_DESC& desc) {
  if (desc.Alignment != 0 && desc.Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT) {
    return invalid("Alignment of a buffer: expected 0 or 65536, found {}", desc.Alignment);
  }
  if (desc.Width == 0) return invalid("Width of a buffer: expected at least 1, found 0");
  if (desc.Height != 1 || desc.DepthOrArraySize != 1 || desc.MipLevels != 1) {
    return invalid("Height, DepthOrArraySize and MipLevels of a buffer: expected 1, found {}, {} and {}", desc.Height,
                   desc.DepthOrArraySize, desc.MipLevels);
  }
  if (desc.Format != DXGI_FORMAT_UNKNOWN) {
    return invalid("Format of a buffer: expected UNKNOWN, found {}", static_cast<UINT>(desc.Format));
  }
  if (desc.SampleDesc.Count != 1 || desc.SampleDesc.Quality != 0) {
    return invalid("SampleDesc of a buffer: expected 1 sample of quality 0, found {} of {}", desc.SampleDesc.Count,
                   desc.SampleDesc.Quality);
  }
  if (desc.Layout != D3D12_TEXTURE_LAYOUT_ROW_MAJOR) {
    return invalid("Layout of a buffer: expected ROW_MAJOR, found {}", static_cast<UINT>(desc.Layout));
  }
  if (has(desc,
          D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS | video_references)) {
    return invalid(
        "Flags of a buffer: expected no ALLOW_DEPTH_STENCIL, ALLOW_SIMULTANEOUS_ACCESS or video, found {:#x}",
        static_cast<UINT>(desc.Flags));
  }
  if (has(desc, D3D12_RESOURCE_FLAG_RAYTRACING_ACCELERATION_STRUCTURE) &&
      !has(desc, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS)) {
    return invalid("Flags: expected ALLOW_UNORDERED_ACCESS with RAYTRACING_ACCELERATION_STRUCTURE");
  }
  return {};
}

Verdict check_size(const D3D12_RESOURCE_DESC& desc) {
  switch (desc.Dimension) {
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D:
      if (desc.Height != 1) return invalid("Height of a 1D texture: expected 1, found {}", desc.Height);
      return first_of({check_range("Width", desc.Width, D3D12_REQ_TEXTURE1D_U_DIMENSION),
                       check_range("ArraySize", desc.DepthOrArraySize, D3D12_REQ_TEXTURE1D_ARRAY_AXIS_DIMENSION)});
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D:
      return first_of({check_range("Width", desc.Width, D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION),
                       check_range("Height", desc.Height, D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION),
                       check_range("ArraySize", desc.DepthOrArraySize, D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION)});
    default:
      return first_of({check_range("Width", desc.Width, D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION),
                       check_range("Height", desc.Height, D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION),
                       check_range("Depth", desc.DepthOrArraySize, D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION)});
  }
}

UINT dimension_bit(D3D12_RESOURCE_DIMENSION dimension) {
  switch (dimension) {
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D: return D3D12_FORMAT_SUPPORT1_TEXTURE1D;
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D: return D3D12_FORMAT_SUPPORT1_TEXTURE2D;
    default: return D3D12_FORMAT_SUPPORT1_TEXTURE3D;
  }
}

Verdict check_format(const D3D12_RESOURCE_DESC& desc, const ResourceRules& rules) {
  const Format* format = find_format(desc.Format);
  if (format == nullptr || desc.Format == DXGI_FORMAT_UNKNOWN) {
    return invalid("Format of a texture: expected a DXGI_FORMAT, found {}", static_cast<UINT>(desc.Format));
  }
  const UINT support = format_support(desc.Format).support1;
  if ((support & dimension_bit(desc.Dimension)) == 0) {
    return invalid("Format: {} textures cannot have {} dimensions", format->name,
                   static_cast<UINT>(desc.Dimension) - 1);
  }
  const bool may_be_ragged = is_block_compressed(*format) && rules.unaligned_block_textures;
  if (!may_be_ragged && (desc.Width % format->block_width != 0 || desc.Height % format->block_height != 0)) {
    return invalid("Width and Height of {}: expected multiples of {} and {}, found {} and {}", format->name,
                   format->block_width, format->block_height, desc.Width, desc.Height);
  }
  if (desc.MipLevels > D3D12_REQ_MIP_LEVELS) {
    return invalid("MipLevels: expected at most {}, found {}", D3D12_REQ_MIP_LEVELS, desc.MipLevels);
  }
  if ((support & D3D12_FORMAT_SUPPORT1_MIP) == 0 && mip_count(desc) != 1 && !is_opaque(*format)) {
    return invalid("MipLevels of {}: expected 1, found {}", format->name, desc.MipLevels);
  }
  return {};
}

/// Do views of a texture reinterpret it so? Those of a typeless one as every format of its family, those of others not
/// from or to floats and not between SNORM and UNORM. Source: DirectX-Specs, RelaxedCasting.
bool is_castable(const Format& from, const Format& to) {
  if (from.family != to.family || is_depth(from)) return false;
  if (is_typeless(from)) return true;
  const auto is = [](const Format& format, ComponentKind kind) { return format.kind == kind; };
  const auto is_unorm = [&](const Format& format) {
    return is(format, ComponentKind::unorm) || is(format, ComponentKind::unorm_srgb);
  };
  if (is(from, ComponentKind::float_number) != is(to, ComponentKind::float_number)) return false;
  return !(is(from, ComponentKind::snorm) && is_unorm(to)) && !(is_unorm(from) && is(to, ComponentKind::snorm));
}

// A texture may have every view that it or a format that it can be cast to has.
bool can_be(const Format& format, UINT one) {
  if ((format_support(format.format).support1 & one) != 0) return true;
  for (const Format* other = begin_formats(); other != end_formats(); ++other) {
    if (is_castable(format, *other) && (format_support(other->format).support1 & one) != 0) return true;
  }
  return false;
}

Verdict check_views(const D3D12_RESOURCE_DESC& desc) {
  const Format& format = *find_format(desc.Format);
  const bool target = has(desc, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  const bool depth = has(desc, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  const bool unordered = has(desc, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  if (depth && (target || unordered)) {
    return invalid("Flags: ALLOW_DEPTH_STENCIL excludes ALLOW_RENDER_TARGET and ALLOW_UNORDERED_ACCESS");
  }
  if (depth && !can_be(format, D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL)) {
    return invalid("Flags: ALLOW_DEPTH_STENCIL with {}", format.name);
  }
  if (depth && desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D) {
    return invalid("Flags: ALLOW_DEPTH_STENCIL with a 3D texture");
  }
  if (target && !can_be(format, D3D12_FORMAT_SUPPORT1_RENDER_TARGET)) {
    return invalid("Flags: ALLOW_RENDER_TARGET with {}", format.name);
  }
  if (unordered && !is_opaque(format) && !can_be(format, D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW)) {
    return invalid("Flags: ALLOW_UNORDERED_ACCESS with {}", format.name);
  }
  if (has(desc, D3D12_RESOURCE_FLAG_RAYTRACING_ACCELERATION_STRUCTURE)) {
    return invalid("Flags: RAYTRACING_ACCELERATION_STRUCTURE with a texture");
  }
  return {};
}

Verdict check_flags(const D3D12_RESOURCE_DESC& desc) {
  const bool depth = has(desc, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  const bool multisampled = desc.SampleDesc.Count > 1;
  if ((desc.Flags & ~known_flags) != 0) {
    return invalid("Flags: expected D3D12_RESOURCE_FLAGS, found {:#x}", static_cast<UINT>(desc.Flags));
  }
  const bool buffer = desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
  if (has(desc, D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE) && !depth && !buffer && !has(desc, video_references)) {
    return invalid("Flags: DENY_SHADER_RESOURCE without ALLOW_DEPTH_STENCIL");
  }
  if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS) && (depth || multisampled)) {
    return invalid("Flags: ALLOW_SIMULTANEOUS_ACCESS with {}", depth ? "ALLOW_DEPTH_STENCIL" : "several samples");
  }
  if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER) && (depth || multisampled)) {
    return invalid("Flags: ALLOW_CROSS_ADAPTER with {}", depth ? "ALLOW_DEPTH_STENCIL" : "several samples");
  }
  if (has(desc, video_references) && has(desc, views)) {
    return invalid("Flags: a video reference cannot have views");
  }
  return {};
}

Verdict check_layout(const D3D12_RESOURCE_DESC& desc, const ResourceRules& rules) {
  switch (desc.Layout) {
    case D3D12_TEXTURE_LAYOUT_UNKNOWN:
    case D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE: return {};
    case D3D12_TEXTURE_LAYOUT_ROW_MAJOR:
      if (!has(desc, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER)) {
        return invalid("Layout: ROW_MAJOR textures need ALLOW_CROSS_ADAPTER");
      }
      if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D || mip_count(desc) != 1 || desc.DepthOrArraySize != 1) {
        return invalid("Layout: ROW_MAJOR textures are 2D, with 1 mip and 1 slice");
      }
      // D3D12_RESOURCE_FLAGS, of an adapter without CrossAdapterRowMajorTextureSupported: for copies alone.
      if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS)) {
        return invalid("Flags: ROW_MAJOR textures cannot have ALLOW_RENDER_TARGET or ALLOW_UNORDERED_ACCESS");
      }
      return {};
    case D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE:
      if (!rules.standard_swizzle) return invalid("Layout: the device has no 64KB_STANDARD_SWIZZLE");
      if (desc.SampleDesc.Count > 1) return invalid("Layout: 64KB_STANDARD_SWIZZLE with several samples");
      return {};
    default: return invalid("Layout: expected a D3D12_TEXTURE_LAYOUT, found {}", static_cast<UINT>(desc.Layout));
  }
}

Verdict check_samples(const D3D12_RESOURCE_DESC& desc) {
  const UINT count = desc.SampleDesc.Count;
  const UINT quality = desc.SampleDesc.Quality;
  if (count == 1) {
    return quality == 0 ? Verdict{} : invalid("SampleDesc.Quality of 1 sample: expected 0, found {}", quality);
  }
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D) {
    return invalid("SampleDesc.Count: expected 1 unless the texture is 2D, found {}", count);
  }
  const UINT levels = multisample_quality_levels(desc.Format, count);
  if (levels == 0) return invalid("SampleDesc.Count: expected 1, 2, 4 or 8 of a format that has it, found {}", count);
  if (quality >= levels && quality != DXGI_STANDARD_MULTISAMPLE_QUALITY_PATTERN) {
    return invalid("SampleDesc.Quality: expected less than {}, found {}", levels, quality);
  }
  if (desc.MipLevels != 1) return invalid("MipLevels of several samples: expected 1, found {}", desc.MipLevels);
  if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS)) {
    return invalid("Flags: ALLOW_UNORDERED_ACCESS with several samples");
  }
  if (!has(desc, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL)) {
    return invalid("Flags of several samples: expected ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL");
  }
  return {};
}

Verdict check_texture_alignment(const D3D12_RESOURCE_DESC& desc) {
  const bool multisampled = desc.SampleDesc.Count > 1;
  switch (desc.Alignment) {
    case 0:
    case D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT: return {};  // of several samples, too, whatever their size
    case D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT:
      if (multisampled || !may_be_small(desc)) {
        return invalid("Alignment: expected 0 or 65536, as the texture is not a small one, found 4096");
      }
      return {};
    case D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT:
      if (multisampled) return {};
      return invalid("Alignment of 1 sample: expected 0, 4096 or 65536, found 4194304");
    default: return invalid("Alignment: expected 0, 4096, 65536 or 4194304, found {}", desc.Alignment);
  }
}

}  // namespace

Verdict check_resource_desc(const D3D12_RESOURCE_DESC& desc, const ResourceRules& rules) {
  const UINT dimension = desc.Dimension;
  if (dimension < D3D12_RESOURCE_DIMENSION_BUFFER || dimension > D3D12_RESOURCE_DIMENSION_TEXTURE3D) {
    return invalid("Dimension: expected BUFFER to TEXTURE3D, found {}", dimension);
  }
  Verdict verdict = check_flags(desc);
  if (!verdict.ok()) return verdict;
  if (desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER) return check_buffer(desc);
  if (verdict = check_size(desc); !verdict.ok()) return verdict;
  if (verdict = check_format(desc, rules); !verdict.ok()) return verdict;
  if (desc.SampleDesc.Count == 0) return invalid("SampleDesc.Count: expected at least 1, found 0");
  if (verdict = check_views(desc); !verdict.ok()) return verdict;
  if (verdict = check_samples(desc); !verdict.ok()) return verdict;
  if (verdict = check_layout(desc, rules); !verdict.ok()) return verdict;
  return check_texture_alignment(desc);
}

Verdict check_resource_desc(const D3D12_RESOURCE_DESC1& desc, const ResourceRules& rules) {
  Verdict verdict = check_resource_desc(without_feedback(desc), rules);
  if (!verdict.ok()) return verdict;
  const D3D12_MIP_REGION& region = desc.SamplerFeedbackMipRegion;
  const bool map = desc.Format == DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE ||
                   desc.Format == DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE;
  if (!map) {
    if (region.Width == 0 && region.Height == 0 && region.Depth == 0) return verdict;
    return invalid("SamplerFeedbackMipRegion: expected zeros unless the format is a sampler feedback map");
  }
  const auto fits = [](UINT size, UINT64 texture) {
    return size >= 4 && (size & (size - 1)) == 0 && size <= texture / 2;
  };
  if (!fits(region.Width, desc.Width) || !fits(region.Height, desc.Height) || region.Depth > 1) {
    return invalid("SamplerFeedbackMipRegion: expected powers of two from 4 to half the texture, found {} x {} x {}",
                   region.Width, region.Height, region.Depth);
  }
  return {};
}

bool is_simultaneous(const D3D12_RESOURCE_DESC& desc) {
  return has(desc, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS | D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
}

Verdict check_resource_in_heap(const D3D12_RESOURCE_DESC& desc, const D3D12_HEAP_PROPERTIES& properties,
                               D3D12_HEAP_FLAGS flags) {
  const bool buffer = desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
  const bool target = has(desc, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  if (properties.Type == D3D12_HEAP_TYPE_UPLOAD || properties.Type == D3D12_HEAP_TYPE_READBACK) {
    const char* type = properties.Type == D3D12_HEAP_TYPE_UPLOAD ? "UPLOAD" : "READBACK";
    if (!buffer) return invalid("heap of type {}: expected a buffer, found a texture", type);
    if (has(desc, views)) {
      return invalid("heap of type {}: expected a buffer without views to write, found flags {:#x}", type,
                     static_cast<UINT>(desc.Flags));
    }
  }
  const bool shared = (flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) != 0;
  if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER) && !shared) {
    return invalid("Flags: ALLOW_CROSS_ADAPTER needs a heap with SHARED_CROSS_ADAPTER");
  }
  if (has(desc, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER) && (flags & D3D12_HEAP_FLAG_ALLOW_DISPLAY) != 0) {
    return invalid("Flags: ALLOW_CROSS_ADAPTER in a heap with ALLOW_DISPLAY");
  }
  if (shared && !buffer && desc.Layout != D3D12_TEXTURE_LAYOUT_ROW_MAJOR) {
    return invalid("Layout of a texture in a heap with SHARED_CROSS_ADAPTER: expected ROW_MAJOR, found {}",
                   static_cast<UINT>(desc.Layout));
  }
  if (buffer && (flags & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0) return invalid("a buffer in a heap with DENY_BUFFERS");
  if (!buffer && target && (flags & D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES) != 0) {
    return invalid("a render target or depth texture in a heap with DENY_RT_DS_TEXTURES");
  }
  if (!buffer && !target && (flags & D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES) != 0) {
    return invalid("a texture that is no target in a heap with DENY_NON_RT_DS_TEXTURES");
  }
  return {};
}

}  // namespace fenceline::d3d12
