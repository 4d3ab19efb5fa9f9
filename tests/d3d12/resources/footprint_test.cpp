// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/footprint.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

struct Result {
  explicit Result(UINT count) : layouts(count), rows(count), bytes(count) {}
  std::vector<D3D12_PLACED_SUBRESOURCE_FOOTPRINT> layouts;
  std::vector<UINT> rows;
  std::vector<UINT64> bytes;
  UINT64 total = 0;
};

Result footprints(const D3D12_RESOURCE_DESC& desc, UINT first, UINT count, UINT64 base = 0) {
  Result result(count);
  copyable_footprints(desc, first, count, base,
                      {result.layouts.data(), result.rows.data(), result.bytes.data(), &result.total});
  return result;
}

bool all_ones(const Result& result) {
  constexpr UINT ones = ~0U;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const D3D12_SUBRESOURCE_FOOTPRINT& print = result.layouts[i].Footprint;
    if (result.layouts[i].Offset != ~0ULL || static_cast<UINT>(print.Format) != ones || print.Width != ones ||
        print.Height != ones || print.Depth != ones || print.RowPitch != ones || result.rows[i] != ones ||
        result.bytes[i] != ~0ULL) {
      return false;
    }
  }
  return result.total == ~0ULL;
}

/// A plane of a format, written down here once more, from the documentation's words and not from the library's table.
struct Plane {
  unsigned bits_per_texel = 0;
  unsigned across = 1;  ///< texels of the picture per texel of the plane
  unsigned down = 1;
};

std::vector<Plane> planes(const std::string& name) {
  const auto is = [&](const char* prefix) { return name.rfind(prefix, 0) == 0; };
  if (is("NV12")) return {{8}, {16, 2, 2}};
  if (is("P010") || is("P016")) return {{16}, {32, 2, 2}};
  if (is("R24G8") || is("D24") || is("R24_") || is("X24")) return {{32}, {8}};
  if (is("R32G8X24") || is("D32_FLOAT_S8X24") || is("R32_FLOAT_X8X24") || is("X32_")) return {{32}, {8}};
  if (is("YUY2")) return {{16}};
  if (is("Y210") || is("Y216")) return {{32}};
  if (is("AYUV") || is("Y410")) return {{32}};
  if (is("Y416")) return {{64}};
  if (is("BC1") || is("BC4")) return {{4}};
  if (is("BC")) return {{8}};
  if (is("R9G9B9E5") || is("R10G10B10_XR")) return {{32}};
  if (is("R8G8_B8G8") || is("G8R8_G8B8")) return {{16}};
  unsigned total = 0;
  unsigned number = 0;
  for (const char c : name) {
    if (c == '_') break;
    number = c >= '0' && c <= '9' ? 10 * number + static_cast<unsigned>(c - '0') : 0;
    if (number != 0) total += number >= 10 ? number - number / 10 : number;
  }
  return {{total}};
}

std::uint64_t up(std::uint64_t value, std::uint64_t to) {
  while (value % to != 0) ++value;
  return value;
}

}  // namespace

TEST_CASE("footprint: a texture of one mip", "[d3d12]") {
  const Result result = footprints(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 100, 20), 0, 1);
  CHECK(result.layouts[0].Offset == 0);
  CHECK(result.layouts[0].Footprint.Format == DXGI_FORMAT_R8G8B8A8_UNORM);
  CHECK(result.layouts[0].Footprint.Width == 100);
  CHECK(result.layouts[0].Footprint.Height == 20);
  CHECK(result.layouts[0].Footprint.Depth == 1);
  CHECK(result.layouts[0].Footprint.RowPitch == 512);
  CHECK(result.rows[0] == 20);
  CHECK(result.bytes[0] == 400);
  CHECK(result.total == 19 * 512 + 400);
}

