// SPDX-License-Identifier: Apache-2.0
// Reserved resources against a plain model of them: bytes of heaps, and for each tile where it lies, byte by byte.
#include "tests/d3d12/resources/tiles_model.hpp"

#include "tests/d3d12/lists/copy_location.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline::testing;

namespace {

using namespace fenceline::testing::tiles;
using Random = std::mt19937;

constexpr UINT heap_tiles = 12;
constexpr auto to_tiles = D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE;
constexpr auto to_buffer = D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;

/// A reserved resource, its model, and random things to do with both.
class Pair {
 public:
  Pair(ReservedApp& of, Recorder& by, Random& from, const std::array<ComPtr<ID3D12Heap>, 2>& heaps, Heaps& bytes,
       const D3D12_RESOURCE_DESC& desc)
      : app_(of),
        recorder_(by),
        random_(from),
        heaps_(heaps),
        resource_(app_.reserved(desc)),
        desc_(resource_->GetDesc()),
        model_(desc_, shape_of(app_, resource_.Get()), bytes),
        up_(app_.buffer(buffer_bytes, D3D12_HEAP_TYPE_UPLOAD)),
        back_(app_.buffer(buffer_bytes, D3D12_HEAP_TYPE_READBACK)),
        source_(buffer_bytes) {}

  UINT below(UINT end) { return static_cast<UINT>(random_() % end); }

