// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/cache_description.hpp"
#include "shadercache/cache_statistics.hpp"
#include "shadercache/cache_status.hpp"

#include <cstdint>
#include <memory>

namespace fenceline {

class ShaderCache;

/// ID3D12ShaderCacheSession: access to a cache, which all sessions of a process with one identifier share. Every method
/// may be called from any thread. Destroyed before its ShaderCaches.
class ShaderCacheSession {
 public:
  /// Another session of an open cache.
  explicit ShaderCacheSession(std::shared_ptr<ShaderCache> cache);
  /// The last one closes the cache, and clears it if `set_delete_on_destroy` was called on one of its sessions.
  ~ShaderCacheSession();
  ShaderCacheSession(const ShaderCacheSession&) = delete;
  ShaderCacheSession& operator=(const ShaderCacheSession&) = delete;

  /// FindValue. Null `value`: `*value_bytes` becomes the size, ok. Else `*value_bytes` is the buffer's size and becomes
  /// the value's; more_data: nothing was copied.
  CacheStatus find_value(const void* key, std::uint32_t key_bytes, void* value, std::uint32_t* value_bytes);
  /// StoreValue. A key that has a value keeps it.
  CacheStatus store_value(const void* key, std::uint32_t key_bytes, const void* value, std::uint32_t value_bytes);
  /// Empties the cache, for all of its sessions, in other processes, too. False: its files could not be.
  bool clear();
  /// SetDeleteOnDestroy: the cache is cleared when its last session goes.
  void set_delete_on_destroy();
  /// GetDesc: of the session that opened the cache first, resolved.
  CacheDescription description() const;
  /// What was stored until now survives a loss of power. False: the system could not.
  bool sync();
  CacheStatistics statistics() const;  ///< of the cache, not of this session alone

 private:
  std::shared_ptr<ShaderCache> cache_;
};

}  // namespace fenceline
