// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/cache_description.hpp"
#include "shadercache/cache_status.hpp"
#include "shadercache/shader_cache_session.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

namespace fenceline {

/// Of a key: what the index goes by.
using CacheHash = std::uint64_t (*)(const void* key, std::size_t bytes);
/// xxHash's XXH3_64bits.
std::uint64_t default_cache_hash(const void* key, std::size_t bytes);

/// What a stored value survives when `store_value` has returned.
enum class CacheDurability : std::uint8_t {
  process,  ///< the end of the process, however it comes
  system,   ///< a loss of power, too: each store waits for the disk
};

/// Where a process's caches are, and how they work.
struct ShaderCachesConfig {
  /// Of disk caches without use_working_directory; made where it is missing, for its owner alone. Empty:
  /// `default_cache_directory`.
  std::filesystem::path directory;
  CacheHash hash = default_cache_hash;                    ///< all that use the files have the same
  CacheDurability durability = CacheDurability::process;  ///< of disk caches
  /// For another process that writes, which takes microseconds unless it is stopped: then calls answer `unavailable`.
  std::chrono::milliseconds most_wait{5000};
};

/// $XDG_CACHE_HOME/fenceline, else $HOME/.cache/fenceline: the folders of all programs are in it. Empty: neither
/// variable is an absolute path.
std::filesystem::path cache_home();

/// $XDG_CACHE_HOME/fenceline, else $HOME/.cache/fenceline, and in it a directory named after the program: caches belong
/// to the executable.
std::filesystem::path default_cache_directory();
/// Of a program's caches, in a directory of several: its name, and something by which others at other places differ.
std::string cache_folder_name(const std::string& name, const std::string& place);

/// What came of opening a cache.
struct OpenedCache {
  CacheStatus status = CacheStatus::ok;         ///< how it went
  std::string reason;                           ///< for a person; empty where it is ok
  std::unique_ptr<ShaderCacheSession> session;  ///< null unless ok
};

/// The application-managed shader caches of a process. Sessions of one identifier, mode and place share one cache; a
/// DRIVER_VERSIONED one also has to be of the same adapter. Every method may be called from any thread.
class ShaderCaches {
 public:
  /// Opens and makes nothing yet.
  explicit ShaderCaches(const ShaderCachesConfig& config = {});
  ~ShaderCaches();
  ShaderCaches(const ShaderCaches&) = delete;
  ShaderCaches& operator=(const ShaderCaches&) = delete;

  /// CreateShaderCacheSession: opens the cache or makes it. A disk cache of another version is cleared, unless a
  /// session is open on it, in this process or another: already_exists. So it is with a memory cache. invalid_argument,
  /// disabled, unavailable and corrupt are the other answers.
  OpenedCache open(const CacheDescription& description, const CacheDriver& driver = {});

  /// ShaderCacheControl of APPLICATION_MANAGED, CLEAR: empties all caches that have a session here, and those in the
  /// directory: the files of one that nobody has open are removed. False: of one that could not be.
  bool clear();
  /// DISABLE and ENABLE: while disabled, opening, finding and storing answer `disabled`.
  void set_enabled(bool enabled);
  bool enabled() const;  ///< they are at first

 private:
  /// What a cache is known by.
  using Name = std::tuple<CacheMode, std::string>;

  ShaderCachesConfig config_;
  int own_folders_ = 0;  // of its directory
  mutable std::mutex mutex_;
  std::shared_ptr<std::atomic<bool>> enabled_;
  std::map<Name, std::weak_ptr<ShaderCache>> open_;
};

}  // namespace fenceline
