// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/subresource.hpp"

#include "api/d3d12/formats/resource_layout.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

TEST_CASE("subresource: the index counts mips, then slices, then planes", "[d3d12]") {
  const D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_D24_UNORM_S8_UINT, 64, 32, 3, 4);
  REQUIRE(subresource_count(desc) == 4 * 3 * 2);
  std::uint32_t expected = 0;
  for (std::uint32_t plane = 0; plane < 2; ++plane) {
    for (std::uint32_t slice = 0; slice < 3; ++slice) {
      for (std::uint32_t mip = 0; mip < 4; ++mip, ++expected) {
        CHECK(subresource_index(desc, {mip, slice, plane}) == expected);
        const Subresource found = subresource_at(desc, expected);
        CHECK(found.mip == mip);
        CHECK(found.slice == slice);
        CHECK(found.plane == plane);
      }
    }
  }
}

TEST_CASE("subresource: no mips stand for the full chain", "[d3d12]") {
  CHECK(mip_count(texture_2d(DXGI_FORMAT_R8_UNORM, 32, 32, 1, 0)) == 6);
  CHECK(mip_count(texture_2d(DXGI_FORMAT_R8_UNORM, 5, 100, 1, 0)) == 7);
  CHECK(mip_count(texture_3d(DXGI_FORMAT_R8_UNORM, 5, 4, 1025, 0)) == 11);
  CHECK(mip_count(texture_2d(DXGI_FORMAT_R8_UNORM, 4, 4, 1025, 0)) == 3);
  CHECK(mip_count(texture_1d(DXGI_FORMAT_R8_UNORM, 16384, 1, 0)) == 15);
  CHECK(mip_count(texture_1d(DXGI_FORMAT_R8_UNORM, 1, 1, 0)) == 1);
  CHECK(mip_count(buffer_desc(1 << 20)) == 1);
}

TEST_CASE("subresource: mips are halved, rounded down, at least 1", "[d3d12]") {
  const D3D12_RESOURCE_DESC desc = texture_3d(DXGI_FORMAT_R8_UNORM, 37, 5, 9, 0);
  const Extent mip = mip_extent(desc, 2);
  CHECK(mip.width == 9);
  CHECK(mip.height == 1);
  CHECK(mip.depth == 2);
  const Extent last = mip_extent(desc, 5);
  CHECK(last.width == 1);
  CHECK(last.height == 1);
  CHECK(last.depth == 1);
  CHECK(mip_extent(texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8, 7), 0).depth == 1);
}

TEST_CASE("resource layout: subresources lie one behind the other without padding", "[d3d12]") {
  const ResourceLayout layout(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 5, 3, 2, 2));
  REQUIRE(layout.subresources().size() == 4);
  const std::uint64_t first = 5 * 4 * 3;
  const std::uint64_t second = 2 * 4 * 1;
  CHECK(layout.subresources()[0].row_pitch == 20);
  CHECK(layout.subresources()[1].offset == first);
  CHECK(layout.subresources()[2].offset == first + second);
  CHECK(layout.bytes() == 2 * (first + second));
}

TEST_CASE("resource layout: compressed, planar, three-dimensional and multisampled", "[d3d12]") {
  const ResourceLayout blocks(texture_2d(DXGI_FORMAT_BC1_UNORM, 12, 8, 1, 3));
  CHECK(blocks.subresources()[0].bytes == 3 * 2 * 8);
  CHECK(blocks.subresources()[1].bytes == 2 * 1 * 8);
  CHECK(blocks.subresources()[2].bytes == 8);
  const ResourceLayout video(texture_2d(DXGI_FORMAT_NV12, 6, 4));
  CHECK(video.subresources()[0].bytes == 24);
  CHECK(video.subresources()[1].bytes == 3 * 2 * 2);
  const ResourceLayout depth(texture_2d(DXGI_FORMAT_D24_UNORM_S8_UINT, 10, 10));
  CHECK(depth.subresources()[0].bytes == 400);
  CHECK(depth.subresources()[1].bytes == 100);
  const ResourceLayout solid(texture_3d(DXGI_FORMAT_R16_UINT, 4, 4, 4, 2));
  CHECK(solid.subresources()[0].slice_pitch == 32);
  CHECK(solid.subresources()[0].bytes == 128);
  CHECK(solid.subresources()[1].bytes == 16);
  D3D12_RESOURCE_DESC samples = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4);
  samples.SampleDesc.Count = 4;
  CHECK(ResourceLayout(samples).bytes() == 4 * 4 * 4 * 4);
  CHECK(ResourceLayout(buffer_desc(1000)).bytes() == 1000);
}
