// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/bar_lane.hpp"

#include <algorithm>
#include <tuple>

namespace fenceline {
namespace {

/// A total order: which bars stay does not depend on how a heap is made.
bool longer(const Bar& a, const Bar& b) {
  const std::uint64_t a_ps = a.end_ps - a.start_ps;
  const std::uint64_t b_ps = b.end_ps - b.start_ps;
  return std::tie(b_ps, a.start_ps, a.packet.id) < std::tie(a_ps, b.start_ps, b.packet.id);
}

}  // namespace

void BarLane::add(const Bar& bar) {
  if (bars_.size() < most_bars) {
    bars_.push_back(bar);
    if (bars_.size() == most_bars) std::make_heap(bars_.begin(), bars_.end(), longer);
  } else if (!longer(bar, bars_.front())) {
    merge(bar);
  } else {
    std::pop_heap(bars_.begin(), bars_.end(), longer);
    merge(bars_.back());
    bars_.back() = bar;
    std::push_heap(bars_.begin(), bars_.end(), longer);
  }
}

void BarLane::shrink(std::size_t most, std::uint64_t shortest_ps) {
  std::sort(bars_.begin(), bars_.end(), longer);
  while (bars_.size() > most ||
         (merged_ > 0 && !bars_.empty() && bars_.back().end_ps - bars_.back().start_ps < shortest_ps)) {
    merge(bars_.back());
    bars_.pop_back();
  }
  std::sort(bars_.begin(), bars_.end(), [](const Bar& a, const Bar& b) {
    return std::tie(a.start_ps, a.end_ps, a.packet.id) < std::tie(b.start_ps, b.end_ps, b.packet.id);
  });
}

void BarLane::merge(const Bar& bar) {
  ++merged_;
  columns_[bar.colour].add(bar.start_ps, bar.end_ps);
}

}  // namespace fenceline
