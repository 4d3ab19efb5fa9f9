// SPDX-License-Identifier: Apache-2.0
#include "shadercache/shader_cache_session.hpp"

#include "shadercache/shader_cache.hpp"

#include <string_view>
#include <utility>

namespace fenceline {

ShaderCacheSession::ShaderCacheSession(std::shared_ptr<ShaderCache> cache) : cache_(std::move(cache)) {}
ShaderCacheSession::~ShaderCacheSession() = default;

CacheStatus ShaderCacheSession::find_value(const void* key, std::uint32_t key_bytes, void* value,
                                           std::uint32_t* value_bytes) {
  if (key == nullptr || key_bytes == 0 || value_bytes == nullptr) return CacheStatus::invalid_argument;
  if (!cache_->enabled()) return CacheStatus::disabled;
  return cache_->find({static_cast<const char*>(key), key_bytes}, value, value_bytes);
}

CacheStatus ShaderCacheSession::store_value(const void* key, std::uint32_t key_bytes, const void* value,
                                            std::uint32_t value_bytes) {
  if (key == nullptr || key_bytes == 0 || value == nullptr || value_bytes == 0) return CacheStatus::invalid_argument;
  if (!cache_->enabled()) return CacheStatus::disabled;
  return cache_->store({static_cast<const char*>(key), key_bytes}, {static_cast<const char*>(value), value_bytes});
}

bool ShaderCacheSession::clear() { return cache_->clear(); }
void ShaderCacheSession::set_delete_on_destroy() { cache_->set_delete_on_destroy(); }
CacheDescription ShaderCacheSession::description() const { return cache_->description(); }
bool ShaderCacheSession::sync() { return cache_->sync(); }
CacheStatistics ShaderCacheSession::statistics() const { return cache_->statistics(); }

}  // namespace fenceline
