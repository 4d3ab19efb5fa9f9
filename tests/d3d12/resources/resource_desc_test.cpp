// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/resource_desc.hpp"

#include "api/d3d12/formats/format.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

bool valid(const D3D12_RESOURCE_DESC& desc) {
  const Verdict verdict = check_resource_desc(desc);
  CHECK((verdict.result == S_OK || verdict.result == E_INVALIDARG));
  CHECK(verdict.message.empty() == verdict.ok());
  CHECK(verdict.message.find('\n') == std::string::npos);
  return verdict.ok();
}

/// The description with one thing changed.
template <class Change>
D3D12_RESOURCE_DESC but(D3D12_RESOURCE_DESC desc, Change change) {
  change(desc);
  return desc;
}

D3D12_RESOURCE_DESC flagged(D3D12_RESOURCE_DESC desc, UINT flags) {
  desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(flags);
  return desc;
}

D3D12_RESOURCE_DESC multisampled(DXGI_FORMAT format, UINT samples, UINT flags) {
  D3D12_RESOURCE_DESC desc = flagged(texture_2d(format, 64, 64), flags);
  desc.SampleDesc.Count = samples;
  return desc;
}

constexpr UINT target = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
constexpr UINT depth = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
constexpr UINT unordered = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;

}  // namespace

TEST_CASE("resource desc: a buffer is one row of bytes", "[d3d12]") {
  const D3D12_RESOURCE_DESC good = buffer_desc(32);
  CHECK(valid(good));
  CHECK(valid(but(good, [](auto& d) { d.Alignment = 65536; })));
  CHECK(valid(flagged(good, unordered)));
  CHECK(valid(flagged(good, unordered | D3D12_RESOURCE_FLAG_RAYTRACING_ACCELERATION_STRUCTURE)));
  CHECK_FALSE(valid(buffer_desc(0)));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Alignment = 4096; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Alignment = 4194304; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Height = 2; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Height = 0; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.DepthOrArraySize = 2; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.MipLevels = 0; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.MipLevels = 2; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Format = DXGI_FORMAT_R32_UINT; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.SampleDesc.Count = 4; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.SampleDesc.Quality = 1; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN; })));
  CHECK_FALSE(valid(flagged(good, depth)));
  CHECK(valid(flagged(good, D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE)));
  CHECK_FALSE(valid(flagged(good, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)));
  CHECK_FALSE(valid(flagged(good, D3D12_RESOURCE_FLAG_RAYTRACING_ACCELERATION_STRUCTURE)));
}

TEST_CASE("resource desc: dimensions and their limits at feature level 12", "[d3d12]") {
  constexpr DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM;
  CHECK(valid(texture_1d(format, 16384, 2048, 15)));
  CHECK_FALSE(valid(texture_1d(format, 16385)));
  CHECK_FALSE(valid(texture_1d(format, 16, 2049)));
  CHECK_FALSE(valid(texture_1d(format, 0)));
  CHECK_FALSE(valid(texture_desc(D3D12_RESOURCE_DIMENSION_TEXTURE1D, format, 4, 2)));
  CHECK(valid(texture_2d(format, 16384, 16384, 2048)));
  CHECK_FALSE(valid(texture_2d(format, 16385, 1)));
  CHECK_FALSE(valid(texture_2d(format, 1, 16385)));
  CHECK_FALSE(valid(texture_2d(format, 1, 1, 2049)));
  CHECK_FALSE(valid(texture_2d(format, 1, 1, 0)));
  CHECK(valid(texture_3d(format, 2048, 2048, 2048)));
  CHECK_FALSE(valid(texture_3d(format, 2049, 1, 1)));
  CHECK_FALSE(valid(texture_3d(format, 1, 1, 2049)));
  CHECK_FALSE(valid(texture_desc(D3D12_RESOURCE_DIMENSION_UNKNOWN, format, 4, 4)));
  CHECK_FALSE(valid(texture_desc(static_cast<D3D12_RESOURCE_DIMENSION>(5), format, 4, 4)));
}

TEST_CASE("resource desc: mips up to 15, more than the chain has are allowed", "[d3d12]") {
  CHECK(valid(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 32, 32, 1, 0)));
  CHECK(valid(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 32, 32, 1, 10)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 32, 32, 1, 16)));
}

TEST_CASE("resource desc: formats fit their dimension", "[d3d12]") {
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_UNKNOWN, 4, 4)));
  CHECK_FALSE(valid(texture_2d(static_cast<DXGI_FORMAT>(129), 4, 4)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_R1_UNORM, 8, 4)));
  CHECK_FALSE(valid(texture_1d(DXGI_FORMAT_BC1_UNORM, 32)));
  CHECK(valid(texture_3d(DXGI_FORMAT_BC1_UNORM, 32, 32, 2)));
  CHECK_FALSE(valid(texture_3d(DXGI_FORMAT_D32_FLOAT, 4, 4, 2)));
  CHECK_FALSE(valid(texture_3d(DXGI_FORMAT_NV12, 4, 4, 2)));
}

