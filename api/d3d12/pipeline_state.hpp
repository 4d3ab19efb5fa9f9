// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/device_child.hpp"
#include "api/d3d12/draw_outputs.hpp"
#include "engines/pipeline.hpp"

#include <optional>

namespace fenceline::d3d12 {

/// ID3D12PipelineState: to the simulator its cost.
class PipelineState final
    : public DeviceChild<Face<ID3D12PipelineState, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  PipelineState(Device& device, GraphicsPipeline cost, const DrawOutputs& outputs)
      : DeviceChild(device), graphics_(std::move(cost)), outputs_(outputs) {}
  PipelineState(Device& device, ComputePipeline cost) : DeviceChild(device), compute_(std::move(cost)) {}

  HRESULT STDMETHODCALLTYPE GetCachedBlob(ID3DBlob** blob) override;

  /// Of a graphics pipeline state, else nothing.
  const std::optional<GraphicsPipeline>& graphics() const { return graphics_; }
  const std::optional<ComputePipeline>& compute() const { return compute_; }
  /// What its draws do to their targets.
  const DrawOutputs& outputs() const { return outputs_; }

 private:
  ~PipelineState() override = default;
  std::optional<GraphicsPipeline> graphics_;
  std::optional<ComputePipeline> compute_;
  DrawOutputs outputs_;
};

HRESULT create_graphics_pipeline_state(Device& device, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                       void** pipeline);
HRESULT create_compute_pipeline_state(Device& device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                      void** pipeline);

}  // namespace fenceline::d3d12
