// SPDX-License-Identifier: Apache-2.0
#include "shadercache/shader_caches.hpp"

#include "shadercache/files/cache_removal.hpp"
#include "shadercache/files/disk_store.hpp"
#include "shadercache/shader_cache.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

static_assert(most_cache_file_bytes == most_values_bytes);

/// 0 is that of caches whose driver does not matter.
std::uint64_t driver_of(const CacheDescription& description, const CacheDriver& driver) {
  if (!description.driver_versioned) return 0;
  return std::max<std::uint64_t>(1, XXH3_64bits(&driver.version, sizeof driver.version));
}

/// Of its files, without their ends.
std::string stem_of(const CacheDescription& description, const CacheDriver& driver) {
  std::string stem = description.identifier.text();
  if (description.driver_versioned) {
    stem += fmt::format("-{:016x}", XXH3_64bits(driver.adapter.data(), driver.adapter.size()));
  }
  return stem;
}

std::string with_safe_characters(std::string name) {
  for (char& c : name) {
    const bool safe =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!safe) c = '_';
  }
  return name;
}

}  // namespace

std::uint64_t default_cache_hash(const void* key, std::size_t bytes) { return XXH3_64bits(key, bytes); }

std::filesystem::path cache_home() {
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", ".cache"}}) {
    const char* const value = std::getenv(variable);
    // The XDG specification: relative paths are not to be looked at.
    if (value != nullptr && value[0] == '/') return std::filesystem::path(value) / below / "fenceline";
  }
  return {};
}

std::string cache_folder_name(const std::string& name, const std::string& place) {
  return fmt::format("{}-{:08x}", with_safe_characters(name),
                     static_cast<std::uint32_t>(XXH3_64bits(place.data(), place.size())));
}

std::filesystem::path default_cache_directory() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path home = cache_home();
  // Programs of one name in several places are several.
  return home.empty() ? home : home / cache_folder_name(program.filename().string(), program.string());
}

ShaderCaches::ShaderCaches(const ShaderCachesConfig& config)
    : config_(config), enabled_(std::make_shared<std::atomic<bool>>(true)) {
  if (!config_.directory.empty()) return;
  config_.directory = default_cache_directory();
  if (!config_.directory.empty()) own_folders_ = 2;  // fenceline, and that of the program
}

ShaderCaches::~ShaderCaches() = default;

OpenedCache ShaderCaches::open(const CacheDescription& description, const CacheDriver& driver) {
  if (std::string refusal = refusal_of(description); !refusal.empty()) {
    return {CacheStatus::invalid_argument, std::move(refusal), nullptr};
  }
  const std::lock_guard held(mutex_);
  if (!enabled_->load()) return {CacheStatus::disabled, "shader caches of applications are disabled", nullptr};
  std::error_code error;
  const bool on_disk = description.mode == CacheMode::disk;
  const std::filesystem::path directory =
      description.use_working_directory ? std::filesystem::current_path(error) : config_.directory;
  const std::string stem = stem_of(description, driver);
  const Name name = {description.mode, on_disk ? (directory / stem).string() : stem};
  const std::uint64_t driver_version = driver_of(description, driver);
  if (const auto known = open_.find(name); known != open_.end()) {
    if (std::shared_ptr<ShaderCache> cache = known->second.lock()) {
      if (cache->description().version != description.version || cache->driver() != driver_version) {
        return {CacheStatus::already_exists, "a session of another version is open on it", nullptr};
      }
      return {CacheStatus::ok, {}, std::make_unique<ShaderCacheSession>(std::move(cache))};
    }
  }
  const CacheDescription used = resolved(description);
  std::optional<DiskStore> store;
  if (on_disk) {
    store.emplace();
    const DiskStore::Opened opened =
        store->open(CacheDirectory(directory, description.use_working_directory ? 0 : own_folders_),
                    {stem, description.version, driver_version, used.file_bytes,
                     config_.durability == CacheDurability::system, config_.most_wait});
    if (opened == DiskStore::Opened::no) return {CacheStatus::corrupt, store->reason(), nullptr};
    if (opened == DiskStore::Opened::busy) return {CacheStatus::unavailable, store->reason(), nullptr};
    if (opened == DiskStore::Opened::other_version) {
      return {CacheStatus::already_exists, "a process has it open with another version", nullptr};
    }
  }
  auto cache = std::make_shared<ShaderCache>(used, driver_version, config_.hash, enabled_, std::move(store));
  open_[name] = cache;
  return {CacheStatus::ok, {}, std::make_unique<ShaderCacheSession>(std::move(cache))};
}

bool ShaderCaches::clear() {
  const std::lock_guard held(mutex_);
  bool all = true;
  for (const auto& [name, cache] : open_) {
    if (const std::shared_ptr<ShaderCache> one = cache.lock()) all = one->clear() && all;
  }
  const CacheDirectory directory = CacheDirectory::open_to_read(config_.directory, own_folders_);
  if (!directory.is_open()) return all && errno == ENOENT;
  const std::optional<std::set<std::string>> names = names_in(directory);
  if (!names) return false;
  std::set<std::string> stems;
  for (const std::string& name : *names) stems.insert(stem_of_file(name));
  stems.erase("");
  for (const std::string& stem : stems) {
    const auto known = open_.find({CacheMode::disk, (config_.directory / stem).string()});
    if (known != open_.end() && !known->second.expired()) continue;  // empty by now
    all = clear_cache({config_.directory, {}, stem}, config_.most_wait).what != CacheClearing::What::refused && all;
  }
  return all;
}

void ShaderCaches::set_enabled(bool enabled) { enabled_->store(enabled); }
bool ShaderCaches::enabled() const { return enabled_->load(); }

}  // namespace fenceline
