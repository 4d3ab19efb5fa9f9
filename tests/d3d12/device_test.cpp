// SPDX-License-Identifier: Apache-2.0
// Devices, queues, allocators and lists as programs meet them first.
#include "api/d3d12/device/device.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/create_device.hpp"
#include "api/d3d12/event.hpp"
#include "api/d3d12/host/host.hpp"
#include "tests/d3d12/app.hpp"

using namespace fenceline::testing;

TEST_CASE("device: one per process, held by its children, gone with the last reference", "[d3d12]") {
  const App app;
  ComPtr<ID3D12Device> again;
  REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_1, IID_PPV_ARGS(&again)) == S_OK);
  CHECK(again.Get() == app.device.Get());
  again.Reset();
  CHECK(references(app.device.Get()) == 1);
  ComPtr<ID3D12Fence> fence;
  REQUIRE(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
  CHECK(references(app.device.Get()) == 2);
  ComPtr<ID3D12Device> of_fence;
  REQUIRE(fence->GetDevice(IID_PPV_ARGS(&of_fence)) == S_OK);
  CHECK(of_fence.Get() == app.device.Get());
  of_fence.Reset();
  fence.Reset();
  CHECK(references(app.device.Get()) == 1);
}

TEST_CASE("device: every version up to 11 is the same object, later ones are not there", "[d3d12]") {
  const App app;
  ComPtr<ID3D12Device11> newest;
  REQUIRE(app.device.As(&newest) == S_OK);
  ComPtr<IUnknown> one;
  ComPtr<IUnknown> other;
  REQUIRE(app.device.As(&one) == S_OK);
  REQUIRE(newest.As(&other) == S_OK);
  CHECK(one.Get() == other.Get());
  ComPtr<ID3D12CommandQueue> none;
  CHECK(app.device.As(&none) == E_NOINTERFACE);
  CHECK(app.device->QueryInterface(__uuidof(ID3D12Device), nullptr) == E_POINTER);
}

TEST_CASE("device: levels that it does not have", "[d3d12]") {
  const App app;
  const auto create = [](unsigned level) {
    return D3D12CreateDevice(nullptr, static_cast<D3D_FEATURE_LEVEL>(level), __uuidof(ID3D12Device), nullptr);
  };
  CHECK(create(D3D_FEATURE_LEVEL_12_1) == S_FALSE);
  CHECK(create(D3D_FEATURE_LEVEL_12_2) == DXGI_ERROR_UNSUPPORTED);
  CHECK(create(D3D_FEATURE_LEVEL_10_1) == E_INVALIDARG);
  CHECK(create(0) == E_INVALIDARG);
  CHECK(create(~0U) == E_INVALIDARG);
}

TEST_CASE("device: the four types of descriptors have a size, others none", "[d3d12]") {
  const App app;
  for (int type = 0; type < D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES; ++type) {
    CHECK(app.device->GetDescriptorHandleIncrementSize(static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(type)) > 0);
  }
  CHECK(app.device->GetDescriptorHandleIncrementSize(static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(4)) == 0);
  CHECK(app.device->GetDescriptorHandleIncrementSize(static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(-1)) == 0);
}

TEST_CASE("device: without a place for it nothing is created, which is no failure", "[d3d12]") {
  App app;
  CHECK(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), nullptr) == S_FALSE);
  CHECK(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Device), nullptr) == S_FALSE);
  const D3D12_COMMAND_QUEUE_DESC desc{};
  CHECK(app.device->CreateCommandQueue(&desc, __uuidof(ID3D12Device), nullptr) == S_FALSE);
  CHECK(app.device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, __uuidof(ID3D12Device), nullptr) == S_FALSE);
  CHECK(references(app.device.Get()) == 1);
}

TEST_CASE("queues: types, priorities and flags that are none are refused", "[d3d12]") {
  App app;
  const auto made = [&](D3D12_COMMAND_QUEUE_DESC desc) {
    ComPtr<ID3D12CommandQueue> queue;
    return app.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue));
  };
  const auto none = D3D12_COMMAND_QUEUE_FLAG_NONE;
  CHECK(made({D3D12_COMMAND_LIST_TYPE_DIRECT, 0, none, 0}) == S_OK);
  CHECK(made({D3D12_COMMAND_LIST_TYPE_COMPUTE, 100, none, 1}) == S_OK);
  CHECK(made({D3D12_COMMAND_LIST_TYPE_COPY, 10000, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 0}) == S_OK);
  CHECK(made({D3D12_COMMAND_LIST_TYPE_BUNDLE, 0, none, 0}) == E_INVALIDARG);
  CHECK(made({static_cast<D3D12_COMMAND_LIST_TYPE>(77), 0, none, 0}) == E_INVALIDARG);
  CHECK(made({D3D12_COMMAND_LIST_TYPE_DIRECT, 1, none, 0}) == E_INVALIDARG);
  CHECK(made({D3D12_COMMAND_LIST_TYPE_DIRECT, 0, static_cast<D3D12_COMMAND_QUEUE_FLAGS>(0x80), 0}) == E_INVALIDARG);
  CHECK(app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE)->GetDesc().NodeMask == 1);
  std::vector<ComPtr<ID3D12CommandQueue>> many;
  for (int i = 0; i < 8; ++i) {
    many.push_back(app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT));
    many.push_back(app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE));
  }
}

