// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// The bytes of a resource, as extents of sources that never change: a copy shares what it copies, zeros and fills take
/// no memory, and what a resource held before is kept by keeping its extents.
class ByteExtents {
 public:
  /// Zeros; the size may be anything.
  explicit ByteExtents(std::uint64_t size);
  /// All of it is the source's, from its beginning on.
  ByteExtents(std::uint64_t size, SharedBytes source);

  std::uint64_t size() const { return size_; }  ///< bytes
  /// Bytes from `offset` on, which are there.
  void read(std::uint64_t offset, std::uint64_t count, std::byte* to) const;
  /// `count` bytes of the source, from `from` on. Null: zeros.
  void write(std::uint64_t offset, std::uint64_t count, SharedBytes source, std::uint64_t from = 0);
  /// As memmove where `other` is this one.
  void copy(std::uint64_t offset, const ByteExtents& other, std::uint64_t from, std::uint64_t count);
  /// XXH3 (64 bits) of all bytes: what `xxhsum -H3` prints for a file of them.
  std::uint64_t hash() const;
  /// How many it is made of.
  std::size_t extents() const { return extents_.size(); }

 private:
  /// Part of a source; null: zeros.
  struct Extent {
    SharedBytes source;
    std::uint64_t from = 0;
  };
  /// One with its place, relative to where a range begins.
  struct Slice {
    std::uint64_t at;
    std::uint64_t count;
    Extent extent;
  };
  using Extents = std::map<std::uint64_t, Extent>;

  template <class Visit>
  void for_each(std::uint64_t offset, std::uint64_t count, Visit&& visit) const;
  static Extent moved(const Extent& extent, std::uint64_t by);
  static bool goes_on(const Extent& before, std::uint64_t count, const Extent& next);
  std::uint64_t end_of(Extents::const_iterator extent) const;
  void split(std::uint64_t at);
  void merge(std::uint64_t at);
  void put(std::uint64_t offset, std::uint64_t count, const std::vector<Slice>& slices);

  std::uint64_t size_;
  Extents extents_;  // by where they begin; each goes up to the next one, none if there are no bytes
};

}  // namespace fenceline