TEST_CASE("resource desc: compressed textures may end within a block where the device says so", "[d3d12]") {
  const D3D12_RESOURCE_DESC ragged = texture_2d(DXGI_FORMAT_BC1_UNORM, 30, 31);
  CHECK(valid(ragged));
  ResourceRules strict;
  strict.unaligned_block_textures = false;
  CHECK_FALSE(check_resource_desc(ragged, strict).ok());
  CHECK(check_resource_desc(texture_2d(DXGI_FORMAT_BC1_UNORM, 32, 28), strict).ok());
}

TEST_CASE("resource desc: video textures have whole groups of texels and one mip", "[d3d12]") {
  CHECK(valid(texture_2d(DXGI_FORMAT_NV12, 640, 480)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_NV12, 641, 480)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_NV12, 640, 481)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_NV12, 640, 480, 1, 2)));
  CHECK_FALSE(valid(texture_2d(DXGI_FORMAT_YUY2, 641, 480)));
}

TEST_CASE("resource desc: views and formats go together", "[d3d12]") {
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4), target | unordered)));
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_TYPELESS, 4, 4), target | unordered)));
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_D32_FLOAT, 4, 4), depth)));
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R24G8_TYPELESS, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R32_TYPELESS, 4, 4), depth | target)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R32_TYPELESS, 4, 4), depth | unordered)));
  CHECK_FALSE(valid(flagged(texture_3d(DXGI_FORMAT_R32_TYPELESS, 4, 4, 2), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_D32_FLOAT, 4, 4), target)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_BC1_UNORM, 4, 4), target)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_BC1_UNORM, 4, 4), unordered)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R9G9B9E5_SHAREDEXP, 4, 4), target)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_UINT, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_BC1_UNORM, 4, 4), depth)));
}

TEST_CASE("resource desc: a typed texture has the views that its format can be cast to", "[d3d12]") {
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 4, 4), unordered)));
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R32_FLOAT, 4, 4), depth)));
  CHECK(valid(flagged(texture_2d(DXGI_FORMAT_R16_UNORM, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R32_UINT, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_R16_SNORM, 4, 4), depth)));
  CHECK_FALSE(valid(flagged(texture_2d(DXGI_FORMAT_D32_FLOAT, 4, 4), unordered)));
}

TEST_CASE("resource desc: flags that exclude each other", "[d3d12]") {
  const D3D12_RESOURCE_DESC color = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4);
  const D3D12_RESOURCE_DESC deep = texture_2d(DXGI_FORMAT_D32_FLOAT, 4, 4);
  CHECK(valid(flagged(deep, depth | D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE)));
  CHECK_FALSE(valid(flagged(color, D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE)));
  CHECK_FALSE(valid(flagged(color, target | D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE)));
  CHECK(valid(flagged(color, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)));
  CHECK(valid(flagged(color, target | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)));
  CHECK_FALSE(valid(flagged(deep, depth | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)));
  CHECK_FALSE(valid(flagged(deep, depth | D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER)));
  CHECK_FALSE(valid(flagged(color, D3D12_RESOURCE_FLAG_RAYTRACING_ACCELERATION_STRUCTURE | unordered)));
  CHECK_FALSE(valid(flagged(color, D3D12_RESOURCE_FLAG_VIDEO_DECODE_REFERENCE_ONLY | target)));
  CHECK_FALSE(valid(flagged(color, 0x400)));
}

TEST_CASE("resource desc: several samples", "[d3d12]") {
  CHECK(valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, target)));
  CHECK(valid(multisampled(DXGI_FORMAT_D32_FLOAT, 8, depth)));
  CHECK_FALSE(valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 0, target)));
  CHECK_FALSE(valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 3, target)));
  CHECK_FALSE(valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 0)));
  CHECK_FALSE(valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, target | unordered)));
  CHECK_FALSE(valid(multisampled(DXGI_FORMAT_BC1_UNORM, 4, 0)));
  CHECK_FALSE(
      valid(multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, target | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)));
  const D3D12_RESOURCE_DESC good = multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, target);
  CHECK_FALSE(valid(but(good, [](auto& d) { d.MipLevels = 2; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.SampleDesc.Quality = 1; })));
  CHECK(valid(but(good, [](auto& d) { d.SampleDesc.Quality = ~0U; })));
  CHECK(valid(but(good, [](auto& d) { d.DepthOrArraySize = 6; })));
  CHECK_FALSE(valid(but(good, [](auto& d) { d.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D; })));
  CHECK_FALSE(valid(but(texture_2d(DXGI_FORMAT_R8_UNORM, 4, 4), [](auto& d) { d.SampleDesc.Quality = 1; })));
}

