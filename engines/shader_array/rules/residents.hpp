// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Packets of which grids have places on the shader array.
class Residents {
 public:
  /// A grid of the packet has its first place.
  void enter(std::uint64_t packet) {
    const auto at = std::lower_bound(packets_.begin(), packets_.end(), packet);
    const auto count = counts_.begin() + (at - packets_.begin());
    if (at != packets_.end() && *at == packet) {
      ++*count;
      return;
    }
    counts_.insert(count, 1);
    packets_.insert(at, packet);
    ++changes_;
  }
  /// A grid of the packet has left its last place.
  void leave(std::uint64_t packet) {
    const auto at = std::lower_bound(packets_.begin(), packets_.end(), packet);
    const auto count = counts_.begin() + (at - packets_.begin());
    if (--*count > 0) return;
    counts_.erase(count);
    packets_.erase(at);
    ++changes_;
  }
  /// In their order, each once.
  const std::vector<std::uint64_t>& packets() const { return packets_; }
  bool has(std::uint64_t packet) const { return std::binary_search(packets_.begin(), packets_.end(), packet); }
  /// How often `packets` has become another.
  std::uint64_t changes() const { return changes_; }

 private:
  std::vector<std::uint64_t> packets_;
  std::vector<std::uint32_t> counts_;  // of their grids
  std::uint64_t changes_ = 0;
};

}  // namespace fenceline
