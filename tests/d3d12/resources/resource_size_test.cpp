// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/resource_size.hpp"

#include "api/d3d12/bytes/heap_desc.hpp"
#include "api/d3d12/formats/allocation_info.hpp"
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_layout.hpp"
#include "api/d3d12/formats/tile_shape.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <vector>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

constexpr UINT64 none = std::numeric_limits<UINT64>::max();

D3D12_RESOURCE_ALLOCATION_INFO info(const D3D12_RESOURCE_DESC& desc) { return allocation_info(1, &desc, nullptr); }

std::vector<std::uint32_t> shape_64k(DXGI_FORMAT format, D3D12_RESOURCE_DIMENSION dimension,
                                     std::uint32_t samples = 1) {
  const TileShape shape = tile_shape_64k(*find_format(format), dimension, samples);
  return {shape.width, shape.height, shape.depth};
}

}  // namespace

TEST_CASE("tile shape: the standard shapes of 64 KiB", "[d3d12]") {
  using Shape = std::vector<std::uint32_t>;
  constexpr auto flat = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  constexpr auto solid = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  CHECK(shape_64k(DXGI_FORMAT_R8_UNORM, flat) == Shape{256, 256, 1});
  CHECK(shape_64k(DXGI_FORMAT_R16_UNORM, flat) == Shape{256, 128, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, flat) == Shape{128, 128, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32G32_FLOAT, flat) == Shape{128, 64, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32G32B32A32_FLOAT, flat) == Shape{64, 64, 1});
  CHECK(shape_64k(DXGI_FORMAT_BC1_UNORM, flat) == Shape{512, 256, 1});
  CHECK(shape_64k(DXGI_FORMAT_BC7_UNORM, flat) == Shape{256, 256, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, flat, 2) == Shape{64, 128, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, flat, 4) == Shape{64, 64, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, flat, 8) == Shape{32, 64, 1});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, flat, 16) == Shape{32, 32, 1});
  CHECK(shape_64k(DXGI_FORMAT_R8_UNORM, solid) == Shape{64, 32, 32});
  CHECK(shape_64k(DXGI_FORMAT_R16_UNORM, solid) == Shape{32, 32, 32});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, solid) == Shape{32, 32, 16});
  CHECK(shape_64k(DXGI_FORMAT_R32G32_FLOAT, solid) == Shape{32, 16, 16});
  CHECK(shape_64k(DXGI_FORMAT_R32G32B32A32_FLOAT, solid) == Shape{16, 16, 16});
  CHECK(shape_64k(DXGI_FORMAT_BC1_UNORM, solid) == Shape{128, 64, 16});
  CHECK(shape_64k(DXGI_FORMAT_R32_FLOAT, D3D12_RESOURCE_DIMENSION_TEXTURE1D) == Shape{16384, 1, 1});
}

TEST_CASE("resource size: buffers take whole 64 KiB", "[d3d12]") {
  CHECK(info(buffer_desc(1)).SizeInBytes == 65536);
  CHECK(info(buffer_desc(65536)).SizeInBytes == 65536);
  CHECK(info(buffer_desc(65537)).SizeInBytes == 131072);
  CHECK(info(buffer_desc(1)).Alignment == 65536);
}

TEST_CASE("resource size: textures hold their bytes, at their alignment", "[d3d12]") {
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    D3D12_RESOURCE_DESC desc = texture_2d(format->format, 200, 120, 3, 1);
    for (const UINT16 mips : {UINT16{1}, UINT16{0}}) {
      desc.MipLevels = mips;
      const D3D12_RESOURCE_ALLOCATION_INFO found = info(desc);
      if (found.SizeInBytes == none) continue;
      CAPTURE(format->name, mips);
      CHECK(found.Alignment == 65536);
      CHECK(found.SizeInBytes % found.Alignment == 0);
      CHECK(found.SizeInBytes >= ResourceLayout(desc).bytes());
      CHECK(found.SizeInBytes < 4 * ResourceLayout(desc).bytes() + 65536);
    }
  }
}

TEST_CASE("resource size: small textures are packed in 4 KiB", "[d3d12]") {
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 32, 32);
  desc.Alignment = 4096;
  CHECK(info(desc).SizeInBytes == 4096);
  CHECK(info(desc).Alignment == 4096);
  desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 128, 64, 4);
  CHECK(info(desc).SizeInBytes == 4 * 128 * 64 * 4);
  // Even thin ones and with mips at most twice what they hold.
  for (const auto& [width, height] : {std::pair<UINT, UINT>{64, 256}, {256, 64}, {128, 128}}) {
    desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, width, height, 1, 0);
    desc.Alignment = 4096;
    CHECK(info(desc).SizeInBytes <= 2 * width * height * 4);
  }
}

TEST_CASE("resource size: multisampled textures are aligned to 4 MiB unless they ask for less", "[d3d12]") {
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64);
  desc.SampleDesc.Count = 4;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  CHECK(info(desc).Alignment == 4194304);
  CHECK(info(desc).SizeInBytes == 4194304);
  desc.Alignment = 65536;
  CHECK(info(desc).Alignment == 65536);
  CHECK(info(desc).SizeInBytes == 65536);
}

TEST_CASE("resource size: several resources lie one behind the other", "[d3d12]") {
  D3D12_RESOURCE_DESC small = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 32, 32);
  small.Alignment = 4096;
  const D3D12_RESOURCE_DESC descs[] = {small, buffer_desc(10), small};
  D3D12_RESOURCE_ALLOCATION_INFO1 each[3] = {};
  const D3D12_RESOURCE_ALLOCATION_INFO all = allocation_info(3, descs, each);
  CHECK(each[0].Offset == 0);
  CHECK(each[0].SizeInBytes == 4096);
  CHECK(each[1].Offset == 65536);
  CHECK(each[1].Alignment == 65536);
  CHECK(each[2].Offset == 131072);
  CHECK(all.Alignment == 65536);
  CHECK(all.SizeInBytes == 196608);
}

