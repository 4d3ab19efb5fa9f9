// SPDX-License-Identifier: Apache-2.0
// What a clear's values become in the bytes of a format: D3D's data conversion rules.
#include "api/d3d12/formats/clear_value.hpp"

#include "tests/d3d12/pipelines/pipelines.hpp"

#include <cmath>
#include <limits>

using namespace fenceline::testing;
using fenceline::d3d12::encode_color;
using fenceline::d3d12::encode_integers;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
T first_of(const fenceline::d3d12::Element& element) {
  T value{};
  std::memcpy(&value, element.data(), sizeof value);
  return value;
}

/// The lowest 32 bits of a colour whose first component is `red` and whose others are 0.
std::uint32_t red(DXGI_FORMAT format, float value) {
  const float color[4] = {value, 0, 0, 0};
  return first_of<std::uint32_t>(encode_color(format, color));
}

std::uint32_t integers(DXGI_FORMAT format, const std::array<std::uint32_t, 4>& values) {
  return first_of<std::uint32_t>(encode_integers(format, values.data()));
}

}  // namespace

TEST_CASE("clear values: floats of fewer bits are rounded toward zero", "[d3d12]") {
  constexpr auto half = DXGI_FORMAT_R16_FLOAT;
  CHECK(red(half, 1) == 0x3C00);
  CHECK(red(half, 1 + 0.9F / 1024) == 0x3C00);
  CHECK(red(half, -1 - 1.9F / 1024) == 0xBC01);
  CHECK(red(half, 2047.9F) == 0x67FF);
  CHECK(red(half, std::ldexp(1.9F, -24)) == 1);  // the least one, without a leading 1
  CHECK(red(half, std::ldexp(0.9F, -24)) == 0);
  CHECK(red(half, -std::ldexp(0.9F, -24)) == 0x8000);
  CHECK(red(half, std::ldexp(0.99999F, -14)) == 0x3FF);
  CHECK(red(half, std::ldexp(1.0F, -14)) == 0x400);
  CHECK(red(DXGI_FORMAT_R11G11B10_FLOAT, 1 + 0.9F / 64) == 0x3C0);
}

TEST_CASE("clear values: floats beyond a format's range become its largest number, infinity stays", "[d3d12]") {
  constexpr auto half = DXGI_FORMAT_R16_FLOAT;
  constexpr auto small = DXGI_FORMAT_R11G11B10_FLOAT;
  CHECK(red(half, 65504) == 0x7BFF);
  CHECK(red(half, 65536) == 0x7BFF);
  CHECK(red(half, -1e30F) == 0xFBFF);
  CHECK(red(half, infinite) == 0x7C00);
  CHECK(red(half, -infinite) == 0xFC00);
  CHECK(std::isnan(not_a_number));
  CHECK((red(half, not_a_number) & 0x7FFF) > 0x7C00);
  CHECK(red(small, 1e30F) == 0x7BF);
  CHECK(red(small, infinite) == 0x7C0);
  CHECK((red(small, not_a_number) & 0x7FF) > 0x7C0);
  for (const float below : {-1.0F, -0.0F, -infinite}) CHECK(red(small, below) == 0);
}

TEST_CASE("clear values: normalised and integer formats clamp, and know no NaN", "[d3d12]") {
  CHECK(red(DXGI_FORMAT_R8_UNORM, 2) == 255);
  CHECK(red(DXGI_FORMAT_R8_UNORM, -infinite) == 0);
  CHECK(red(DXGI_FORMAT_R8_SNORM, -infinite) == 0x81);
  CHECK(red(DXGI_FORMAT_R8_UINT, 1.9F) == 1);
  CHECK(red(DXGI_FORMAT_R8_UINT, infinite) == 255);
  CHECK(red(DXGI_FORMAT_R8_SINT, -1.9F) == 0xFF);
  CHECK(red(DXGI_FORMAT_R8_SINT, -1e30F) == 0x80);
  for (const auto format : {DXGI_FORMAT_R8_UNORM, DXGI_FORMAT_R8_SNORM, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB,
                            DXGI_FORMAT_R32_UINT, DXGI_FORMAT_R32_SINT}) {
    CHECK(red(format, not_a_number) == 0);
  }
}

TEST_CASE("clear values: integers keep the bits that a component has room for", "[d3d12]") {
  CHECK(integers(DXGI_FORMAT_R16G16_UINT, {0x10000, 0x23456, 0, 0}) == 0x34560000);
  CHECK(integers(DXGI_FORMAT_R8_UINT, {0x123, 0, 0, 0}) == 0x23);
  CHECK(integers(DXGI_FORMAT_R8_SINT, {0x1FF, 0, 0, 0}) == 0xFF);
  CHECK(integers(DXGI_FORMAT_R10G10B10A2_UINT, {0x1010, 0, 0, 0x41}) == (0x10 | 1U << 30));
  CHECK(integers(DXGI_FORMAT_R8G8B8A8_UNORM, {0x101, 2, 3, 4}) == 0x04030201);
  CHECK(integers(DXGI_FORMAT_R32_FLOAT, {0x7FC00001, 0, 0, 0}) == 0x7FC00001);
}

TEST_CASE("clears: a null view takes one and leaves all as it is", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto buffer = app.buffer(64, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  const auto back = app.buffer(64, D3D12_HEAP_TYPE_READBACK);
  const auto plain = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  const auto visible = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true);
  D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
  desc.Format = DXGI_FORMAT_R32_UINT;
  desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  desc.Buffer.NumElements = 16;
  const auto cpu = plain->GetCPUDescriptorHandleForHeapStart();
  const auto gpu = visible->GetGPUDescriptorHandleForHeapStart();
  const UINT values[4] = {7, 7, 7, 7};
  app.device->CreateUnorderedAccessView(buffer.Get(), nullptr, &desc, cpu);
  direct.list->ClearUnorderedAccessViewUint(gpu, cpu, buffer.Get(), values, 0, nullptr);
  direct.run();
  app.device->CreateUnorderedAccessView(nullptr, nullptr, &desc, cpu);
  const UINT others[4] = {9, 9, 9, 9};
  const float colors[4] = {9, 9, 9, 9};
  direct.list->ClearUnorderedAccessViewUint(gpu, cpu, buffer.Get(), others, 0, nullptr);
  direct.list->ClearUnorderedAccessViewFloat(gpu, cpu, buffer.Get(), colors, 0, nullptr);
  direct.list->CopyResource(back.Get(), buffer.Get());
  direct.run();
  CHECK(read<UINT>(back.Get(), 16) == std::vector<UINT>(16, 7));
}
