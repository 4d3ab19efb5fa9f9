// SPDX-License-Identifier: Apache-2.0
// Actor, the calls of shader caches and background processing.
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/fuzz/d3d12_actor.hpp"

#include <string>

namespace fenceline::testing::calls {

void Actor::open_cache() {
  D3D12_SHADER_CACHE_SESSION_DESC desc{};
  if (!random_.slips(20)) desc.Identifier.Data1 = 1 + random_.number(4);
  desc.Mode = random_.any<D3D12_SHADER_CACHE_MODE>(2);
  desc.Flags = random_.one_in(4) ? random_.any<D3D12_SHADER_CACHE_FLAGS>(4) : D3D12_SHADER_CACHE_FLAG_NONE;
  if (random_.one_in(3)) desc.MaximumInMemoryCacheSizeBytes = random_.odd32(5000);
  if (random_.one_in(3)) desc.MaximumInMemoryCacheEntries = random_.odd32(5);
  if (random_.one_in(3)) desc.MaximumValueFileSizeBytes = random_.odd32(200'000);
  desc.Version = random_.one_in(4) ? random_.odd(3) : 0;
  ComPtr<ID3D12ShaderCacheSession> made;
  device_->CreateShaderCacheSession(random_.slips(40) ? nullptr : &desc, __uuidof(ID3D12ShaderCacheSession),
                                    place(made));
  sessions_.add(made);
}

void Actor::use_cache(ID3D12ShaderCacheSession& session) {
  constexpr std::size_t key_bytes = 4;
  const std::string key(key_bytes, static_cast<char>('a' + random_.below(6)));
  const void* const given = random_.slips(20) ? nullptr : key.data();
  const UINT given_bytes = given == nullptr ? random_.odd32(key_bytes) : random_.slips(20) ? 0 : key_bytes;
  std::array<char, 1000> small{};
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2: {
      if (!random_.one_in(10)) {
        const void* const value = random_.slips(20) ? nullptr : small.data();
        const UINT bytes = value == nullptr ? random_.odd32(100) : random_.number(small.size() + 1);
        if (session.StoreValue(given, given_bytes, value, bytes) == S_OK) ++common_.stored;
        return;
      }
      const std::string large(random_.below(300'000), 'v');
      if (session.StoreValue(given, given_bytes, large.data(), static_cast<UINT>(large.size())) == S_OK)
        ++common_.stored;
      return;
    }
    case 3:
    case 4:
    case 5: {
      UINT bytes = random_.number(small.size() + 1);
      session.FindValue(given, given_bytes, random_.one_in(3) ? nullptr : small.data(),
                        random_.slips(20) ? nullptr : &bytes);
      return;
    }
    case 6: {
      session.GetDesc();
      ComPtr<Device> of;
      session.GetDevice(IID_PPV_ARGS(&of));
      return;
    }
    default: session.SetDeleteOnDestroy();
  }
}

void Actor::caches() {
  switch (random_.below(8)) {
    case 0: return open_cache();
    case 1: {
      const auto kinds = static_cast<D3D12_SHADER_CACHE_KIND_FLAGS>(random_.odd32(16));
      device_->ShaderCacheControl(kinds, static_cast<D3D12_SHADER_CACHE_CONTROL_FLAGS>(random_.odd32(8)));
      return;
    }
    default:
      if (ID3D12ShaderCacheSession* const session = own_or_common(sessions_, common_.sessions)) use_cache(*session);
  }
}

/// A commit with an event: one of its own, which may be closed before it is set, or that of all threads.
void Actor::commit(D3D12_BACKGROUND_PROCESSING_MODE mode, D3D12_MEASUREMENTS_ACTION action) {
  const bool shared = random_.one_in(3);
  const HANDLE event = shared ? common_.commit_event : CreateEvent(nullptr, TRUE, FALSE, nullptr);
  BOOL further = FALSE;
  const HRESULT result =
      device_->SetBackgroundProcessingMode(mode, action, event, random_.one_in(3) ? nullptr : &further);
  if (result == S_OK) ++common_.granted;
  if (further == TRUE) ++common_.desired;
  if (shared) {
    if (result == S_OK) common_.commit_event_given = true;
    return;
  }
  if (result == S_OK && random_.one_in(4)) WaitForSingleObject(event, random_.one_in(2) ? INFINITE : 0);
  if (result != S_OK || random_.one_in(4)) {
    CloseHandle(event);
  } else {
    common_.commits.add(event);
  }
}

/// Frames of one dispatch, of a pipeline state that is measured.
void Actor::measured() {
  static const std::string code = empty_shader(5);
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = {code.data(), code.size()};
  ComPtr<ID3D12PipelineState> pipeline;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<List> list;
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  ID3D12CommandQueue* on = nullptr;
  for (const auto& one : common_.queues.all()) on = one->GetDesc().Type == type ? one.Get() : on;
  if (on == nullptr || FAILED(device_->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline))) ||
      FAILED(device_->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator))) ||
      FAILED(device_->CreateCommandList(0, type, allocator.Get(), pipeline.Get(), IID_PPV_ARGS(&list)))) {
    return;
  }
  const std::uint64_t draws = 1 + random_.below(12);
  for (std::uint64_t i = 0; i < draws; ++i) {
    list->SetComputeRoot32BitConstant(0, random_.one_in(4) ? random_.number(3) : 7, 0);
    list->Dispatch(8, 1, 1);
  }
  if (list->Close() != S_OK) return;
  ID3D12CommandList* const lists[] = {list.Get()};
  device_->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOW_INTRUSIVE_MEASUREMENTS,
                                       D3D12_MEASUREMENTS_ACTION_KEEP_ALL, nullptr, nullptr);
  ComPtr<ID3D12Fence> done;
  device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&done));
  on->ExecuteCommandLists(1, lists);
  if (done != nullptr) on->Signal(done.Get(), 1);
  pipelines_.add(pipeline);
  fences_.add(done);
  allocators_.add(allocator);
  lists_.add(list);
  // Its queue may be one that only the removal lets go on, which comes from the first thread.
  if (done != nullptr && done->SetEventOnCompletion(1, event_) == S_OK) WaitForSingleObject(event_, random_.number(2));
  commit(random_.any<D3D12_BACKGROUND_PROCESSING_MODE>(2), D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS);
}

void Actor::background() {
  if (random_.one_in(3)) return measured();
  const auto mode = random_.any<D3D12_BACKGROUND_PROCESSING_MODE>(4);
  const auto action = random_.any<D3D12_MEASUREMENTS_ACTION>(4);
  const bool commits = action == D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS ||
                       action == D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS_HIGH_PRIORITY;
  if (commits && !random_.one_in(6)) return commit(mode, action);
  HANDLE event = nullptr;
  if (random_.one_in(4)) event = random_.one_in(2) ? event_ : reinterpret_cast<HANDLE>(random_.odd(1) | 1ULL << 40);
  BOOL further = FALSE;
  device_->SetBackgroundProcessingMode(mode, action, event, random_.one_in(2) ? nullptr : &further);
}

}  // namespace fenceline::testing::calls
