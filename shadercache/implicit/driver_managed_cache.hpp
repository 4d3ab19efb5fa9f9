// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/implicit_cache.hpp"

#include <cstdint>

namespace fenceline {

/// D3D12_SHADER_CACHE_CONTROL_FLAGS, and D3D12DDI_IMPLICIT_SHADER_CACHE_CONTROL_FLAGS_0080: bits. (The driver's
/// interface has no published values; used as flags they cannot be an enumeration's 0, 1, 2.)
struct CacheControl {
  static constexpr std::uint32_t disable = 1;  ///< neither look-ups nor stores
  static constexpr std::uint32_t enable = 2;   ///< both again
  static constexpr std::uint32_t clear = 4;    ///< what it has goes
};

/// The simulated driver's own cache (DriverManagedShaderCachePresent). What D3D12 asks of it is a hint, which this
/// driver follows.
struct DriverManagedCache {
  ImplicitCache cache;
  /// pfnImplicitShaderCacheControl: bits of CacheControl, never disable with enable.
  void implicit_shader_cache_control(std::uint32_t flags);
};

/// Clears it, then disables or enables it.
void control(ImplicitCache& cache, std::uint32_t flags);

}  // namespace fenceline
