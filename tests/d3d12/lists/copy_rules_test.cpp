// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/copy_rules.hpp"

#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

CopySide texture(const D3D12_RESOURCE_DESC& desc, UINT subresource = 0, const void* resource = nullptr) {
  CopySide side;
  side.desc = &desc;
  side.subresource = subresource;
  side.resource = resource;
  return side;
}

CopySide placed(const D3D12_RESOURCE_DESC& buffer, const D3D12_PLACED_SUBRESOURCE_FOOTPRINT& footprint) {
  CopySide side;
  side.desc = &buffer;
  side.type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  side.footprint = footprint;
  return side;
}

bool has(const Verdict& verdict, const std::string& words) {
  INFO(verdict.message);
  CHECK(verdict.result == E_INVALIDARG);
  return verdict.message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("copy rules: a footprint's pitch, place and size", "[d3d12]") {
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 4);
  const D3D12_RESOURCE_DESC buffer = buffer_desc(2048);
  const auto check = [&](UINT64 offset, DXGI_FORMAT format, UINT width, UINT height, UINT depth, UINT pitch) {
    return check_copy(texture(color), 0, 0, 0, placed(buffer, {offset, {format, width, height, depth, pitch}}),
                      nullptr);
  };
  constexpr DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM;
  CHECK(check(0, format, 64, 4, 1, 256).ok());
  CHECK(check(1024, format, 64, 4, 1, 256).ok());
  CHECK(check(0, DXGI_FORMAT_R8G8B8A8_UINT, 64, 4, 1, 256).ok());
  CHECK(has(check(0, format, 64, 4, 1, 255), "RowPitch: expected a multiple of 256"));
  CHECK(has(check(0, format, 65, 1, 1, 256), "RowPitch: expected at least 260"));
  CHECK(has(check(256, format, 64, 4, 1, 256), "Offset: expected a multiple of 512"));
  CHECK(has(check(1536, format, 64, 4, 1, 256), "a footprint of 1024 bytes at 1536"));
  CHECK(has(check(~511ULL, format, 64, 4, 1, 256), "a footprint of"));
  CHECK(has(check(0, format, 64, 0, 1, 256), "expected at least 1 x 1 x 1"));
  CHECK(has(check(0, DXGI_FORMAT_UNKNOWN, 64, 4, 1, 256), "Footprint.Format"));
  CHECK(has(check(0, DXGI_FORMAT_NV12, 64, 4, 1, 256), "Footprint.Format"));
  CHECK(has(check(0, DXGI_FORMAT_R32_UINT, 64, 4, 1, 256), "formats: "));
  CHECK(has(check(0, DXGI_FORMAT_BC1_UNORM, 62, 4, 1, 256), "expected multiples of 4 x 4"));
  // The last row may end with the buffer.
  const D3D12_RESOURCE_DESC tight = buffer_desc(3 * 256 + 40);
  CHECK(check_copy(texture(color), 0, 0, 0, placed(tight, {0, {format, 10, 4, 1, 256}}), nullptr).ok());
}

TEST_CASE("copy rules: a footprint's bytes are counted in more than 64 bits", "[d3d12]") {
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8_UNORM, 1, 1);
  const D3D12_RESOURCE_DESC buffer = buffer_desc(4096);
  const auto check = [&](UINT height, UINT depth, UINT pitch) {
    const D3D12_BOX texel{0, 0, 0, 1, 1, 1};
    return check_copy(texture(color), 0, 0, 0, placed(buffer, {0, {DXGI_FORMAT_R8_UNORM, 1, height, depth, pitch}}),
                      &texel);
  };
  CHECK(check(4, 2, 512).ok());
  // (2^55 + 1) rows of 512 bytes, less one, and a byte: 1 in 64 bits.
  static_assert(std::uint64_t{1614112203} * 22321123 == (std::uint64_t{1} << 55) + 1);
  CHECK(has(check(1614112203, 22321123, 512), "a footprint of"));
  CHECK(has(check(22321123, 1614112203, 512), "a footprint of"));
  CHECK(has(check(~0U, ~0U, ~255U), "a footprint of"));
}

