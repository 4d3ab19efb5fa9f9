// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/debugged.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fenceline::testing {

using Texts = std::vector<std::string>;

/// Of the buffers of these programs.
constexpr UINT64 hazard_bytes = 1 << 16;

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::wstring wide(const std::string& text) { return {text.begin(), text.end()}; }

/// A queue of a program with the debug layer on, and lists for it. Queues are named as D3D12 objects, too.
struct Lane {
  Lane(DebuggedApp& of, D3D12_COMMAND_LIST_TYPE its_type, const std::string& name)
      : app(of), type(its_type), queue(app.queue(type)), fence(app.fence()) {
    REQUIRE(queue->SetName(wide(name).c_str()) == S_OK);
  }

  using Record = std::function<void(ID3D12GraphicsCommandList*)>;
  /// A closed list of that name.
  ComPtr<ID3D12GraphicsCommandList> list(const std::string& name, const Record& record) {
    allocators.push_back(app.allocator(type));
    ComPtr<ID3D12GraphicsCommandList1> made;
    ComPtr<ID3D12Device4> device;
    REQUIRE(app.device.As(&device) == S_OK);
    REQUIRE(device->CreateCommandList1(0, type, D3D12_COMMAND_LIST_FLAG_NONE, IID_PPV_ARGS(&made)) == S_OK);
    REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
    REQUIRE(made->Reset(allocators.back().Get(), nullptr) == S_OK);
    record(made.Get());
    REQUIRE(made->Close() == S_OK);
    lists.push_back(made);
    return lists.back();
  }
  void execute(const std::string& name, const Record& record) {
    ID3D12CommandList* const one[] = {list(name, record).Get()};
    queue->ExecuteCommandLists(1, one);
  }
  /// The queue's own fence, by one more each time.
  UINT64 signal() {
    REQUIRE(queue->Signal(fence.Get(), ++value) == S_OK);
    return value;
  }
  void wait(const Lane& other) const { REQUIRE(queue->Wait(other.fence.Get(), other.value) == S_OK); }
  /// The CPU waits for all of it.
  void finish() {
    signal();
    REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK);
  }

  DebuggedApp& app;
  D3D12_COMMAND_LIST_TYPE type;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12Fence> fence;
  UINT64 value = 0;
  std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
};

/// Two queues of copies, one of 3D and one of compute.
struct HazardProgram : DebuggedApp {
  using Record = Lane::Record;

  static Record copy(const ComPtr<ID3D12Resource>& to, const ComPtr<ID3D12Resource>& from, UINT64 bytes,
                     UINT64 to_offset = 0, UINT64 from_offset = 0) {
    return [=](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(to.Get(), to_offset, from.Get(), from_offset, bytes);
    };
  }
  ComPtr<ID3D12Resource> named_buffer(const std::string& name, UINT64 bytes,
                                      D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT) {
    auto made = buffer(bytes, heap);
    REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
    return made;
  }
  /// One that lives as long as the program: the end of a fence ends waits.
  ComPtr<ID3D12Fence> kept_fence(UINT64 value = 0) {
    fences.push_back(fence(value));
    return fences.back();
  }
  void finish() {
    for (Lane* lane : {&one, &two, &direct, &compute}) lane->finish();
  }
  /// Texts of the hazards found once everything is done; nothing else has been said.
  std::vector<std::string> hazards() {
    finish();
    std::vector<std::string> texts;
    for (const Said& message : said()) {
      INFO(message.text);
      CHECK(message.id == D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE);
      texts.push_back(message.text);
    }
    return texts;
  }

  std::vector<ComPtr<ID3D12Fence>> fences;
  Lane one{*this, D3D12_COMMAND_LIST_TYPE_COPY, "one"};
  Lane two{*this, D3D12_COMMAND_LIST_TYPE_COPY, "two"};
  Lane direct{*this, D3D12_COMMAND_LIST_TYPE_DIRECT, "3D"};
  Lane compute{*this, D3D12_COMMAND_LIST_TYPE_COMPUTE, "async"};
};

}  // namespace fenceline::testing
