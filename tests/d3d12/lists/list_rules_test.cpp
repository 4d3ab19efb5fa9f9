// SPDX-License-Identifier: Apache-2.0
// Allocators, lists and ExecuteCommandLists: rules of D3D12's documentation that device_test.cpp does not have.
#include "tests/d3d12/pipelines/pipelines.hpp"

using namespace fenceline::testing;

namespace {

void execute(ID3D12CommandQueue* queue, const std::vector<ID3D12CommandList*>& lists) {
  queue->ExecuteCommandLists(static_cast<UINT>(lists.size()), lists.data());
}

/// A queue that does nothing until the gate is open.
struct GatedQueue {
  GatedQueue(App& app, D3D12_COMMAND_LIST_TYPE type) : queue(app.queue(type)), gate(app.fence()), end(app.fence()) {
    REQUIRE(queue->Wait(gate.Get(), 1) == S_OK);
  }
  void open() const {
    REQUIRE(queue->Signal(end.Get(), 1) == S_OK);
    REQUIRE(gate->Signal(1) == S_OK);
    REQUIRE(end->SetEventOnCompletion(1, nullptr) == S_OK);
  }
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12Fence> gate, end;
};

}  // namespace

TEST_CASE("allocators: any number of closed lists, one that records", "[d3d12]") {
  App app;
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(64, D3D12_HEAP_TYPE_READBACK);
  write(from.Get(), std::vector<std::uint32_t>{10, 11, 12, 13});
  std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
  for (UINT i = 0; i < 4; ++i) {
    lists.push_back(app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY));
    lists.back()->CopyBufferRegion(to.Get(), 4 * (3 - i), from.Get(), 4 * i, 4);
    REQUIRE(lists.back()->Close() == S_OK);
  }
  std::vector<ID3D12CommandList*> all;
  all.reserve(lists.size());
  for (const auto& list : lists) all.push_back(list.Get());
  execute(queue.Get(), all);
  const auto fence = app.fence();
  queue->Signal(fence.Get(), 1);
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(read<std::uint32_t>(to.Get(), 4) == std::vector<std::uint32_t>{13, 12, 11, 10});
  CHECK(allocator->Reset() == S_OK);
}

TEST_CASE("allocators: a list that dies while it records leaves its allocator to others", "[d3d12]") {
  App app;
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT).Reset();
  CHECK(allocator->Reset() == S_OK);
  CHECK(app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT)->Close() == S_OK);
}

TEST_CASE("allocators: a reset while the GPU executes is the program's risk, and no failure", "[d3d12]") {
  App app;
  const GatedQueue gated(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  REQUIRE(list->Close() == S_OK);
  execute(gated.queue.Get(), {list.Get()});
  CHECK(allocator->Reset() == S_OK);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  gated.open();
}

TEST_CASE("lists: a wrong argument makes Close fail with E_INVALIDARG, and Reset from then on", "[d3d12]") {
  App app;
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  list->CopyResource(nullptr, nullptr);
  CHECK(list->Close() == E_INVALIDARG);
  CHECK(list->Close() == E_FAIL);
  CHECK(list->Reset(allocator.Get(), nullptr) == E_INVALIDARG);
  CHECK(app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT)->Close() == S_OK);  // the allocator is free
}

