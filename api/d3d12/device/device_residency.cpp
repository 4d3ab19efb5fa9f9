// SPDX-License-Identifier: Apache-2.0
// Device, the family of functions that say what is to be in video memory (docs/residency.md): the machine counts, moves
// and tells when all is there.
#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/queues/fence.hpp"
#include "api/d3d12/resources/descriptor_heap.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/resources/query_heap.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <wrl/client.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

using Microsoft::WRL::ComPtr;

/// An object that MakeResident counts. The caller's reference keeps it.
struct Pageable {
  PageableMemory* memory;
  const Resource* resource = nullptr;  ///< that it is; null: something else
  const Heap* heap = nullptr;
};

/// The object, if it is of that kind; null: of another one, another device's, or without memory of its own.
template <class Object, class Interface>
Object* object_of(ID3D12Pageable& object, const DeviceCore& device) {
  ComPtr<Interface> found;
  if (FAILED(object.QueryInterface(IID_PPV_ARGS(&found)))) return nullptr;
  auto* const ours = com_cast<Object>(found.Get());
  return &ours->device() == &device && ours->pageable() != nullptr ? ours : nullptr;
}

std::optional<Pageable> pageable_of(ID3D12Pageable& object, const DeviceCore& device) {
  if (const auto* const resource = object_of<Resource, ID3D12Resource2>(object, device)) {
    return Pageable{resource->pageable(), resource};
  }
  if (const auto* const heap = object_of<Heap, ID3D12Heap1>(object, device)) {
    return Pageable{heap->pageable(), nullptr, heap};
  }
  if (auto* const descriptors = object_of<DescriptorHeap, ID3D12DescriptorHeap>(object, device)) {
    return Pageable{descriptors->pageable()};
  }
  if (const auto* const queries = object_of<QueryHeap, ID3D12QueryHeap>(object, device)) {
    return Pageable{queries->pageable()};
  }
  return {};
}

/// All of them; nothing, with a message, where one is none.
std::optional<std::vector<Pageable>> pageables(DeviceCore& device, UINT count, ID3D12Pageable* const* objects,
                                               const char* method, D3D12_MESSAGE_ID no_array) {
  std::vector<Pageable> all;
  if (count > 0 && objects == nullptr) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, no_array,
                   fmt::format("{}: expected {} objects, found null", method, count));
    return std::nullopt;
  }
  for (UINT i = 0; i < count; ++i) {
    const auto found = objects[i] != nullptr ? pageable_of(*objects[i], device) : std::nullopt;
    if (!found) {
      device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER2,
                     fmt::format("{}: object {}: expected a heap, committed resource, descriptor heap or query heap of "
                                 "this device, found {}",
                                 method, i, objects[i] == nullptr ? "null" : "another one"));
      return std::nullopt;
    }
    all.push_back(*found);
  }
  return all;
}

// With the host's lock, on the machine that has heard of all of them.

/// The numbers of those that are allocations of the device's machine, and not of another one that shares them.
std::vector<std::uint32_t> allocations_of(const DeviceCore& device, const std::vector<Pageable>& all) {
  std::vector<std::uint32_t> numbers;
  for (const Pageable& one : all) {
    if (one.memory->is_of(device) && one.memory->allocation()) numbers.push_back(*one.memory->allocation());
  }
  return numbers;
}

/// `done` is called from inside the simulation, or before this returns, once all is there.
HRESULT make_resident(DeviceCore& device, const std::vector<Pageable>& all, bool deny_overbudget,
                      std::function<void()> done) {
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  const std::vector<std::uint32_t> allocations = allocations_of(device, all);
  if (!device.machine().make_resident({}, allocations, deny_overbudget, std::move(done))) return E_OUTOFMEMORY;
  for (const Pageable& one : all) {
    if (!one.memory->allocation()) {
      one.memory->count_up();
    } else if (one.memory->is_of(device)) {
      one.memory->count_use(true);
    }
  }
  return S_OK;
}

