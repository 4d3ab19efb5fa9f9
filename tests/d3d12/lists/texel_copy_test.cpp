// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/texel_copy.hpp"

#include "api/d3d12/bytes/copy_rules.hpp"
#include "api/d3d12/formats/footprint.hpp"
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_layout.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <tuple>
#include <vector>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937_64;

Bytes random_bytes(std::size_t count, Random& random) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// One side of a copy: a texture in our memory, or a footprint in a buffer.
struct Side {
  D3D12_RESOURCE_DESC desc{};
  CopySide side;
  TexelGrid grid;
  Bytes bytes;
};

/// Bytes from the memory's start to the end of the last element.
std::uint64_t end_of(const TexelGrid& grid) {
  const std::uint64_t columns = grid.texels.width / grid.block_width;
  const std::uint64_t rows = grid.texels.height / grid.block_height;
  return grid.offset + (grid.texels.depth - 1) * grid.slice_pitch + (rows - 1) * grid.row_pitch +
         columns * grid.element_bytes;
}

/// Where each element of a grid lies, by its column, row and slice: walked through, not computed.
std::map<std::tuple<UINT, UINT, UINT>, std::size_t> walk(const TexelGrid& grid) {
  std::map<std::tuple<UINT, UINT, UINT>, std::size_t> places;
  std::size_t slice_start = grid.offset;
  for (UINT z = 0; z < grid.texels.depth; ++z) {
    std::size_t row_start = slice_start;
    for (UINT y = 0; y * grid.block_height < grid.texels.height; ++y) {
      std::size_t at = row_start;
      for (UINT x = 0; x * grid.block_width < grid.texels.width; ++x) {
        places[{x, y, z}] = at;
        at += grid.element_bytes;
      }
      row_start += grid.row_pitch;
    }
    slice_start += grid.slice_pitch;
  }
  return places;
}

/// A copy as its definition says it: texel by texel.
Bytes straightforward(const Side& to, UINT x, UINT y, UINT z, const Side& from, const D3D12_BOX& box) {
  Bytes result = to.bytes;
  const auto read = walk(from.grid);
  const auto written = walk(to.grid);
  for (UINT k = box.front; k < box.back; ++k) {
    for (UINT j = box.top; j < box.bottom; j += from.grid.block_height) {
      for (UINT i = box.left; i < box.right; i += from.grid.block_width) {
        const UINT column = (i - box.left) / from.grid.block_width;
        const UINT row = (j - box.top) / from.grid.block_height;
        const std::size_t source = read.at({i / from.grid.block_width, j / from.grid.block_height, k});
        const std::size_t target =
            written.at({x / to.grid.block_width + column, y / to.grid.block_height + row, z + k - box.front});
        for (UINT byte = 0; byte < from.grid.element_bytes; ++byte) result[target + byte] = from.bytes[source + byte];
      }
    }
  }
  return result;
}

Side texture_side(const D3D12_RESOURCE_DESC& desc, UINT subresource, Random& random) {
  Side made;
  made.desc = desc;
  const ResourceLayout layout(desc);
  made.grid = grid_of(layout, subresource);
  made.bytes = random_bytes(layout.bytes(), random);
  made.side.subresource = subresource;
  return made;
}

/// A buffer with the footprint of a subresource of that texture.
Side buffer_side(const D3D12_RESOURCE_DESC& texture, UINT subresource, Random& random) {
  Side made;
  UINT64 total = 0;
  const UINT64 base = 512 * (random() % 4);
  copyable_footprints(texture, subresource, 1, base, {&made.side.footprint, nullptr, nullptr, &total});
  made.desc = buffer_desc(base + total);
  made.side.type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  made.grid = grid_of(made.side.footprint);
  made.bytes = random_bytes(made.desc.Width, random);
  return made;
}

D3D12_RESOURCE_DESC random_texture(const Format& format, Random& random) {
  const auto size = [&](UINT block) { return block * static_cast<UINT>(1 + random() % 12); };
  D3D12_RESOURCE_DESC desc = texture_2d(format.format, size(format.block_width), size(format.block_height),
                                        static_cast<UINT16>(1 + random() % 3), static_cast<UINT16>(random() % 3));
  if (random() % 3 == 0) desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  if (!check_resource_desc(desc).ok()) {
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    desc.MipLevels = 1;
  }
  return desc;
}

UINT pick(Random& random, UINT end) { return static_cast<UINT>(random() % end); }

/// A part of a grid with its edges on blocks.
D3D12_BOX random_box(const TexelGrid& grid, Random& random) {
  const auto range = [&](std::uint64_t size, UINT block) {
    const UINT blocks = static_cast<UINT>(size) / block;
    const UINT first = pick(random, blocks);
    return std::pair{first * block, (first + 1 + pick(random, blocks - first)) * block};
  };
  const auto [left, right] = range(grid.texels.width, grid.block_width);
  const auto [top, bottom] = range(grid.texels.height, grid.block_height);
  const auto [front, back] = range(grid.texels.depth, 1);
  return {left, top, front, right, bottom, back};
}

std::vector<const Format*> copyable_formats() {
  std::vector<const Format*> formats;
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    if (!is_opaque(*format) && check_resource_desc(texture_2d(format->format, 8, 8)).ok()) formats.push_back(format);
  }
  return formats;
}

}  // namespace

