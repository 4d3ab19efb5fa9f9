// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_state.hpp"

#include "api/d3d12/com/blob.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/pipelines/pipeline_bindings.hpp"
#include "api/d3d12/pipelines/pipeline_blob.hpp"
#include "api/d3d12/pipelines/pipeline_cost.hpp"
#include "api/d3d12/pipelines/pipeline_creation.hpp"
#include "api/d3d12/pipelines/pipeline_hash.hpp"
#include "api/d3d12/pipelines/pipeline_input_rules.hpp"
#include "api/d3d12/pipelines/pipeline_output_rules.hpp"
#include "api/d3d12/pipelines/pipeline_stream.hpp"
#include "api/d3d12/root/root_signature.hpp"
#include "api/d3d12/shaders/pipeline_linkage.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"
#include "api/pgo/specialised.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using MaybeProblem = std::optional<PipelineProblem>;

void tell(DeviceCore& device, D3D12_MESSAGE_SEVERITY severity, const char* method, const PipelineProblem& problem) {
  device.message(severity, problem.id, fmt::format("{}: {}", method, problem.text));
}

HRESULT refuse(DeviceCore& device, const char* method, const PipelineProblem& problem) {
  tell(device, D3D12_MESSAGE_SEVERITY_ERROR, method, problem);
  return E_INVALIDARG;
}

MaybeProblem check_graphics(const PipelineDesc& desc, const PipelineShaders& shaders) {
  if (auto problem = check_rasterizer(desc)) return problem;
  if (auto problem = check_depth_stencil(desc)) return problem;
  if (auto problem = check_targets(desc)) return problem;
  if (auto problem = check_blend(desc, shaders)) return problem;
  if (desc.kind == PipelineKind::graphics) {
    if (auto problem = check_input_layout(desc, shaders)) return problem;
    if (auto problem = check_stream_output(desc, shaders)) return problem;
    if (auto problem = check_topology(desc, shaders)) return problem;
  }
  return check_linkage(desc, shaders);
}

/// The given root signature, or else the one that a shader brings along.
const RootLayout* root_of(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const auto* const given = com_cast<RootSignature>(desc.root_signature);
  return given != nullptr ? &given->layout() : shaders.root_signature();
}

PipelineProblem no_root_signature(PipelineKind kind) {
  return {kind == PipelineKind::compute ? D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE
                                        : D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE,
          "expected a root signature, given or in a shader, found none"};
}

D3D12_MESSAGE_ID cached_message(HRESULT blob_refusal) {
  switch (blob_refusal) {
    case D3D12_ERROR_ADAPTER_NOT_FOUND: return D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBADAPTERMISMATCH;
    case D3D12_ERROR_DRIVER_VERSION_MISMATCH:
      return D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDRIVERVERSIONMISMATCH;
    default: return D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALIDCACHEDBLOB;
  }
}

/// S_OK without a cached blob, and for the blob of this pipeline state.
HRESULT check_cached(DeviceCore& device, const char* method, const D3D12_CACHED_PIPELINE_STATE& cached,
                     const DxbcHash& pipeline) {
  if (cached.CachedBlobSizeInBytes == 0) return S_OK;
  if (cached.pCachedBlob == nullptr) {
    return refuse(
        device, method,
        {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALIDCACHEDBLOB, "expected a cached blob's bytes, found null"});
  }
  const std::string_view bytes(static_cast<const char*>(cached.pCachedBlob), cached.CachedBlobSizeInBytes);
  const auto read = read_cached_pipeline(bytes, blob_origin(device.machine().config()));
  if (const auto* refusal = std::get_if<BlobRefusal>(&read)) {
    refuse(device, method, {cached_message(refusal->result), "cached blob: " + refusal->text});
    return refusal->result;
  }
  if (std::get<DxbcHash>(read) == pipeline) return S_OK;
  return refuse(device, method,
                {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDESCMISMATCH,
                 "expected the cached blob of this description, found another one's"});
}

double code_instructions(const PipelineContent& content) {
  return content.compute ? code_instructions(*content.compute) : code_instructions(*content.graphics);
}

const std::string& name_of(const PipelineContent& content) {
  return content.compute ? content.compute->name : content.graphics->name;
}

/// Why the machine can never run a group; empty when it can.
std::string refusal_of(const ComputePipeline& pipeline, const MachineConfig& machine) {
  CommandStream one_group;
  one_group.commands.emplace_back(Dispatch{0, 1});
  one_group.compute_pipelines.push_back(pipeline);
  return fenceline::refusal(one_group, QueueType::compute, machine);
}

}  // namespace

HRESULT PipelineState::GetCachedBlob(ID3DBlob** blob) {
  if (blob == nullptr) return E_INVALIDARG;
  *blob = make_blob(write_cached_pipeline(blob_origin(device().machine().config()), content_.hash));
  return S_OK;
}

