// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/device_child.hpp"
#include "api/d3d12/newcomer.hpp"
#include "scheduler/fence_unit.hpp"

#include <vector>

namespace fenceline::d3d12 {

/// ID3D12Fence1 over a fence of the machine.
class Fence final
    : public DeviceChild<Face<ID3D12Fence1, ID3D12Fence, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>>,
      private Newcomer {
 public:
  Fence(Device& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags);

  UINT64 STDMETHODCALLTYPE GetCompletedValue() override;
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64 value, HANDLE event) override;
  HRESULT STDMETHODCALLTYPE Signal(UINT64 value) override;
  D3D12_FENCE_FLAGS STDMETHODCALLTYPE GetCreationFlags() override { return flags_; }

  /// In the machine; from the call after its creation on.
  FenceId id() const { return id_; }

 private:
  ~Fence() override = default;
  /// Queues and events that still wait go on.
  void on_last_release() override;
  void come_in() override;

  std::uint64_t initial_value_;
  std::uint32_t number_;
  bool in_machine_ = false;
  FenceId id_{};
  D3D12_FENCE_FLAGS flags_;
};

/// ID3D12Device1::SetEventOnMultipleFenceCompletion, and SetEventOnCompletion with one fence: sets the event when any
/// or all of the fences have reached their values, or with a null event blocks the caller until then.
HRESULT set_event_on_completion(Device& device, const std::vector<Fence*>& fences, const UINT64* values, bool any,
                                HANDLE event);

}  // namespace fenceline::d3d12
