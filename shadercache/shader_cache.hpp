// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/cache_description.hpp"
#include "shadercache/cache_statistics.hpp"
#include "shadercache/cache_status.hpp"
#include "shadercache/files/disk_store.hpp"
#include "shadercache/memory/memory_area.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace fenceline {

/// One cache of a process, which its sessions share: entries in memory, and behind them files. Every method may be
/// called from any thread.
class ShaderCache {
 public:
  using Hash = std::uint64_t (*)(const void* key, std::size_t bytes);
  /// In memory alone where there is no store. `enabled`: of all caches.
  ShaderCache(const CacheDescription& resolved, std::uint64_t driver, Hash hash,
              std::shared_ptr<const std::atomic<bool>> enabled, std::optional<DiskStore> store);
  ~ShaderCache();
  ShaderCache(const ShaderCache&) = delete;
  ShaderCache& operator=(const ShaderCache&) = delete;

  CacheStatus find(std::string_view key, void* value, std::uint32_t* value_bytes);
  CacheStatus store(std::string_view key, std::string_view value);
  bool clear();
  void set_delete_on_destroy();
  bool sync();
  bool enabled() const { return enabled_->load(std::memory_order_relaxed); }
  const CacheDescription& description() const { return description_; }
  std::uint64_t driver() const { return driver_; }  ///< its version; 0: of no matter
  CacheStatistics statistics();

 private:
  MemoryArea::Entry find_in_memory(std::uint64_t hash);
  void forget_cleared();

  std::mutex mutex_;
  const CacheDescription description_;
  const std::uint64_t driver_;
  const Hash hash_;
  const std::shared_ptr<const std::atomic<bool>> enabled_;
  std::optional<DiskStore> disk_;
  MemoryArea memory_;
  std::uint64_t generation_ = 0;  // of the files that memory has entries of
  std::string read_;              // an entry from the disk that is too large for memory
  CacheStatistics counts_;
};

}  // namespace fenceline
