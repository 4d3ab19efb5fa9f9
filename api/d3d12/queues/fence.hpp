// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/core/newcomer.hpp"
#include "api/d3d12/host/shared_handle.hpp"
#include "scheduler/fences/fence.hpp"

#include <map>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

class Fence;

/// What devices share of a fence: SharedFence among their machines, which are coupled (Host). Each device has one
/// object for it as long as the program has a reference to that one. A device that is removed, and one whose object
/// goes, leaves the others as they are.
class SharedFenceObject final : public SharedObject, public std::enable_shared_from_this<SharedFenceObject> {
 public:
  SharedFenceObject(std::uint64_t initial_value, D3D12_FENCE_FLAGS flags)
      : flags_(flags), fence_(std::make_shared<SharedFence>(initial_value)) {}
  HRESULT open(DeviceCore& device, REFIID iid, void** object) override;

  const std::shared_ptr<SharedFence>& fence() const { return fence_; }
  D3D12_FENCE_FLAGS flags() const { return flags_; }
  // With the host's lock.
  void add(Fence& fence);
  void remove(const Fence& fence);

 private:
  D3D12_FENCE_FLAGS flags_;
  std::shared_ptr<SharedFence> fence_;
  std::map<const DeviceCore*, Fence*> opened_;
};

/// ID3D12Fence1 over a fence of the machine.
class Fence final
    : public DeviceChild<Face<ID3D12Fence1, ID3D12Fence, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>>,
      private Newcomer {
 public:
  /// With the host's lock.
  Fence(DeviceCore& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags);
  /// One that is shared.
  Fence(DeviceCore& device, std::shared_ptr<SharedFenceObject> shared);

  UINT64 STDMETHODCALLTYPE GetCompletedValue() override;
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64 value, HANDLE event) override;
  HRESULT STDMETHODCALLTYPE Signal(UINT64 value) override;
  D3D12_FENCE_FLAGS STDMETHODCALLTYPE GetCreationFlags() override { return flags_; }

  /// In the machine; from the call after its creation on.
  FenceId id() const { return id_; }
  /// The program has a reference to it: false, with the host's lock, from the last one's end on.
  const std::shared_ptr<bool>& alive() const { return alive_; }
  /// Null: it was not created to be shared.
  const std::shared_ptr<SharedFenceObject>& shared() const { return shared_; }

 private:
  ~Fence() override = default;
  /// Queues and events that still wait go on.
  void on_last_release() override;
  void come_in() override;

  std::uint64_t initial_value_;
  std::uint32_t number_;
  bool in_machine_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  FenceId id_{};
  D3D12_FENCE_FLAGS flags_;
  std::shared_ptr<SharedFenceObject> shared_;
};

/// ID3D12Device::CreateFence.
HRESULT create_fence(DeviceCore& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags, REFIID iid,
                     void** fence);

/// The object behind the interface; null, and told by a message, for another device's, which a program has to open by a
/// shared handle first.
Fence* fence_of(DeviceCore& device, ID3D12Fence* fence, const char* method);

/// ID3D12Device1::SetEventOnMultipleFenceCompletion, and SetEventOnCompletion with one fence: sets the event when any
/// or all of the fences have reached their values, or with a null event blocks the caller until then.
HRESULT set_event_on_completion(DeviceCore& device, const std::vector<Fence*>& fences, const UINT64* values, bool any,
                                HANDLE event);

}  // namespace fenceline::d3d12
