// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_index.hpp"
#include "shadercache/files/cache_record.hpp"
#include "shadercache/files/lock_probe.hpp"
#include "shadercache/inspect/cache_places.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// The files of a cache, opened to be read alone, of one era if that can be had: sessions may go on, and nothing is
/// changed by it. They stay what they are when the cache is cleared or removed.
class CacheView {
 public:
  /// What is not there, or is no regular file, is not open.
  explicit CacheView(const CachePlace& place);

  const CachePlace& place() const { return place_; }
  const CacheDirectory& directory() const { return directory_; }
  const CacheFileLook& values_look() const { return values_look_; }
  const CacheFileLook& index_look() const { return index_look_; }
  const CacheFileLook& lock_look() const { return lock_look_; }
  const CacheFile& values() const { return values_; }
  CacheIndex& index() { return index_; }
  LockProbe& lock() { return lock_; }
  /// Of .val at the time of opening, no more than a cache may have.
  std::uint64_t values_end() const { return values_end_; }
  /// What stands in the .val file's header, where it is whole.
  const std::optional<CacheHeader>& values_header() const { return values_header_; }
  /// What holds for the cache: that of .val, else that of .idx. Empty: neither is whole, and nothing can be found.
  std::optional<CacheHeader> header() const;
  /// What is wrong with the first 64 bytes of a file: "expected ..., found ...". Empty: nothing, or it is not open.
  struct Fault {
    std::string expected;
    std::string found;
  };
  const std::optional<Fault>& values_fault() const { return values_fault_; }
  const std::optional<Fault>& index_fault() const { return index_fault_; }
  /// Why the next session that opens the cache makes the table anew from .val; empty: it does not.
  std::string why_no_table() const;
  /// Slots of the table; one that is not whole is read again when nobody writes.
  std::size_t read_slots(std::uint64_t number, CacheSlot* into, std::size_t count);

 private:
  void open_files();

  CachePlace place_;
  CacheDirectory directory_;
  LockProbe lock_;
  CacheFileLook values_look_;
  CacheFileLook index_look_;
  CacheFileLook lock_look_;
  CacheFile values_;
  CacheIndex index_;
  std::optional<CacheHeader> values_header_;
  std::optional<Fault> values_fault_;
  std::optional<Fault> index_fault_;
  std::uint64_t values_end_ = 0;
  int holds_left_ = 1000;  // of damaged slots that are read again
};

}  // namespace fenceline
