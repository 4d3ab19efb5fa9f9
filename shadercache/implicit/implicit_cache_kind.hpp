// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>

namespace fenceline {

/// D3D12_SHADER_CACHE_KIND_FLAGS, the implicit ones.
enum class ImplicitCacheKind : std::uint8_t { d3d_cache_for_driver, d3d_conversions, driver_managed };
constexpr EnumNames<ImplicitCacheKind, 3> enum_names(ImplicitCacheKind) {
  return {{{ImplicitCacheKind::d3d_cache_for_driver, "d3d_cache_for_driver"},
           {ImplicitCacheKind::d3d_conversions, "d3d_conversions"},
           {ImplicitCacheKind::driver_managed, "driver_managed"}}};
}

}  // namespace fenceline