  void act() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: return map();
      case 4: return copy_mappings();
      case 5:
      case 6: return copy_tiles(below(2) == 0);
      default: return write_texels();
    }
  }

  /// All texels.
  void compare() {
    std::vector<D3D12_PLACED_SUBRESOURCE_FOOTPRINT> prints(model_.parts.size());
    if (model_.is_buffer()) {
      recorder_.list->CopyBufferRegion(back(), 0, resource_.Get(), 0, desc_.Width);
    } else {
      UINT64 total = 0;
      app_.device->GetCopyableFootprints(&desc_, 0, static_cast<UINT>(prints.size()), 0, prints.data(), nullptr,
                                         nullptr, &total);
      REQUIRE(total <= buffer_bytes);
      for (UINT i = 0; i < prints.size(); ++i) {
        const auto to = in_buffer(back(), prints[i]);
        const auto from = in_texture(resource_.Get(), i);
        recorder_.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
      }
    }
    recorder_.run();
    const Raw found = read<std::uint8_t>(back(), buffer_bytes);
    for (UINT i = 0; i < prints.size(); ++i) {
      const Part& part = model_.parts[i];
      const UINT64 pitch = prints[i].Footprint.RowPitch;
      for (UINT z = 0; z < part.depth; ++z) {
        for (UINT y = 0; y < part.height; ++y) {
          for (UINT x = 0; x < part.width; ++x) {
            for (UINT byte = 0; byte < model_.element(); ++byte) {
              const UINT64 place =
                  prints[i].Offset + (UINT64{z} * part.height + y) * pitch + x * model_.element() + byte;
              if (found[place] != model_.get(i, x, y, z, byte)) {
                FAIL("subresource " << i << ", element " << x << ", " << y << ", " << z << ": found "
                                    << int{found[place]});
              }
            }
          }
        }
      }
    }
  }

 private:
  static constexpr UINT64 buffer_bytes = 24 * tile_size;

  static D3D12_TILE_SHAPE shape_of(ReservedApp& app, ID3D12Resource* resource) {
    D3D12_TILE_SHAPE shape{};
    app.device->GetResourceTiling(resource, nullptr, nullptr, &shape, nullptr, 0, nullptr);
    return shape;
  }
  ID3D12Resource* back() { return back_.Get(); }
  UINT all() const { return static_cast<UINT>(model_.pages.size()); }

  /// A region that is there, of at most so many tiles.
  std::pair<Coordinate, Size> region(UINT most) {
    const UINT index = below(static_cast<UINT>(model_.parts.size()));
    const Part& part = model_.parts[index];
    if (part.packed) {
      const UINT x = below(all() - model_.packed_first);
      return {{x, 0, 0, index}, {1 + below(std::min(most, all() - model_.packed_first - x)), FALSE, 0, 0, 0}};
    }
    const Coordinate start{below(part.across), below(part.down), below(part.deep), index};
    if (below(2) == 0) {
      const UINT first = part.first_tile + (start.Z * part.down + start.Y) * part.across + start.X;
      return {start, {1 + below(std::min(most, all() - first)), FALSE, 0, 0, 0}};
    }
    const UINT width = 1 + below(std::min(most, part.across - start.X));
    const UINT height = 1 + below(std::min(most / width, part.down - start.Y));
    const UINT depth = 1 + below(std::min(most / width / height, part.deep - start.Z));
    return {start, {width * height * depth, TRUE, width, static_cast<UINT16>(height), static_cast<UINT16>(depth)}};
  }

  void map() {
    std::vector<Coordinate> starts;
    std::vector<Size> sizes;
    std::vector<UINT> tiles;
    for (UINT i = 0; i < 1 + below(3); ++i) {
      const auto [start, size] = region(all());
      starts.push_back(start);
      sizes.push_back(size);
      for (const UINT tile : model_.walk(start, size)) tiles.push_back(tile);
    }
    std::vector<Flags> flags;
    std::vector<UINT> offsets;
    std::vector<UINT> counts;
    const auto heap = static_cast<int>(below(2));
    for (std::size_t done = 0; done < tiles.size();) {
      flags.push_back(std::array{D3D12_TILE_RANGE_FLAG_NONE, D3D12_TILE_RANGE_FLAG_NONE, D3D12_TILE_RANGE_FLAG_NULL,
                                 D3D12_TILE_RANGE_FLAG_SKIP, D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE}[below(5)]);
      offsets.push_back(below(heap_tiles));
      UINT count = 1 + below(static_cast<UINT>(tiles.size() - done));
      if (flags.back() == D3D12_TILE_RANGE_FLAG_NONE) count = std::min(count, heap_tiles - offsets.back());
      counts.push_back(count);
      for (UINT i = 0; i < count; ++i, ++done) {
        Page& page = model_.pages.at(tiles[done]);
        if (flags.back() == D3D12_TILE_RANGE_FLAG_NONE) page = {heap, offsets.back() + i};
        if (flags.back() == D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE) page = {heap, offsets.back()};
        if (flags.back() == D3D12_TILE_RANGE_FLAG_NULL) page = {};
      }
    }
    recorder_.queue->UpdateTileMappings(resource_.Get(), static_cast<UINT>(starts.size()), starts.data(), sizes.data(),
                                        heaps_.at(static_cast<std::size_t>(heap)).Get(),
                                        static_cast<UINT>(flags.size()), flags.data(), offsets.data(), counts.data(),
                                        D3D12_TILE_MAPPING_FLAG_NONE);
  }

  void copy_mappings() {
    const auto [from, size] = region(all());
    // The same size where it fits.
    for (UINT tries = 0; tries < 20; ++tries) {
      const auto [to, other] = region(all());
      const Part& part = model_.parts[to.Subresource];
      if (size.UseBox != FALSE && (part.packed || to.X + size.Width > part.across || to.Y + size.Height > part.down ||
                                   to.Z + size.Depth > part.deep)) {
        continue;
      }
      const std::vector<UINT> written = model_.walk(to, size);
      if (written.back() >= all()) continue;
      std::vector<Page> pages;
      for (const UINT tile : model_.walk(from, size)) pages.push_back(model_.pages[tile]);
      for (std::size_t i = 0; i < written.size(); ++i) model_.pages[written[i]] = pages[i];
      recorder_.queue->CopyTileMappings(resource_.Get(), &to, resource_.Get(), &from, &size,
                                        D3D12_TILE_MAPPING_FLAG_NONE);
      return;
    }
  }

  void fill_source() {
    for (std::uint8_t& byte : source_) byte = static_cast<std::uint8_t>(random_());
    write(up_.Get(), source_);
  }

  void copy_tiles(bool reads) {
    const auto [start, size] = region(4);
    const std::vector<UINT> tiles = model_.walk(start, size);
    const UINT64 offset = below(1000) * 16;
    if (!reads) fill_source();
    Raw before;
    if (reads) {
      before = Raw(buffer_bytes, 0xAB);
      write(back(), before);
    }
    recorder_.list->CopyTiles(resource_.Get(), &start, &size, reads ? back() : up_.Get(), offset,
                              reads ? to_buffer : to_tiles);
    recorder_.run();
    Raw expected = before;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const UINT64 base = offset + i * tile_size;
      if (!model_.is_buffer() && tiles[i] >= model_.packed_first) {
        for (UINT place = 0; place < 65536; ++place) {
          std::uint8_t* const at = model_.in_page(tiles[i], place);
          if (reads) {
            expected[base + place] = at != nullptr ? *at : 0;
          } else if (at != nullptr) {
            *at = source_[base + place];
          }
        }
        continue;
      }
      model_.in_tile(tiles[i], [&](UINT part, UINT x, UINT y, UINT z, UINT place) {
        for (UINT byte = 0; byte < model_.element(); ++byte) {
          if (reads) {
            expected[base + place + byte] = model_.get(part, x, y, z, byte);
          } else {
            model_.set(part, x, y, z, byte, source_[base + place + byte]);
          }
        }
      });
    }
    // What is beyond the texture's edge in a tile stays as it is.
    if (reads && read<std::uint8_t>(back(), buffer_bytes) != expected) FAIL("CopyTiles to a buffer");
  }

  /// CopyTextureRegion or CopyBufferRegion of a random part.
  void write_texels() {
    fill_source();
    const UINT index = below(static_cast<UINT>(model_.parts.size()));
    const Part& part = model_.parts[index];
    const auto range = [&](UINT size) {
      const UINT first = below(size);
      return std::pair{first, first + 1 + below(size - first)};
    };
    const auto [left, right] = range(part.width);
    const auto [top, bottom] = range(part.height);
    const auto [front, back] = range(part.depth);
    if (model_.is_buffer()) {
      recorder_.list->CopyBufferRegion(resource_.Get(), left, up_.Get(), 0, right - left);
      recorder_.run();
      for (UINT x = left; x < right; ++x) model_.set(0, x, 0, 0, 0, source_[x - left]);
      return;
    }
    const UINT block_x = model_.format().block_width;
    const UINT block_y = model_.format().block_height;
    const UINT pitch = ceil_div((right - left) * model_.element(), 256) * 256;
    const D3D12_PLACED_SUBRESOURCE_FOOTPRINT print{
        512, {desc_.Format, (right - left) * block_x, (bottom - top) * block_y, back - front, pitch}};
    const auto to = in_texture(resource_.Get(), index);
    const auto from = in_buffer(up_.Get(), print);
    recorder_.list->CopyTextureRegion(&to, left * block_x, top * block_y, front, &from, nullptr);
    recorder_.run();
    for (UINT z = front; z < back; ++z) {
      for (UINT y = top; y < bottom; ++y) {
        for (UINT x = left; x < right; ++x) {
          const UINT64 place =
              512 + (UINT64{z - front} * (bottom - top) + y - top) * pitch + UINT64{x - left} * model_.element();
          for (UINT byte = 0; byte < model_.element(); ++byte) model_.set(index, x, y, z, byte, source_[place + byte]);
        }
      }
    }
  }

  ReservedApp& app_;
  Recorder& recorder_;
  Random& random_;
  const std::array<ComPtr<ID3D12Heap>, 2>& heaps_;
  ComPtr<ID3D12Resource> resource_;
  D3D12_RESOURCE_DESC desc_;
  Model model_;
  ComPtr<ID3D12Resource> up_;
  ComPtr<ID3D12Resource> back_;
  Raw source_;
};

