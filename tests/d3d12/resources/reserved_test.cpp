// SPDX-License-Identifier: Apache-2.0
// Reserved resources: what may be one, what it says of itself, and how it is divided into tiles.
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/format_support.hpp"
#include "api/d3d12/formats/tile_layout.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace fenceline::testing;
using fenceline::d3d12::check_reserved_desc;
using fenceline::d3d12::find_format;
using fenceline::d3d12::Format;
using fenceline::d3d12::TileLayout;

namespace {

constexpr auto rgba8 = DXGI_FORMAT_R8G8B8A8_UNORM;

/// The documentation's tables of standard tile shapes, by the bytes of a texel or block.
struct Shape {
  UINT width, height, depth;
};
Shape documented_shape(const Format& format, D3D12_RESOURCE_DIMENSION dimension, UINT samples) {
  const bool flat = dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  const bool blocks = format.block_height == 4;
  Shape shape{};
  switch (format.block_bytes) {
    case 1: shape = flat ? Shape{256, 256, 1} : Shape{64, 32, 32}; break;
    case 2: shape = flat ? Shape{256, 128, 1} : Shape{32, 32, 32}; break;
    case 4: shape = flat ? Shape{128, 128, 1} : Shape{32, 32, 16}; break;
    case 8: shape = flat ? Shape{128, 64, 1} : Shape{32, 16, 16}; break;
    case 16: shape = flat ? Shape{64, 64, 1} : Shape{16, 16, 16}; break;
    default: FAIL("a format of " << int{format.block_bytes} << " bytes");
  }
  if (blocks && format.block_bytes == 8) shape = flat ? Shape{512, 256, 1} : Shape{128, 64, 16};
  if (blocks && format.block_bytes == 16) shape = flat ? Shape{256, 256, 1} : Shape{64, 64, 16};
  if (!blocks) shape.width *= format.block_width;  // R8G8_B8G8: two texels of 16 bits each
  if (samples == 2) shape.width /= 2;
  if (samples == 4) shape = {shape.width / 2, shape.height / 2, 1};
  if (samples == 8) shape = {shape.width / 4, shape.height / 2, 1};
  return shape;
}

struct Tiling {
  UINT tiles = 0;
  D3D12_PACKED_MIP_INFO packed{};
  std::vector<D3D12_SUBRESOURCE_TILING> subresources;
};

/// Subresource by subresource, as the documentation has it.
Tiling straightforward(const D3D12_RESOURCE_DESC& desc, const Shape& shape) {
  const Format& format = *find_format(desc.Format);
  const bool solid = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  Tiling tiling;
  UINT64 packed_bytes = 0;
  for (UINT slice = 0; slice < (solid ? 1U : desc.DepthOrArraySize); ++slice) {
    for (UINT mip = 0; mip < desc.MipLevels; ++mip) {
      const UINT width = std::max(1U, static_cast<UINT>(desc.Width) >> mip);
      const UINT height = std::max(1U, desc.Height >> mip);
      const UINT depth = solid ? std::max(1, desc.DepthOrArraySize >> mip) : 1;
      const bool standard = width >= shape.width && height >= shape.height && depth >= shape.depth;
      if (slice == 0) ++(standard ? tiling.packed.NumStandardMips : tiling.packed.NumPackedMips);
      if (standard) {
        const UINT columns = ceil_div(width, shape.width);
        const UINT rows = ceil_div(height, shape.height);
        const UINT layers = ceil_div(depth, shape.depth);
        tiling.subresources.push_back({columns, static_cast<UINT16>(rows), static_cast<UINT16>(layers), tiling.tiles});
        tiling.tiles += columns * rows * layers;
      } else {
        tiling.subresources.push_back({0, 0, 0, 0xFFFFFFFF});
        packed_bytes += UINT64{ceil_div(width, format.block_width)} * ceil_div(height, format.block_height) * depth *
                        format.block_bytes * desc.SampleDesc.Count;
      }
    }
  }
  if (tiling.packed.NumPackedMips > 0) {
    tiling.packed.StartTileIndexInOverallResource = tiling.tiles;
    tiling.packed.NumTilesForPackedMips = ceil_div(packed_bytes, 65536);
    tiling.tiles += tiling.packed.NumTilesForPackedMips;
  }
  return tiling;
}

bool same_tiling(const D3D12_SUBRESOURCE_TILING& a, const D3D12_SUBRESOURCE_TILING& b) {
  return a.WidthInTiles == b.WidthInTiles && a.HeightInTiles == b.HeightInTiles && a.DepthInTiles == b.DepthInTiles &&
         a.StartTileIndexInOverallResource == b.StartTileIndexInOverallResource;
}
bool same_mips(const D3D12_PACKED_MIP_INFO& a, const D3D12_PACKED_MIP_INFO& b) {
  return a.NumStandardMips == b.NumStandardMips && a.NumPackedMips == b.NumPackedMips &&
         a.NumTilesForPackedMips == b.NumTilesForPackedMips &&
         a.StartTileIndexInOverallResource == b.StartTileIndexInOverallResource;
}

D3D12_RESOURCE_DESC with_samples(D3D12_RESOURCE_DESC desc, UINT samples) {
  desc.SampleDesc.Count = samples;
  if (samples > 1) {
    desc.Flags = fenceline::d3d12::may_be_depth(*find_format(desc.Format)) ? D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL
                                                                           : D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  }
  return desc;
}

std::vector<const Format*> tileable_formats() {
  std::vector<const Format*> formats;
  for (const Format* format = fenceline::d3d12::begin_formats(); format != fenceline::d3d12::end_formats(); ++format) {
    const UINT support = fenceline::d3d12::format_support(format->format).support2;
    if ((support & D3D12_FORMAT_SUPPORT2_TILED) != 0) formats.push_back(format);
  }
  return formats;
}

}  // namespace

