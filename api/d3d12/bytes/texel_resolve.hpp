// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/clear_value.hpp"
#include "api/d3d12/formats/format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline::d3d12 {

/// How a sample's bits make numbers: its components lie one behind the other, lowest bit first.
struct SampleFormat {
  ComponentKind kind = ComponentKind::none;
  std::array<std::uint8_t, 4> bits{};  ///< of each component; 0: there is none
};

/// Of one plane of a format: depth is one number, stencil an integer of 8 bits. Kind none: it cannot be resolved.
SampleFormat sample_format(DXGI_FORMAT format, std::uint32_t plane);

/// One texel of `samples` samples, `sample_bytes` (1 to 16) apart, component by component:
/// - AVERAGE: the mean, rounded to nearest (halves away from zero), of sRGB in linear light. Integers: sample 0.
/// - MIN and MAX: the lowest and the highest sample.
Element resolve_texel(const SampleFormat& format, D3D12_RESOLVE_MODE mode, const std::byte* texel,
                      std::uint32_t samples, std::uint32_t sample_bytes);

}  // namespace fenceline::d3d12
