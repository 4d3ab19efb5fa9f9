// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/create_device.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/log.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/support/units.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::testing {

/// Of a fence; a removed device brings its fences there.
constexpr UINT64 highest_value = std::numeric_limits<UINT64>::max();

inline ComPtr<ID3D12Device> device_of(const std::string& machine) {
  ComPtr<ID3D12Device> made;
  REQUIRE(d3d12::create_device(load_machine(machine, "", {}), IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

inline Machine& machine_of(ID3D12Device* device) {
  return d3d12::com_cast<d3d12::Device>(static_cast<ID3D12Device11*>(device))->machine();
}

/// A device of a machine of its own, with what became of its queues' packets.
class Side : public App, private LogSink {
 public:
  explicit Side(const std::string& machine) : App(device_of(machine)), log_(machine_of(device.Get()).log()) {
    log_.attach(*this, EventLog::Detail::packets);
  }
  ~Side() override { log_.detach(*this); }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  struct Packet {
    PacketType type;
    std::string queue;
    std::string fence;  // of a signal or wait
    std::uint64_t value;
    std::uint64_t started_ps;
    std::uint64_t completed_ps;
  };
  std::vector<Packet> packets;
  std::vector<Packet> of(PacketType type) const {
    std::vector<Packet> some;
    for (const Packet& one : packets) {
      if (one.type == type) some.push_back(one);
    }
    return some;
  }

  /// A queue, and what copies so much there from one buffer to another.
  struct Copier {
    Side& side;
    D3D12_COMMAND_LIST_TYPE type;
    UINT64 bytes;
    ComPtr<ID3D12CommandQueue> queue;
    ComPtr<ID3D12Resource> from;
    ComPtr<ID3D12Resource> to;
    std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
    /// In a list of its own.
    void execute() {
      allocators.push_back(side.allocator(type));
      const auto list = side.list(allocators.back().Get(), type);
      list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, bytes);
      REQUIRE(list->Close() == S_OK);
      ID3D12CommandList* const lists[] = {list.Get()};
      queue->ExecuteCommandLists(1, lists);
    }
  };
  Copier copier(UINT64 bytes, D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_COPY) {
    return {*this, type, bytes, queue(type), buffer(bytes), buffer(bytes), {}};
  }

  ComPtr<ID3D12Fence> shared_fence(UINT64 value = 0, D3D12_FENCE_FLAGS flags = D3D12_FENCE_FLAG_SHARED |
                                                                               D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER) {
    ComPtr<ID3D12Fence> made;
    REQUIRE(device->CreateFence(value, flags, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  /// This device's object for what another device's object stands for.
  template <class T>
  ComPtr<T> opened(const ComPtr<T>& theirs) {
    ComPtr<ID3D12Device> other;
    REQUIRE(theirs->GetDevice(IID_PPV_ARGS(&other)) == S_OK);
    HANDLE handle = nullptr;
    REQUIRE(other->CreateSharedHandle(theirs.Get(), nullptr, 0x10000000, nullptr, &handle) == S_OK);  // GENERIC_ALL
    ComPtr<T> ours;
    const HRESULT result = device->OpenSharedHandle(handle, IID_PPV_ARGS(&ours));
    CHECK(CloseHandle(handle) == TRUE);
    REQUIRE(result == S_OK);
    return ours;
  }
  /// The machine's time at the calling thread's next call.
  std::uint64_t now_ps() { return machine_of(device.Get()).now_ps(); }
  void remove() {
    ComPtr<ID3D12Device5> newer;
    REQUIRE(device.As(&newer) == S_OK);
    newer->RemoveDevice();
  }

 private:
  void packet(const EventLog& log, const PacketRecord& record) override {
    packets.push_back({record.type, std::string(log.text(record.context)), std::string(log.text(record.label)),
                       record.fence_value, record.started_ps, record.completed_ps});
  }
  EventLog& log_;
};

/// A device of `tiny` with something else: `tiny_with([](MachineConfig& machine) { machine.host.cpu.cores = 1; })`.
template <class Change>
ComPtr<ID3D12Device> tiny_with(Change change) {
  MachineConfig machine = builtin_machine("tiny");
  change(machine);
  ComPtr<ID3D12Device> made;
  REQUIRE(d3d12::create_device(machine, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace fenceline::testing