TEST_CASE("reserved: tilings of random textures of every format are those of the documentation's tables", "[d3d12]") {
  ReservedApp app;
  std::mt19937 random(3);
  const auto below = [&](UINT end) { return static_cast<UINT>(random() % end); };
  std::array<UINT, 9> of_samples{};
  UINT checked = 0;
  UINT solids = 0;
  UINT arrays = 0;
  UINT packed = 0;
  for (const Format* format : tileable_formats()) {
    CAPTURE(format->name);
    for (UINT i = 0; i < 40; ++i) {
      const UINT width = format->block_width * (1 + below(i % 2 == 0 ? 400 : 60));
      const UINT height = format->block_height * (1 + below(i % 3 == 0 ? 400 : 60));
      D3D12_RESOURCE_DESC desc = tiled(texture_2d(format->format, width, height));
      UINT chain = 1;
      while (std::max(width, height) >> chain != 0) ++chain;
      desc.MipLevels = static_cast<UINT16>(1 + below(chain));
      if (i % 5 == 4) {
        desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
        desc.DepthOrArraySize = static_cast<UINT16>(1 + below(100));
      } else if (i % 5 == 3) {
        desc.DepthOrArraySize = static_cast<UINT16>(1 + below(5));
        desc.Width += UINT64{format->block_width} * 256;
        desc.Height += format->block_height * 256U;
        desc.MipLevels = static_cast<UINT16>(1 + below(3));
      } else if (i % 5 == 2) {
        desc.MipLevels = 1;
        desc = with_samples(desc, 1U << below(4));
      }
      const Shape shape = documented_shape(*format, desc.Dimension, desc.SampleDesc.Count);
      const Tiling expected = straightforward(desc, shape);
      const bool flat_array = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc.DepthOrArraySize > 1;
      ComPtr<ID3D12Resource> resource;
      const HRESULT result =
          app.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&resource));
      if (flat_array && expected.packed.NumPackedMips > 0) {
        CHECK(result == E_INVALIDARG);
        continue;
      }
      if (result != S_OK) {  // only what no resource of that format may be
        desc.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
        CHECK_FALSE(fenceline::d3d12::check_resource_desc(desc).ok());
        continue;
      }
      ++checked;
      ++of_samples.at(desc.SampleDesc.Count);
      solids += desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D ? 1 : 0;
      arrays += flat_array ? 1 : 0;
      packed += expected.packed.NumPackedMips > 0 ? 1 : 0;
      UINT tiles = 0;
      D3D12_PACKED_MIP_INFO mips{};
      D3D12_TILE_SHAPE found{};
      UINT count = 200;
      std::vector<D3D12_SUBRESOURCE_TILING> tilings(count);
      app.device->GetResourceTiling(resource.Get(), &tiles, &mips, &found, &count, 0, tilings.data());
      tilings.resize(count);
      CHECK(tiles == expected.tiles);
      CHECK(same_mips(mips, expected.packed));
      CHECK(found.WidthInTexels == shape.width);
      CHECK(found.HeightInTexels == shape.height);
      CHECK(found.DepthInTexels == shape.depth);
      CHECK(std::equal(tilings.begin(), tilings.end(), expected.subresources.begin(), expected.subresources.end(),
                       same_tiling));
    }
  }
  CHECK(checked > 1500);
  CHECK(solids > 100);
  CHECK(arrays > 20);
  CHECK(packed > 500);
  for (const UINT samples : {2, 4, 8}) CHECK(of_samples.at(samples) > 20);
}

