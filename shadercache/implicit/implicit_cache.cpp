// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/implicit_cache.hpp"

#include <cstdint>
#include <utility>

namespace fenceline {

ImplicitCache::ImplicitCache(ShaderCaches& caches, const CacheDescription& description, const CacheDriver& driver)
    : caches_(&caches), description_(description) {
  open(driver);
}

void ImplicitCache::open(const CacheDriver& driver) {
  OpenedCache opened = caches_->open(description_, driver);
  session_ = std::move(opened.session);
  refusal_ = std::move(opened.reason);
}

bool ImplicitCache::find(const CreationKey& key) {
  if (!enabled_) return false;
  if (full_) return true;
  if (caches_ == nullptr) return keys_.count(key) > 0;
  std::uint32_t bytes = 0;
  return session_ != nullptr && session_->find_value(key.data(), sizeof key, nullptr, &bytes) == CacheStatus::ok;
}

void ImplicitCache::store(const CreationKey& key) {
  if (!enabled_ || full_) return;
  if (caches_ == nullptr) keys_.insert(key);
  if (session_ == nullptr) return;
  // Simulated: that there is a result is all that is known of it.
  constexpr char result = 1;
  session_->store_value(key.data(), sizeof key, &result, sizeof result);
}

void ImplicitCache::clear() {
  full_ = false;
  keys_.clear();
  if (session_ != nullptr) session_->clear();
}

void ImplicitCache::update_driver(const CacheDriver& driver) {
  full_ = false;
  keys_.clear();
  session_.reset();  // a cache is cleared when nobody has its other version open
  if (caches_ != nullptr) open(driver);
}

}  // namespace fenceline
