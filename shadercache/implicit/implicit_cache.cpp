// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/implicit_cache.hpp"

#include <cstdint>
#include <utility>

namespace fenceline {

ImplicitCache::ImplicitCache(ShaderCaches& caches, const CacheDescription& description, const CacheDriver& driver,
                             bool full)
    : caches_(caches), description_(description), driver_(driver), full_(full) {
  open();
}

void ImplicitCache::open() { session_ = caches_.open(description_, driver_).session; }

bool ImplicitCache::find(std::string_view key) {
  if (!enabled_) return false;
  if (full_) return true;
  std::uint32_t bytes = 0;
  return session_ != nullptr &&
         session_->find_value(key.data(), static_cast<std::uint32_t>(key.size()), nullptr, &bytes) == CacheStatus::ok;
}

void ImplicitCache::store(std::string_view key) {
  if (!enabled_ || full_ || session_ == nullptr) return;
  // Simulated: that there is a result is all that is known of it.
  constexpr char result = 1;
  session_->store_value(key.data(), static_cast<std::uint32_t>(key.size()), &result, sizeof result);
}

void ImplicitCache::clear() {
  full_ = false;
  if (session_ != nullptr) session_->clear();
}

void ImplicitCache::update_driver(const CacheDriver& driver) {
  full_ = false;
  driver_ = driver;
  session_.reset();  // a cache is cleared when nobody has its other version open
  open();
}

}  // namespace fenceline