TEST_CASE("footprint: subresources start at multiples of 512 behind the base offset, which is taken as it is",
          "[d3d12]") {
  for (const UINT64 base : {0ULL, 1ULL, 30ULL, 513ULL, 4194304ULL, ~0ULL}) {
    const Result result = footprints(texture_2d(DXGI_FORMAT_R32_UINT, 4, 4, 1, 2), 0, 2, base);
    CHECK(result.layouts[0].Offset == base);
    CHECK(result.layouts[1].Offset == base + 1024);
    CHECK(result.total == 1024 + 256 + 8);
  }
}

TEST_CASE("footprint: mips smaller than a block are a whole one", "[d3d12]") {
  const Result result = footprints(texture_2d(DXGI_FORMAT_BC3_UNORM, 8, 8, 1, 4), 0, 4);
  for (const UINT mip : {1U, 2U, 3U}) {
    CHECK(result.layouts[mip].Footprint.Width == 4);
    CHECK(result.layouts[mip].Footprint.Height == 4);
    CHECK(result.rows[mip] == 1);
    CHECK(result.bytes[mip] == 16);
  }
  CHECK(result.rows[0] == 2);
  CHECK(result.total == 3 * 512 + 16);
}

TEST_CASE("footprint: a buffer is one row of bytes", "[d3d12]") {
  const Result result = footprints(buffer_desc(1000), 0, 1, 16);
  CHECK(result.layouts[0].Offset == 16);
  CHECK(result.layouts[0].Footprint.Format == DXGI_FORMAT_UNKNOWN);
  CHECK(result.layouts[0].Footprint.Width == 1000);
  CHECK(result.layouts[0].Footprint.RowPitch == 1024);
  CHECK(result.bytes[0] == 1000);
  CHECK(result.total == 1000);
  CHECK(all_ones(footprints(buffer_desc(1ULL << 32), 0, 1)));
}

TEST_CASE("footprint: formats of several planes have row pitches of 512", "[d3d12]") {
  const Result depth = footprints(texture_2d(DXGI_FORMAT_D24_UNORM_S8_UINT, 130, 119), 0, 2);
  CHECK(depth.layouts[0].Footprint.Format == DXGI_FORMAT_R32_TYPELESS);
  CHECK(depth.layouts[0].Footprint.RowPitch == 1024);
  CHECK(depth.layouts[1].Footprint.Format == DXGI_FORMAT_R8_TYPELESS);
  CHECK(depth.layouts[1].Footprint.RowPitch == 512);
  CHECK(depth.layouts[1].Offset == 119 * 1024);
  const Result video = footprints(texture_2d(DXGI_FORMAT_NV12, 640, 480), 0, 2);
  CHECK(video.layouts[0].Footprint.RowPitch == 1024);
  CHECK(video.layouts[1].Footprint.Format == DXGI_FORMAT_R8G8_TYPELESS);
  CHECK(video.layouts[1].Footprint.Width == 320);
  CHECK(video.layouts[1].Footprint.Height == 240);
  CHECK(video.bytes[1] == 640);
  CHECK(video.total == 480 * 1024 + 239 * 1024 + 640);
}

TEST_CASE("footprint: several samples answer as one", "[d3d12]") {
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 512);
  desc.SampleDesc.Count = 4;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  CHECK(footprints(desc, 0, 1).total == 512 * 2048);
}

TEST_CASE("footprint: what is not valid fills everything with ones", "[d3d12]") {
  const D3D12_RESOURCE_DESC good = texture_2d(DXGI_FORMAT_R32_UINT, 4, 4);
  CHECK(all_ones(footprints(good, 0, 2)));
  CHECK(all_ones(footprints(good, 1, 1)));
  CHECK(all_ones(footprints(good, ~0U, 2)));
  D3D12_RESOURCE_DESC tall = texture_1d(DXGI_FORMAT_R32_UINT, 4);
  tall.Height = 2;
  CHECK(all_ones(footprints(tall, 0, 1)));
  D3D12_RESOURCE_DESC crooked = texture_3d(DXGI_FORMAT_BC1_UNORM, 4, 4, 2);
  crooked.Alignment = 3;
  CHECK(all_ones(footprints(crooked, 0, 1)));
  CHECK(all_ones(footprints(texture_2d(DXGI_FORMAT_UNKNOWN, 4, 4), 0, 1)));
  CHECK(all_ones(footprints(texture_2d(DXGI_FORMAT_420_OPAQUE, 4, 4), 0, 1)));
  D3D12_RESOURCE_DESC no_samples = good;
  no_samples.SampleDesc.Count = 0;
  CHECK(all_ones(footprints(no_samples, 0, 1)));
}