TEST_CASE("reserved: a tile's number and its place are each other's", "[d3d12]") {
  for (const D3D12_RESOURCE_DESC& desc :
       {tiled(texture_2d(rgba8, 1000, 700, 1, 10)), tiled(texture_2d(rgba8, 512, 300, 5, 2)),
        tiled(texture_3d(rgba8, 100, 65, 40, 4)), tiled(texture_2d(rgba8, 16, 16, 1, 5)), buffer_desc(1'000'000)}) {
    REQUIRE(check_reserved_desc(desc).ok());
    const TileLayout layout(desc);
    for (UINT tile = 0; tile < layout.tiles(); ++tile) {
      const auto place = layout.place(tile);
      CHECK(place.packed == layout.is_packed(place.subresource));
      if (place.packed) {
        CHECK(layout.packed().StartTileIndexInOverallResource + place.x == tile);
      } else {
        const D3D12_SUBRESOURCE_TILING of = layout.tiling(place.subresource);
        CHECK(of.StartTileIndexInOverallResource + (place.z * of.HeightInTiles + place.y) * of.WidthInTiles + place.x ==
              tile);
        CHECK(place.x < of.WidthInTiles);
        CHECK(place.y < of.HeightInTiles);
        CHECK(place.z < of.DepthInTiles);
      }
    }
  }
}

