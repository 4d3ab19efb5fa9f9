// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/driver_managed_cache.hpp"

namespace fenceline {

void control(ImplicitCache& cache, std::uint32_t flags) {
  if ((flags & CacheControl::clear) != 0) cache.clear();
  if ((flags & CacheControl::disable) != 0) cache.set_enabled(false);
  if ((flags & CacheControl::enable) != 0) cache.set_enabled(true);
}

void DriverManagedCache::implicit_shader_cache_control(std::uint32_t flags) { control(cache, flags); }

}  // namespace fenceline
