// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/tile_mapping.hpp"

#include "tests/d3d12/pipelines/desc_builder.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

constexpr auto rgba8 = DXGI_FORMAT_R8G8B8A8_UNORM;
constexpr auto none = D3D12_TILE_RANGE_FLAG_NONE;
constexpr auto null = D3D12_TILE_RANGE_FLAG_NULL;
constexpr auto skip = D3D12_TILE_RANGE_FLAG_SKIP;
constexpr auto reuse = D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
using Coordinate = D3D12_TILED_RESOURCE_COORDINATE;
using Size = D3D12_TILE_REGION_SIZE;
using Flags = D3D12_TILE_RANGE_FLAGS;

/// A page table of heap tiles: -1 where nothing is mapped, -2 where nothing has been said.
std::vector<int> mapped(const TileLayout& layout, const TileMappingArguments& arguments, std::uint64_t heap_tiles = 64,
                        Verdict* verdict = nullptr) {
  std::vector<TileMapping> mappings;
  const Verdict found = find_tile_mappings(layout, arguments, heap_tiles, mappings);
  if (verdict != nullptr) *verdict = found;
  std::vector<int> table(layout.tiles(), -2);
  if (!found.ok()) return table;
  for (const TileMapping& mapping : mappings) {
    for (UINT i = 0; i < mapping.tiles.count; ++i) {
      const UINT heap_tile = mapping.heap_tile + (mapping.reuses ? 0 : i);
      table.at(mapping.tiles.first + i) = mapping.mapped ? static_cast<int>(heap_tile) : -1;
    }
  }
  return table;
}

bool refused(const TileLayout& layout, const TileMappingArguments& arguments, const std::string& text,
             std::uint64_t heap_tiles = 64) {
  Verdict verdict;
  mapped(layout, arguments, heap_tiles, &verdict);
  INFO(verdict.message);
  CHECK(verdict.message.find(text) != std::string::npos);
  return verdict.result == E_INVALIDARG;
}

}  // namespace

