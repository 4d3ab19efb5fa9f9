// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/format.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline::d3d12;

namespace {

std::string name_of(DXGI_FORMAT format) { return find_format(format)->name; }

/// Adds up the digits of a name such as R10G10B10A2_UNORM; 0 for other names.
unsigned bits_in_name(const std::string& name) {
  unsigned total = 0;
  unsigned number = 0;
  bool letter = false;
  for (const char c : name + "_") {
    if (c >= '0' && c <= '9') {
      if (!letter) return 0;
      number = 10 * number + static_cast<unsigned>(c - '0');
      continue;
    }
    total += number;
    number = 0;
    if (c == '_') return total;
    letter = std::string("RGBAXDS").find(c) != std::string::npos;
    if (!letter) return 0;
  }
  return total;
}

}  // namespace

TEST_CASE("format: every DXGI_FORMAT is found by its value, and none between them", "[d3d12]") {
  CHECK(end_formats() - begin_formats() == 122);
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    CAPTURE(format->name);
    CHECK(find_format(format->format) == format);
    REQUIRE(find_format(format->family) != nullptr);
    CHECK(find_format(format->family)->family == format->family);
  }
  for (const int none : {116, 129, 133, 188, 192, -1}) CHECK(find_format(static_cast<DXGI_FORMAT>(none)) == nullptr);
  CHECK(name_of(DXGI_FORMAT_UNKNOWN) == "UNKNOWN");
  CHECK(name_of(DXGI_FORMAT_BC7_UNORM_SRGB) == "BC7_UNORM_SRGB");
  CHECK(name_of(static_cast<DXGI_FORMAT>(191)) == "A4B4G4R4_UNORM");
}

TEST_CASE("format: the bytes are the bits of its name", "[d3d12]") {
  unsigned counted = 0;
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    const unsigned bits = bits_in_name(format->name);
    if (bits == 0 || bits < 8 || format->block_width > 1) continue;
    CAPTURE(format->name, bits);
    // Depth with stencil, and those that leave bits of the family unused, name half of it before the underscore.
    if (format->family == DXGI_FORMAT_R32G8X24_TYPELESS || format->family == DXGI_FORMAT_R24G8_TYPELESS) continue;
    const std::string name = format->name;
    if (name.find("SHAREDEXP") != std::string::npos || name.find("_XR_") != std::string::npos) continue;
    ++counted;
    CHECK(format->block_bytes * 8 == bits);
  }
  CHECK(counted > 60);
}

TEST_CASE("format: compressed blocks are 4 x 4 texels of 8 or 16 bytes", "[d3d12]") {
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    const std::string name = format->name;
    CAPTURE(name);
    CHECK(is_block_compressed(*format) == (name.rfind("BC", 0) == 0));
    if (!is_block_compressed(*format)) continue;
    const bool half = name.rfind("BC1", 0) == 0 || name.rfind("BC4", 0) == 0;
    CHECK(format->block_bytes == (half ? 8 : 16));
  }
}

TEST_CASE("format: typeless ones are those that say so, and they are their own family", "[d3d12]") {
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    const std::string name = format->name;
    CAPTURE(name);
    const bool says_so = name.size() > 9 && name.substr(name.size() - 9) == "_TYPELESS";
    // Views of depth alone: their stencil half is typeless, they are not.
    const bool half =
        format->format == DXGI_FORMAT_R24_UNORM_X8_TYPELESS || format->format == DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS;
    CHECK(is_typeless(*format) == (says_so && !half));
    if (is_typeless(*format)) CHECK(format->family == format->format);
  }
  CHECK(find_format(DXGI_FORMAT_D16_UNORM)->family == DXGI_FORMAT_R16_TYPELESS);
  CHECK(find_format(DXGI_FORMAT_D32_FLOAT)->family == DXGI_FORMAT_R32_TYPELESS);
  CHECK(find_format(DXGI_FORMAT_BC6H_SF16)->family == DXGI_FORMAT_BC6H_TYPELESS);
  CHECK(find_format(DXGI_FORMAT_R10G10B10_XR_BIAS_A2_UNORM)->family == DXGI_FORMAT_R10G10B10A2_TYPELESS);
  CHECK(find_format(DXGI_FORMAT_R11G11B10_FLOAT)->family == DXGI_FORMAT_R11G11B10_FLOAT);
}

