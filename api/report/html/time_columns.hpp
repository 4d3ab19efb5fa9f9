// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Many intervals in bounded memory: how much time they cover of each of at most 1024 columns of equal width. The
/// width is a power of two and doubles when an interval ends behind the last column. 16 KiB once something was added.
class TimeColumns {
 public:
  static constexpr std::size_t most = 1024;
  struct Column {
    std::uint64_t covered_ps = 0;  ///< sum over the intervals; more than the width where they overlap
    std::uint64_t starts = 0;      ///< intervals that start here
  };

  void add(std::uint64_t start_ps, std::uint64_t end_ps);
  /// Makes the columns at least this wide. Only ever a power of two.
  void widen(std::uint64_t width_ps);
  std::uint64_t width_ps() const { return width_ps_; }
  /// Empty, or `most` columns.
  const std::vector<Column>& columns() const { return columns_; }

 private:
  std::uint64_t width_ps_ = 1;
  std::vector<Column> columns_;
};

}  // namespace fenceline
