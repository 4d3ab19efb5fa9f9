// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace fenceline {

/// How finely a node can be stopped, with D3DKMDT's names and values (d3dkmdt.h): at one level the unit in flight
/// cannot be stopped, everything pending beyond it can. Finer levels have larger values.
enum class PreemptionGranularity : std::uint16_t {
  none = 0,                   ///< neither the running DMA packet nor those already in the hardware queue
  dma_buffer_boundary = 100,  ///< the running DMA packet finishes; those behind it are withheld
};
constexpr std::array<std::pair<PreemptionGranularity, const char*>, 2> enum_names(PreemptionGranularity) {
  return {{{PreemptionGranularity::none, "none"}, {PreemptionGranularity::dma_buffer_boundary, "dma_buffer_boundary"}}};
}

}  // namespace fenceline
