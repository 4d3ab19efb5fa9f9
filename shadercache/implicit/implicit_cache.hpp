// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/shader_caches.hpp"

#include <memory>
#include <string_view>

namespace fenceline {

/// A cache that the runtime or the driver has by itself: of results that are told by their keys alone.
class ImplicitCache {
 public:
  /// `full`: it has what it will be asked for, until it is cleared. The caches live longer.
  ImplicitCache(ShaderCaches& caches, const CacheDescription& description, const CacheDriver& driver, bool full);

  /// False also while it is disabled.
  bool find(std::string_view key);
  /// Nothing while it is disabled.
  void store(std::string_view key);
  bool enabled() const { return enabled_; }
  void set_enabled(bool enabled) { enabled_ = enabled; }
  void clear();
  /// The driver has another version: what its former version left is cleared.
  void update_driver(const CacheDriver& driver);

 private:
  void open();

  ShaderCaches& caches_;
  CacheDescription description_;
  CacheDriver driver_;
  bool full_;
  bool enabled_ = true;
  std::unique_ptr<ShaderCacheSession> session_;  // null: it cannot be opened, and has nothing
};

}  // namespace fenceline