TEST_CASE("reserved: GetResourceTiling answers as far as it is asked", "[d3d12]") {
  ReservedApp app;
  ID3D12Device* const device = app.device.Get();
  const auto texture = app.reserved(tiled(texture_2d(rgba8, 512, 512, 1, 10)));
  device->GetResourceTiling(texture.Get(), nullptr, nullptr, nullptr, nullptr, 0, nullptr);
  D3D12_SUBRESOURCE_TILING tilings[16]{};
  device->GetResourceTiling(texture.Get(), nullptr, nullptr, nullptr, nullptr, 0, tilings);
  CHECK(tilings[0].WidthInTiles == 0);
  const auto asked = [&](UINT count, UINT first, D3D12_SUBRESOURCE_TILING* to) {
    device->GetResourceTiling(texture.Get(), nullptr, nullptr, nullptr, &count, first, to);
    return count;
  };
  CHECK(asked(0, 0, nullptr) == 0);
  CHECK(asked(0, 77, tilings) == 0);
  CHECK(asked(16, 10, tilings) == 0);
  CHECK(asked(16, ~0U, tilings) == 0);
  CHECK(asked(~0U, 9, nullptr) == 1);
  CHECK(asked(16, 2, tilings) == 8);
  CHECK(tilings[0].StartTileIndexInOverallResource == 20);
  CHECK(tilings[1].StartTileIndexInOverallResource == D3D12_PACKED_TILE);
  tilings[1].WidthInTiles = 55;
  CHECK(asked(1, 1, tilings) == 1);
  CHECK(tilings[0].StartTileIndexInOverallResource == 16);
  CHECK(tilings[1].WidthInTiles == 55);
  // Buffers have tiles of bytes and no mips.
  const auto buffer = app.reserved(buffer_desc(16 * tile_size + 1));
  UINT tiles = 0;
  UINT count = 4;
  D3D12_PACKED_MIP_INFO mips{9, 9, 9, 9};
  D3D12_TILE_SHAPE shape{};
  device->GetResourceTiling(buffer.Get(), &tiles, &mips, &shape, &count, 0, tilings);
  CHECK(tiles == 17);
  CHECK(same_mips(mips, {0, 0, 0, 0}));
  CHECK(shape.WidthInTexels == 65536);
  CHECK(shape.HeightInTexels == 1);
  CHECK(shape.DepthInTexels == 1);
  CHECK(count == 1);
  CHECK(same_tiling(tilings[0], {17, 1, 1, 0}));
  // What is not reserved has none.
  const auto plain = app.buffer(tile_size);
  device->GetResourceTiling(plain.Get(), &tiles, &mips, &shape, &(count = 4), 0, tilings);
  CHECK(tiles == 0);
  CHECK(count == 0);
}

