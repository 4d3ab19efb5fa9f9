// SPDX-License-Identifier: Apache-2.0
// Map, WriteToSubresource and ReadFromSubresource.
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <numeric>

using namespace fenceline::testing;

namespace {

/// In the system's memory, where the CPU reaches it.
ComPtr<ID3D12Resource> reachable(const App& app, const D3D12_RESOURCE_DESC& desc) {
  const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0,
                                   0};
  ComPtr<ID3D12Resource> made;
  REQUIRE(app.device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace

TEST_CASE("map: what fails leaves the pointer as it was", "[d3d12]") {
  App app;
  const auto refuses = [&](ID3D12Resource* resource, UINT subresource) {
    void* const before = &app;
    void* data = before;
    CHECK(resource->Map(subresource, nullptr, &data) == E_INVALIDARG);
    CHECK(data == before);
  };
  refuses(app.buffer(64).Get(), 0);
  refuses(app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4).Get(), 0);
  refuses(reachable(app, texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4)).Get(), 0);
  const auto upload = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
  refuses(upload.Get(), 1);
  void* first = nullptr;
  void* again = nullptr;
  CHECK(upload->Map(0, nullptr, &first) == S_OK);
  CHECK(upload->Map(0, nullptr, &again) == S_OK);
  CHECK(first == again);
  CHECK(upload->Map(0, nullptr, nullptr) == S_OK);
}

TEST_CASE("map: textures are mapped without a pointer, but for 3D ones with mips", "[d3d12]") {
  const App app;
  const auto mapped = [&](const D3D12_RESOURCE_DESC& desc, UINT subresource = 0) {
    return reachable(app, desc)->Map(subresource, nullptr, nullptr);
  };
  constexpr DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM;
  CHECK(mapped(texture_1d(format, 64)) == S_OK);
  CHECK(mapped(texture_2d(format, 64, 4, 2, 2), 3) == S_OK);
  CHECK(mapped(texture_2d(format, 64, 4, 2, 2), 4) == E_INVALIDARG);
  CHECK(mapped(texture_3d(format, 64, 4, 2, 1)) == S_OK);
  CHECK(mapped(texture_3d(format, 64, 4, 2, 2)) == E_INVALIDARG);
  CHECK(mapped(texture_2d(DXGI_FORMAT_NV12, 4, 4), 1) == S_OK);
}

TEST_CASE("subresources: the CPU writes and reads boxes that lie within, empty ones, too", "[d3d12]") {
  const App app;
  const auto texture = reachable(app, texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 128, 100));
  std::vector<UINT> texels(128 * 100);
  constexpr UINT pitch = 128 * sizeof(UINT);
  const auto both = [&](const D3D12_BOX& box) {
    const HRESULT read = texture->ReadFromSubresource(texels.data(), pitch, 0, 0, &box);
    CHECK(texture->WriteToSubresource(0, &box, texels.data(), pitch, 0) == read);
    return read;
  };
  CHECK(both({0, 0, 0, 128, 100, 1}) == S_OK);
  CHECK(both({128, 100, 1, 128, 100, 1}) == S_OK);
  CHECK(both({0, 0, 0, 0, 0, 0}) == S_OK);
  CHECK(both({0, 0, 0, 128, 100, 2}) == E_INVALIDARG);
  CHECK(both({0, 0, 2, 128, 100, 2}) == E_INVALIDARG);
  CHECK(both({128, 0, 0, 129, 100, 1}) == E_INVALIDARG);
  CHECK(both({129, 0, 0, 128, 100, 1}) == E_INVALIDARG);
  CHECK(both({0, 101, 0, 4, 100, 1}) == E_INVALIDARG);
  CHECK(texture->ReadFromSubresource(texels.data(), pitch, 0, 1, nullptr) == E_INVALIDARG);

  std::iota(texels.begin(), texels.end(), 0U);
  REQUIRE(texture->WriteToSubresource(0, nullptr, texels.data(), pitch, 0) == S_OK);
  std::vector<UINT> part(6);
  const D3D12_BOX box{2, 7, 0, 5, 9, 1};
  REQUIRE(texture->ReadFromSubresource(part.data(), 3 * sizeof(UINT), 0, 0, &box) == S_OK);
  CHECK(part == std::vector<UINT>{7 * 128 + 2, 7 * 128 + 3, 7 * 128 + 4, 8 * 128 + 2, 8 * 128 + 3, 8 * 128 + 4});
}

TEST_CASE("subresources: boxes of compressed textures have whole blocks or end with the texture", "[d3d12]") {
  const App app;
  std::vector<UINT64> blocks(16 * 8);
  const auto read = [&](UINT64 width, UINT height, const D3D12_BOX& box) {
    return reachable(app, texture_2d(DXGI_FORMAT_BC1_UNORM, width, height))
        ->ReadFromSubresource(blocks.data(), 16 * sizeof(UINT64), 0, 0, &box);
  };
  CHECK(read(64, 32, {4, 4, 0, 8, 12, 1}) == S_OK);
  CHECK(read(64, 32, {0, 0, 0, 2, 2, 1}) == E_INVALIDARG);
  CHECK(read(64, 32, {2, 2, 0, 4, 4, 1}) == E_INVALIDARG);
  CHECK(read(64, 32, {0, 0, 0, 68, 32, 1}) == E_INVALIDARG);
  CHECK(read(62, 30, {60, 28, 0, 62, 30, 1}) == S_OK);
}

TEST_CASE("subresources: buffers and what the CPU does not reach have none", "[d3d12]") {
  App app;
  UINT texel = 0;
  const D3D12_BOX box{0, 0, 0, 1, 1, 1};
  for (const auto& resource : {app.buffer(64, D3D12_HEAP_TYPE_READBACK), app.texture(DXGI_FORMAT_R8_UNORM, 4, 4)}) {
    CHECK(resource->WriteToSubresource(0, &box, &texel, 4, 4) == E_INVALIDARG);
    CHECK(resource->ReadFromSubresource(&texel, 4, 4, 0, &box) == E_INVALIDARG);
  }
}
