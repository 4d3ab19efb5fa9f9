// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_record.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Goes through the records of a part of .val. What is no record of the era is passed over, up to the next that is one;
/// records that are not whole are, too. The work is bounded by the size of the part, whatever stands in it.
class RecordScan {
 public:
  RecordScan(const CacheFile& values, std::uint64_t era, std::uint64_t from, std::uint64_t to);
  /// The next whole record, as a slot of it; false: there is none.
  bool next(CacheSlot& slot);
  /// Where the record ends that came last.
  std::uint64_t at() const { return at_; }

 private:
  bool load(std::uint64_t at);
  bool is_whole_record(const RecordHeader& record);

  const CacheFile& values_;
  std::uint64_t era_;
  std::uint64_t at_;
  std::uint64_t to_;
  std::uint64_t budget_;  // of bytes that records are read for
  std::vector<std::byte> window_;
  std::uint64_t window_at_ = 0;
  std::string body_;
};

}  // namespace fenceline