TEST_CASE("resource desc: alignments of textures", "[d3d12]") {
  const auto aligned = [](D3D12_RESOURCE_DESC desc, UINT64 alignment) {
    desc.Alignment = alignment;
    return valid(desc);
  };
  const D3D12_RESOURCE_DESC tiny = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16);
  CHECK(aligned(tiny, 0));
  CHECK(aligned(tiny, 4096));
  CHECK(aligned(tiny, 65536));
  CHECK_FALSE(aligned(tiny, 4194304));
  CHECK_FALSE(aligned(tiny, 3));
  CHECK_FALSE(aligned(flagged(tiny, target), 4096));
  // 16 tiles of 4 KiB in the first mip, however many slices.
  CHECK(aligned(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 1024), 4096));
  CHECK(aligned(texture_2d(DXGI_FORMAT_BC1_UNORM, 256, 512, 1, 10), 4096));
  CHECK(aligned(texture_2d(DXGI_FORMAT_BC1_UNORM, 256, 512, 64), 4096));
  CHECK_FALSE(aligned(texture_2d(DXGI_FORMAT_BC1_UNORM, 260, 512), 4096));
  CHECK_FALSE(aligned(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 1024, 1024), 4096));
  const D3D12_RESOURCE_DESC samples = multisampled(DXGI_FORMAT_R8G8B8A8_UNORM, 4, target);
  CHECK(aligned(samples, 0));
  CHECK(aligned(samples, 65536));
  CHECK(aligned(samples, 4194304));
  CHECK_FALSE(aligned(samples, 4096));
  CHECK(aligned(but(samples, [](auto& d) { d.Width = 1920, d.Height = 1080; }), 65536));
}

TEST_CASE("resource desc: layouts", "[d3d12]") {
  const D3D12_RESOURCE_DESC good = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64);
  const auto laid_out = [](D3D12_TEXTURE_LAYOUT layout) { return [layout](auto& d) { d.Layout = layout; }; };
  CHECK(valid(but(good, laid_out(D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE))));
  CHECK_FALSE(valid(but(good, laid_out(D3D12_TEXTURE_LAYOUT_ROW_MAJOR))));
  const D3D12_RESOURCE_DESC shared = flagged(good, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
  CHECK(valid(but(shared, laid_out(D3D12_TEXTURE_LAYOUT_ROW_MAJOR))));
  CHECK_FALSE(valid(but(but(shared, laid_out(D3D12_TEXTURE_LAYOUT_ROW_MAJOR)), [](auto& d) { d.MipLevels = 2; })));
  CHECK_FALSE(valid(but(good, laid_out(D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE))));
  ResourceRules swizzled;
  swizzled.standard_swizzle = true;
  CHECK(check_resource_desc(but(good, laid_out(D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE)), swizzled).ok());
  CHECK_FALSE(valid(but(good, laid_out(static_cast<D3D12_TEXTURE_LAYOUT>(4)))));
}

TEST_CASE("resource desc: the message names what was found", "[d3d12]") {
  const Verdict verdict = check_resource_desc(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 20000, 4));
  CHECK(verdict.message == "Width: expected 1 to 16384, found 20000");
}

TEST_CASE("resource desc: mip regions belong to sampler feedback maps", "[d3d12]") {
  D3D12_RESOURCE_DESC1 desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  desc.Width = desc.Height = 64;
  desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  CHECK(check_resource_desc(desc).ok());
  desc.SamplerFeedbackMipRegion = {8, 8, 1};
  CHECK_FALSE(check_resource_desc(desc).ok());
  desc.Format = DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  CHECK(check_resource_desc(desc).ok());
  desc.SamplerFeedbackMipRegion = {8, 7, 1};
  CHECK_FALSE(check_resource_desc(desc).ok());
  desc.SamplerFeedbackMipRegion = {64, 8, 1};
  CHECK_FALSE(check_resource_desc(desc).ok());
}

TEST_CASE("resource desc: upload and readback heaps hold plain buffers", "[d3d12]") {
  D3D12_HEAP_PROPERTIES heap = {};
  const auto fits = [&heap](const D3D12_RESOURCE_DESC& desc, UINT flags = 0) {
    return check_resource_in_heap(desc, heap, static_cast<D3D12_HEAP_FLAGS>(flags)).ok();
  };
  const D3D12_RESOURCE_DESC texture = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4);
  for (const D3D12_HEAP_TYPE type : {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK}) {
    heap.Type = type;
    CHECK(fits(buffer_desc(4)));
    CHECK_FALSE(fits(flagged(buffer_desc(4), unordered)));
    CHECK_FALSE(fits(flagged(buffer_desc(4), target)));
    CHECK_FALSE(fits(texture));
  }
  heap.Type = D3D12_HEAP_TYPE_DEFAULT;
  CHECK(fits(texture));
  CHECK_FALSE(fits(buffer_desc(4), D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES));
  CHECK_FALSE(fits(texture, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
  CHECK_FALSE(fits(texture, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES));
  CHECK(fits(texture, D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES));
  CHECK(fits(flagged(texture, target), D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES));
  CHECK_FALSE(fits(flagged(texture, target), D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES));
}
