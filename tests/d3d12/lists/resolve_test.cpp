// SPDX-License-Identifier: Apache-2.0
// Resolves: samples become one texel, exactly.
#include "api/d3d12/bytes/texel_resolve.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <cmath>

using namespace fenceline::testing;
using fenceline::d3d12::resolve_texel;
using fenceline::d3d12::sample_format;

namespace {

constexpr auto average = D3D12_RESOLVE_MODE_AVERAGE;
constexpr auto lowest = D3D12_RESOLVE_MODE_MIN;
constexpr auto highest = D3D12_RESOLVE_MODE_MAX;

/// What samples of type T become.
template <class T>
T resolved(DXGI_FORMAT format, D3D12_RESOLVE_MODE mode, const std::vector<T>& samples, std::uint32_t plane = 0) {
  const auto element =
      resolve_texel(sample_format(format, plane), mode, reinterpret_cast<const std::byte*>(samples.data()),
                    static_cast<std::uint32_t>(samples.size()), sizeof(T));
  T value{};
  std::memcpy(&value, element.data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("resolve: averages are those of the numbers, rounded to nearest", "[d3d12]") {
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  CHECK(resolved<std::uint8_t>(DXGI_FORMAT_R8_UNORM, average, {0, 0, 0, 2}) == 1);
  CHECK(resolved<std::uint8_t>(DXGI_FORMAT_R8_UNORM, average, {255, 255, 0, 0}) == 128);
  CHECK(resolved<std::int8_t>(DXGI_FORMAT_R8_SNORM, average, {-128, -127}) == -127);
  CHECK(resolved<std::int8_t>(DXGI_FORMAT_R8_SNORM, average, {-3, 0}) == -2);
  CHECK(resolved<U16>(DXGI_FORMAT_R16_UNORM, average, {1, 2, 65535, 65535}) == 32768);
  CHECK(resolved<U32>(DXGI_FORMAT_R8G8B8A8_UNORM, average, {0x10203040, 0x30405060}) == 0x20304050);
  CHECK(resolved<U32>(DXGI_FORMAT_R10G10B10A2_UNORM, average, {3U << 30 | 1023, 3U << 30 | 1}) == (3U << 30 | 512));
  CHECK(resolved<U16>(DXGI_FORMAT_B5G6R5_UNORM, average, {0xFFFF, 0}) == (16 | 32 << 5 | 16 << 11));
  CHECK(resolved<float>(DXGI_FORMAT_R32_FLOAT, average, {1.5F, -0.25F, 8, 0}) == 9.25F / 4);
  CHECK(resolved<U16>(DXGI_FORMAT_R16_FLOAT, average, {0x3C00, 0x4000}) == 0x3E00);  // 1 and 2
  CHECK(resolved<U16>(DXGI_FORMAT_R16_FLOAT, average, {0x0001, 0x0003}) == 0x0002);  // below the normal ones
  CHECK(resolved<U32>(DXGI_FORMAT_R11G11B10_FLOAT, average,
                      {0x3C0U | 0x3C0U << 11 | 0x1E0U << 22, 0x400U | 0x3C0U << 11 | 0x200U << 22}) ==
        (0x3E0U | 0x3C0U << 11 | 0x1F0U << 22));
}

TEST_CASE("resolve: sRGB is averaged in linear light, its alpha as it is", "[d3d12]") {
  const double half = 1.055 * std::pow(0.5, 1 / 2.4) - 0.055;
  const auto gray = static_cast<std::uint32_t>(std::lround(half * 255));
  CHECK(resolved<std::uint32_t>(DXGI_FORMAT_B8G8R8A8_UNORM_SRGB, average, {0xFFFFFFFF, 0}) ==
        (gray | gray << 8 | gray << 16 | 128U << 24));
}

TEST_CASE("resolve: integers keep sample 0, and minimum and maximum go by component", "[d3d12]") {
  using U32 = std::uint32_t;
  CHECK(resolved<U32>(DXGI_FORMAT_R32_UINT, average, {7, 9, 11, 13}) == 7);
  CHECK(resolved<U32>(DXGI_FORMAT_R8G8B8A8_UINT, lowest, {0x10FF3000, 0x20014001}) == 0x10013000);
  CHECK(resolved<U32>(DXGI_FORMAT_R8G8B8A8_UNORM, highest, {0x10FF3000, 0x20014001}) == 0x20FF4001);
  CHECK(resolved<std::int8_t>(DXGI_FORMAT_R8_SINT, lowest, {3, -5, 4}) == -5);
  CHECK(resolved<std::int8_t>(DXGI_FORMAT_R8_SNORM, highest, {3, -5, 4}) == 4);
  CHECK(resolved<float>(DXGI_FORMAT_R32_FLOAT, lowest, {0.5F, -2, 3}) == -2);
  CHECK(resolved<float>(DXGI_FORMAT_D32_FLOAT, highest, {0.5F, 0.75F}) == 0.75F);
  CHECK(resolved<U32>(DXGI_FORMAT_D24_UNORM_S8_UINT, average, {0xFFFFFF, 0xFFFFFD}) == 0xFFFFFE);
  CHECK(resolved<std::uint8_t>(DXGI_FORMAT_D24_UNORM_S8_UINT, lowest, {9, 5}, 1) == 5);
  CHECK(sample_format(DXGI_FORMAT_BC1_UNORM, 0).kind == fenceline::d3d12::ComponentKind::none);
  CHECK(sample_format(DXGI_FORMAT_R8G8B8A8_TYPELESS, 0).kind == fenceline::d3d12::ComponentKind::none);
}

TEST_CASE("resolve: what a list resolves is there when it is complete", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  const auto from = app.resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                  0,
                                  4,
                                  3,
                                  1,
                                  1,
                                  format,
                                  {4, 0},
                                  D3D12_TEXTURE_LAYOUT_UNKNOWN,
                                  D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET},
                                 D3D12_HEAP_TYPE_DEFAULT);
  const auto to = app.texture(format, 4, 3);
  const auto heap = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(from.Get(), nullptr, view);
  const float all[] = {2, 0, 0, 0};
  const float part[] = {5, 0, 0, 0};
  const D3D12_RECT corner{2, 1, 4, 3};
  direct.list->ClearRenderTargetView(view, all, 0, nullptr);
  direct.list->ClearRenderTargetView(view, part, 1, &corner);
  ComPtr<ID3D12GraphicsCommandList1> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const auto back = app.buffer(2048, D3D12_HEAP_TYPE_READBACK);
  const auto copy = [&](UINT64 offset) {
    D3D12_TEXTURE_COPY_LOCATION source{};
    source.pResource = to.Get();
    D3D12_TEXTURE_COPY_LOCATION footprint{};
    footprint.pResource = back.Get();
    footprint.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    footprint.PlacedFootprint = {offset, {format, 4, 3, 1, 256}};
    list->CopyTextureRegion(&footprint, 0, 0, 0, &source, nullptr);
  };
  list->ResolveSubresource(to.Get(), 0, from.Get(), 0, format);
  copy(0);
  D3D12_RECT rect{1, 1, 3, 2};
  list->ResolveSubresourceRegion(to.Get(), 0, 0, 0, from.Get(), 0, &rect, format, highest);
  copy(1024);
  direct.run();
  CHECK(read<float>(back.Get(), 4, 0) == std::vector<float>{2, 2, 2, 2});
  CHECK(read<float>(back.Get(), 4, 256) == std::vector<float>{2, 2, 5, 5});
  CHECK(read<float>(back.Get(), 4, 512) == std::vector<float>{2, 2, 5, 5});
  CHECK(read<float>(back.Get(), 4, 1024) == std::vector<float>{2, 5, 2, 2});
  CHECK(read<float>(back.Get(), 4, 1024 + 256) == std::vector<float>{2, 2, 5, 5});
}

TEST_CASE("resolve: what breaks a rule is not recorded, and Close says so", "[d3d12]") {
  App app;
  const auto made = [&](DXGI_FORMAT format, UINT samples) {
    return app.resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                         0,
                         4,
                         4,
                         1,
                         1,
                         format,
                         {samples, 0},
                         D3D12_TEXTURE_LAYOUT_UNKNOWN,
                         D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET},
                        D3D12_HEAP_TYPE_DEFAULT);
  };
  constexpr auto format = DXGI_FORMAT_R8G8B8A8_UNORM;
  const auto one = made(format, 1);
  const auto many = made(format, 4);
  const auto integers = made(DXGI_FORMAT_R8G8B8A8_UINT, 4);
  const auto says = [&](ID3D12Resource* to, ID3D12Resource* from, DXGI_FORMAT as, D3D12_RESOLVE_MODE mode = average,
                        D3D12_RECT rect = {0, 0, 4, 4}, UINT x = 0) {
    const Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<ID3D12GraphicsCommandList1> list;
    REQUIRE(direct.list.As(&list) == S_OK);
    list->ResolveSubresourceRegion(to, 0, x, 0, from, 0, &rect, as, mode);
    return list->Close();
  };
  CHECK(says(one.Get(), many.Get(), format) == S_OK);
  CHECK(says(one.Get(), many.Get(), DXGI_FORMAT_R8G8B8A8_UNORM_SRGB) == S_OK);
  CHECK(says(one.Get(), many.Get(), format, lowest, {0, 0, 2, 4}, 2) == S_OK);
  CHECK(says(nullptr, many.Get(), format) == E_INVALIDARG);
  CHECK(says(many.Get(), one.Get(), format) == E_INVALIDARG);
  CHECK(says(one.Get(), one.Get(), format) == E_INVALIDARG);
  CHECK(says(one.Get(), many.Get(), DXGI_FORMAT_R32_FLOAT) == E_INVALIDARG);
  CHECK(says(one.Get(), many.Get(), DXGI_FORMAT_R8G8B8A8_TYPELESS) == E_INVALIDARG);
  CHECK(says(one.Get(), integers.Get(), DXGI_FORMAT_R8G8B8A8_UINT) == E_INVALIDARG);
  CHECK(says(one.Get(), many.Get(), format, average, {0, 0, 5, 4}) == E_INVALIDARG);
  CHECK(says(one.Get(), many.Get(), format, average, {0, 0, 4, 4}, 1) == E_INVALIDARG);
  CHECK(says(one.Get(), many.Get(), format, static_cast<D3D12_RESOLVE_MODE>(9)) == E_INVALIDARG);
}

