// SPDX-License-Identifier: Apache-2.0
// Heaps and the resources that are placed in them.
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

using namespace fenceline::testing;

namespace {

ComPtr<ID3D12Heap> heap_of(const App& app, UINT64 bytes, UINT flags = D3D12_HEAP_FLAG_NONE, UINT64 alignment = 0) {
  const D3D12_HEAP_DESC desc{
      bytes, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, alignment, static_cast<D3D12_HEAP_FLAGS>(flags)};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  return heap;
}

HRESULT place(const App& app, ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC& desc,
              ComPtr<ID3D12Resource>* made = nullptr) {
  ComPtr<ID3D12Resource> resource;
  const HRESULT result = app.device->CreatePlacedResource(heap, offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                          IID_PPV_ARGS(&resource));
  CHECK((resource != nullptr) == (result == S_OK));
  if (made != nullptr) *made = resource;
  return result;
}

}  // namespace

TEST_CASE("placement: a heap's room is whole pages of 64 KiB, its size stays as given", "[d3d12]") {
  const App app;
  const auto heap = heap_of(app, 4096, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
  CHECK(heap->GetDesc().SizeInBytes == 4096);
  CHECK(heap->GetDesc().Alignment == 65536);
  ComPtr<ID3D12Resource> buffer;
  REQUIRE(place(app, heap.Get(), 0, buffer_desc(4096), &buffer) == S_OK);
  CHECK(buffer->GetGPUVirtualAddress() != 0);
  CHECK(place(app, heap.Get(), 0, buffer_desc(65536)) == S_OK);
  CHECK(place(app, heap.Get(), 0, buffer_desc(65537)) == E_INVALIDARG);
  CHECK(place(app, heap.Get(), 65536, buffer_desc(16)) == E_INVALIDARG);
  CHECK(place(app, heap.Get(), 4096, buffer_desc(16)) == E_INVALIDARG);
}

TEST_CASE("placement: a resource holds its heap's memory, and counts on the device alone", "[d3d12]") {
  const App app;
  auto heap = heap_of(app, 65536, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
  ComPtr<ID3D12Resource> buffer;
  REQUIRE(place(app, heap.Get(), 0, buffer_desc(32), &buffer) == S_OK);
  CHECK(references(heap.Get()) == 1);
  CHECK(references(app.device.Get()) == 3);
  const D3D12_GPU_VIRTUAL_ADDRESS address = buffer->GetGPUVirtualAddress();
  heap.Reset();
  CHECK(buffer->GetGPUVirtualAddress() == address);
  CHECK(references(app.device.Get()) == 2);
}

TEST_CASE("placement: a heap is aligned to what is placed in it", "[d3d12]") {
  const App app;
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 1920, 1080);
  desc.SampleDesc.Count = 4;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  const D3D12_RESOURCE_ALLOCATION_INFO info = app.device->GetResourceAllocationInfo(0, 1, &desc);
  CHECK(info.Alignment == D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT);
  REQUIRE(info.SizeInBytes != ~UINT64{0});
  constexpr UINT64 most = D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
  const UINT64 bytes = (info.SizeInBytes + most - 1) / most * most;
  const auto heap = heap_of(app, bytes, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES);
  CHECK(place(app, heap.Get(), 0, desc) == S_OK);
  desc.Alignment = 0;  // 4 MiB of several samples
  CHECK(place(app, heap.Get(), 0, desc) == E_INVALIDARG);
  const auto aligned = heap_of(app, bytes, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES, most);
  CHECK(place(app, aligned.Get(), 0, desc) == S_OK);
}

TEST_CASE("resources: buffers that only the CPU reads may deny shaders, and say nothing of their state", "[d3d12]") {
  const App app;
  const auto create = [&](D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state, UINT flags,
                          D3D12_HEAP_FLAGS heap_flags = D3D12_HEAP_FLAG_NONE) {
    const D3D12_HEAP_PROPERTIES heap{type, {}, {}, 0, 0};
    D3D12_RESOURCE_DESC desc = buffer_desc(64);
    desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(flags);
    ComPtr<ID3D12Resource> made;
    return app.device->CreateCommittedResource(&heap, heap_flags, &desc, state, nullptr, IID_PPV_ARGS(&made));
  };
  constexpr UINT denied = D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE;
  CHECK(create(D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST, denied) == S_OK);
  CHECK(create(D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COMMON, 0) == S_OK);
  CHECK(create(D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_GENERIC_READ, 0) == E_INVALIDARG);
  CHECK(create(D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_COMMON, 0) == S_OK);
  CHECK(create(D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_COPY_DEST, 0) == E_INVALIDARG);
  CHECK(create(D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ, 0, D3D12_HEAP_FLAG_SHARED) == E_INVALIDARG);
}