TEST_CASE("lists: Reset needs an allocator of the list's type", "[d3d12]") {
  App app;
  const auto direct = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto copy = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto list = app.list(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(list->Close() == S_OK);
  CHECK(list->Reset(copy.Get(), nullptr) == E_INVALIDARG);
  CHECK(list->Reset(nullptr, nullptr) == E_INVALIDARG);
  CHECK(list->Reset(direct.Get(), nullptr) == S_OK);
}

TEST_CASE("lists: Reset right after ExecuteCommandLists, into another allocator, leaves what executes", "[d3d12]") {
  App app;
  const GatedQueue gated(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto first = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto second = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(8, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(8, D3D12_HEAP_TYPE_READBACK);
  write(from.Get(), std::vector<std::uint32_t>{1, 2});
  const auto list = app.list(first.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  for (const auto& [offset, next] : {std::pair{0U, second.Get()}, std::pair{4U, first.Get()}}) {
    list->CopyBufferRegion(to.Get(), offset, from.Get(), offset, 4);
    REQUIRE(list->Close() == S_OK);
    execute(gated.queue.Get(), {list.Get()});
    REQUIRE(list->Reset(next, nullptr) == S_OK);
  }
  gated.open();
  CHECK(read<std::uint32_t>(to.Get(), 2) == std::vector<std::uint32_t>{1, 2});
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("execute: a list whose allocator has been reset since it was closed removes the device", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(list->Close() == S_OK);
  REQUIRE(allocator->Reset() == S_OK);
  execute(queue.Get(), {list.Get()});
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_INVALID_CALL);
}

TEST_CASE("execute: a list that still executes removes the device, one that has ended runs again", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto fence = app.fence();
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(list->Close() == S_OK);
  for (UINT64 run = 1; run <= 3; ++run) {
    execute(queue.Get(), {list.Get()});
    REQUIRE(queue->Signal(fence.Get(), run) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(run, nullptr) == S_OK);
    CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  }
  const GatedQueue gated(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  execute(gated.queue.Get(), {list.Get()});
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  execute(queue.Get(), {list.Get()});
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_INVALID_CALL);
}

TEST_CASE("execute: a list twice in one call still executes when it comes again", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(list->Close() == S_OK);
  execute(queue.Get(), {list.Get(), list.Get()});
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_INVALID_CALL);
}

TEST_CASE("execute: one list that may not makes the whole call be dropped", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
  write(from.Get(), std::vector<std::uint32_t>{7});
  const auto good = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  good->CopyResource(to.Get(), from.Get());
  REQUIRE(good->Close() == S_OK);
  const auto direct = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto other = app.list(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(other->Close() == S_OK);
  const auto failed = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  failed->CopyResource(nullptr, nullptr);
  REQUIRE(failed->Close() == E_INVALIDARG);
  const auto fence = app.fence();
  UINT64 value = 0;
  const auto run = [&](const std::vector<ID3D12CommandList*>& lists) {
    execute(queue.Get(), lists);
    queue->Signal(fence.Get(), ++value);
    REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK);
    return read<std::uint32_t>(to.Get(), 1)[0];
  };
  CHECK(run({good.Get(), other.Get()}) == 0);
  CHECK(run({good.Get(), failed.Get()}) == 0);
  CHECK(run({good.Get(), nullptr}) == 0);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(run({good.Get()}) == 7);
}

TEST_CASE("execute: what executes needs neither its list nor its allocator nor its resources any more", "[d3d12]") {
  App app;
  const GatedQueue gated(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto to = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
  {
    const auto from = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
    write(from.Get(), std::vector<std::uint32_t>{9});
    const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
    const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
    list->CopyResource(to.Get(), from.Get());
    REQUIRE(list->Close() == S_OK);
    execute(gated.queue.Get(), {list.Get()});
  }
  gated.open();
  CHECK(read<std::uint32_t>(to.Get(), 1)[0] == 9);
}

TEST_CASE("execute: on a removed device nothing happens, and Close says why", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COPY);
  ComPtr<ID3D12Device5> device;
  REQUIRE(app.device.As(&device) == S_OK);
  device->RemoveDevice();
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(list->Close() == DXGI_ERROR_DEVICE_REMOVED);
  const auto fence = static_cast<ID3D12Fence*>(nullptr);
  CHECK(queue->Signal(fence, 1) == E_INVALIDARG);
  execute(queue.Get(), {list.Get()});
  ComPtr<ID3D12Fence> none;
  CHECK(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&none)) == DXGI_ERROR_DEVICE_REMOVED);
}
