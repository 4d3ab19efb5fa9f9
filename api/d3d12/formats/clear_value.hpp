// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline::d3d12 {

/// An element of a texture, at most 16 bytes; the others are 0.
using Element = std::array<std::byte, 16>;

/// A colour in a format's bytes, by D3D12's conversion rules: clamped and rounded to nearest for normalised formats,
/// sRGB encoded where the format is, truncated and clamped to range for integers, rounded toward zero for floats of
/// fewer bits; what is not a number is 0 where the format has no such thing. Not of compressed, depth or video formats.
Element encode_color(DXGI_FORMAT format, const float color[4]);
/// The lowest bits of each value, as many as the component has, whatever the format makes of them.
Element encode_integers(DXGI_FORMAT format, const std::uint32_t values[4]);
/// The depth plane of a depth format; 32 bits, or 16 of D16_UNORM.
Element encode_depth(DXGI_FORMAT format, float depth);

}  // namespace fenceline::d3d12
