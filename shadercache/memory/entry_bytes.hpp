// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace fenceline {

/// Bytes on the heap for a key and its value, one after the other: whatever stood there, until something is read to
/// them.
class EntryBytes {
 public:
  EntryBytes() = default;  ///< none: `data` is null
  explicit EntryBytes(std::size_t bytes) : data_(new char[bytes]), size_(bytes) {}
  char* data() const { return data_.get(); }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

}  // namespace fenceline
