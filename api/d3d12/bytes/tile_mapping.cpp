// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/tile_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

/// The regions' tiles. A message with S_OK tells of boxes that are counted wrong.
Verdict find_regions(const TileLayout& layout, const TileMappingArguments& arguments, std::vector<TileRun>& runs) {
  if (arguments.starts == nullptr && arguments.regions > 1) {
    return invalid("{} regions without coordinates: expected 1", arguments.regions);
  }
  Verdict remark;
  for (UINT i = 0; i < arguments.regions; ++i) {
    if (arguments.starts == nullptr && arguments.sizes == nullptr) {
      runs.push_back({0, layout.tiles()});  // the whole resource, also where its first mip is packed
      continue;
    }
    const D3D12_TILED_RESOURCE_COORDINATE start =
        arguments.starts != nullptr ? arguments.starts[i] : D3D12_TILED_RESOURCE_COORDINATE{};
    const D3D12_TILE_REGION_SIZE size =
        arguments.sizes != nullptr ? arguments.sizes[i] : D3D12_TILE_REGION_SIZE{1, FALSE, 0, 0, 0};
    const Verdict verdict = add_region(layout, start, size, runs);
    if (!verdict.message.empty()) remark = {verdict.result, fmt::format("region {}: {}", i, verdict.message)};
    if (!verdict.ok()) return remark;
  }
  return remark;
}

/// Walks through the regions' tiles.
class Walk {
 public:
  explicit Walk(const std::vector<TileRun>& runs) : runs_(runs) {}
  bool at_end() const { return run_ == runs_.size(); }
  /// The next tiles that lie one behind the other, at most so many.
  TileRun next(std::uint64_t most) {
    const TileRun& run = runs_[run_];
    const auto count = static_cast<UINT>(std::min<std::uint64_t>(most, run.count - done_));
    const TileRun taken{run.first + done_, count};
    done_ += count;
    if (done_ == run.count) {
      ++run_;
      done_ = 0;
    }
    return taken;
  }

 private:
  const std::vector<TileRun>& runs_;
  std::size_t run_ = 0;
  UINT done_ = 0;
};

bool is_range_flag(D3D12_TILE_RANGE_FLAGS flag) {
  return flag == D3D12_TILE_RANGE_FLAG_NONE || flag == D3D12_TILE_RANGE_FLAG_NULL ||
         flag == D3D12_TILE_RANGE_FLAG_SKIP || flag == D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
}

}  // namespace

Verdict find_tile_mappings(const TileLayout& layout, const TileMappingArguments& arguments, std::uint64_t heap_tiles,
                           std::vector<TileMapping>& mappings) {
  std::vector<TileRun> runs;
  Verdict verdict = find_regions(layout, arguments, runs);
  if (!verdict.ok()) return verdict;
  const std::uint64_t wanted = tile_count(runs);
  std::uint64_t given = 0;
  Walk walk(runs);
  for (UINT i = 0; i < arguments.ranges; ++i) {
    const D3D12_TILE_RANGE_FLAGS flag = arguments.flags != nullptr ? arguments.flags[i] : D3D12_TILE_RANGE_FLAG_NONE;
    if (!is_range_flag(flag)) {
      return invalid("range {}: expected flag NONE (0), NULL (1), SKIP (2) or REUSE_SINGLE_TILE (4), found {:#x}", i,
                     static_cast<unsigned>(flag));
    }
    const std::uint64_t all = arguments.ranges == 1 ? wanted : 1;  // where nothing is said
    const std::uint64_t count = arguments.counts != nullptr ? arguments.counts[i] : all;
    given += count;
    const bool mapped = flag == D3D12_TILE_RANGE_FLAG_NONE || flag == D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
    const bool reuses = flag == D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
    std::uint64_t heap_tile = mapped && arguments.heap_starts != nullptr ? arguments.heap_starts[i] : 0;
    for (std::uint64_t left = count; left > 0 && !walk.at_end();) {
      const TileRun run = walk.next(left);
      left -= run.count;
      if (flag == D3D12_TILE_RANGE_FLAG_SKIP) continue;
      const std::uint64_t last = heap_tile + (reuses ? 0 : run.count - 1);
      if (mapped && last >= heap_tiles) {
        if (heap_tiles == 0) return invalid("range {} is mapped: expected a heap of at least 65536 bytes", i);
        return invalid("range {}: expected tiles of the heap below {}, found {}", i, heap_tiles, last);
      }
      mappings.push_back({run, mapped, static_cast<UINT>(heap_tile), reuses});
      if (mapped && !reuses) heap_tile += run.count;
    }
  }
  if (given != wanted && arguments.regions > 0 && arguments.ranges > 0) {
    verdict.message = fmt::format("expected ranges of {} tiles, the regions', found {}", wanted, given);
  }
  return verdict;
}

void map_tiles(TileTable& table, const std::vector<TileMapping>& mappings, const std::shared_ptr<HeapMemory>& heap) {
  for (const TileMapping& mapping : mappings) {
    for (UINT i = 0; i < mapping.tiles.count; ++i) {
      const std::uint64_t heap_tile = std::uint64_t{mapping.heap_tile} + (mapping.reuses ? 0 : i);
      TileTable::Tile tile;
      if (mapping.mapped) tile = {{heap, heap->data() + heap_tile * tile_bytes}, heap->pageable().get(), heap.get()};
      table.map(mapping.tiles.first + i, std::move(tile));
    }
  }
}

void copy_tile_mappings(TileTable& to, const std::vector<TileRun>& to_runs, const TileTable& from,
                        const std::vector<TileRun>& from_runs) {
  std::vector<TileTable::Tile> copied;
  copied.reserve(tile_count(from_runs));
  for (const TileRun& run : from_runs) {
    for (UINT i = 0; i < run.count; ++i) copied.push_back(from.at(run.first + i));
  }
  auto next = copied.begin();
  for (const TileRun& run : to_runs) {
    for (UINT i = 0; i < run.count && next != copied.end(); ++i) to.map(run.first + i, std::move(*next++));
  }
}

}  // namespace fenceline::d3d12