TEST_CASE("texel copy: 10,000 random regions of all formats move as texel by texel", "[d3d12]") {
  Random random(11);
  const std::vector<const Format*> formats = copyable_formats();
  std::size_t copies = 0;
  std::size_t tried = 0;
  while (copies < 10'000) {
    const Format& format = *formats[tried++ % formats.size()];
    const D3D12_RESOURCE_DESC first = random_texture(format, random);
    const D3D12_RESOURCE_DESC second = random_texture(format, random);
    const UINT from_index = pick(random, subresource_count(first));
    UINT to_index = pick(random, subresource_count(second));
    // Planes are copied to the same plane.
    const UINT plane = subresource_at(first, from_index).plane;
    to_index = subresource_index(second,
                                 {subresource_at(second, to_index).mip, subresource_at(second, to_index).slice, plane});
    const Side from = random() % 2 ? texture_side(first, from_index, random) : buffer_side(first, from_index, random);
    Side to = random() % 2 ? texture_side(second, to_index, random) : buffer_side(second, to_index, random);
    CopySide from_side = from.side;
    from_side.desc = &from.desc;
    CopySide to_side = to.side;
    to_side.desc = &to.desc;
    const D3D12_BOX box = random_box(from.grid, random);
    const auto place = [&](std::uint64_t size, UINT used, UINT block) {
      if (used > size) return 0U;
      return pick(random, static_cast<UINT>(size - used) / block + 1) * block;
    };
    const UINT x = place(to.grid.texels.width, box.right - box.left, to.grid.block_width);
    const UINT y = place(to.grid.texels.height, box.bottom - box.top, to.grid.block_height);
    const UINT z = place(to.grid.texels.depth, box.back - box.front, 1);
    const Verdict verdict = check_copy(to_side, x, y, z, from_side, &box);
    const bool fits = x + box.right - box.left <= to.grid.texels.width &&
                      y + box.bottom - box.top <= to.grid.texels.height &&
                      z + box.back - box.front <= to.grid.texels.depth;
    const bool whole_only = format.planes == PlaneScheme::depth_stencil || is_depth(format);
    CAPTURE(format.name, verdict.message, copies);
    if (!whole_only && verdict.ok() != fits) FAIL("a copy that " << (fits ? "fits" : "does not fit"));
    if (!fits) continue;
    ++copies;
    const Bytes expected = straightforward(to, x, y, z, from, box);
    copy_texels(to.bytes.data(), to.grid, x, y, z, from.bytes.data(), from.grid, box);
    if (to.bytes != expected) FAIL("other bytes");
    const std::uint64_t elements = std::uint64_t{(box.right - box.left) / from.grid.block_width} *
                                   ((box.bottom - box.top) / from.grid.block_height) * (box.back - box.front);
    if (copied_bytes(from.grid, box) != elements * from.grid.element_bytes) FAIL("another number of bytes");
  }
}

TEST_CASE("texel copy: a texture goes to a buffer by its footprints and comes back the same", "[d3d12]") {
  Random random(12);
  for (const Format* format : copyable_formats()) {
    const D3D12_RESOURCE_DESC desc = random_texture(*format, random);
    const ResourceLayout layout(desc);
    const UINT count = subresource_count(desc);
    std::vector<D3D12_PLACED_SUBRESOURCE_FOOTPRINT> prints(count);
    UINT64 total = 0;
    copyable_footprints(desc, 0, count, 0, {prints.data(), nullptr, nullptr, &total});
    CAPTURE(format->name, desc.Width, desc.Height, desc.MipLevels);
    const Bytes texture = random_bytes(layout.bytes(), random);
    Bytes buffer(total, std::byte{0xCC});
    Bytes back(layout.bytes());
    for (UINT i = 0; i < count; ++i) {
      const TexelGrid grid = grid_of(layout, i);
      const TexelGrid placed = grid_of(prints[i]);
      REQUIRE(end_of(placed) <= total);
      copy_texels(buffer.data(), placed, 0, 0, 0, texture.data(), grid, whole_box(grid));
      copy_texels(back.data(), grid, 0, 0, 0, buffer.data(), placed, whole_box(placed));
    }
    CHECK(texture == back);
  }
}

TEST_CASE("texel copy: blocks go to integers and back", "[d3d12]") {
  Random random(13);
  const Side blocks = texture_side(texture_2d(DXGI_FORMAT_BC1_UNORM, 16, 8), 0, random);
  Side integers = texture_side(texture_2d(DXGI_FORMAT_R32G32_UINT, 4, 2), 0, random);
  CopySide from = blocks.side;
  from.desc = &blocks.desc;
  CopySide to = integers.side;
  to.desc = &integers.desc;
  const D3D12_BOX box = {4, 0, 0, 12, 8, 1};
  REQUIRE(check_copy(to, 1, 0, 0, from, &box).ok());
  CHECK_FALSE(check_copy(to, 3, 0, 0, from, &box).ok());
  copy_texels(integers.bytes.data(), integers.grid, 1, 0, 0, blocks.bytes.data(), blocks.grid, box);
  CHECK(std::equal(&integers.bytes[8], &integers.bytes[8] + 16, &blocks.bytes[8]));
  const D3D12_BOX texels = {0, 0, 0, 4, 2, 1};
  REQUIRE(check_copy(from, 0, 0, 0, to, &texels).ok());
  CHECK_FALSE(check_copy(from, 4, 0, 0, to, &texels).ok());
  CHECK_FALSE(check_copy(from, 2, 0, 0, to, nullptr).ok());
}

TEST_CASE("texel copy: an empty box moves nothing", "[d3d12]") {
  Random random(14);
  const Side from = texture_side(texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8), 0, random);
  Side to = texture_side(texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8), 0, random);
  const Bytes before = to.bytes;
  copy_texels(to.bytes.data(), to.grid, 0, 0, 0, from.bytes.data(), from.grid, {4, 0, 0, 4, 8, 1});
  copy_texels(to.bytes.data(), to.grid, 0, 0, 0, from.bytes.data(), from.grid, {6, 0, 0, 4, 8, 1});
  CHECK(to.bytes == before);
  CHECK(copied_bytes(from.grid, {6, 0, 0, 4, 8, 1}) == 0);
}
