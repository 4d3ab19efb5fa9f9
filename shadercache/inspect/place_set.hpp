// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_record.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Places in .val at which records begin: a bit for each 8 bytes.
class PlaceSet {
 public:
  /// Of places below `end`.
  explicit PlaceSet(std::uint64_t end) : places_(static_cast<std::size_t>(end / record_alignment)) {}
  void add(std::uint64_t at) {
    if (covers(at)) places_[index(at)] = true;
  }
  void remove(std::uint64_t at) {
    if (covers(at)) places_[index(at)] = false;
  }
  bool has(std::uint64_t at) const { return covers(at) && places_[index(at)]; }
  /// Empty: it has none.
  std::optional<std::uint64_t> first() const {
    const auto one = std::find(places_.begin(), places_.end(), true);
    if (one == places_.end()) return std::nullopt;
    return static_cast<std::uint64_t>(one - places_.begin()) * record_alignment;
  }

 private:
  static std::size_t index(std::uint64_t at) { return static_cast<std::size_t>(at / record_alignment); }
  bool covers(std::uint64_t at) const { return at % record_alignment == 0 && at / record_alignment < places_.size(); }
  std::vector<bool> places_;
};

}  // namespace fenceline
