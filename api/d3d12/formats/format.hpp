// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>

namespace fenceline::d3d12 {

enum class ComponentKind : std::uint8_t {
  none,  ///< not made of components: UNKNOWN and the opaque sampler feedback maps
  typeless,
  float_number,
  unorm,
  unorm_srgb,
  snorm,
  uint,
  sint,
  shared_exponent,
  xr_bias,  ///< 2.8 fixed point, biased
};

/// How a format's planes divide its texels.
enum class PlaneScheme : std::uint8_t {
  one,
  depth_stencil,  ///< depth in 32 bits, stencil in 8
  yuv_420_8,      ///< Y; U and V at half the width and height, 8 bits each
  yuv_420_16,     ///< the same in 16 bits
  yuv_422_8,      ///< Y; U and V at half the width
  yuv_440_8,      ///< Y; U; V, the latter at half the height
  yuv_444_8,      ///< Y; U; V
  yuv_411_8,      ///< Y; U and V at a quarter of the width
  opaque,         ///< one plane as D3D12 counts them, whose bytes no copy can reach
};

/// What D3D12 knows of a DXGI_FORMAT.
struct Format {
  DXGI_FORMAT format;
  const char* name;          ///< without DXGI_FORMAT_
  DXGI_FORMAT family;        ///< its typeless parent, or itself where there is none
  std::uint8_t block_bytes;  ///< of a block of all planes that are stored together, else of plane 0
  std::uint8_t block_width;  ///< in texels: of a compressed block, of texels that share chroma
  std::uint8_t block_height;
  ComponentKind kind;
  std::array<std::uint8_t, 4> bits;  ///< of red or depth, green or stencil, blue, alpha; 0 where compressed
  PlaneScheme planes;
};

/// One plane as copies see it.
struct FormatPlane {
  DXGI_FORMAT format;        ///< of its footprint
  std::uint8_t block_bytes;  ///< of one of its elements or compressed blocks
  std::uint8_t width_divisor = 1;
  std::uint8_t height_divisor = 1;
  std::uint8_t pitch_divisor = 1;  ///< of the width that its row pitch has to hold: NV11 pads its chroma
};

/// The format's row, also for DXGI_FORMAT_UNKNOWN, which stands for a buffer's bytes; null for a value that is none.
const Format* find_format(DXGI_FORMAT format);
/// All rows, UNKNOWN first.
const Format* begin_formats();
const Format* end_formats();

/// 1 for a format without planes and for one that is none; depth with stencil has 2, video formats up to 3.
unsigned plane_count(DXGI_FORMAT format);
/// `plane` is less than plane_count.
FormatPlane plane_of(const Format& format, unsigned plane);

bool is_typeless(const Format& format);
/// D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT.
bool is_any_of(DXGI_FORMAT format, std::initializer_list<DXGI_FORMAT> formats);
bool is_depth(const Format& format);
bool is_depth_stencil(const Format& format);  ///< a depth format with stencil
/// A format of a family that has depth formats: what a depth buffer may be created with.
bool may_be_depth(const Format& format);
bool is_block_compressed(const Format& format);
bool is_video(const Format& format);
bool is_integer(const Format& format);
/// Its layout is the hardware's secret: no copy reaches its bytes.
bool is_opaque(const Format& format);

/// Texels of one may be copied to the other: one family, or D3D10.1's pairs of a compressed and an integer format.
bool may_copy_between(DXGI_FORMAT from, DXGI_FORMAT to);

}  // namespace fenceline::d3d12