TEST_CASE("resolve: DECOMPRESS moves samples between textures of as many, or leaves them", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  ComPtr<ID3D12GraphicsCommandList1> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  constexpr auto decompress = D3D12_RESOLVE_MODE_DECOMPRESS;
  const auto made = [&](UINT samples) {
    return app.resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                         0,
                         4,
                         2,
                         1,
                         1,
                         format,
                         {samples, 0},
                         D3D12_TEXTURE_LAYOUT_UNKNOWN,
                         D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET},
                        D3D12_HEAP_TYPE_DEFAULT);
  };
  const auto from = made(4);
  const auto to = made(4);
  const auto fewer = made(2);
  const auto one = made(1);
  const auto heap = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(from.Get(), nullptr, view);
  const float all[] = {2, 0, 0, 0};
  const float part[] = {5, 0, 0, 0};
  const D3D12_RECT corner{0, 0, 1, 1};
  list->ClearRenderTargetView(view, all, 0, nullptr);
  list->ClearRenderTargetView(view, part, 1, &corner);
  D3D12_RECT first{0, 0, 2, 1};
  list->ResolveSubresourceRegion(from.Get(), 0, 0, 0, from.Get(), 0, nullptr, format, decompress);
  list->ResolveSubresourceRegion(from.Get(), 0, 2, 0, from.Get(), 0, &first, format, decompress);
  list->ResolveSubresourceRegion(to.Get(), 0, 0, 1, from.Get(), 0, &first, format, decompress);
  const auto back = app.buffer(1024, D3D12_HEAP_TYPE_READBACK);
  const auto copy = [&](ID3D12Resource* samples, UINT64 offset) {
    list->ResolveSubresource(one.Get(), 0, samples, 0, format);
    D3D12_TEXTURE_COPY_LOCATION source{};
    source.pResource = one.Get();
    D3D12_TEXTURE_COPY_LOCATION footprint{};
    footprint.pResource = back.Get();
    footprint.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    footprint.PlacedFootprint = {offset, {format, 4, 2, 1, 256}};
    list->CopyTextureRegion(&footprint, 0, 0, 0, &source, nullptr);
  };
  copy(from.Get(), 0);
  copy(to.Get(), 512);
  direct.run();
  CHECK(read<float>(back.Get(), 4, 0) == std::vector<float>{5, 2, 5, 2});
  CHECK(read<float>(back.Get(), 4, 256) == std::vector<float>{2, 2, 2, 2});
  CHECK(read<float>(back.Get(), 4, 512) == std::vector<float>{0, 0, 0, 0});
  CHECK(read<float>(back.Get(), 4, 768) == std::vector<float>{5, 2, 0, 0});
  const auto says = [&](ID3D12Resource* destination, D3D12_RECT rect, UINT x) {
    const Recorder other(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    REQUIRE(other.list.As(&list) == S_OK);
    list->ResolveSubresourceRegion(destination, 0, x, 0, from.Get(), 0, &rect, format, decompress);
    return list->Close();
  };
  CHECK(says(to.Get(), {0, 0, 2, 2}, 2) == S_OK);
  CHECK(says(to.Get(), {0, 0, 2, 2}, 3) == E_INVALIDARG);
  CHECK(says(fewer.Get(), {0, 0, 2, 2}, 0) == E_INVALIDARG);
  CHECK(says(one.Get(), {0, 0, 2, 2}, 0) == E_INVALIDARG);
  CHECK(says(from.Get(), {0, 0, 2, 2}, 1) == E_INVALIDARG);  // onto itself
}