TEST_CASE("tile mappings: arrays that are null stand for what D3D12 says", "[d3d12]") {
  const TileLayout layout(buffer_desc(6 * tile_size));
  const UINT start = 3;
  CHECK(mapped(layout, {1, nullptr, nullptr, 1, nullptr, &start, nullptr}) == std::vector<int>{3, 4, 5, 6, 7, 8});
  CHECK(mapped(layout, {1, nullptr, nullptr, 1, &null, nullptr, nullptr}, 0) == std::vector<int>(6, -1));
  CHECK(mapped(layout, {1, nullptr, nullptr, 1, &reuse, &start, nullptr}) == std::vector<int>(6, 3));
  CHECK(mapped(layout, {1, nullptr, nullptr, 1, &skip, nullptr, nullptr}, 0) == std::vector<int>(6, -2));
  // Coordinates without sizes are single tiles, several ranges without counts are, too.
  const Coordinate places[] = {{4, 0, 0, 0}, {0, 0, 0, 0}, {2, 0, 0, 0}};
  const UINT starts[] = {11, 22, 33};
  CHECK(mapped(layout, {3, places, nullptr, 3, nullptr, starts, nullptr}) == std::vector<int>{22, -2, 33, -2, 11, -2});
  CHECK(mapped(layout, {3, places, nullptr, 1, nullptr, starts, nullptr}) == std::vector<int>{12, -2, 13, -2, 11, -2});
  // A size without coordinates begins at the first tile.
  const Size two{2, FALSE, 0, 0, 0};
  CHECK(mapped(layout, {1, nullptr, &two, 1, nullptr, starts, nullptr}) == std::vector<int>{11, 12, -2, -2, -2, -2});
  CHECK(mapped(layout, {0, nullptr, nullptr, 1, nullptr, starts, nullptr}) == std::vector<int>(6, -2));
  CHECK(mapped(layout, {1, nullptr, nullptr, 0, nullptr, nullptr, nullptr}) == std::vector<int>(6, -2));
  CHECK(mapped(layout, {1, nullptr, nullptr, 1, nullptr, nullptr, nullptr}) == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("tile mappings: ranges go on over regions, and the last one that says a tile holds", "[d3d12]") {
  // The documentation's example, in a buffer: 22 tiles of three regions, of each kind of range.
  const TileLayout layout(buffer_desc(64 * tile_size));
  const Coordinate places[] = {{1, 0, 0, 0}, {40, 0, 0, 0}, {20, 0, 0, 0}};
  const Size sizes[] = {{6, TRUE, 6, 1, 1}, {9, FALSE, 0, 0, 0}, {7, FALSE, 0, 0, 0}};
  const Flags flags[] = {none, skip, null, reuse, none, none, none, none};
  const UINT starts[] = {9, 0, 0, 17, 2, 9, 4, 17};
  const UINT counts[] = {3, 8, 2, 5, 1, 1, 1, 1};
  const auto table = mapped(layout, {3, places, sizes, 8, flags, starts, counts});
  std::vector<int> expected(64, -2);
  for (int i = 0; i < 3; ++i) expected[1 + i] = 9 + i;
  expected[45] = expected[46] = -1;
  for (const int tile : {47, 48, 20, 21, 22}) expected[tile] = 17;
  expected[23] = 2;
  expected[24] = 9;
  expected[25] = 4;
  expected[26] = 17;
  CHECK(table == expected);
  // One tile in two regions; more tiles in ranges than in regions.
  const Coordinate twice[] = {{0, 0, 0, 0}, {15, 0, 0, 0}};
  const Size of_both[] = {{64, FALSE, 0, 0, 0}, {3, FALSE, 0, 0, 0}};
  const Flags of_ranges[] = {null, none};
  const UINT from[] = {0, 8};
  const UINT lengths[] = {64, 4};
  Verdict verdict;
  const auto overlapped = mapped(layout, {2, twice, of_both, 2, of_ranges, from, lengths}, 64, &verdict);
  CHECK_FALSE(verdict.message.empty());
  std::vector<int> some(64, -1);
  for (int i = 0; i < 3; ++i) some[15 + i] = 8 + i;
  CHECK(overlapped == some);
}

TEST_CASE("tile mappings: boxes go through rows and layers, lines over mips, slices and packed mips", "[d3d12]") {
  const UINT start = 10;
  // 4 x 4, 2 x 2 and 1 x 1 tiles, and packed ones.
  const TileLayout texture(tiled(texture_2d(rgba8, 512, 512, 1, 10)));
  REQUIRE(texture.tiles() == 22);
  const auto one = [&](const TileLayout& layout, const Coordinate& place, const Size& size) {
    return mapped(layout, {1, &place, &size, 1, nullptr, &start, nullptr});
  };
  auto table = one(texture, {1, 1, 0, 0}, {4, TRUE, 2, 2, 1});
  CHECK(table[5] == 10);
  CHECK(table[6] == 11);
  CHECK(table[9] == 12);
  CHECK(table[10] == 13);
  table = one(texture, {3, 2, 0, 0}, {11, FALSE, 0, 0, 0});
  for (int i = 0; i < 11; ++i) CHECK(table[11 + i] == 10 + i);
  table = one(texture, {0, 0, 0, 7}, {1, FALSE, 0, 0, 0});
  CHECK(table[21] == 10);
  // A box that leaves its layers open has one.
  CHECK(one(texture, {1, 1, 0, 0}, {4, TRUE, 2, 2, 0}) == one(texture, {1, 1, 0, 0}, {4, TRUE, 2, 2, 1}));
  // The layers of an array's box are slices.
  const TileLayout array(tiled(texture_2d(rgba8, 256, 256, 3, 2)));
  table = one(array, {1, 0, 0, 2}, {4, TRUE, 1, 2, 2});  // mip 0 of slices 1 and 2; a slice has 5 tiles
  CHECK(table == std::vector<int>{-2, -2, -2, -2, -2, -2, 10, -2, 11, -2, -2, 12, -2, 13, -2});
  table = one(array, {0, 0, 0, 1}, {3, TRUE, 1, 1, 3});
  CHECK(table == std::vector<int>{-2, -2, -2, -2, 10, -2, -2, -2, -2, 11, -2, -2, -2, -2, 12});
  table = one(array, {1, 1, 0, 0}, {3, FALSE, 0, 0, 0});
  CHECK(table == std::vector<int>{-2, -2, -2, 10, 11, 12, -2, -2, -2, -2, -2, -2, -2, -2, -2});
  const TileLayout solid(tiled(texture_3d(rgba8, 64, 64, 32, 1)));  // 2 x 2 x 2
  CHECK(one(solid, {1, 0, 0, 0}, {4, TRUE, 1, 2, 2}) == std::vector<int>{-2, 10, -2, 11, -2, 12, -2, 13});
  CHECK(one(solid, {1, 1, 0, 0}, {2, FALSE, 0, 0, 0}) == std::vector<int>{-2, -2, -2, 10, 11, -2, -2, -2});
}

TEST_CASE("tile mappings: what does not fit is refused as a whole", "[d3d12]") {
  const TileLayout texture(tiled(texture_2d(rgba8, 512, 512, 1, 10)));
  const UINT start = 10;
  const auto region = [&](const Coordinate& place, const Size& size, const std::string& text) {
    return refused(texture, {1, &place, &size, 1, nullptr, &start, nullptr}, text);
  };
  CHECK(region({0, 0, 0, 10}, {1, FALSE, 0, 0, 0}, "subresource"));
  CHECK(region({4, 0, 0, 0}, {1, FALSE, 0, 0, 0}, "4 x 4 x 1 tiles"));
  CHECK(region({0, 0, 1, 0}, {1, FALSE, 0, 0, 0}, "4 x 4 x 1 tiles"));
  CHECK(region({0, 0, 0, 0}, {23, FALSE, 0, 0, 0}, "of 22"));
  CHECK(region({1, 0, 0, 0}, {22, FALSE, 0, 0, 0}, "of 22"));
  CHECK(region({0, 0, 0, 0}, {~0U, FALSE, 0, 0, 0}, "of 22"));
  CHECK(region({1, 0, 0, 0}, {4, TRUE, 4, 1, 1}, "a box"));
  CHECK(region({~0U, 0, 0, 0}, {2, TRUE, 2, 1, 1}, "a box"));
  CHECK(region({0, 3, 0, 0}, {2, TRUE, 1, 2, 1}, "a box"));
  CHECK(region({0, 0, 0, 0}, {2, TRUE, 1, 1, 2}, "a box"));
  CHECK(region({0, 0, 0, 5}, {1, TRUE, 1, 1, 1}, "packed"));
  CHECK(region({1, 0, 0, 5}, {1, FALSE, 0, 0, 0}, "1 x 1 x 1 tiles"));
  const Coordinate place{0, 0, 0, 0};
  const Size two{2, FALSE, 0, 0, 0};
  CHECK(refused(texture, {2, nullptr, nullptr, 1, nullptr, &start, nullptr}, "without coordinates"));
  CHECK(refused(texture, {1, &place, &two, 1, nullptr, &start, nullptr}, "below 11, found 11", 11));
  CHECK_FALSE(refused(texture, {1, &place, &two, 1, nullptr, &start, nullptr}, "", 12));
  CHECK(refused(texture, {1, &place, &two, 1, &reuse, &start, nullptr}, "below 10", 10));
  CHECK(refused(texture, {1, &place, &two, 1, nullptr, &start, nullptr}, "expected a heap", 0));
  const UINT far = ~0U;
  CHECK(refused(texture, {1, &place, &two, 1, nullptr, &far, nullptr}, "below 64"));
  for (const int flag : {3, 5, 6, 8, -1}) {
    const auto wrong = static_cast<Flags>(flag);
    CHECK(refused(texture, {1, &place, &two, 1, &wrong, &start, nullptr}, "expected flag"));
  }
}

TEST_CASE("tile mappings: random arguments map tiles that are there to tiles that are there", "[d3d12]") {
  std::mt19937 random(5);
  const auto below = [&](UINT end) { return static_cast<UINT>(random() % end); };
  const D3D12_RESOURCE_DESC descs[] = {
      tiled(texture_2d(rgba8, 1000, 700, 1, 10)), tiled(texture_2d(rgba8, 512, 300, 5, 2)),
      tiled(texture_3d(rgba8, 100, 65, 40, 4)), tiled(texture_2d(rgba8, 16, 16, 1, 5)), buffer_desc(40 * tile_size)};
  UINT accepted = 0;
  UINT turned_down = 0;
  for (UINT turn = 0; turn < 20'000; ++turn) {
    const TileLayout layout(descs[turn % 5]);
    const UINT regions = below(3);
    const UINT ranges = below(4);
    std::vector<Coordinate> places(regions + 1);
    std::vector<Size> sizes(regions + 1);
    std::vector<Flags> flags(ranges + 1);
    std::vector<UINT> starts(ranges + 1);
    std::vector<UINT> counts(ranges + 1);
    for (Coordinate& place : places) {
      place = {below(5), below(3), below(20) == 0 ? 1U : 0U, below(layout.subresources() + (turn % 7 == 0 ? 2 : 0))};
    }
    for (Size& size : sizes) {
      const bool box = below(2) == 0;
      const UINT width = 1 + below(3);
      const UINT height = below(3);
      const UINT depth = below(10) == 0 ? 2 : 1;
      size = {box ? width * height * depth : below(6), box, width, static_cast<UINT16>(height),
              static_cast<UINT16>(depth)};
    }
    for (Flags& flag : flags)
      flag = below(40) == 0 ? static_cast<Flags>(7) : std::array{none, null, skip, reuse}[below(4)];
    for (UINT& start : starts) start = below(25);
    for (UINT& count : counts) count = below(12);
    const auto maybe = [&](const auto& values) { return below(4) == 0 ? nullptr : values.data(); };
    const std::uint64_t heap_tiles = below(10) == 0 ? 0 : 20 + below(64);
    const TileMappingArguments arguments{regions,      maybe(places), maybe(sizes), ranges,
                                         maybe(flags), maybe(starts), maybe(counts)};
    std::vector<TileMapping> mappings;
    if (!find_tile_mappings(layout, arguments, heap_tiles, mappings).ok()) {
      ++turned_down;
      continue;
    }
    accepted += mappings.empty() ? 0 : 1;
    for (const TileMapping& mapping : mappings) {
      const std::uint64_t end = std::uint64_t{mapping.tiles.first} + mapping.tiles.count;
      const std::uint64_t heap_end = std::uint64_t{mapping.heap_tile} + (mapping.reuses ? 1 : mapping.tiles.count);
      if (end > layout.tiles() || (mapping.mapped && heap_end > heap_tiles)) FAIL("a tile that is not there");
    }
  }
  CHECK(accepted > 1'000);
  CHECK(turned_down > 2'000);
}
