// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/queued_tiles.hpp"

#include "sim/members.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline::d3d12 {

void QueuedTiles::map(std::uint64_t first, std::uint64_t count, const Heap& heap) {
  if (count == 0) return;
  const std::uint64_t end = first + count;
  const Heap behind = std::prev(runs_.upper_bound(end))->second;
  runs_.erase(runs_.lower_bound(first), runs_.upper_bound(end));
  if (first == 0 || std::prev(runs_.lower_bound(first))->second != heap) runs_[first] = heap;
  if (behind != heap) runs_[end] = behind;
}

void QueuedTiles::copy(const std::vector<TileRun>& runs, const QueuedTiles& from,
                       const std::vector<TileRun>& from_runs) {
  std::vector<std::pair<std::uint64_t, Heap>> pieces;  // so many tiles in that heap
  for (const TileRun& run : from_runs) {
    const std::uint64_t end = std::uint64_t{run.first} + run.count;
    for (std::uint64_t tile = run.first; tile < end;) {
      const auto next = from.runs_.upper_bound(tile);
      const std::uint64_t until = next == from.runs_.end() ? end : std::min<std::uint64_t>(end, next->first);
      pieces.emplace_back(until - tile, std::prev(next)->second);
      tile = until;
    }
  }
  auto piece = pieces.begin();
  for (const TileRun& run : runs) {
    for (std::uint64_t done = 0; done < run.count && piece != pieces.end();) {
      const std::uint64_t count = std::min<std::uint64_t>(run.count - done, piece->first);
      map(run.first + done, count, piece->second);
      done += count;
      piece->first -= count;
      if (piece->first == 0) ++piece;
    }
  }
}

std::vector<QueuedTiles::Heap> QueuedTiles::heaps() const {
  std::vector<Heap> all;
  for (const auto& [first, heap] : runs_) {
    if (heap != nullptr) add_once(all, heap);
  }
  return all;
}

}  // namespace fenceline::d3d12
