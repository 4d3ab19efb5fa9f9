// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/time_columns.hpp"

#include <algorithm>

namespace fenceline {

void TimeColumns::add(std::uint64_t start_ps, std::uint64_t end_ps) {
  if (columns_.empty()) columns_.resize(most);
  const std::uint64_t last_ps = end_ps > start_ps ? end_ps - 1 : start_ps;
  while (last_ps / width_ps_ >= most) widen(width_ps_ * 2);
  std::size_t column = start_ps / width_ps_;
  ++columns_[column].starts;
  while (start_ps < end_ps) {
    const std::uint64_t piece = std::min(end_ps - start_ps, width_ps_ - start_ps % width_ps_);
    columns_[column++].covered_ps += piece;
    start_ps += piece;
  }
}

void TimeColumns::widen(std::uint64_t width_ps) {
  for (; width_ps_ < width_ps; width_ps_ *= 2) {
    for (std::size_t i = 0; i < columns_.size() / 2; ++i) {
      const Column& even = columns_[2 * i];
      const Column& odd = columns_[2 * i + 1];
      columns_[i] = {even.covered_ps + odd.covered_ps, even.starts + odd.starts};
    }
    std::fill(columns_.begin() + static_cast<std::ptrdiff_t>(columns_.size() / 2), columns_.end(), Column{});
  }
}

}  // namespace fenceline
