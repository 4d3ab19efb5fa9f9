// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/tile_region.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

class HeapMemory;

/// In which heaps the tiles of a reserved resource lie once all mappings that queues were given have been done. The
/// calls change it, with the host's lock; what simulations have done of it is a TileTable's.
class QueuedTiles {
 public:
  using Heap = std::shared_ptr<HeapMemory>;

  /// Nothing is mapped.
  QueuedTiles() : runs_{{0, nullptr}} {}
  /// So many tiles; null: to nothing.
  void map(std::uint64_t first, std::uint64_t count, const Heap& heap);
  /// As `from` has them, as if by way of a copy. Both have as many tiles.
  void copy(const std::vector<TileRun>& runs, const QueuedTiles& from, const std::vector<TileRun>& from_runs);
  /// Each once, in the order of tiles.
  std::vector<Heap> heaps() const;

 private:
  std::map<std::uint64_t, Heap> runs_;  // by the first tile; the next one's ends each
};

}  // namespace fenceline::d3d12