TEST_CASE("copy rules: each side says the kind of location that it is", "[d3d12]") {
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 4);
  const D3D12_RESOURCE_DESC buffer = buffer_desc(2048);
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT print = {0, {DXGI_FORMAT_R8G8B8A8_UNORM, 64, 4, 1, 256}};
  CHECK(has(check_copy(texture(color), 0, 0, 0, texture(buffer), nullptr), "source: a SUBRESOURCE_INDEX in a buffer"));
  CHECK(has(check_copy(placed(color, print), 0, 0, 0, texture(color), nullptr), "destination: a PLACED_FOOTPRINT"));
  CHECK(has(check_copy(texture(color, 1), 0, 0, 0, texture(color), nullptr), "expected less than 1, found 1"));
  CopySide strange = texture(color);
  strange.type = static_cast<D3D12_TEXTURE_COPY_TYPE>(7);
  CHECK(has(check_copy(strange, 0, 0, 0, texture(color), nullptr), "found 7"));
}

TEST_CASE("copy rules: boxes lie within both sides", "[d3d12]") {
  const D3D12_RESOURCE_DESC small = texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8);
  const D3D12_RESOURCE_DESC large = texture_2d(DXGI_FORMAT_R8_UINT, 16, 16);
  const auto check = [&](UINT x, UINT y, UINT z, const D3D12_BOX& box) {
    return check_copy(texture(large), x, y, z, texture(small), &box);
  };
  CHECK(check(0, 0, 0, {0, 0, 0, 8, 8, 1}).ok());
  CHECK(check(8, 8, 0, {0, 0, 0, 8, 8, 1}).ok());
  CHECK(has(check(9, 8, 0, {0, 0, 0, 8, 8, 1}), "destination: expected within"));
  CHECK(has(check(0, 0, 1, {0, 0, 0, 8, 8, 1}), "destination: expected within"));
  CHECK(has(check(~0U, 0, 0, {0, 0, 0, 8, 8, 1}), "destination: expected within"));
  CHECK(has(check(0, 0, 0, {0, 0, 0, 9, 8, 1}), "source box: expected within"));
  CHECK(has(check(0, 0, 0, {0, 0, 0, 8, 8, 2}), "source box: expected within"));
  CHECK(check(0, 0, 0, {3, 0, 0, 3, 8, 1}).ok());
  CHECK(check(0, 0, 0, {100, 0, 0, 3, 8, 1}).ok());
  CHECK(has(check_copy(texture(small), 0, 0, 0, texture(large), nullptr), "destination: expected within"));
}

TEST_CASE("copy rules: boxes of compressed textures end on blocks, also where the mip ends within one", "[d3d12]") {
  const D3D12_RESOURCE_DESC blocks = texture_2d(DXGI_FORMAT_BC1_UNORM, 24, 20, 1, 4);
  const auto check = [&](UINT x, UINT mip, const D3D12_BOX& box) {
    return check_copy(texture(blocks, 0), x, 0, 0, texture(blocks, mip), &box);
  };
  CHECK(has(check(0, 1, {0, 0, 0, 12, 10, 1}), "expected edges on blocks"));  // 12 x 10 texels
  CHECK(check(0, 1, {4, 4, 0, 8, 8, 1}).ok());
  CHECK(check(0, 1, {4, 4, 0, 8, 12, 1}).ok());  // to the end of the last block
  CHECK(has(check(0, 1, {2, 0, 0, 8, 8, 1}), "expected edges on blocks"));
  CHECK(has(check(0, 1, {0, 0, 0, 6, 8, 1}), "expected edges on blocks"));
  CHECK(has(check(0, 1, {0, 0, 0, 4, 9, 1}), "expected edges on blocks"));
  CHECK(has(check(2, 1, {0, 0, 0, 4, 4, 1}), "DstX, DstY"));
  CHECK(has(check(4, 3, {0, 0, 0, 3, 2, 1}), "expected edges on blocks"));  // a mip of 3 x 2 texels
  CHECK(check(20, 3, {0, 0, 0, 4, 4, 1}).ok());
}