TEST_CASE("reserved: what cannot be divided into tiles is E_INVALIDARG", "[d3d12]") {
  App app;
  const auto result = [&](const D3D12_RESOURCE_DESC& desc, const D3D12_CLEAR_VALUE* clear = nullptr) {
    ComPtr<ID3D12Resource> made;
    const HRESULT found =
        app.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, clear, IID_PPV_ARGS(&made));
    CHECK((found == S_OK) == (made != nullptr));
    return found;
  };
  const auto changed = [](D3D12_RESOURCE_DESC desc, auto&& change) {
    change(desc);
    return desc;
  };
  const D3D12_RESOURCE_DESC buffer = buffer_desc(32);
  const D3D12_RESOURCE_DESC texture = tiled(texture_2d(rgba8, 256, 256));
  CHECK(result(buffer) == S_OK);
  CHECK(result(texture) == S_OK);
  for (const auto layout : {D3D12_TEXTURE_LAYOUT_UNKNOWN, D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE,
                            D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE}) {
    CHECK(result(changed(buffer, [&](auto& desc) { desc.Layout = layout; })) == E_INVALIDARG);
  }
  for (const auto layout :
       {D3D12_TEXTURE_LAYOUT_UNKNOWN, D3D12_TEXTURE_LAYOUT_ROW_MAJOR, D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE}) {
    CHECK(result(changed(texture, [&](auto& desc) { desc.Layout = layout; })) == E_INVALIDARG);
  }
  CHECK(result(tiled(texture_1d(rgba8, 65536 / 8))) == E_INVALIDARG);
  for (const auto format :
       {DXGI_FORMAT_R32G32B32_FLOAT, DXGI_FORMAT_D24_UNORM_S8_UINT, DXGI_FORMAT_D32_FLOAT_S8X24_UINT,
        DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_NV12, DXGI_FORMAT_UNKNOWN, static_cast<DXGI_FORMAT>(5000)}) {
    CHECK(result(tiled(texture_2d(format, 256, 256))) == E_INVALIDARG);
  }
  CHECK(result(tiled(texture_2d(DXGI_FORMAT_D16_UNORM, 512, 512))) == S_OK);
  CHECK(result(tiled(texture_2d(DXGI_FORMAT_D32_FLOAT, 512, 512))) == S_OK);
  CHECK(result(tiled(texture_2d(rgba8, 256, 256, 4, 2))) == S_OK);
  CHECK(result(tiled(texture_2d(rgba8, 256, 256, 4, 3))) == E_INVALIDARG);
  CHECK(result(tiled(texture_2d(rgba8, 512, 127, 2, 1))) == E_INVALIDARG);
  CHECK(result(tiled(texture_3d(rgba8, 64, 64, 32, 0))) == S_OK);
  CHECK(result(changed(buffer, [](auto& desc) { desc.Width = 0; })) == E_INVALIDARG);
  CHECK(result(changed(buffer, [](auto& desc) { desc.Alignment = 4096; })) == E_INVALIDARG);
  CHECK(result(changed(texture, [](auto& desc) { desc.Alignment = 4096; })) == E_INVALIDARG);
  CHECK(result(changed(texture, [](auto& desc) { desc.Alignment = 65536; })) == S_OK);
  CHECK(result(changed(texture, [](auto& desc) { desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER; })) ==
        E_INVALIDARG);
  CHECK(result(changed(buffer, [](auto& desc) { desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER; })) ==
        E_INVALIDARG);
  const D3D12_CLEAR_VALUE clear{rgba8, {{0, 0, 0, 0}}};
  CHECK(result(buffer, &clear) == E_INVALIDARG);
  CHECK(result(texture, &clear) == E_INVALIDARG);
  CHECK(result(changed(texture, [](auto& desc) { desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET; }), &clear) ==
        S_OK);
  // No more than the GPU can address for one resource.
  CHECK(result(buffer_desc(UINT64{1} << 40)) == S_OK);
  CHECK(result(buffer_desc((UINT64{1} << 40) + 1)) == E_OUTOFMEMORY);
  CHECK(result(tiled(texture_2d(DXGI_FORMAT_R32G32B32A32_FLOAT, 16384, 16384, 2048))) == E_OUTOFMEMORY);
  void* nothing = &app;
  CHECK(app.device->CreateReservedResource(nullptr, D3D12_RESOURCE_STATE_COMMON, nullptr, __uuidof(ID3D12Resource),
                                           &nothing) == E_INVALIDARG);
  CHECK(nothing == nullptr);
  CHECK(app.device->CreateReservedResource(&texture, D3D12_RESOURCE_STATE_COMMON, nullptr, __uuidof(ID3D12Resource),
                                           nullptr) == S_FALSE);
  CHECK(app.device->CreateReservedResource(&texture, D3D12_RESOURCE_STATE_COMMON, nullptr, __uuidof(ID3D12Heap),
                                           &nothing) == E_NOINTERFACE);
}

TEST_CASE("reserved: the newer functions make the same, with a layout instead of a state", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device10> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const D3D12_RESOURCE_DESC buffer = buffer_desc(32);
  const D3D12_RESOURCE_DESC texture = tiled(texture_2d(rgba8, 256, 256));
  ComPtr<ID3D12Resource> made;
  CHECK(device->CreateReservedResource1(&texture, D3D12_RESOURCE_STATE_COPY_DEST, nullptr, nullptr,
                                        IID_PPV_ARGS(&made)) == S_OK);
  const auto two = [&](const D3D12_RESOURCE_DESC* desc, D3D12_BARRIER_LAYOUT layout) {
    return device->CreateReservedResource2(desc, layout, nullptr, nullptr, 0, nullptr, IID_PPV_ARGS(&made));
  };
  CHECK(two(&texture, D3D12_BARRIER_LAYOUT_COMMON) == S_OK);
  CHECK(two(&buffer, D3D12_BARRIER_LAYOUT_UNDEFINED) == S_OK);
  CHECK(two(&buffer, D3D12_BARRIER_LAYOUT_COMMON) == E_INVALIDARG);
  CHECK(two(nullptr, D3D12_BARRIER_LAYOUT_COMMON) == E_INVALIDARG);
}