TEST_CASE("resolve: views of depth or of stencil alone are of their plane", "[d3d12]") {
  App app;
  const auto made = [&](DXGI_FORMAT format, UINT samples) {
    return app.resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                         0,
                         4,
                         4,
                         1,
                         1,
                         format,
                         {samples, 0},
                         D3D12_TEXTURE_LAYOUT_UNKNOWN,
                         D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL},
                        D3D12_HEAP_TYPE_DEFAULT);
  };
  const auto many = made(DXGI_FORMAT_D32_FLOAT_S8X24_UINT, 4);
  const auto one = made(DXGI_FORMAT_R32G8X24_TYPELESS, 1);
  const auto says = [&](UINT plane, DXGI_FORMAT format, D3D12_RESOLVE_MODE mode) {
    const Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<ID3D12GraphicsCommandList1> list;
    REQUIRE(direct.list.As(&list) == S_OK);
    list->ResolveSubresourceRegion(one.Get(), plane, 0, 0, many.Get(), plane, nullptr, format, mode);
    return list->Close();
  };
  CHECK(says(0, DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS, average) == S_OK);
  CHECK(says(0, DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS, lowest) == S_OK);
  CHECK(says(1, DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, lowest) == S_OK);
  CHECK(says(1, DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, highest) == S_OK);
  CHECK(says(1, DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, average) == E_INVALIDARG);
  CHECK(says(1, DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS, lowest) == E_INVALIDARG);
  CHECK(says(0, DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, lowest) == E_INVALIDARG);
  CHECK(says(0, DXGI_FORMAT_R32G8X24_TYPELESS, lowest) == E_INVALIDARG);
}
