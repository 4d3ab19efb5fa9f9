// SPDX-License-Identifier: Apache-2.0
#include "shadercache/memory/memory_area.hpp"

#include <cstring>
#include <utility>

namespace fenceline {

MemoryArea::Entry MemoryArea::find(std::uint64_t hash) {
  const auto at = by_hash_.find(hash);
  if (at == by_hash_.end()) return {};
  entries_.splice(entries_.begin(), entries_, at->second);
  const std::string_view bytes = at->second->bytes.view();
  return {bytes.substr(0, at->second->key_bytes), bytes.substr(at->second->key_bytes), true};
}

bool MemoryArea::has_room(std::string_view key, std::string_view value) const {
  return has_room(std::uint64_t{key.size()} + value.size());
}

bool MemoryArea::has_room(std::uint64_t bytes) const {
  return entries_.size() < most_entries_ && bytes <= most_bytes_ && bytes_ <= most_bytes_ - bytes;
}

void MemoryArea::add(std::uint64_t hash, std::string_view key, std::string_view value) {
  if (!keeps(std::uint64_t{key.size()} + value.size())) return;
  EntryBytes entry(key.size() + value.size());
  std::memcpy(entry.data(), key.data(), key.size());
  std::memcpy(entry.data() + key.size(), value.data(), value.size());
  add(hash, key.size(), std::move(entry));
}

void MemoryArea::add(std::uint64_t hash, std::size_t key_bytes, EntryBytes entry) {
  const std::size_t size = entry.view().size();
  if (!keeps(size)) return;
  while (!has_room(size)) drop_last();
  entries_.push_front({hash, key_bytes, std::move(entry)});
  by_hash_[hash] = entries_.begin();
  bytes_ += size;
  value_bytes_ += size - key_bytes;
}

void MemoryArea::drop_last() {
  const Node& last = entries_.back();
  const std::size_t size = last.bytes.view().size();
  bytes_ -= size;
  value_bytes_ -= size - last.key_bytes;
  by_hash_.erase(last.hash);
  entries_.pop_back();
}

void MemoryArea::clear() {
  entries_.clear();
  by_hash_.clear();
  bytes_ = value_bytes_ = 0;
}

}  // namespace fenceline