TEST_CASE("reserved: a resource has an address and no heap, and cannot be mapped", "[d3d12]") {
  ReservedApp app;
  const auto buffer = app.reserved(buffer_desc(3 * tile_size));
  const auto other = app.reserved(buffer_desc(32));
  const auto texture = app.reserved(tiled(texture_2d(rgba8, 256, 256, 1, 0)));
  const UINT64 address = buffer->GetGPUVirtualAddress();
  CHECK(address != 0);
  CHECK(address % tile_size == 0);
  const bool apart =
      other->GetGPUVirtualAddress() >= address + 3 * tile_size || other->GetGPUVirtualAddress() + tile_size <= address;
  CHECK(apart);
  CHECK(texture->GetGPUVirtualAddress() == 0);
  const D3D12_RESOURCE_DESC desc = texture->GetDesc();
  CHECK(desc.Alignment == tile_size);
  CHECK(desc.MipLevels == 9);
  CHECK(desc.Layout == D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE);
  auto flags = static_cast<D3D12_HEAP_FLAGS>(77);
  D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_CUSTOM, {}, {}, 5, 6};
  CHECK(buffer->GetHeapProperties(&properties, &flags) == E_INVALIDARG);
  CHECK(flags == static_cast<D3D12_HEAP_FLAGS>(77));
  CHECK(properties.CreationNodeMask == 5);
  CHECK(buffer->GetHeapProperties(nullptr, nullptr) == E_INVALIDARG);
  void* data = &app;
  CHECK(buffer->Map(0, nullptr, &data) == E_INVALIDARG);
  CHECK(texture->Map(0, nullptr, nullptr) == E_INVALIDARG);
  CHECK(data == &app);  // left as it was
  CHECK(texture->WriteToSubresource(0, nullptr, data, 4, 4) == E_INVALIDARG);
  CHECK(texture->ReadFromSubresource(data, 4, 4, 0, nullptr) == E_INVALIDARG);
  // The tables of what it needs in a heap are no other for it.
  const D3D12_RESOURCE_DESC plain = tiled(texture_2d(rgba8, 256, 256, 1, 0));
  CHECK(app.device->GetResourceAllocationInfo(0, 1, &plain).SizeInBytes % tile_size == 0);
}

TEST_CASE("reserved: the device says tier 3, and which formats and samples are tiled", "[d3d12]") {
  App app;
  D3D12_FEATURE_DATA_D3D12_OPTIONS options{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options) == S_OK);
  CHECK(options.TiledResourcesTier == D3D12_TILED_RESOURCES_TIER_3);
  D3D12_FEATURE_DATA_D3D12_OPTIONS5 options5{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS5, &options5, sizeof options5) == S_OK);
  CHECK(options5.SRVOnlyTiledResourceTier3 == TRUE);
  for (const Format* format = fenceline::d3d12::begin_formats(); format != fenceline::d3d12::end_formats(); ++format) {
    CAPTURE(format->name);
    D3D12_FEATURE_DATA_FORMAT_SUPPORT support{format->format, {}, {}};
    app.device->CheckFeatureSupport(D3D12_FEATURE_FORMAT_SUPPORT, &support, sizeof support);
    const bool may = (support.Support2 & D3D12_FORMAT_SUPPORT2_TILED) != 0;
    for (const UINT samples : {1, 2, 4, 8, 16}) {
      D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS levels{format->format, samples,
                                                           D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_TILED_RESOURCE, 99};
      REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS, &levels, sizeof levels) ==
              S_OK);
      const D3D12_RESOURCE_DESC desc = with_samples(tiled(texture_2d(format->format, 256, 256)), samples);
      const bool made = app.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                           __uuidof(ID3D12Resource), nullptr) == S_FALSE;
      CHECK((levels.NumQualityLevels > 0) == made);
      if (samples == 1) CHECK(made == may);
    }
  }
}