std::vector<D3D12_RESOURCE_DESC> resources() {
  return {
      buffer_desc(9 * tile_size + 1234),
      tiled(texture_2d(DXGI_FORMAT_R8_UNORM, 700, 300, 1, 4)),
      tiled(texture_2d(DXGI_FORMAT_R16_UINT, 300, 400, 1, 9)),
      tiled(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 300, 200, 1, 9)),
      tiled(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 256, 130, 3, 1)),
      tiled(texture_2d(DXGI_FORMAT_R32G32_UINT, 257, 129, 2, 2)),
      tiled(texture_2d(DXGI_FORMAT_R32G32B32A32_UINT, 130, 70, 1, 3)),
      tiled(texture_2d(DXGI_FORMAT_BC1_UNORM, 1000, 300, 1, 10)),
      tiled(texture_2d(DXGI_FORMAT_BC7_UNORM, 516, 260, 1, 8)),
      tiled(texture_2d(DXGI_FORMAT_R8G8_B8G8_UNORM, 300, 200, 1, 1)),
      tiled(texture_3d(DXGI_FORMAT_R8G8B8A8_UNORM, 50, 40, 20, 3)),
      tiled(texture_3d(DXGI_FORMAT_R16_UINT, 33, 64, 33, 2)),
      tiled(texture_3d(DXGI_FORMAT_BC4_UNORM, 132, 68, 17, 2)),
  };
}

}  // namespace

