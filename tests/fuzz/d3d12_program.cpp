// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/d3d12_program.hpp"

#include "api/d3d12/create_device.hpp"
#include "api/workload/load/workload_file.hpp"
#include "tests/fuzz/d3d12_actor.hpp"

#include <array>
#include <memory>
#include <thread>

namespace fenceline::testing {

using namespace calls;

namespace {

/// tiny, with one kind or another of processor, background processing, shader cache and video memory.
MachineConfig machine_of(Random& random) {
  static const MachineConfig tiny = load_machine("tiny", "", {});
  MachineConfig machine = tiny;
  machine.background_processing.executor = random.one_in(2) ? TaskExecution::host : TaskExecution::simulated;
  machine.background_processing.developer_mode = !random.one_in(4);
  machine.background_processing.supported = !random.one_in(6);
  machine.host.cpu.cores = random.one_in(2) ? 2 : 0;
  constexpr std::array keepers = {CompilationsKeptBy::d3d, CompilationsKeptBy::driver, CompilationsKeptBy::nobody};
  machine.shader_cache.compilations_kept_by = random.of(keepers);
  // A MiB is room for a few resources, beside slow paging.
  if (random.one_in(2)) machine.video_memory.dedicated_mib = 1;
  if (random.one_in(3)) machine.video_memory.shared_mib = 1;
  machine.video_memory.over_commit = random.one_in(2) ? OverCommit::page : OverCommit::demote;
  if (random.one_in(2)) machine.tdr.level = TdrLevel::recover;
  return machine;
}

/// Caches that all threads have a session of. What earlier programs stored or switched off is not there.
void open_caches(Common& common) {
  constexpr auto kind = D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED;
  common.device->ShaderCacheControl(kind,
                                    D3D12_SHADER_CACHE_CONTROL_FLAG_ENABLE | D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR);
  for (const auto mode : {D3D12_SHADER_CACHE_MODE_MEMORY, D3D12_SHADER_CACHE_MODE_DISK}) {
    D3D12_SHADER_CACHE_SESSION_DESC desc{};
    desc.Identifier.Data1 = 1;
    desc.Mode = mode;
    ComPtr<ID3D12ShaderCacheSession> session;
    common.device->CreateShaderCacheSession(&desc, IID_PPV_ARGS(&session));
    common.sessions.add(session);
  }
}

}  // namespace

ProgramEnd play_d3d12_program(std::uint64_t seed) {
  Random random(seed);
  const MachineConfig machine = machine_of(random);
  ComPtr<ID3D12Debug> debug;
  const bool debugged = random.one_in(2);
  if (debugged && SUCCEEDED(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)))) debug->EnableDebugLayer();
  Common common;
  if (FAILED(d3d12::create_device(machine, IID_PPV_ARGS(&common.device)))) return {};
  {
    ComPtr<ID3D12InfoQueue> messages;
    if (SUCCEEDED(common.device.As(&messages))) messages->SetMuteDebugOutput(TRUE);
  }
  open_caches(common);
  common.commit_event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
  const std::size_t others = random.below(3);
  common.several_threads = others > 0;
  for (const auto type :
       {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY}) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> queue;
    common.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue));
    common.queues.add(queue);
    ComPtr<ID3D12Fence> fence;
    common.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
    common.fences.add(fence);
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc{
        type == D3D12_COMMAND_LIST_TYPE_COPY ? D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV : D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
        8,
        type == D3D12_COMMAND_LIST_TYPE_COPY ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE
                                             : D3D12_DESCRIPTOR_HEAP_FLAG_NONE,
        0};
    ComPtr<ID3D12DescriptorHeap> heap;
    common.device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap));
    common.descriptors.add(heap);
    D3D12_RESOURCE_DESC resource_desc{D3D12_RESOURCE_DIMENSION_BUFFER,
                                      0,
                                      4096,
                                      1,
                                      1,
                                      1,
                                      DXGI_FORMAT_UNKNOWN,
                                      {1, 0},
                                      D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                      D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS};
    if (type == D3D12_COMMAND_LIST_TYPE_DIRECT) {
      resource_desc = {D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                       0,
                       16,
                       16,
                       1,
                       1,
                       DXGI_FORMAT_R8G8B8A8_UNORM,
                       {1, 0},
                       D3D12_TEXTURE_LAYOUT_UNKNOWN,
                       D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    }
    const D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
    ComPtr<ID3D12Resource> resource;
    common.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &resource_desc,
                                           D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&resource));
    common.resources.add(resource);
  }

  ProgramEnd end;
  {
    Actor first(common, random.below(~0ULL), true);
    std::vector<std::thread> threads;
    std::atomic<bool> ended{true};
    for (std::size_t i = 0; i < others; ++i) {
      threads.emplace_back([&common, &ended, thread_seed = random.below(~0ULL), calls = random.below(150)] {
        Actor other(common, thread_seed, false);
        other.act(calls);
        if (common.device->GetDeviceRemovedReason() != S_OK && !other.waits_end()) ended = false;
      });
    }
    try {
      first.act(20 + random.below(150));
      common.device->RemoveDevice();
      first.act(random.below(60));
    } catch (...) {  // nothing that it calls throws; who says what did needs the others to end
      common.device->RemoveDevice();
      for (std::thread& thread : threads) thread.join();
      throw;
    }
    for (std::thread& thread : threads) thread.join();
    end.fences_ended = first.waits_end() && ended;
    end.commits_ended =
        common.commits.all_get_set() &&
        (!common.commit_event_given || WaitForSingleObject(common.commit_event, INFINITE) == WAIT_OBJECT_0);
  }
  CloseHandle(common.commit_event);
  end.calls = common.calls;
  end.executed = common.executed;
  end.stored = common.stored;
  end.granted = common.granted;
  end.desired = common.desired;
  common.queues = {};
  common.fences = {};
  common.resources = {};
  common.descriptors = {};
  common.sessions = {};
  end.device_references = common.device.Reset();
  if (debug != nullptr) {
    ComPtr<ID3D12Debug4> off;
    if (SUCCEEDED(debug.As(&off))) off->DisableDebugLayer();
  }
  return end;
}

}  // namespace fenceline::testing
