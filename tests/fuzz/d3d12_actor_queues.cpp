// SPDX-License-Identifier: Apache-2.0
// Actor, the family of calls on queues, fences and other objects.
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/fuzz/d3d12_actor.hpp"

#include <string>

namespace fenceline::testing::calls {

void Actor::queue_calls() {
  ID3D12CommandQueue* const on = queue();
  if (on == nullptr) return;
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const std::array<ID3D12CommandList*, 3> lists = {lists_.one(random_), lists_.one(random_), lists_.one(random_)};
      if (random_.one_in(30)) return on->ExecuteCommandLists(random_.odd32(4), nullptr);
      return on->ExecuteCommandLists(random_.number(3), lists.data());
    }
    case 4:
    case 5: on->Signal(fence(), random_.odd(8)); return;
    case 6: on->Wait(fence(), random_.odd(8)); return;
    case 7: {
      UINT64 gpu = 0;
      UINT64 cpu = 0;
      on->GetTimestampFrequency(random_.slips(10) ? nullptr : &gpu);
      on->GetClockCalibration(&gpu, random_.slips(10) ? nullptr : &cpu);
      return;
    }
    case 8: {
      const D3D12_TILED_RESOURCE_COORDINATE start{random_.odd32(3), random_.odd32(3), random_.odd32(2),
                                                  random_.odd32(3)};
      const D3D12_TILE_REGION_SIZE size{random_.odd32(4), random_.one_in(2), random_.odd32(3),
                                        static_cast<UINT16>(random_.odd(3)), static_cast<UINT16>(random_.odd(3))};
      const auto flag = random_.any<D3D12_TILE_RANGE_FLAGS>(5);
      const UINT first = random_.odd32(3);
      const UINT tiles = random_.odd32(4);
      return on->UpdateTileMappings(resource(), random_.number(2), random_.one_in(3) ? nullptr : &start,
                                    random_.one_in(3) ? nullptr : &size, heaps_.one(random_), random_.number(2),
                                    random_.one_in(3) ? nullptr : &flag, random_.one_in(3) ? nullptr : &first,
                                    random_.one_in(3) ? nullptr : &tiles, D3D12_TILE_MAPPING_FLAG_NONE);
    }
    default: {
      const D3D12_TILED_RESOURCE_COORDINATE start{random_.odd32(2), 0, 0, random_.odd32(3)};
      const D3D12_TILE_REGION_SIZE size{random_.odd32(4), FALSE, 0, 0, 0};
      on->CopyTileMappings(resource(), &start, resource(), &start, &size, D3D12_TILE_MAPPING_FLAG_NONE);
      on->BeginEvent(1, "pass", 5);
      on->EndEvent();
      return;
    }
  }
}

void Actor::fence_calls() {
  ID3D12Fence* const of = fence();
  if (of == nullptr) return;
  const UINT64 value = random_.odd(8);
  switch (random_.below(9)) {
    case 0: of->Signal(value); return;
    case 1: of->GetCompletedValue(); return;
    case 2:
    case 3:
      if (SUCCEEDED(of->SetEventOnCompletion(value, event_))) WaitForSingleObject(event_, random_.number(2));
      return;
    case 4: {
      const std::array<ID3D12Fence*, 3> fences = {fence(), fence(), fence()};
      const std::array<UINT64, 3> values = {random_.odd(8), random_.odd(8), random_.odd(8)};
      device_->SetEventOnMultipleFenceCompletion(random_.slips(20) ? nullptr : fences.data(), values.data(),
                                                 random_.number(4), random_.any<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(2),
                                                 event_);
      return;
    }
    case 5: {
      const HANDLE event = CreateEvent(nullptr, random_.one_in(2), random_.one_in(4), nullptr);
      of->SetEventOnCompletion(value, event);
      const std::array<HANDLE, 2> both = {event, event_};
      WaitForMultipleObjects(2, both.data(), random_.one_in(2), 0);
      ResetEvent(event);
      CloseHandle(event);
      of->SetEventOnCompletion(value, event);  // which it is no more
      return;
    }
    case 6: of->SetEventOnCompletion(value, reinterpret_cast<HANDLE>(random_.odd(1) | 1ULL << 40)); return;
    default:
      // What only the removal ends is waited for by the other threads: the first one comes to it.
      if (first_) return;
      if (random_.one_in(2)) {
        of->SetEventOnCompletion(value, nullptr);
      } else if (SUCCEEDED(of->SetEventOnCompletion(value, event_))) {
        WaitForSingleObject(event_, INFINITE);
      }
  }
}

void Actor::object_calls() {
  std::array<ID3D12Object*, 6> objects = {queue(), fence(), resource(), descriptors(), lists_.one(random_), device_};
  ID3D12Object* const object = random_.of(objects);
  if (object == nullptr) return;
  const IID keys[2] = {__uuidof(ID3D12Fence), WKPDID_D3DDebugObjectName};
  const IID& key = keys[random_.below(2)];
  std::array<char, 16> data{};
  UINT bytes = random_.number(17);
  switch (random_.below(6)) {
    case 0: object->SetName(random_.slips(10) ? nullptr : L"a name"); return;
    case 1: object->SetPrivateData(key, bytes, random_.one_in(4) ? nullptr : data.data()); return;
    case 2: object->GetPrivateData(key, &bytes, random_.one_in(4) ? nullptr : data.data()); return;
    case 3:  // not of the device, which the heap keeps alive
      if (object != device_) object->SetPrivateDataInterface(__uuidof(ID3D12Heap), heaps_.one(random_));
      return;
    case 4: {
      const std::array<IID, 6> iids = {__uuidof(IUnknown),         __uuidof(ID3D12Object), __uuidof(ID3D12Fence1),
                                       __uuidof(ID3D12InfoQueue1), __uuidof(List),         __uuidof(ID3D12Pageable)};
      ComPtr<IUnknown> found;
      object->QueryInterface(iids[random_.below(iids.size())], place(found));
      return;
    }
    default: {
      ID3D12Resource* const mapped = resource();
      if (mapped == nullptr) return;
      const D3D12_RANGE range{random_.odd(100), random_.odd(100)};
      void* at = nullptr;
      mapped->Map(random_.odd32(2), random_.one_in(2) ? nullptr : &range, random_.one_in(4) ? nullptr : &at);
      mapped->Unmap(random_.odd32(2), random_.one_in(2) ? nullptr : &range);
      mapped->GetGPUVirtualAddress();
      if (common_.several_threads) return;  // the GPU may be at the same bytes
      std::array<std::byte, 4096> texels{};
      const UINT edge = random_.number(4);
      const D3D12_BOX box{0, 0, 0, edge, edge, random_.number(2)};
      mapped->WriteToSubresource(random_.odd32(2), &box, texels.data(), 128, 1024);
      mapped->ReadFromSubresource(texels.data(), 128, 1024, random_.odd32(2), &box);
    }
  }
}

}  // namespace fenceline::testing::calls
