// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/event.hpp"

#include <catch2/catch.hpp>

#include <wrl/client.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace fenceline::testing {

using Microsoft::WRL::ComPtr;

using List = ID3D12GraphicsCommandList8;
constexpr auto direct_type = D3D12_COMMAND_LIST_TYPE_DIRECT;
constexpr auto compute_type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
constexpr auto copy_type = D3D12_COMMAND_LIST_TYPE_COPY;

inline ULONG references(IUnknown* object) {
  object->AddRef();
  return object->Release();
}

/// What most D3D12 programs begin with, on machine `tiny`.
struct App {
  App() {
    setenv("FENCELINE_MACHINE", "tiny", 1);
    REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
  }
  /// On a device that there is.
  explicit App(ComPtr<ID3D12Device> of) : device(std::move(of)) {}

  ComPtr<ID3D12CommandQueue> queue(D3D12_COMMAND_LIST_TYPE type, INT priority = 0) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, priority, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> made;
    REQUIRE(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12CommandAllocator> allocator(D3D12_COMMAND_LIST_TYPE type) {
    ComPtr<ID3D12CommandAllocator> made;
    REQUIRE(device->CreateCommandAllocator(type, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12GraphicsCommandList> list(ID3D12CommandAllocator* into, D3D12_COMMAND_LIST_TYPE type) {
    ComPtr<ID3D12GraphicsCommandList> made;
    REQUIRE(device->CreateCommandList(0, type, into, nullptr, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12Fence> fence(UINT64 value = 0) {
    ComPtr<ID3D12Fence> made;
    REQUIRE(device->CreateFence(value, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12Resource> resource(const D3D12_RESOURCE_DESC& desc, D3D12_HEAP_TYPE heap) {
    const D3D12_HEAP_PROPERTIES properties{heap, {}, {}, 0, 0};
    const auto state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                       : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                          : D3D12_RESOURCE_STATE_COMMON;
    ComPtr<ID3D12Resource> made;
    REQUIRE(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                            IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12Resource> buffer(UINT64 bytes, D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT,
                                D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE) {
    return resource({D3D12_RESOURCE_DIMENSION_BUFFER,
                     0,
                     bytes,
                     1,
                     1,
                     1,
                     DXGI_FORMAT_UNKNOWN,
                     {1, 0},
                     D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                     flags},
                    heap);
  }
  ComPtr<ID3D12Resource> texture(DXGI_FORMAT format, UINT64 width, UINT height,
                                 D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE, UINT16 mips = 1) {
    return resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                     0,
                     width,
                     height,
                     1,
                     mips,
                     format,
                     {1, 0},
                     D3D12_TEXTURE_LAYOUT_UNKNOWN,
                     flags},
                    D3D12_HEAP_TYPE_DEFAULT);
  }

  ComPtr<ID3D12Device> device;
};

/// What Close says to a list into which `record` wrote.
inline HRESULT closed(App& app, D3D12_COMMAND_LIST_TYPE type, const std::function<void(List*)>& record) {
  const auto allocator = app.allocator(type);
  ComPtr<List> list;
  REQUIRE(app.list(allocator.Get(), type).As(&list) == S_OK);
  record(list.Get());
  return list->Close();
}

/// An event of the program's own.
struct Event {
  explicit Event(bool manual = false) : handle(CreateEvent(nullptr, manual ? TRUE : FALSE, FALSE, nullptr)) {
    REQUIRE(handle != nullptr);
  }
  ~Event() { CloseHandle(handle); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  bool is_set() const { return WaitForSingleObject(handle, 0) == WAIT_OBJECT_0; }
  HANDLE handle;
};

/// A queue with a list that records into it, as far as a test needs one at a time.
struct Recorder {
  Recorder(App& of, D3D12_COMMAND_LIST_TYPE type)
      : app(of),
        queue(app.queue(type)),
        allocator(app.allocator(type)),
        list(app.list(allocator.Get(), type)),
        fence(app.fence()) {}

  /// Closes and executes the list, and signals.
  void submit() {
    REQUIRE(list->Close() == S_OK);
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    REQUIRE(queue->Signal(fence.Get(), ++value) == S_OK);
  }
  void wait() const { REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK); }
  void reset() {
    REQUIRE(allocator->Reset() == S_OK);
    REQUIRE(list->Reset(allocator.Get(), nullptr) == S_OK);
  }
  /// All three.
  void run() {
    submit();
    wait();
    reset();
  }

  App& app;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12Fence> fence;
  UINT64 value = 0;
};

template <class T>
void write(ID3D12Resource* buffer, const std::vector<T>& values, UINT64 offset = 0) {
  void* data = nullptr;
  REQUIRE(buffer->Map(0, nullptr, &data) == S_OK);
  std::memcpy(static_cast<std::byte*>(data) + offset, values.data(), values.size() * sizeof(T));
  buffer->Unmap(0, nullptr);
}

template <class T>
std::vector<T> read(ID3D12Resource* buffer, std::size_t count, UINT64 offset = 0) {
  void* data = nullptr;
  REQUIRE(buffer->Map(0, nullptr, &data) == S_OK);
  std::vector<T> values(count);
  std::memcpy(values.data(), static_cast<std::byte*>(data) + offset, count * sizeof(T));
  buffer->Unmap(0, nullptr);
  return values;
}

}  // namespace fenceline::testing
