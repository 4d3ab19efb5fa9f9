// SPDX-License-Identifier: Apache-2.0
#include "shadercache/memory/memory_area.hpp"

namespace fenceline {

MemoryArea::Entry MemoryArea::find(std::uint64_t hash) {
  const auto at = by_hash_.find(hash);
  if (at == by_hash_.end()) return {};
  entries_.splice(entries_.begin(), entries_, at->second);
  const std::string_view bytes = at->second->bytes;
  return {bytes.substr(0, at->second->key_bytes), bytes.substr(at->second->key_bytes), true};
}

bool MemoryArea::has_room(std::string_view key, std::string_view value) const {
  const std::uint64_t bytes = std::uint64_t{key.size()} + value.size();
  return entries_.size() < most_entries_ && bytes <= most_bytes_ && bytes_ <= most_bytes_ - bytes;
}

void MemoryArea::add(std::uint64_t hash, std::string_view key, std::string_view value) {
  if (std::uint64_t{key.size()} + value.size() > most_bytes_ || most_entries_ == 0) return;
  while (!has_room(key, value)) drop_last();
  Node node{hash, key.size(), {}};
  node.bytes.reserve(key.size() + value.size());
  node.bytes.append(key).append(value);
  bytes_ += node.bytes.size();
  value_bytes_ += value.size();
  entries_.push_front(std::move(node));
  by_hash_[hash] = entries_.begin();
}

void MemoryArea::drop_last() {
  const Node& last = entries_.back();
  bytes_ -= last.bytes.size();
  value_bytes_ -= last.bytes.size() - last.key_bytes;
  by_hash_.erase(last.hash);
  entries_.pop_back();
}

void MemoryArea::clear() {
  entries_.clear();
  by_hash_.clear();
  bytes_ = value_bytes_ = 0;
}

}  // namespace fenceline
