// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/tile_table.hpp"

#include "api/d3d12/formats/tile_shape.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {

TileTable::TileTable(std::uint64_t tiles) : tiles_(tiles), groups_(divided_up(tiles, group_tiles)) {}

TileTable::Tile TileTable::at(std::uint64_t tile) const {
  if (tile >= tiles_ || groups_[tile / group_tiles].empty()) return {};
  return groups_[tile / group_tiles][tile % group_tiles];
}

void TileTable::map(std::uint64_t tile, Tile to) {
  Group& group = groups_[tile / group_tiles];
  if (group.empty() && to.bytes == nullptr) return;
  if (group.empty()) group.resize(group_tiles);
  group[tile % group_tiles] = std::move(to);
}

/// Calls `piece(bytes in a heap's memory or null, from where on in the range, count)` for what lies in one tile each.
template <class Piece>
void TileTable::for_each_piece(std::uint64_t offset, std::uint64_t count, Piece&& piece) const {
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t tile = (offset + done) / tile_bytes;
    const std::uint64_t in_tile = (offset + done) % tile_bytes;
    const std::uint64_t bytes = std::min(count - done, tile_bytes - in_tile);
    const bool known = tile < tiles_ && !groups_[tile / group_tiles].empty();
    const Tile* const mapped = known ? &groups_[tile / group_tiles][tile % group_tiles] : nullptr;
    const bool there =
        mapped != nullptr && mapped->bytes != nullptr && (mapped->pageable == nullptr || mapped->pageable->is_wanted());
    piece(there ? mapped->bytes.get() + in_tile : nullptr, done, bytes);
    done += bytes;
  }
}

void TileTable::read(std::uint64_t offset, std::uint64_t count, std::byte* to) const {
  for_each_piece(offset, count, [to](const std::byte* bytes, std::uint64_t done, std::uint64_t piece) {
    if (bytes == nullptr) {
      std::memset(to + done, 0, piece);
    } else {
      std::memcpy(to + done, bytes, piece);
    }
  });
}

void TileTable::write(std::uint64_t offset, std::uint64_t count, const std::byte* from) const {
  for_each_piece(offset, count, [from](std::byte* bytes, std::uint64_t done, std::uint64_t piece) {
    if (bytes != nullptr) std::memcpy(bytes, from + done, piece);
  });
}

}  // namespace fenceline::d3d12