TEST_CASE("copy rules: the documentation has depth and multisampled textures copied whole", "[d3d12]") {
  D3D12_RESOURCE_DESC deep = texture_2d(DXGI_FORMAT_D24_UNORM_S8_UINT, 8, 8, 2);
  CHECK(check_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), nullptr).ok());
  const D3D12_BOX whole = {0, 0, 0, 8, 8, 1};
  const D3D12_BOX part = {0, 0, 0, 4, 8, 1};
  CHECK(check_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), &whole).ok());
  CHECK(check_whole_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), &whole).ok());
  CHECK(check_whole_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), nullptr).ok());
  CHECK(check_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), &part).ok());
  CHECK(has(check_whole_copy(texture(deep, 1), 0, 0, 0, texture(deep, 0), &part), "whole subresource"));
  CHECK(has(check_copy(texture(deep, 2), 0, 0, 0, texture(deep, 0), nullptr), "formats: "));  // stencil
  const D3D12_RESOURCE_DESC buffer = buffer_desc(1 << 16);
  CHECK(
      check_copy(texture(deep, 0), 0, 0, 0, placed(buffer, {0, {DXGI_FORMAT_R32_FLOAT, 8, 8, 1, 512}}), nullptr).ok());
  CHECK(check_copy(placed(buffer, {0, {DXGI_FORMAT_R8_UINT, 8, 8, 1, 512}}), 0, 0, 0, texture(deep, 2), nullptr).ok());
  for (const auto kind : {DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R32_UINT}) {
    const D3D12_RESOURCE_DESC plain = texture_2d(kind, 8, 8);
    CHECK(check_copy(texture(plain), 0, 0, 0, texture(deep), nullptr).ok());
    CHECK(check_copy(texture(deep), 0, 0, 0, texture(plain), nullptr).ok());
    CHECK(has(check_copy(texture(plain), 0, 0, 0, texture(deep, 2), nullptr), "formats: "));
  }
  const D3D12_RESOURCE_DESC bytes = texture_2d(DXGI_FORMAT_R8_UINT, 8, 8);
  CHECK(check_copy(texture(bytes), 0, 0, 0, texture(deep, 2), nullptr).ok());
  CHECK(check_copy(texture(deep, 2), 0, 0, 0, texture(bytes), nullptr).ok());
  const D3D12_RESOURCE_DESC floats = texture_2d(DXGI_FORMAT_D32_FLOAT_S8X24_UINT, 8, 8);
  CHECK(has(check_copy(texture(floats), 0, 0, 0, texture(deep), nullptr), "one kind of depth"));

  const D3D12_RESOURCE_DESC large = texture_2d(DXGI_FORMAT_R32_FLOAT, 16, 16);
  CHECK(check_copy(texture(large), 8, 3, 0, texture(deep), nullptr).ok());
  CHECK(has(check_copy(texture(large), 9, 3, 0, texture(deep), nullptr), "destination: "));
  CHECK(check_copy(texture(large), 0, 0, 0, texture(deep), &part).ok());
  CHECK(has(check_whole_copy(texture(large), 0, 0, 0, texture(deep), &part), "whole subresource"));
  const D3D12_BOX middle = {4, 4, 0, 12, 12, 1};
  CHECK(check_copy(texture(deep), 0, 0, 0, texture(large), &middle).ok());
  CHECK(check_whole_copy(texture(deep), 0, 0, 0, texture(large), &middle).ok());
  CHECK(check_copy(texture(deep), 0, 0, 0, texture(large), &part).ok());
  CHECK(has(check_whole_copy(texture(deep), 0, 0, 0, texture(large), &part), "whole subresource"));
  CHECK(has(check_copy(texture(deep), 1, 0, 0, texture(large), &middle), "destination: "));
  CHECK(has(check_whole_copy(texture(deep), 1, 0, 0, texture(large), &middle), "whole subresource"));

  D3D12_RESOURCE_DESC samples = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8);
  samples.SampleDesc.Count = 4;
  D3D12_RESOURCE_DESC other = samples;
  CHECK(check_copy(texture(other), 0, 0, 0, texture(samples), nullptr).ok());
  CHECK(check_copy(texture(other), 0, 0, 0, texture(samples), &part).ok());
  CHECK(has(check_whole_copy(texture(other), 0, 0, 0, texture(samples), &part), "whole subresource"));
  const D3D12_RESOURCE_DESC single = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8);
  CHECK(has(check_copy(texture(single), 0, 0, 0, texture(samples), nullptr), "samples: "));
}

TEST_CASE("copy rules: planes of video textures are copied as their own formats", "[d3d12]") {
  const D3D12_RESOURCE_DESC video = texture_2d(DXGI_FORMAT_NV12, 16, 16);
  const D3D12_RESOURCE_DESC luma = texture_2d(DXGI_FORMAT_R8_UNORM, 16, 16);
  const D3D12_RESOURCE_DESC chroma = texture_2d(DXGI_FORMAT_R8G8_UNORM, 8, 8);
  CHECK(check_copy(texture(luma), 0, 0, 0, texture(video, 0), nullptr).ok());
  CHECK(check_copy(texture(video, 1), 0, 0, 0, texture(chroma), nullptr).ok());
  CHECK(has(check_copy(texture(luma), 0, 0, 0, texture(video, 1), nullptr), "formats: "));
}