TEST_CASE("footprint: each result may be left out", "[d3d12]") {
  const D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8_UNORM, 300, 2);
  copyable_footprints(desc, 0, 1, 0, {});
  UINT64 total = 0;
  copyable_footprints(desc, 0, 1, 0, {nullptr, nullptr, nullptr, &total});
  CHECK(total == 512 + 300);
}

TEST_CASE("footprint: 10,000 random textures of all formats agree with a count row by row", "[d3d12]") {
  std::mt19937_64 random(5);
  std::vector<const Format*> formats;
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    if (check_resource_desc(texture_2d(format->format, 8, 8)).ok() && !is_opaque(*format)) formats.push_back(format);
  }
  CHECK(formats.size() > 95);
  for (int round = 0; round < 10'000; ++round) {
    const Format& format = *formats[random() % formats.size()];
    const UINT block_x = format.block_width;
    const UINT block_y = format.block_height;
    D3D12_RESOURCE_DESC desc =
        texture_2d(format.format, block_x * (1 + random() % 40), block_y * static_cast<UINT>(1 + random() % 40),
                   static_cast<UINT16>(1 + random() % 4), static_cast<UINT16>(random() % 5));
    if (random() % 4 == 0) {
      desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    } else if (random() % 4 == 0) {
      desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE1D;
      desc.Height = 1;
    }
    if (!check_resource_desc(desc).ok()) continue;
    const std::vector<Plane> expected = planes(format.name);
    const UINT mips = desc.MipLevels != 0 ? desc.MipLevels : full_mip_chain(desc);
    const bool solid = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    const UINT slices = solid ? 1 : desc.DepthOrArraySize;
    const UINT count = mips * slices * static_cast<UINT>(expected.size());
    const UINT first = static_cast<UINT>(random() % count);
    const UINT taken = 1 + static_cast<UINT>(random() % (count - first));
    const Result result = footprints(desc, first, taken, 77);
    CAPTURE(format.name, desc.Width, desc.Height, desc.DepthOrArraySize, desc.MipLevels, first);
    std::uint64_t at = 0;
    std::uint64_t end = 0;
    bool same = true;
    for (UINT i = 0; i < taken; ++i) {
      const UINT index = first + i;
      const UINT mip = index % mips;
      const Plane& plane = expected[index / mips / slices];
      UINT width = static_cast<UINT>(desc.Width);
      UINT height = desc.Height;
      UINT depth = solid ? desc.DepthOrArraySize : 1;
      for (UINT level = 0; level < mip; ++level) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        depth = depth > 1 ? depth / 2 : 1;
      }
      width = static_cast<UINT>(up(width, block_x)) / plane.across;
      height = static_cast<UINT>(up(height, block_y)) / plane.down;
      const bool compressed = block_y == 4;
      const UINT rows = compressed ? height / 4 : height;
      const std::uint64_t row = std::uint64_t{width} * plane.bits_per_texel * (compressed ? 4 : 1) / 8;
      const std::uint64_t pitch = up(row, expected.size() > 1 ? 512 : 256);
      at = up(end, 512);
      end = at;
      for (UINT step = 0; step < rows * depth; ++step) end = at + step * pitch + row;
      const D3D12_SUBRESOURCE_FOOTPRINT& print = result.layouts[i].Footprint;
      same = same && result.layouts[i].Offset == 77 + at && print.Width == width && print.Height == height &&
             print.Depth == depth && print.RowPitch == pitch && result.rows[i] == rows && result.bytes[i] == row;
    }
    REQUIRE(same);
    REQUIRE(result.total == end);
  }
}
