// SPDX-License-Identifier: Apache-2.0
// Where tiles lie once all queued mappings have been done, against a plain table of them.
#include "api/d3d12/bytes/queued_tiles.hpp"

#include "api/d3d12/bytes/heap_memory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

using fenceline::d3d12::HeapMemory;
using fenceline::d3d12::QueuedTiles;
using fenceline::d3d12::TileRun;

namespace {

using PlainTiles = std::vector<QueuedTiles::Heap>;

std::vector<QueuedTiles::Heap> heaps_of(const PlainTiles& tiles) {
  std::vector<QueuedTiles::Heap> all;
  for (const auto& heap : tiles) {
    if (heap != nullptr && std::find(all.begin(), all.end(), heap) == all.end()) all.push_back(heap);
  }
  return all;
}

}  // namespace

TEST_CASE("queued tiles: heaps are those of a plain table of tiles", "[d3d12]") {
  constexpr unsigned count = 24;
  std::mt19937 random(7);
  std::vector<QueuedTiles::Heap> heaps = {nullptr};
  for (int i = 0; i < 3; ++i) heaps.push_back(HeapMemory::make(65536, false));
  QueuedTiles queued[2];
  PlainTiles plain[2] = {PlainTiles(count), PlainTiles(count)};
  for (int step = 0; step < 5000; ++step) {
    const unsigned which = random() % 2;
    const unsigned first = random() % count;
    const unsigned length = random() % (count - first + 1);
    if (random() % 3 != 0) {
      const QueuedTiles::Heap& heap = heaps[random() % heaps.size()];
      queued[which].map(first, length, heap);
      for (unsigned i = 0; i < length; ++i) plain[which][first + i] = heap;
    } else {
      // In two pieces of the destination, and perhaps of the same resource.
      const unsigned from = random() % 2;
      const unsigned source = random() % (count - length + 1);
      const unsigned half = length / 2;
      const PlainTiles before = plain[from];
      queued[which].copy({{first, half}, {first + half, length - half}}, queued[from], {{source, length}});
      for (unsigned i = 0; i < length; ++i) plain[which][first + i] = before[source + i];
    }
    REQUIRE(queued[which].heaps() == heaps_of(plain[which]));
  }
}
