// SPDX-License-Identifier: Apache-2.0
// Fences: rules of D3D12's documentation that fence_test.cpp does not have.
#include "tests/d3d12/app.hpp"

#include <array>

using namespace fenceline::testing;

TEST_CASE("fences: flags that are none are refused, the others are told again", "[d3d12]") {
  App app;
  ComPtr<ID3D12Fence> none;
  CHECK(app.device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(8), IID_PPV_ARGS(&none)) == E_INVALIDARG);
  ComPtr<ID3D12Fence1> fence;
  REQUIRE(app.device->CreateFence(7, D3D12_FENCE_FLAG_SHARED, IID_PPV_ARGS(&fence)) == S_OK);
  CHECK(fence->GetCreationFlags() == D3D12_FENCE_FLAG_SHARED);
  CHECK(fence->GetCompletedValue() == 7);
}

TEST_CASE("fences: a queue moves them anywhere, too", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto fence = app.fence();
  const auto end = app.fence();
  UINT64 step = 0;
  for (const UINT64 value : {UINT64{1} << 60, UINT64{0}, ~UINT64{0} - 1, UINT64{3}}) {
    REQUIRE(queue->Signal(fence.Get(), value) == S_OK);
    REQUIRE(queue->Signal(end.Get(), ++step) == S_OK);
    REQUIRE(end->SetEventOnCompletion(step, nullptr) == S_OK);
    CHECK(fence->GetCompletedValue() == value);
  }
}

TEST_CASE("fences: a wait that comes after a rewind is compared with the lower value", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto fence = app.fence(10);
  const auto end = app.fence();
  REQUIRE(fence->Signal(2) == S_OK);
  REQUIRE(queue->Wait(fence.Get(), 5) == S_OK);
  REQUIRE(queue->Signal(end.Get(), 1) == S_OK);
  for (int i = 0; i < 100; ++i) CHECK(end->GetCompletedValue() == 0);
  REQUIRE(fence->Signal(5) == S_OK);
  CHECK(end->SetEventOnCompletion(1, nullptr) == S_OK);
}

TEST_CASE("fences: one event for many values is set once for each", "[d3d12]") {
  App app;
  const auto fence = app.fence();
  const Event event;
  for (UINT64 value = 1; value <= 3; ++value) REQUIRE(fence->SetEventOnCompletion(value, event.handle) == S_OK);
  for (UINT64 value = 1; value <= 3; ++value) {
    REQUIRE(fence->Signal(value) == S_OK);
    CHECK(event.is_set());
    CHECK_FALSE(event.is_set());
  }
  REQUIRE(fence->Signal(0) == S_OK);
  for (UINT64 value = 1; value <= 3; ++value) REQUIRE(fence->SetEventOnCompletion(value, event.handle) == S_OK);
  REQUIRE(fence->Signal(3) == S_OK);
  CHECK(event.is_set());  // the three have merged
  CHECK_FALSE(event.is_set());
}

TEST_CASE("fences: an event that is set already may be registered", "[d3d12]") {
  App app;
  const auto fence = app.fence();
  const Event event;
  SetEvent(event.handle);
  REQUIRE(fence->SetEventOnCompletion(1, event.handle) == S_OK);
  CHECK(event.is_set());
  CHECK_FALSE(event.is_set());
  REQUIRE(fence->Signal(1) == S_OK);
  CHECK(event.is_set());
}

TEST_CASE("fences: an event that is closed before its value comes sets no other", "[d3d12]") {
  App app;
  const auto fence = app.fence();
  HANDLE closed = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  REQUIRE(fence->SetEventOnCompletion(1, closed) == S_OK);
  CloseHandle(closed);
  const Event later;  // most likely with the same handle
  REQUIRE(fence->Signal(1) == S_OK);
  CHECK_FALSE(later.is_set());
}

TEST_CASE("fences: a signal and then a wait for it on one queue", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto fence = app.fence();
  for (UINT64 value = 1; value <= 20; ++value) {
    REQUIRE(queue->Signal(fence.Get(), value) == S_OK);
    REQUIRE(queue->Wait(fence.Get(), value) == S_OK);
  }
  CHECK(fence->SetEventOnCompletion(20, nullptr) == S_OK);
}

TEST_CASE("fences: waits may come long before their signals, in chains across queues", "[d3d12]") {
  App app;
  constexpr std::size_t links = 12;
  constexpr std::array types = {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                D3D12_COMMAND_LIST_TYPE_COPY};
  std::vector<ComPtr<ID3D12CommandQueue>> queues;
  std::vector<ComPtr<ID3D12Fence>> fences;
  for (std::size_t i = 0; i < links; ++i) {
    queues.push_back(app.queue(types[i % types.size()]));
    fences.push_back(app.fence());
  }
  for (std::size_t i = links - 1; i > 0; --i) {
    REQUIRE(queues[i]->Wait(fences[i - 1].Get(), 1) == S_OK);
    REQUIRE(queues[i]->Signal(fences[i].Get(), 1) == S_OK);
  }
  CHECK(fences.back()->GetCompletedValue() == 0);
  REQUIRE(queues[0]->Signal(fences[0].Get(), 1) == S_OK);
  CHECK(fences.back()->SetEventOnCompletion(1, nullptr) == S_OK);
}

TEST_CASE("fences: a queue's signal comes after its earlier work, and its bytes are there", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  constexpr UINT64 bytes = 1 << 20;
  const auto from = app.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(bytes, D3D12_HEAP_TYPE_READBACK);
  write(from.Get(), std::vector<std::uint32_t>(bytes / 4, 77));
  copy.list->CopyResource(to.Get(), from.Get());
  copy.submit();
  while (copy.fence->GetCompletedValue() < 1) {
  }
  CHECK(read<std::uint32_t>(to.Get(), bytes / 4) == std::vector<std::uint32_t>(bytes / 4, 77));
}

TEST_CASE("fences: any of several with a null event blocks until one has come", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device1> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto never = app.fence();
  const auto soon = app.fence();
  REQUIRE(queue->Signal(soon.Get(), 4) == S_OK);
  ID3D12Fence* const both[] = {never.Get(), soon.Get()};
  const UINT64 values[] = {1, 4};
  CHECK(device->SetEventOnMultipleFenceCompletion(both, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, nullptr) ==
        S_OK);
  CHECK(soon->GetCompletedValue() == 4);
  CHECK(never->GetCompletedValue() == 0);
}

TEST_CASE("fences: on a removed device all are at their highest value, and nothing waits", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device5> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const auto fence = app.fence();
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const Event event;
  REQUIRE(fence->SetEventOnCompletion(5, event.handle) == S_OK);
  REQUIRE(queue->Wait(fence.Get(), 6) == S_OK);
  device->RemoveDevice();
  CHECK(event.is_set());
  CHECK(fence->GetCompletedValue() == ~UINT64{0});
  REQUIRE(fence->SetEventOnCompletion(~UINT64{0}, event.handle) == S_OK);
  CHECK(event.is_set());
  CHECK(fence->SetEventOnCompletion(~UINT64{0}, nullptr) == S_OK);
}

TEST_CASE("fences: time stays where work ends while a thread waits for what only another can bring", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  copy.submit();
  const auto later = app.fence();
  const Event event;
  REQUIRE(later->SetEventOnCompletion(1, event.handle) == S_OK);
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_FAILED);  // the list ran, and then nothing
  CHECK(copy.fence->GetCompletedValue() == 1);
  copy.reset();
  copy.run();
  CHECK(copy.fence->GetCompletedValue() == 2);
}