TEST_CASE("lists: an allocator has one recording list, of its own type", "[d3d12]") {
  App app;
  const auto direct = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto create = [&](ID3D12CommandAllocator* allocator, D3D12_COMMAND_LIST_TYPE type) {
    ComPtr<ID3D12GraphicsCommandList> list;
    return app.device->CreateCommandList(0, type, allocator, nullptr, IID_PPV_ARGS(&list));
  };
  CHECK(create(nullptr, D3D12_COMMAND_LIST_TYPE_DIRECT) == E_INVALIDARG);
  CHECK(create(direct.Get(), D3D12_COMMAND_LIST_TYPE_COPY) == E_INVALIDARG);
  const auto list = app.list(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  CHECK(references(direct.Get()) == 1);
  CHECK(create(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT) == E_INVALIDARG);
  CHECK(direct->Reset() == E_FAIL);
  CHECK(list->Reset(direct.Get(), nullptr) == E_FAIL);  // it is open
  CHECK(list->Close() == S_OK);
  CHECK(list->Close() == E_FAIL);
  CHECK(direct->Reset() == S_OK);
  CHECK(direct->Reset() == S_OK);
  const auto other = app.list(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  CHECK(list->Reset(direct.Get(), nullptr) == E_INVALIDARG);
  CHECK(other->Close() == S_OK);
  CHECK(list->Reset(direct.Get(), nullptr) == S_OK);
}

TEST_CASE("lists: CreateCommandList1 makes a closed one", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device4> device;
  REQUIRE(app.device.As(&device) == S_OK);
  ComPtr<ID3D12GraphicsCommandList> list;
  REQUIRE(device->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_FLAG_NONE,
                                     IID_PPV_ARGS(&list)) == S_OK);
  CHECK(list->GetType() == D3D12_COMMAND_LIST_TYPE_COMPUTE);
  CHECK(list->Close() == E_FAIL);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  CHECK(list->Reset(allocator.Get(), nullptr) == S_OK);
  CHECK(list->Close() == S_OK);
}

TEST_CASE("lists: what a type does not have makes Close fail, and the list stays unusable", "[d3d12]") {
  App app;
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  list->Dispatch(1, 1, 1);
  CHECK(list->Close() == E_FAIL);
  CHECK(list->Reset(allocator.Get(), nullptr) == E_FAIL);
  const auto bundles = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.list(bundles.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  bundle->ClearState(nullptr);
  CHECK(bundle->Close() == E_FAIL);
}

TEST_CASE("execute: an open list removes the device; a bundle or another type's list is dropped", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto execute = [&](const ComPtr<ID3D12GraphicsCommandList>& list) {
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    return app.device->GetDeviceRemovedReason();
  };
  const auto closed = [&](D3D12_COMMAND_LIST_TYPE type) {
    const auto allocator = app.allocator(type);
    const auto list = app.list(allocator.Get(), type);
    REQUIRE(list->Close() == S_OK);
    return execute(list);
  };
  CHECK(closed(D3D12_COMMAND_LIST_TYPE_DIRECT) == S_OK);
  CHECK(closed(D3D12_COMMAND_LIST_TYPE_BUNDLE) == S_OK);
  CHECK(closed(D3D12_COMMAND_LIST_TYPE_COPY) == S_OK);
  const auto fence = app.fence();
  CHECK(queue->Wait(fence.Get(), 5) == S_OK);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  CHECK(execute(list) == DXGI_ERROR_INVALID_CALL);
  CHECK(fence->GetCompletedValue() == ~UINT64{0});
  CHECK(fence->SetEventOnCompletion(10, nullptr) == S_OK);
  ComPtr<ID3D12CommandQueue> none;
  const D3D12_COMMAND_QUEUE_DESC desc{};
  CHECK(app.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&none)) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(queue->Signal(fence.Get(), 6) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_INVALID_CALL);
}

TEST_CASE("descriptor heaps: one with more descriptors than any GPU has room for is refused", "[d3d12]") {
  const App app;
  const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, ~0U, D3D12_DESCRIPTOR_HEAP_FLAG_NONE,
                                        0};
  ComPtr<ID3D12DescriptorHeap> heap;
  CHECK(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)) == E_OUTOFMEMORY);
}

