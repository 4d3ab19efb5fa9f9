// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace fenceline {

/// A long list of 64-bit numbers that lie close to the one before, such as times. Keeps each as its difference from
/// the one before, 7 bits to a byte: 5 bytes for times within 17 ms of each other, 1 for small steps, never over 10.
class NumberList {
 public:
  void append(std::uint64_t number);
  std::size_t size() const { return size_; }
  bool is_sorted() const { return sorted_; }

  /// Reads a list from its front. The list must outlive it and not grow meanwhile.
  class Reader {
   public:
    explicit Reader(const NumberList& list) : at_(list.bytes_.begin()) {}
    /// Call it at most size() times.
    std::uint64_t next();

   private:
    std::deque<std::uint8_t>::const_iterator at_;
    std::uint64_t last_ = 0;
  };

 private:
  std::deque<std::uint8_t> bytes_;  // deque: no spare half as in a vector
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;
  bool sorted_ = true;
};

}  // namespace fenceline
