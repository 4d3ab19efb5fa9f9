// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline {

/// Things under way, by number: a callback carries the number, and the place is used again once the thing is over, so
/// that a steady flow allocates nothing. References end with the next `add` or `take`.
template <class T>
class Slots {
 public:
  std::uint32_t add(T value) {
    const std::uint32_t slot = take();
    things_[slot] = std::move(value);
    return slot;
  }
  /// A place with whatever its last thing left there, for things whose storage is worth keeping.
  std::uint32_t take() {
    if (free_.empty()) {
      things_.emplace_back();
      return static_cast<std::uint32_t>(things_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// The thing itself stays until its place is used again.
  void remove(std::uint64_t slot) { free_.push_back(static_cast<std::uint32_t>(slot)); }

  /// Places that there are, of things and of those that were removed.
  std::size_t size() const { return things_.size(); }
  T& operator[](std::uint64_t slot) { return things_[slot]; }
  const T& operator[](std::uint64_t slot) const { return things_[slot]; }

 private:
  std::vector<T> things_;
  std::vector<std::uint32_t> free_;
};

}  // namespace fenceline