TEST_CASE("resource size: one that is not valid makes all of them so", "[d3d12]") {
  D3D12_RESOURCE_DESC bad = buffer_desc(10);
  bad.Alignment = 4096;
  const D3D12_RESOURCE_DESC descs[] = {buffer_desc(10), bad};
  const D3D12_RESOURCE_ALLOCATION_INFO all = allocation_info(2, descs, nullptr);
  CHECK(all.SizeInBytes == none);
  CHECK(all.Alignment == 65536);
  CHECK(allocation_info(0, nullptr, nullptr).SizeInBytes == 0);
  const D3D12_RESOURCE_DESC huge[] = {buffer_desc(none - 70000), buffer_desc(none - 70000)};
  CHECK(allocation_info(2, huge, nullptr).SizeInBytes == none);
}

TEST_CASE("heap desc: sizes, alignments and flags", "[d3d12]") {
  const auto valid = [](UINT64 bytes, UINT64 alignment, UINT flags, D3D12_HEAP_TYPE type = D3D12_HEAP_TYPE_DEFAULT) {
    const Verdict verdict =
        check_heap_desc({bytes, {type, {}, {}, 0, 0}, alignment, static_cast<D3D12_HEAP_FLAGS>(flags)});
    CHECK(verdict.message.empty() == verdict.ok());
    return verdict.ok();
  };
  CHECK(valid(65536, 0, 0));
  CHECK(valid(1, 65536, 0));
  CHECK(valid(65536, 4194304, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES));
  CHECK(valid(65536, 0, 0, D3D12_HEAP_TYPE_UPLOAD));
  CHECK(valid(65536, 0, D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER));
  CHECK(valid(65536, 0, D3D12_HEAP_FLAG_CREATE_NOT_ZEROED | D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT));
  CHECK_FALSE(valid(0, 0, 0));
  CHECK_FALSE(valid(65536, 4096, 0));
  CHECK_FALSE(valid(65536, 0, 0x2));
  CHECK_FALSE(valid(65536, 0, 0xC4));
  CHECK_FALSE(valid(65536, 0, D3D12_HEAP_FLAG_ALLOW_DISPLAY));
  CHECK_FALSE(valid(65536, 0, D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER));
  CHECK_FALSE(valid(65536, 0, D3D12_HEAP_FLAG_SHARED, D3D12_HEAP_TYPE_UPLOAD));
  const auto shared = [](D3D12_CPU_PAGE_PROPERTY pages) {
    return check_heap_flags({D3D12_HEAP_TYPE_CUSTOM, pages, D3D12_MEMORY_POOL_L0, 0, 0}, D3D12_HEAP_FLAG_SHARED).ok();
  };
  CHECK(shared(D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE));
  CHECK_FALSE(shared(D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE));
  CHECK_FALSE(shared(D3D12_CPU_PAGE_PROPERTY_WRITE_BACK));
  CHECK_FALSE(valid(65536, 0, D3D12_HEAP_FLAG_HARDWARE_PROTECTED));
}

TEST_CASE("heap desc: properties of an adapter with memory of its own", "[d3d12]") {
  const auto valid = [](int type, int pages, int pool, UINT created = 0, UINT visible = 0) {
    return check_heap_properties({static_cast<D3D12_HEAP_TYPE>(type), static_cast<D3D12_CPU_PAGE_PROPERTY>(pages),
                                  static_cast<D3D12_MEMORY_POOL>(pool), created, visible})
        .ok();
  };
  for (const int type : {1, 2, 3}) {
    CHECK(valid(type, 0, 0));
    CHECK(valid(type, 0, 0, 1, 1));
    CHECK_FALSE(valid(type, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, 0));
    CHECK_FALSE(valid(type, 0, D3D12_MEMORY_POOL_L0));
  }
  for (const int pages : {1, 2, 3}) CHECK(valid(4, pages, D3D12_MEMORY_POOL_L0));
  CHECK(valid(4, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, D3D12_MEMORY_POOL_L1));
  CHECK_FALSE(valid(4, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE, D3D12_MEMORY_POOL_L1));
  CHECK_FALSE(valid(4, 0, D3D12_MEMORY_POOL_L0));
  CHECK_FALSE(valid(4, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, 0));
  CHECK_FALSE(valid(0, 0, 0));
  CHECK_FALSE(valid(5, 0, 0));
  CHECK_FALSE(valid(1, 0, 0, 2, 2));
}

TEST_CASE("heap desc: custom properties of the three types", "[d3d12]") {
  const auto check = [](D3D12_HEAP_TYPE type, D3D12_CPU_PAGE_PROPERTY pages, D3D12_MEMORY_POOL pool) {
    const D3D12_HEAP_PROPERTIES found = custom_heap_properties(type);
    CHECK(found.Type == D3D12_HEAP_TYPE_CUSTOM);
    CHECK(found.CPUPageProperty == pages);
    CHECK(found.MemoryPoolPreference == pool);
    CHECK(check_heap_properties(found).ok());
  };
  check(D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, D3D12_MEMORY_POOL_L1);
  check(D3D12_HEAP_TYPE_UPLOAD, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE, D3D12_MEMORY_POOL_L0);
  check(D3D12_HEAP_TYPE_READBACK, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0);
}
