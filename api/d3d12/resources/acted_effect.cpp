// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/acted_effect.hpp"

#include "api/d3d12/formats/tile_shape.hpp"

#include <algorithm>
#include <variant>

namespace fenceline::d3d12 {
namespace {

/// Elements of a grid from (x, y, z) on.
ActedRows rows_at(const Bytes& bytes, const TexelGrid& grid, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const std::uint64_t first = grid.offset + z * grid.slice_pitch + y * grid.row_pitch + x * grid.element_bytes;
  return {bytes.memory, bytes.offset + first, grid.row_pitch, grid.slice_pitch};
}
ActedRows bytes_at(const Bytes& bytes) { return {bytes.memory, bytes.offset, 0, 0}; }
RowShape shape_of(const ElementBox& box, const TexelGrid& grid) {
  return {box.columns * grid.element_bytes, box.rows, box.slices};
}

/// What a copy of texels writes.
ActedRows destination_of(const CopyTexels& copy) {
  return rows_at(copy.to, copy.to_grid, copy.x / copy.to_grid.block_width, copy.y / copy.to_grid.block_height, copy.z);
}

struct Acted {
  std::optional<ActedEffect> operator()(const CopyBytes& copy) const {
    if (copy.to.reserved() || copy.from.reserved()) return std::nullopt;
    return ActedCopy{bytes_at(copy.from), bytes_at(copy.to), {copy.count}};
  }
  std::optional<ActedEffect> operator()(const CopyTexels& copy) const {
    if (copy.to.reserved() || copy.from.reserved() || copy.masks_depth) return std::nullopt;
    const ElementBox box = elements_of(copy.from_grid, copy.box);
    return ActedCopy{rows_at(copy.from, copy.from_grid, box.x, box.y, box.z), destination_of(copy),
                     shape_of(box, copy.from_grid)};
  }
  std::optional<ActedEffect> operator()(const FillTexels& fill) const {
    if (fill.to.reserved()) return std::nullopt;
    const ElementBox box = elements_of(fill.grid, fill.box);
    return ActedFill{rows_at(fill.to, fill.grid, box.x, box.y, box.z),
                     shape_of(box, fill.grid),
                     {fill.value.begin(), fill.value.begin() + fill.grid.element_bytes}};
  }
  std::optional<ActedEffect> operator()(const WriteWord& write) const {
    if (write.to.reserved()) return std::nullopt;
    ActedFill fill{bytes_at(write.to), {sizeof write.value}, std::vector<std::byte>(sizeof write.value)};
    std::memcpy(fill.value.data(), &write.value, sizeof write.value);
    return fill;
  }
  template <class Other>
  std::optional<ActedEffect> operator()(const Other&) const {
    return std::nullopt;
  }
};

/// Of an effect on memory that is no reserved resource's.
struct Written {
  std::vector<ActedWrite> operator()(const CopyBytes& copy) const { return {{bytes_at(copy.to), {copy.count}}}; }
  std::vector<ActedWrite> operator()(const CopyTexels& copy) const {
    if (!copy.masks_depth)
      return {{destination_of(copy), shape_of(elements_of(copy.from_grid, copy.box), copy.to_grid)}};
    return {{rows_at(copy.to, copy.to_grid, 0, 0, 0),
             shape_of(elements_of(copy.to_grid, whole_box(copy.to_grid)), copy.to_grid)}};
  }
  std::vector<ActedWrite> operator()(const FillTexels& fill) const {
    const ElementBox box = elements_of(fill.grid, fill.box);
    return {{rows_at(fill.to, fill.grid, box.x, box.y, box.z), shape_of(box, fill.grid)}};
  }
  std::vector<ActedWrite> operator()(const ResolveTexels& resolve) const {
    const std::uint64_t columns = resolve.box.right - resolve.box.left;
    const std::uint64_t rows = resolve.box.bottom - resolve.box.top;
    return {{rows_at(resolve.to, resolve.to_grid, resolve.x, resolve.y, 0),
             {columns * resolve.to_grid.element_bytes, rows, 1}}};
  }
  std::vector<ActedWrite> operator()(const WriteWord& write) const {
    return {{bytes_at(write.to), {sizeof write.value}}};
  }
  std::vector<ActedWrite> operator()(const ResolveQueries& resolve) const {
    return {{bytes_at(resolve.to), {resolve.count}}};
  }
  std::vector<ActedWrite> operator()(const CopyTileParts& copy) const {
    std::vector<ActedWrite> all;
    const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
      const Bytes at{copy.buffer.memory, copy.buffer.offset + offset};
      const std::uint64_t left = copy.buffer.memory->size() - std::min(at.offset, copy.buffer.memory->size());
      all.push_back({bytes_at(at), {std::min(bytes, left)}});
    };
    for (const CopyTileParts::Part& part : copy.parts) add(part.in_buffer, tile_bytes);
    for (const CopyTileParts::Span& span : copy.spans) add(span.in_buffer, span.count);
    return all;
  }
};

/// What an effect writes to; null: tiles of a reserved resource.
struct WrittenMemory {
  const Bytes& operator()(const CopyTileParts& copy) const { return copy.to_buffer ? copy.buffer : copy.tiles; }
  template <class Other>
  const Bytes& operator()(const Other& other) const {
    return other.to;
  }
};

struct Memories {
  const std::function<void(const std::shared_ptr<HeapMemory>&)>& visit;
  void one(const Bytes& bytes) const {
    if (bytes.memory != nullptr && !bytes.reserved()) visit(bytes.memory);
  }
  void operator()(const FillTexels& fill) const { one(fill.to); }
  void operator()(const WriteWord& write) const { one(write.to); }
  void operator()(const ResolveQueries& resolve) const { one(resolve.to); }  // where results lie is no program's
  void operator()(const CopyTileParts& copy) const { one(copy.buffer); }
  template <class Copy>
  void operator()(const Copy& copy) const {
    one(copy.from);
    one(copy.to);
  }
};

}  // namespace

std::optional<ActedEffect> acted(const Effect& effect) { return std::visit(Acted{}, effect); }

std::vector<ActedWrite> written_by(const Effect& effect) {
  const Bytes& to = std::visit([](const auto& one) -> const Bytes& { return WrittenMemory{}(one); }, effect);
  if (!to.reserved()) return std::visit(Written{}, effect);
  std::vector<ActedWrite> all;
  for (const std::uint64_t number : written_tiles(effect)) {
    const TileTable::Tile tile = to.memory->tiles()->at(number);
    if (tile.heap == nullptr) continue;
    const auto offset = static_cast<std::uint64_t>(tile.bytes.get() - tile.heap->data());
    all.push_back({{tile.heap->shared_from_this(), offset, 0, 0}, {tile_bytes}});
  }
  return all;
}

void for_each_memory(const Effect& effect, const std::function<void(const std::shared_ptr<HeapMemory>&)>& visit) {
  std::visit(Memories{visit}, effect);
}

}  // namespace fenceline::d3d12
