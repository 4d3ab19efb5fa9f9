// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Numbers LogNames 0, 1, 2... in the order it first sees them, so that a sink keeps what it knows about each in a
/// vector. An array look-up: sinks do this for every event.
class FirstSeen {
 public:
  struct Number {
    std::size_t index;
    bool is_new;
  };
  Number number_of(LogName name) {
    const auto at = static_cast<std::size_t>(name);
    if (at >= numbers_.size()) numbers_.resize(at + 1, unseen);
    if (numbers_[at] != unseen) return {numbers_[at], false};
    numbers_[at] = count_++;
    return {numbers_[at], true};
  }

 private:
  static constexpr std::uint32_t unseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> numbers_;  // by LogName
  std::uint32_t count_ = 0;
};

}  // namespace fenceline
