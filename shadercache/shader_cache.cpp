// SPDX-License-Identifier: Apache-2.0
#include "shadercache/shader_cache.hpp"

#include <cstring>
#include <utility>

namespace fenceline {
namespace {

CacheStatus copy(std::string_view from, void* value, std::uint32_t* value_bytes) {
  const auto bytes = static_cast<std::uint32_t>(from.size());
  const std::uint32_t room = std::exchange(*value_bytes, bytes);
  if (value == nullptr) return CacheStatus::ok;
  if (room < bytes) return CacheStatus::more_data;
  std::memcpy(value, from.data(), bytes);
  return CacheStatus::ok;
}

CacheStatus status_of(DiskStore::Stored stored) {
  switch (stored) {
    case DiskStore::Stored::yes: return CacheStatus::ok;
    case DiskStore::Stored::there_already: return CacheStatus::already_exists;
    case DiskStore::Stored::other_key: return CacheStatus::hash_collision;
    case DiskStore::Stored::full: return CacheStatus::full;
    case DiskStore::Stored::busy: return CacheStatus::unavailable;
    case DiskStore::Stored::failed: return CacheStatus::corrupt;
  }
  return CacheStatus::corrupt;
}

}  // namespace

ShaderCache::ShaderCache(const CacheDescription& resolved, std::uint64_t driver, Hash hash,
                         std::shared_ptr<const std::atomic<bool>> enabled, std::optional<DiskStore> store)
    : description_(resolved),
      driver_(driver),
      hash_(hash),
      enabled_(std::move(enabled)),
      disk_(std::move(store)),
      memory_(resolved.memory_bytes, resolved.memory_entries) {}

ShaderCache::~ShaderCache() {
  if (disk_) disk_->close();
}

/// Nothing of what another process has cleared.
MemoryArea::Entry ShaderCache::find_in_memory(std::uint64_t hash) {
  const MemoryArea::Entry here = memory_.find(hash);
  if (!here.exists || !disk_ || disk_->is_current()) return here;
  memory_.clear();
  return {};
}

CacheStatus ShaderCache::find(std::string_view key, void* value, std::uint32_t* value_bytes) {
  const std::uint64_t hash = hash_(key.data(), key.size());
  const std::lock_guard held(mutex_);
  const MemoryArea::Entry here = find_in_memory(hash);
  if (here.exists) {
    if (here.key != key) return CacheStatus::hash_collision;
    ++counts_.memory_hits;
    return copy(here.value, value, value_bytes);
  }
  EntryBytes kept;
  std::string_view entry;
  const auto room = [&](std::size_t bytes) {
    const bool keeps = memory_.keeps(bytes);
    kept = keeps ? EntryBytes(bytes) : EntryBytes();
    if (!keeps) read_.resize(bytes);
    char* const data = keeps ? kept.data() : read_.data();
    entry = {data, bytes};
    return data;
  };
  const DiskStore::Found found = disk_ ? disk_->find(hash, key, room) : DiskStore::Found::no;
  forget_cleared();
  if (found == DiskStore::Found::other_key) return CacheStatus::hash_collision;
  if (found == DiskStore::Found::busy) return CacheStatus::unavailable;
  if (found == DiskStore::Found::failed) return CacheStatus::corrupt;
  if (found == DiskStore::Found::no) {
    ++counts_.misses;
    return CacheStatus::not_found;
  }
  ++counts_.disk_hits;
  const CacheStatus status = copy(entry.substr(key.size()), value, value_bytes);
  if (kept.data() != nullptr) memory_.add(hash, key.size(), std::move(kept));
  return status;
}

/// Behind each call that may have met other files: another process may have cleared it.
void ShaderCache::forget_cleared() {
  if (!disk_ || generation_ == disk_->generation()) return;
  generation_ = disk_->generation();
  memory_.clear();
}

CacheStatus ShaderCache::store(std::string_view key, std::string_view value) {
  const std::uint64_t hash = hash_(key.data(), key.size());
  const std::lock_guard held(mutex_);
  const MemoryArea::Entry here = find_in_memory(hash);
  if (here.exists) return here.key == key ? CacheStatus::already_exists : CacheStatus::hash_collision;
  if (!disk_ && !memory_.has_room(key, value)) return CacheStatus::full;
  const CacheStatus stored = disk_ ? status_of(disk_->store(hash, key, value)) : CacheStatus::ok;
  forget_cleared();
  if (stored == CacheStatus::ok) memory_.add(hash, key, value);
  return stored;
}

bool ShaderCache::clear() {
  const std::lock_guard held(mutex_);
  memory_.clear();
  return !disk_ || disk_->clear();
}

void ShaderCache::set_delete_on_destroy() {
  const std::lock_guard held(mutex_);
  if (disk_) disk_->mark_delete_on_destroy();
}

bool ShaderCache::sync() {
  const std::lock_guard held(mutex_);
  return !disk_ || disk_->sync();
}

CacheStatistics ShaderCache::statistics() {
  const std::lock_guard held(mutex_);
  if (disk_) disk_->look();
  forget_cleared();
  CacheStatistics result = counts_;
  result.entries = disk_ ? disk_->entries() : memory_.entries();
  result.value_bytes = disk_ ? disk_->value_bytes() : memory_.value_bytes();
  result.damaged = disk_ ? disk_->damaged() : 0;
  return result;
}

}  // namespace fenceline