TEST_CASE("shared handles: a fence that was created to be shared is opened by handle or name, until it is closed",
          "[d3d12]") {
  App app;
  HANDLE handle = nullptr;
  CHECK(app.device->CreateSharedHandle(app.fence().Get(), nullptr, 0, nullptr, &handle) == E_INVALIDARG);
  ComPtr<ID3D12Fence> fence;
  REQUIRE(app.device->CreateFence(7, D3D12_FENCE_FLAG_SHARED, IID_PPV_ARGS(&fence)) == S_OK);
  REQUIRE(app.device->CreateSharedHandle(fence.Get(), nullptr, 0, L"a fence", &handle) == S_OK);
  CHECK(references(fence.Get()) == 1);  // the handle keeps what is shared, not the object
  ComPtr<ID3D12Fence> opened;
  REQUIRE(app.device->OpenSharedHandle(handle, IID_PPV_ARGS(&opened)) == S_OK);
  CHECK(opened->GetCompletedValue() == 7);
  opened.Reset();
  ComPtr<ID3D12Heap> heap;
  CHECK(app.device->OpenSharedHandle(handle, IID_PPV_ARGS(&heap)) == E_NOINTERFACE);
  HANDLE named = nullptr;
  REQUIRE(app.device->OpenSharedHandleByName(L"a fence", 0, &named) == S_OK);
  CHECK(named != handle);
  CHECK(CloseHandle(handle) == TRUE);
  CHECK(app.device->OpenSharedHandle(handle, IID_PPV_ARGS(&opened)) == E_INVALIDARG);
  REQUIRE(app.device->OpenSharedHandle(named, IID_PPV_ARGS(&opened)) == S_OK);
  opened.Reset();
  CHECK(CloseHandle(named) == TRUE);
  CHECK(app.device->OpenSharedHandleByName(L"a fence", 0, &named) == E_INVALIDARG);
  CHECK(references(fence.Get()) == 1);
}

TEST_CASE("resources: those with layouts instead of states", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device10> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
  D3D12_RESOURCE_DESC1 desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = 64;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  const auto create = [&](D3D12_BARRIER_LAYOUT layout) {
    ComPtr<ID3D12Resource> made;
    return device->CreateCommittedResource3(&heap, D3D12_HEAP_FLAG_NONE, &desc, layout, nullptr, nullptr, 0, nullptr,
                                            IID_PPV_ARGS(&made));
  };
  CHECK(create(D3D12_BARRIER_LAYOUT_UNDEFINED) == S_OK);
  CHECK(create(D3D12_BARRIER_LAYOUT_COMMON) == E_INVALIDARG);
}

TEST_CASE("device: queues submit by Vulkan's way where the machine has one, whatever its default is", "[d3d12]") {
  fenceline::MachineConfig machine = fenceline::builtin_machine("h200");
  machine.default_path = "cuda_stream";
  const auto path_on = [](const fenceline::MachineConfig& config) {
    ComPtr<ID3D12Device11> device;
    REQUIRE(fenceline::d3d12::create_device(config, IID_PPV_ARGS(&device)) == S_OK);
    return fenceline::d3d12::com_cast<fenceline::d3d12::Device>(device.Get())->submission_path();
  };
  CHECK(path_on(machine) == "vulkan_queue");
  machine.submission_paths.erase("vulkan_queue");
  CHECK(path_on(machine) == "cuda_stream");
}

TEST_CASE("device: calls on events cost what the slowest host takes for a call that asks", "[d3d12]") {
  using fenceline::d3d12::Host;
  const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
  const auto cost_ps = [&] {
    const std::uint64_t before_ps = Host::clock_ps();
    SetEvent(event);
    return Host::clock_ps() - before_ps;
  };
  CHECK(cost_ps() == 100'000);  // there is no host: 0.1 us
  {
    fenceline::MachineConfig slow = fenceline::builtin_machine("h200");
    slow.host.poll_us = 3;
    ComPtr<ID3D12Device> one;
    ComPtr<ID3D12Device> other;
    REQUIRE(fenceline::d3d12::create_device(slow, IID_PPV_ARGS(&one)) == S_OK);
    slow.host.poll_us = 2;
    REQUIRE(fenceline::d3d12::create_device(slow, IID_PPV_ARGS(&other)) == S_OK);
    CHECK(cost_ps() == 3'000'000);
  }
  CHECK(cost_ps() == 100'000);
  CloseHandle(event);
}