TEST_CASE("tiles: 1,300 random mappings and copies leave the bytes that a plain model has", "[d3d12]") {
  ReservedApp app;
  Random random(21);
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const std::array<ComPtr<ID3D12Heap>, 2> heaps{app.tile_heap(heap_tiles), app.tile_heap(heap_tiles)};
  Heaps bytes;
  for (Raw& heap : bytes) heap.resize(heap_tiles * tile_size);
  UINT turn = 0;
  for (const D3D12_RESOURCE_DESC& desc : resources()) {
    CAPTURE(desc.Format, desc.Width, desc.Height);
    Pair pair(app, turn++ % 2 == 0 ? direct : copy, random, heaps, bytes, desc);
    pair.compare();
    for (UINT step = 1; step <= 100; ++step) {
      pair.act();
      if (step % 10 == 0) pair.compare();
    }
  }
}

TEST_CASE("tiles: CopyResource goes between reserved textures and others", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R32_UINT, 300, 200, 1, 9);
  const auto plain = app.resource(desc, D3D12_HEAP_TYPE_DEFAULT);
  const auto last = app.resource(desc, D3D12_HEAP_TYPE_DEFAULT);
  const auto one = app.reserved(tiled(desc));
  const auto other = app.reserved(tiled(desc));
  const auto heap = app.tile_heap(40);
  ReservedApp::map_all(direct.queue.Get(), one.Get(), heap.Get());
  ReservedApp::map_all(direct.queue.Get(), other.Get(), heap.Get(), 20);
  std::array<D3D12_PLACED_SUBRESOURCE_FOOTPRINT, 9> prints{};
  UINT64 total = 0;
  app.device->GetCopyableFootprints(&desc, 0, 9, 0, prints.data(), nullptr, nullptr, &total);
  const auto up = app.buffer(total, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(total, D3D12_HEAP_TYPE_READBACK);
  std::vector<std::uint32_t> words(total / 4);
  Random random(4);
  for (std::uint32_t& word : words) word = random();
  write(up.Get(), words);
  const auto both = [&](ID3D12Resource* texture, ID3D12Resource* buffer, bool goes_up) {
    for (UINT mip = 0; mip < 9; ++mip) {
      D3D12_TEXTURE_COPY_LOCATION in_texture{};
      in_texture.pResource = texture;
      in_texture.SubresourceIndex = mip;
      D3D12_TEXTURE_COPY_LOCATION in_buffer{};
      in_buffer.pResource = buffer;
      in_buffer.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
      in_buffer.PlacedFootprint = prints.at(mip);
      direct.list->CopyTextureRegion(goes_up ? &in_texture : &in_buffer, 0, 0, 0, goes_up ? &in_buffer : &in_texture,
                                     nullptr);
    }
  };
  both(plain.Get(), up.Get(), true);
  direct.list->CopyResource(one.Get(), plain.Get());
  direct.list->CopyResource(other.Get(), one.Get());
  direct.list->CopyResource(last.Get(), other.Get());
  both(last.Get(), back.Get(), false);
  direct.run();
  const auto found = read<std::uint32_t>(back.Get(), total / 4);
  for (UINT mip = 0; mip < 9; ++mip) {
    const auto& print = prints.at(mip);
    for (UINT y = 0; y < print.Footprint.Height; ++y) {
      const UINT64 row = (print.Offset + UINT64{y} * print.Footprint.RowPitch) / 4;
      for (UINT x = 0; x < print.Footprint.Width; ++x) {
        if (found[row + x] != words[row + x]) FAIL("mip " << mip << ", texel " << x << ", " << y);
      }
    }
  }
}
