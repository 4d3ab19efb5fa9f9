// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/creation_key.hpp"
#include "shadercache/shader_caches.hpp"

#include <memory>
#include <string>
#include <unordered_set>

namespace fenceline {

/// A cache that the runtime or the driver has by itself: of results that are told by their keys alone.
class ImplicitCache {
 public:
  /// Of keys in memory. `full`: it has what it will be asked for, until it is cleared.
  explicit ImplicitCache(bool full) : full_(full) {}
  /// Of keys on disk. The caches live longer.
  ImplicitCache(ShaderCaches& caches, const CacheDescription& description, const CacheDriver& driver);

  /// False also while it is disabled.
  bool find(const CreationKey& key);
  /// Nothing while it is disabled.
  void store(const CreationKey& key);
  bool enabled() const { return enabled_; }
  void set_enabled(bool enabled) { enabled_ = enabled; }
  void clear();
  /// The driver has another version: what its former version left is cleared.
  void update_driver(const CacheDriver& driver);
  /// Why it has no files and finds nothing; empty: it has them, or needs none.
  const std::string& refusal() const { return refusal_; }

 private:
  void open(const CacheDriver& driver);

  bool full_ = false;
  bool enabled_ = true;
  std::unordered_set<CreationKey, CreationKeyHash> keys_;
  ShaderCaches* caches_ = nullptr;  // null: in memory
  CacheDescription description_;
  std::unique_ptr<ShaderCacheSession> session_;  // null: in memory, or it cannot be opened
  std::string refusal_;
};

}  // namespace fenceline
