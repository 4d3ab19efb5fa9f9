// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/pipelines/draw_estimate.hpp"
#include "api/d3d12/pipelines/draw_outputs.hpp"
#include "api/d3d12/root/root_signature.hpp"
#include "api/d3d12/root/table_reads.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "engines/command/pipeline.hpp"
#include "shadercache/implicit/implicit_caches.hpp"

#include <memory>
#include <optional>
#include <variant>

namespace fenceline::d3d12 {

/// What a description that D3D12 takes comes to: the pipeline's cost, and what names it.
struct PipelineContent {
  std::optional<GraphicsPipeline> graphics;  ///< of a mesh pipeline, too
  std::optional<ComputePipeline> compute;
  MeshGroup mesh;
  DrawOutputs outputs;  ///< nothing unless it is a graphics or mesh pipeline
  DxbcHash hash{};
  CreatedPipeline created;   ///< for the implicit shader caches
  bool is_compiled = false;  ///< a cached blob brought along what the driver makes of it
  std::shared_ptr<const TableReads> table_reads;
  Held<RootSignature> root_signature;  ///< null: a shader brought its own along
};

/// ID3D12PipelineState: to the simulator its cost. Keeps the root signature that it was given alive.
class PipelineState final
    : public DeviceChild<Face<ID3D12PipelineState, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  PipelineState(DeviceCore& device, PipelineContent content);

  /// The same bytes for the same pipeline state in every process, which the next one may give as its CachedPSO.
  HRESULT STDMETHODCALLTYPE GetCachedBlob(ID3DBlob** blob) override;

  /// Of a graphics or mesh pipeline state, else nothing.
  const std::optional<GraphicsPipeline>& graphics() const { return content_.graphics; }
  const std::optional<ComputePipeline>& compute() const { return content_.compute; }
  /// All 0 unless it is a mesh pipeline.
  const MeshGroup& mesh() const { return content_.mesh; }
  /// What its draws do to their targets.
  const DrawOutputs& outputs() const { return content_.outputs; }
  /// What its shaders read of descriptor tables.
  const std::shared_ptr<const TableReads>& table_reads() const { return content_.table_reads; }
  /// The driver's part of it: null where it does not measure pipeline states.
  const std::shared_ptr<PgoPipeline>& measured() const { return measured_; }
  /// Names what it was made of (pipeline_hash.hpp).
  const DxbcHash& hash() const { return content_.hash; }

 private:
  ~PipelineState() override = default;
  PipelineContent content_;
  std::shared_ptr<PgoPipeline> measured_;
};

/// Holds the description against D3D12's rules and tells what is wrong with it, in the name of the method. The error is
/// the method's answer.
std::variant<PipelineContent, HRESULT> check_pipeline(DeviceCore& device, const char* method, const PipelineDesc& desc);
/// The same of a stream.
std::variant<PipelineContent, HRESULT> check_pipeline(DeviceCore& device, const char* method,
                                                      const D3D12_PIPELINE_STATE_STREAM_DESC& stream);

HRESULT create_graphics_pipeline_state(DeviceCore& device, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                       void** pipeline);
HRESULT create_compute_pipeline_state(DeviceCore& device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                      void** pipeline);
HRESULT create_pipeline_state(DeviceCore& device, const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid,
                              void** pipeline);

}  // namespace fenceline::d3d12
