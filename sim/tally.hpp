// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Numbers that are there, some several times.
class Tally {
 public:
  /// It is there once more.
  void add(std::uint64_t number) {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    const auto count = counts_.begin() + (at - numbers_.begin());
    if (at != numbers_.end() && *at == number) {
      ++*count;
      return;
    }
    counts_.insert(count, 1);
    numbers_.insert(at, number);
    ++changes_;
  }
  /// It is there once less. It has to be there.
  void remove(std::uint64_t number) {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    const auto count = counts_.begin() + (at - numbers_.begin());
    if (--*count > 0) return;
    counts_.erase(count);
    numbers_.erase(at);
    ++changes_;
  }
  /// In their order, each once.
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  /// Whether it is there.
  bool has(std::uint64_t number) const { return std::binary_search(numbers_.begin(), numbers_.end(), number); }
  /// How often `numbers` has become another.
  std::uint64_t changes() const { return changes_; }

 private:
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> counts_;  // of each, how often
  std::uint64_t changes_ = 0;
};

}  // namespace fenceline