std::variant<PipelineContent, HRESULT> check_pipeline(DeviceCore& device, const char* method,
                                                      const PipelineDesc& desc) {
  auto read = read_pipeline_shaders(desc);
  if (const auto* problem = std::get_if<PipelineProblem>(&read)) return refuse(device, method, *problem);
  const auto& shaders = std::get<PipelineShaders>(read);
  if (const auto problem = check_stages(desc, shaders)) return refuse(device, method, *problem);
  if (const auto problem = check_numbers(desc, device.machine().config().linked_adapters))
    return refuse(device, method, *problem);
  if (desc.kind != PipelineKind::compute) {
    if (const auto problem = check_graphics(desc, shaders)) return refuse(device, method, *problem);
  }
  const RootLayout* const root = root_of(desc, shaders);
  if (root == nullptr) return refuse(device, method, no_root_signature(desc.kind));
  if (const auto problem = check_root_signature(desc, shaders, *root)) return refuse(device, method, *problem);

  PipelineContent content;
  content.hash = pipeline_hash(desc, shaders, *root);
  content.root_signature = Held<RootSignature>(com_cast<RootSignature>(desc.root_signature));
  content.table_reads = std::make_shared<const TableReads>(table_reads(shaders, *root));
  if (desc.kind == PipelineKind::compute) {
    content.compute = compute_cost(shaders, device.machine().config().shader_array.registers_per_sm);
    const std::string refusal = refusal_of(*content.compute, device.machine().config());
    if (!refusal.empty()) return refuse(device, method, {D3D12_MESSAGE_ID_UNKNOWN, refusal});
  } else {
    content.graphics = graphics_cost(desc, shaders);
    content.mesh = mesh_group(shaders);
    content.outputs = draw_outputs(desc);
  }
  const HRESULT cached = check_cached(device, method, desc.cached, content.hash);
  if (cached != S_OK) return cached;
  content.is_compiled = desc.cached.CachedBlobSizeInBytes > 0;
  content.created = created_pipeline(content.hash, code_instructions(content), shaders);
  if (desc.kind != PipelineKind::compute) {
    for (const auto& warning :
         {input_type_warning(desc, shaders), linkage_warning(desc, shaders), output_warning(desc, shaders)}) {
      if (warning) tell(device, D3D12_MESSAGE_SEVERITY_WARNING, method, *warning);
    }
  }
  return content;
}

namespace {

/// The driver gets to know the pipeline state, where it measures.
std::shared_ptr<PgoPipeline> measured_of(DeviceCore& device, const PipelineContent& content) {
  const BackgroundConfig& background = device.machine().config().background_processing;
  if (!background.supported) return nullptr;
  const Host::Lock lock = Host::instance().lock();
  const std::uint32_t number = device.next_pipeline_number();
  device.machine().name_task_subject("", number, name_of(content));
  return device.machine().pgo_driver("")->create_pipeline(number, background.folded, code_instructions(content));
}

}  // namespace

PipelineState::PipelineState(DeviceCore& device, PipelineContent content)
    : DeviceChild(device), content_(std::move(content)), measured_(measured_of(device, content_)) {}

std::variant<PipelineContent, HRESULT> check_pipeline(DeviceCore& device, const char* method,
                                                      const D3D12_PIPELINE_STATE_STREAM_DESC& stream) {
  const auto parsed = parse_pipeline_stream(stream);
  if (const auto* problem = std::get_if<PipelineProblem>(&parsed)) return refuse(device, method, *problem);
  return check_pipeline(device, method, std::get<PipelineDesc>(parsed));
}

namespace {

HRESULT create(DeviceCore& device, std::variant<PipelineContent, HRESULT> checked, REFIID iid, void** pipeline) {
  if (const auto* result = std::get_if<HRESULT>(&checked)) return *result;
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  auto& content = std::get<PipelineContent>(checked);
  const HRESULT spent = content.is_compiled ? spend_look_up(device, content.created)
                                            : spend_creation(device, content.created, name_of(content));
  if (FAILED(spent)) return spent;
  return give_out(new PipelineState(device, std::move(content)), iid, pipeline);
}

}  // namespace

HRESULT create_graphics_pipeline_state(DeviceCore& device, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                       void** pipeline) {
  Host::spend(device.costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  return create(device, check_pipeline(device, "ID3D12Device::CreateGraphicsPipelineState", pipeline_desc(*desc)), iid,
                pipeline);
}

HRESULT create_compute_pipeline_state(DeviceCore& device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                      void** pipeline) {
  Host::spend(device.costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  return create(device, check_pipeline(device, "ID3D12Device::CreateComputePipelineState", pipeline_desc(*desc)), iid,
                pipeline);
}

HRESULT create_pipeline_state(DeviceCore& device, const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid,
                              void** pipeline) {
  Host::spend(device.costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  return create(device, check_pipeline(device, "ID3D12Device2::CreatePipelineState", *desc), iid, pipeline);
}

}  // namespace fenceline::d3d12
