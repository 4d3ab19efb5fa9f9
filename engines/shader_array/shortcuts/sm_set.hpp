// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenceline {

/// A set of SMs, by index: 64 to a word, so that sets are split and united a word at a time.
class SmSet {
 public:
  SmSet() = default;
  /// The SMs from `first` to before `end`.
  SmSet(std::uint32_t first, std::uint32_t end);

  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  /// The lowest and the highest; there is one.
  std::uint32_t front() const { return front_; }
  std::uint32_t back() const { return back_; }
  bool contains(std::uint32_t sm) const;
  /// The `n`th lowest, from 0; there are more than `n`.
  std::uint32_t nth(std::uint32_t n) const;
  /// All, ascending.
  std::vector<std::uint32_t> list() const;
  bool operator==(const SmSet& other) const;

  void clear() {
    words_.clear();
    size_ = 0;
  }
  /// Adds the SMs of the other, of which it has none.
  void unite(const SmSet& other) {
    if (other.empty()) return;
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    front_ = empty() ? other.front_ : std::min(front_, other.front_);
    back_ = empty() ? other.back_ : std::max(back_, other.back_);
    size_ += other.size_;
  }
  /// The SMs from `first` on leave for `to`, which loses what it had; some stay.
  void split(std::uint32_t first, SmSet& to);

 private:
  void count();

  std::vector<std::uint64_t> words_;
  std::uint32_t size_ = 0;
  std::uint32_t front_ = 0;
  std::uint32_t back_ = 0;
};

}  // namespace fenceline
