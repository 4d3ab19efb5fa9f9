// SPDX-License-Identifier: Apache-2.0
// Effects that read or write reserved resources: the same as in effect.cpp, by way of their tiles.
#include "api/d3d12/bytes/effect.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

/// A row of elements of a grid, which may lie in several tiles.
struct Row {
  std::uint64_t x;
  std::uint64_t y;
  std::uint64_t z;
  std::uint64_t count;
};

/// Calls `piece(offset in bytes from the grid's memory on, bytes before it in the row, bytes)` for what of the row lies
/// together.
template <class Piece>
void for_each_piece(const TexelGrid& grid, const Row& row, Piece&& piece) {
  const ElementTiles& tiles = grid.tiles;
  const std::uint64_t bytes = grid.element_bytes;
  if (tiles.columns == 0) {
    const std::uint64_t at = grid.offset + row.z * grid.slice_pitch + row.y * grid.row_pitch + row.x * bytes;
    return piece(at, std::uint64_t{0}, row.count * bytes);
  }
  const std::uint64_t in_tile = row.z % tiles.slices * grid.slice_pitch + row.y % tiles.rows * grid.row_pitch;
  const std::uint64_t tile_row = (row.z / tiles.slices * tiles.down + row.y / tiles.rows) * tiles.across;
  for (std::uint64_t done = 0; done < row.count;) {
    const std::uint64_t x = row.x + done;
    const std::uint64_t count = std::min(row.count - done, tiles.columns - x % tiles.columns);
    const std::uint64_t tile = tile_row + x / tiles.columns;
    piece(grid.offset + tile * tile_bytes + in_tile + x % tiles.columns * bytes, done * bytes, count * bytes);
    done += count;
  }
}

void read_row(const Bytes& from, const TexelGrid& grid, const Row& row, std::byte* to) {
  for_each_piece(grid, row, [&](std::uint64_t at, std::uint64_t done, std::uint64_t count) {
    from.memory->read(from.offset + at, count, to + done);
  });
}

void write_row(const Bytes& to, const TexelGrid& grid, const Row& row, const std::byte* from) {
  for_each_piece(grid, row, [&](std::uint64_t at, std::uint64_t done, std::uint64_t count) {
    to.memory->write(to.offset + at, count, from + done);
  });
}

void copy_bytes(const Bytes& to, const Bytes& from, std::uint64_t count) {
  std::vector<std::byte> part(std::min(count, tile_bytes));
  for (std::uint64_t at = 0; at < count; at += part.size()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(part.size(), count - at);
    from.memory->read(from.offset + at, bytes, part.data());
    to.memory->write(to.offset + at, bytes, part.data());
  }
}

/// `x`, `y` and `z` are elements of the destination.
void copy_rows(const Bytes& to, const TexelGrid& to_grid, std::uint64_t x, std::uint64_t y, std::uint64_t z,
               const Bytes& from, const TexelGrid& from_grid, const D3D12_BOX& box) {
  const ElementBox moved = elements_of(from_grid, box);
  std::vector<std::byte> row(moved.columns * from_grid.element_bytes);
  for (std::uint64_t slice = 0; slice < moved.slices; ++slice) {
    for (std::uint64_t at = 0; at < moved.rows; ++at) {
      read_row(from, from_grid, {moved.x, moved.y + at, moved.z + slice, moved.columns}, row.data());
      write_row(to, to_grid, {x, y + at, z + slice, moved.columns}, row.data());
    }
  }
}

/// The buffer's side of a part: a tile as CopyTiles has it, whole also where the subresource ends within it.
TexelGrid in_buffer(const CopyTileParts::Part& part) {
  TexelGrid grid = part.grid;
  grid.offset = part.in_buffer;
  grid.tiles = {};
  return grid;
}

