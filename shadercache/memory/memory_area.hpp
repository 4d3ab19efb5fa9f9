// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
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
  /// Adds an entry, of a hash that it does not have; those that have not been wanted for longest go, if need be. What
  /// would not fit alone is left out.
  void add(std::uint64_t hash, std::string_view key, std::string_view value);
  void clear();

  std::uint64_t entries() const { return entries_.size(); }
  std::uint64_t value_bytes() const { return value_bytes_; }

 private:
  struct Node {
    std::uint64_t hash;
    std::size_t key_bytes;
    std::string bytes;  ///< key, value
  };
  void drop_last();

  std::uint64_t most_bytes_;
  std::uint64_t most_entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t value_bytes_ = 0;
  std::list<Node> entries_;  // wanted last in front
  std::unordered_map<std::uint64_t, std::list<Node>::iterator> by_hash_;
};

}  // namespace fenceline