TEST_CASE("copy rules: parts of one subresource are copied unless they overlap", "[d3d12]") {
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8, 2);
  const int resource = 0;
  const D3D12_BOX box = {0, 0, 0, 4, 4, 1};
  const auto check = [&](UINT x, UINT y) {
    return check_copy(texture(color, 0, &resource), x, y, 0, texture(color, 0, &resource), &box);
  };
  CHECK(check(4, 4).ok());
  CHECK(check(4, 0).ok());
  CHECK(check(0, 4).ok());
  CHECK(has(check(0, 0), "overlap"));
  CHECK(has(check(3, 3), "overlap"));
  CHECK(has(check(0, 3), "overlap"));
  CHECK(check_copy(texture(color, 1, &resource), 4, 4, 0, texture(color, 0, &resource), &box).ok());
}

TEST_CASE("copy rules: CopyBufferRegion stays within both buffers and does not overlap", "[d3d12]") {
  const D3D12_RESOURCE_DESC small = buffer_desc(100);
  const D3D12_RESOURCE_DESC large = buffer_desc(200);
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8_UNORM, 8, 8);
  CHECK(check_buffer_copy(texture(large), 100, texture(small), 0, 100).ok());
  CHECK(check_buffer_copy(texture(large), 200, texture(small), 100, 0).ok());
  CHECK(has(check_buffer_copy(texture(large), 101, texture(small), 0, 100), "destination: "));
  CHECK(has(check_buffer_copy(texture(large), 0, texture(small), 1, 100), "source: "));
  CHECK(has(check_buffer_copy(texture(large), ~0ULL, texture(small), 0, 2), "destination: "));
  CHECK(has(check_buffer_copy(texture(large), 0, texture(color), 0, 1), "texture"));
  const int resource = 0;
  CHECK(check_buffer_copy(texture(large, 0, &resource), 50, texture(large, 0, &resource), 0, 50).ok());
  CHECK(has(check_buffer_copy(texture(large, 0, &resource), 49, texture(large, 0, &resource), 0, 50), "overlap"));
}

TEST_CASE("copy rules: CopyResource takes resources alike", "[d3d12]") {
  const D3D12_RESOURCE_DESC one = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 2, 0);
  D3D12_RESOURCE_DESC other = texture_2d(DXGI_FORMAT_R8G8B8A8_UINT, 16, 16, 2, 5);
  CHECK(check_resource_copy(texture(one), texture(other)).ok());
  other.Width = 17;
  CHECK(has(check_resource_copy(texture(one), texture(other)), "size and mips"));
  other = one;
  other.MipLevels = 4;
  CHECK(has(check_resource_copy(texture(one), texture(other)), "size and mips"));
  other = one;
  other.Format = DXGI_FORMAT_R32_UINT;
  CHECK(check_resource_copy(texture(one), texture(other)).ok());
  CHECK(has(check_resource_formats(texture(one), texture(other)), "copied to each other"));
  other.Format = DXGI_FORMAT_R8G8B8A8_SINT;
  CHECK(check_resource_formats(texture(one), texture(other)).ok());
  other = one;
  other.SampleDesc.Count = 4;
  CHECK(has(check_resource_copy(texture(one), texture(other)), "samples"));
  const int resource = 0;
  CHECK(has(check_resource_copy(texture(one, 0, &resource), texture(one, 0, &resource)), "the same"));
}

TEST_CASE("copy rules: CopyResource takes blocks for texels of their size", "[d3d12]") {
  const D3D12_RESOURCE_DESC blocks = texture_2d(DXGI_FORMAT_BC3_UNORM, 8, 8, 1, 2);
  D3D12_RESOURCE_DESC texels = texture_2d(DXGI_FORMAT_R32G32B32A32_UINT, 2, 2, 1, 2);
  CHECK(check_resource_copy(texture(blocks), texture(texels)).ok());
  CHECK(check_resource_copy(texture(texels), texture(blocks)).ok());
  CHECK(check_resource_formats(texture(blocks), texture(texels)).ok());
  CHECK(check_resource_formats(texture(texels), texture(blocks)).ok());
  texels.Width = 8;
  CHECK(has(check_resource_copy(texture(blocks), texture(texels)), "as many blocks as texels"));
  texels.Height = 8;
  CHECK(has(check_resource_copy(texture(blocks), texture(texels)), "as many blocks as texels"));
}
