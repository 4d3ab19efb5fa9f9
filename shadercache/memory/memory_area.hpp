// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/memory/entry_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <string_view>
#include <unordered_map>

namespace fenceline {

/// Entries of a cache in memory, by the hashes of their keys. Bytes are those of keys and values. One thread at a time.
class MemoryArea {
 public:
  MemoryArea(std::uint64_t most_bytes, std::uint64_t most_entries)
      : most_bytes_(most_bytes), most_entries_(most_entries) {}

  /// What it has for a hash: the key and its value; both null: nothing. Good until it changes.
  struct Entry {
    std::string_view key;
    std::string_view value;
    bool exists = false;
  };
  /// The entry becomes the one that was wanted last.
  Entry find(std::uint64_t hash);
  /// There is room for it beside all others.
  bool has_room(std::string_view key, std::string_view value) const;
  /// An entry of so many bytes would fit alone.
  bool keeps(std::uint64_t bytes) const { return bytes <= most_bytes_ && most_entries_ > 0; }
  /// Adds an entry, of a hash that it does not have; those that have not been wanted for longest go, if need be. What
  /// would not fit alone is left out.
  void add(std::uint64_t hash, std::string_view key, std::string_view value);
  /// The same of bytes that have both, so that a value is read to where it stays.
  void add(std::uint64_t hash, std::size_t key_bytes, EntryBytes entry);
  void clear();

  std::uint64_t entries() const { return entries_.size(); }
  std::uint64_t value_bytes() const { return value_bytes_; }

 private:
  struct Node {
    std::uint64_t hash;
    std::size_t key_bytes;
    EntryBytes bytes;  ///< key, value
  };
  bool has_room(std::uint64_t bytes) const;
  void drop_last();

  std::uint64_t most_bytes_;
  std::uint64_t most_entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t value_bytes_ = 0;
  std::list<Node> entries_;  // wanted last in front
  std::unordered_map<std::uint64_t, std::list<Node>::iterator> by_hash_;
};

}  // namespace fenceline