struct ApplyTiled {
  void operator()(const CopyBytes& copy) const { copy_bytes(copy.to, copy.from, copy.count); }
  void operator()(const CopyTexels& copy) const {
    copy_rows(copy.to, copy.to_grid, copy.x / copy.to_grid.block_width, copy.y / copy.to_grid.block_height, copy.z,
              copy.from, copy.from_grid, copy.box);
  }
  void operator()(const FillTexels& fill) const {
    const ElementBox filled = elements_of(fill.grid, fill.box);
    const std::uint64_t bytes = fill.grid.element_bytes;
    // A buffer's views are one row, which may be long.
    const std::uint64_t most = std::max<std::uint64_t>(1, std::min(filled.columns, tile_bytes / bytes));
    std::vector<std::byte> row(most * bytes);
    for (std::uint64_t i = 0; i < most; ++i) std::memcpy(row.data() + i * bytes, fill.value.data(), bytes);
    for (std::uint64_t slice = 0; slice < filled.slices; ++slice) {
      for (std::uint64_t at = 0; at < filled.rows; ++at) {
        for (std::uint64_t x = 0; x < filled.columns; x += most) {
          const std::uint64_t count = std::min(most, filled.columns - x);
          write_row(fill.to, fill.grid, {filled.x + x, filled.y + at, filled.z + slice, count}, row.data());
        }
      }
    }
  }
  void operator()(const ResolveTexels& resolve) const {
    const std::uint32_t bytes = resolve.to_grid.element_bytes;
    std::vector<std::byte> samples(resolve.from_grid.element_bytes);
    for (std::uint32_t y = resolve.box.top; y < resolve.box.bottom; ++y) {
      for (std::uint32_t x = resolve.box.left; x < resolve.box.right; ++x) {
        read_row(resolve.from, resolve.from_grid, {x, y, 0, 1}, samples.data());
        const Element element = resolve_texel(resolve.format, resolve.mode, samples.data(), resolve.samples, bytes);
        const std::uint64_t to_x = std::uint64_t{resolve.x} + x - resolve.box.left;
        const std::uint64_t to_y = std::uint64_t{resolve.y} + y - resolve.box.top;
        write_row(resolve.to, resolve.to_grid, {to_x, to_y, 0, 1}, element.data());
      }
    }
  }
  void operator()(const WriteWord& write) const {
    std::array<std::byte, sizeof write.value> word{};
    std::memcpy(word.data(), &write.value, word.size());
    write.to.write(word.size(), word.data());
  }
  void operator()(const ResolveQueries& resolve) const {
    std::vector<std::byte> results(resolve.count);
    resolve.from.read(results.size(), results.data());
    for (std::uint64_t at = 0; resolve.binary && at < resolve.count; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, results.data() + at, sizeof word);
      word = word != 0 ? 1 : 0;
      std::memcpy(results.data() + at, &word, sizeof word);
    }
    resolve.to.write(results.size(), results.data());
  }
  void operator()(const CopyTileParts& copy) const {
    for (const CopyTileParts::Part& part : copy.parts) {
      const TexelGrid buffer = in_buffer(part);
      const ElementBox box = elements_of(part.grid, part.box);
      if (copy.to_buffer) {
        copy_rows(copy.buffer, buffer, 0, 0, 0, copy.tiles, part.grid, part.box);
      } else {
        const D3D12_BOX whole{
            0, 0, 0, part.box.right - part.box.left, part.box.bottom - part.box.top, part.box.back - part.box.front};
        copy_rows(copy.tiles, part.grid, box.x, box.y, box.z, copy.buffer, buffer, whole);
      }
    }
    for (const CopyTileParts::Span& span : copy.spans) {
      const Bytes tiles{copy.tiles.memory, copy.tiles.offset + span.in_tiles};
      const Bytes buffer{copy.buffer.memory, copy.buffer.offset + span.in_buffer};
      copy_bytes(copy.to_buffer ? buffer : tiles, copy.to_buffer ? tiles : buffer, span.count);
    }
  }
};

}  // namespace

namespace {

/// Collects tiles by number.
class TilesOf {
 public:
  std::vector<std::uint64_t> all() && { return {tiles_.begin(), tiles_.end()}; }

  void operator()(const CopyBytes& copy) { add(copy.to.offset, copy.count); }
  void operator()(const CopyTexels& copy) {
    const ElementBox box = elements_of(copy.from_grid, copy.box);
    add(copy.to, copy.to_grid,
        {copy.x / copy.to_grid.block_width, copy.y / copy.to_grid.block_height, copy.z, box.columns, box.rows,
         box.slices});
  }
  void operator()(const FillTexels& fill) { add(fill.to, fill.grid, elements_of(fill.grid, fill.box)); }
  void operator()(const ResolveTexels& resolve) {
    const D3D12_BOX& box = resolve.box;
    add(resolve.to, resolve.to_grid, {resolve.x, resolve.y, 0, box.right - box.left, box.bottom - box.top, 1});
  }
  void operator()(const WriteWord& write) { add(write.to.offset, sizeof write.value); }
  void operator()(const ResolveQueries& resolve) { add(resolve.to.offset, resolve.count); }
  void operator()(const CopyTileParts& copy) {
    for (const CopyTileParts::Part& part : copy.parts) add(copy.tiles, part.grid, elements_of(part.grid, part.box));
    for (const CopyTileParts::Span& span : copy.spans) add(copy.tiles.offset + span.in_tiles, span.count);
  }

 private:
  void add(std::uint64_t offset, std::uint64_t count) {
    for (std::uint64_t tile = offset / tile_bytes; count > 0 && tile <= (offset + count - 1) / tile_bytes; ++tile) {
      tiles_.insert(tile);
    }
  }
  void add(const Bytes& bytes, const TexelGrid& grid, const ElementBox& box) {
    for (std::uint64_t slice = 0; slice < box.slices; ++slice) {
      for (std::uint64_t row = 0; row < box.rows; ++row) {
        for_each_piece(grid, {box.x, box.y + row, box.z + slice, box.columns},
                       [&](std::uint64_t at, std::uint64_t, std::uint64_t count) { add(bytes.offset + at, count); });
      }
    }
  }

  std::set<std::uint64_t> tiles_;
};

}  // namespace

std::vector<std::uint64_t> written_tiles(const Effect& effect) {
  TilesOf tiles;
  std::visit([&](const auto& one) { tiles(one); }, effect);
  return std::move(tiles).all();
}

void apply_tiled(const Effect& effect) { std::visit(ApplyTiled{}, effect); }

}  // namespace fenceline::d3d12
