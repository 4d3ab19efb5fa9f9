// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"

namespace fenceline::d3d12 {

/// ID3D12Debug6, and its relatives Debug1 and Debug2, which are no versions of it: switches the debug layer of the
/// process. Devices store messages and answer for ID3D12InfoQueue1 while it is on.
class Debug final : public ComObject<Face<ID3D12Debug6, ID3D12Debug5, ID3D12Debug4, ID3D12Debug3, ID3D12Debug>,
                                     Face<ID3D12Debug1>, Face<ID3D12Debug2>> {
 public:
  void STDMETHODCALLTYPE EnableDebugLayer() override;
  void STDMETHODCALLTYPE DisableDebugLayer() override;
  /// Shaders are not executed: not modelled.
  void STDMETHODCALLTYPE SetEnableGPUBasedValidation(BOOL enable) override;
  void STDMETHODCALLTYPE SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS flags) override;
  /// On and off alike: queues are checked in the order in which the simulated GPU takes their work.
  void STDMETHODCALLTYPE SetEnableSynchronizedCommandQueueValidation(BOOL) override {}
  /// Objects without a name have one in messages and traces anyhow.
  void STDMETHODCALLTYPE SetEnableAutoName(BOOL) override {}
  void STDMETHODCALLTYPE SetForceLegacyBarrierValidation(BOOL enable) override;

 private:
  ~Debug() override = default;
};

}  // namespace fenceline::d3d12