TEST_CASE("format: plane counts are D3D12's", "[d3d12]") {
  for (const DXGI_FORMAT two :
       {DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_D24_UNORM_S8_UINT, DXGI_FORMAT_R24_UNORM_X8_TYPELESS,
        DXGI_FORMAT_X24_TYPELESS_G8_UINT, DXGI_FORMAT_R32G8X24_TYPELESS, DXGI_FORMAT_D32_FLOAT_S8X24_UINT,
        DXGI_FORMAT_NV12, DXGI_FORMAT_P010, DXGI_FORMAT_P016, DXGI_FORMAT_NV11, DXGI_FORMAT_P208}) {
    CHECK(plane_count(two) == 2);
  }
  for (const DXGI_FORMAT three : {DXGI_FORMAT_V208, DXGI_FORMAT_V408}) CHECK(plane_count(three) == 3);
  for (const DXGI_FORMAT one : {DXGI_FORMAT_UNKNOWN, DXGI_FORMAT_D32_FLOAT, DXGI_FORMAT_YUY2, DXGI_FORMAT_420_OPAQUE,
                                DXGI_FORMAT_BC1_UNORM, static_cast<DXGI_FORMAT>(129)}) {
    CHECK(plane_count(one) == 1);
  }
}

TEST_CASE("format: planes have the formats in which they are copied", "[d3d12]") {
  const Format& depth = *find_format(DXGI_FORMAT_D32_FLOAT_S8X24_UINT);
  CHECK(plane_of(depth, 0).format == DXGI_FORMAT_R32_TYPELESS);
  CHECK(plane_of(depth, 1).format == DXGI_FORMAT_R8_TYPELESS);
  CHECK(plane_of(depth, 0).block_bytes == 4);
  CHECK(plane_of(depth, 1).block_bytes == 1);
  const Format& video = *find_format(DXGI_FORMAT_P010);
  CHECK(plane_of(video, 0).format == DXGI_FORMAT_R16_TYPELESS);
  CHECK(plane_of(video, 1).format == DXGI_FORMAT_R16G16_TYPELESS);
  CHECK(plane_of(video, 1).width_divisor == 2);
  CHECK(plane_of(video, 1).height_divisor == 2);
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    for (unsigned plane = 0; plane < plane_count(format->format); ++plane) {
      const FormatPlane found = plane_of(*format, plane);
      CAPTURE(format->name, plane);
      CHECK(find_format(found.format)->block_bytes == found.block_bytes);
    }
  }
}

TEST_CASE("format: depth formats", "[d3d12]") {
  unsigned depths = 0;
  for (const Format* format = begin_formats(); format != end_formats(); ++format) {
    CAPTURE(format->name);
    CHECK(is_depth(*format) == (format->name[0] == 'D'));
    if (is_depth(*format)) {
      ++depths;
      CHECK(may_be_depth(*find_format(format->family)));
    }
  }
  CHECK(depths == 4);
  CHECK(is_depth_stencil(*find_format(DXGI_FORMAT_D24_UNORM_S8_UINT)));
  CHECK_FALSE(is_depth_stencil(*find_format(DXGI_FORMAT_D32_FLOAT)));
  CHECK_FALSE(may_be_depth(*find_format(DXGI_FORMAT_R32_FLOAT)));
}

TEST_CASE("format: copies stay in a family or go between a block and an integer of its size", "[d3d12]") {
  CHECK(may_copy_between(DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R8G8B8A8_UINT));
  CHECK(may_copy_between(DXGI_FORMAT_D32_FLOAT, DXGI_FORMAT_R32_UINT));
  CHECK_FALSE(may_copy_between(DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_B8G8R8A8_UNORM));
  CHECK_FALSE(may_copy_between(DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R32_UINT));
  CHECK(may_copy_between(DXGI_FORMAT_BC1_UNORM, DXGI_FORMAT_R32G32_UINT));
  CHECK(may_copy_between(DXGI_FORMAT_R16G16B16A16_SINT, DXGI_FORMAT_BC4_SNORM));
  CHECK(may_copy_between(DXGI_FORMAT_BC7_UNORM, DXGI_FORMAT_R32G32B32A32_UINT));
  CHECK(may_copy_between(DXGI_FORMAT_R9G9B9E5_SHAREDEXP, DXGI_FORMAT_R32_UINT));
  CHECK_FALSE(may_copy_between(DXGI_FORMAT_BC1_UNORM, DXGI_FORMAT_R32G32B32A32_UINT));
  CHECK_FALSE(may_copy_between(DXGI_FORMAT_BC1_UNORM, DXGI_FORMAT_BC4_UNORM));
  CHECK_FALSE(may_copy_between(DXGI_FORMAT_BC1_UNORM, DXGI_FORMAT_R32G32_FLOAT));
  CHECK_FALSE(may_copy_between(static_cast<DXGI_FORMAT>(129), static_cast<DXGI_FORMAT>(129)));
}