/// The debug layer tells if the GPU has still to do with it.
void tell_if_used(DeviceCore& device, const Pageable& one, const char* method) {
  constexpr auto id = D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE;
  if (device.hazards() == nullptr) return;
  if (one.resource != nullptr) one.resource->tell_if_used(method, id);
  if (one.heap == nullptr) return;
  device.hazards()->ends([&](const Accesses& list) { return list.touches(one.heap->memory().get()); },
                         fmt::format("heap \"{}\"", one.heap->name()), method, id);
}

}  // namespace

HRESULT Device::MakeResident(UINT count, ID3D12Pageable* const* objects) {
  const char* const method = "ID3D12Device::MakeResident";
  const auto all = pageables(*this, count, objects, method, D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY);
  if (!all) return E_INVALIDARG;
  Host::Lock lock = enter(costs().call_ps);
  const auto there = std::make_shared<bool>(false);
  const HRESULT result = make_resident(*this, *all, false, [there] {
    *there = true;
    Host::instance().notify();
  });
  if (FAILED(result)) return result;
  const auto outcome = Host::instance().wait(
      lock, [&] { return *there || removed(); }, Host::never, Host::instance().wake_ps(),
      [&] { return fmt::format("{} of {} objects", method, count); });
  if (outcome == Host::Outcome::deadlock) return E_FAIL;
  return *there ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}

HRESULT Device::EnqueueMakeResident(D3D12_RESIDENCY_FLAGS flags, UINT count, ID3D12Pageable* const* objects,
                                    ID3D12Fence* fence, UINT64 value) {
  const char* const method = "ID3D12Device3::EnqueueMakeResident";
  constexpr unsigned known = D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET;
  if ((static_cast<unsigned>(flags) & ~known) != 0) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_ENQUEUE_MAKE_RESIDENT_INVALID_FLAGS,
            fmt::format("{}: expected flags NONE (0) or DENY_OVERBUDGET (1), found {}", method,
                        static_cast<unsigned>(flags)));
    return E_INVALIDARG;
  }
  const Fence* const ours = fence != nullptr ? fence_of(*this, fence, method) : nullptr;
  if (ours == nullptr) return E_INVALIDARG;
  const auto all = pageables(*this, count, objects, method, D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY);
  if (!all) return E_INVALIDARG;
  const Host::Lock lock = enter(costs().call_ps);
  const auto signal = [this, alive = ours->alive(), id = ours->id(), value] {
    if (*alive && !removed()) machine().signal(id, value);
    Host::instance().notify();
  };
  return make_resident(*this, *all, flags == D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET, signal);
}

HRESULT Device::Evict(UINT count, ID3D12Pageable* const* objects) {
  const char* const method = "ID3D12Device::Evict";
  const auto all = pageables(*this, count, objects, method, D3D12_MESSAGE_ID_EVICT_NULLOBJECTARRAY);
  if (!all) return E_INVALIDARG;
  const Host::Lock lock = enter(costs().call_ps);
  for (const Pageable& one : *all) tell_if_used(*this, one, method);
  if (removed()) return S_OK;
  std::uint64_t underflows = machine().evict({}, allocations_of(*this, *all));
  for (const Pageable& one : *all) {
    if (!one.memory->allocation()) {
      underflows += one.memory->count_down() ? 0 : 1;
    } else if (one.memory->is_of(*this)) {
      one.memory->count_use(machine().wants_resident({}, *one.memory->allocation()));
    }
  }
  for (; underflows > 0; --underflows) {
    message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_EVICT_UNDERFLOW,
            fmt::format("{}: an object has been evicted as often as it was created or made resident", method));
  }
  return S_OK;
}

HRESULT Device::SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                     const D3D12_RESIDENCY_PRIORITY* priorities) {
  const auto all = pageables(*this, count, objects, "ID3D12Device1::SetResidencyPriority",
                             D3D12_MESSAGE_ID_SETRESIDENCYPRIORITY_INVALID_PAGEABLE);
  if (!all || (count > 0 && priorities == nullptr)) return E_INVALIDARG;
  const Host::Lock lock = enter(costs().call_ps);
  if (removed()) return DXGI_ERROR_DEVICE_REMOVED;
  for (UINT i = 0; i < count; ++i) {
    machine().set_residency_priority(allocations_of(*this, {(*all)[i]}), static_cast<std::uint32_t>(priorities[i]));
  }
  return S_OK;
}

}  // namespace fenceline::d3d12
