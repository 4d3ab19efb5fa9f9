// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that set state. What shaders would read is checked, and kept as far as
// it has to be in video memory: they are not executed.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/resources/descriptor_heaps.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline::d3d12 {
namespace {

std::uint32_t slot_of(bool dispatches, UINT parameter) {
  return (dispatches ? MemoryBindings::compute_root : MemoryBindings::graphics_root) + parameter;
}

void set_root_descriptor(Recording& recording, BoundArguments& arguments, bool dispatches, UINT parameter,
                         D3D12_GPU_VIRTUAL_ADDRESS at) {
  arguments.of(dispatches).set_descriptor(parameter, at);
  if (parameter < D3D12_MAX_ROOT_COST) recording.bind_memory(slot_of(dispatches, parameter), at);
}

}  // namespace

void GraphicsCommandList::SetPipelineState(ID3D12PipelineState* pipeline) {
  if (!begin(not_in_copies, "SetPipelineState")) return;
  if (pipeline == nullptr) return invalid("SetPipelineState", "expected a pipeline state, found null");
  if (state_.pipeline.get() == com_cast<PipelineState>(pipeline)) return;
  state_.pipeline = Held<PipelineState>(com_cast<PipelineState>(pipeline));
  state_.pipeline_index = no_index;
}

void GraphicsCommandList::IASetPrimitiveTopology(D3D12_PRIMITIVE_TOPOLOGY topology) {
  if (begin(direct_and_bundle, "IASetPrimitiveTopology")) state_.topology = topology;
}

std::optional<TargetView> GraphicsCommandList::view_at(D3D12_CPU_DESCRIPTOR_HANDLE handle, const char* method) {
  auto seen = device().descriptor_heaps().view(handle.ptr);
  if (!seen) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, method, no_descriptor(handle.ptr));
    return std::nullopt;
  }
  if (seen->resource_gone) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_DESCRIPTOR_HANDLE_WITH_INVALID_RESOURCE, method,
          fmt::format("the descriptor of handle {:#x} shows a resource that is gone", handle.ptr));
    return std::nullopt;
  }
  return std::move(seen->view);
}

std::optional<GraphicsCommandList::Targets> GraphicsCommandList::targets_at(
    const std::vector<D3D12_CPU_DESCRIPTOR_HANDLE>& colors, const D3D12_CPU_DESCRIPTOR_HANDLE* depth_stencil,
    const char* method) {
  Targets targets;
  for (const D3D12_CPU_DESCRIPTOR_HANDLE color : colors) {
    auto view = view_at(color, method);
    if (!view) return std::nullopt;
    targets.colors.push_back(*std::move(view));
  }
  if (depth_stencil == nullptr) return targets;
  auto view = view_at(*depth_stencil, method);
  if (!view) return std::nullopt;
  targets.depth_stencil = *std::move(view);
  return targets;
}

void GraphicsCommandList::set_targets(const Targets& targets) {
  for (const TargetView& color : targets.colors) recording_->add_back_buffer(color.back_buffer);
  if (bindings_ != nullptr) bindings_->set_targets(targets.colors, targets.depth_stencil);
  recording_->unbind_memory(0, MemoryBindings::index_buffer);
  const auto bind = [this](std::uint32_t slot, const TargetView& target) {
    if (target.resource) recording_->bind_memory(slot, target.resource->memory()->address());
  };
  std::uint32_t slot = 0;
  for (const TargetView& color : targets.colors) bind(slot++, color);
  bind(MemoryBindings::depth_stencil, targets.depth_stencil);
  state_.area.unclip();
  const auto clip = [this](const TargetView& target) {
    if (!target.resource || target.resource->is_buffer()) return;
    const Extent extent = mip_extent(target.resource->desc(), target.mip);
    state_.area.clip(static_cast<LONG>(extent.width), static_cast<LONG>(extent.height));
  };
  std::for_each(targets.colors.begin(), targets.colors.end(), clip);
  clip(targets.depth_stencil);
}

void GraphicsCommandList::RSSetViewports(UINT count, const D3D12_VIEWPORT* viewports) {
  if (!begin(direct_only, "RSSetViewports")) return;
  if (count > D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE) {
    return invalid("RSSetViewports", fmt::format("expected at most 16 viewports, found {}", count));
  }
  state_.area.set_viewports(count, viewports);
}

void GraphicsCommandList::RSSetScissorRects(UINT count, const D3D12_RECT* rects) {
  if (!begin(direct_only, "RSSetScissorRects")) return;
  if (count > D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE) {
    return invalid("RSSetScissorRects", fmt::format("expected at most 16 rectangles, found {}", count));
  }
  state_.area.set_scissors(count, rects);
}

void GraphicsCommandList::OMSetBlendFactor(const FLOAT[4]) { begin(direct_and_bundle, "OMSetBlendFactor"); }
void GraphicsCommandList::OMSetStencilRef(UINT) { begin(direct_and_bundle, "OMSetStencilRef"); }
void GraphicsCommandList::OMSetFrontAndBackStencilRef(UINT, UINT) {
  begin(direct_and_bundle, "OMSetFrontAndBackStencilRef");
}
void GraphicsCommandList::OMSetDepthBounds(FLOAT, FLOAT) { begin(direct_and_bundle, "OMSetDepthBounds"); }
void GraphicsCommandList::SetSamplePositions(UINT, UINT, D3D12_SAMPLE_POSITION*) {
  begin(direct_and_bundle, "SetSamplePositions");
}
void GraphicsCommandList::SetViewInstanceMask(UINT) { begin(direct_and_bundle, "SetViewInstanceMask"); }
void GraphicsCommandList::RSSetShadingRate(D3D12_SHADING_RATE, const D3D12_SHADING_RATE_COMBINER*) {
  begin(direct_and_bundle, "RSSetShadingRate");
}
void GraphicsCommandList::RSSetShadingRateImage(ID3D12Resource*) { begin(direct_and_bundle, "RSSetShadingRateImage"); }

void GraphicsCommandList::SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) {
  if (!begin(not_in_copies, "SetDescriptorHeaps")) return;
  const ID3D12DescriptorHeap* set[2] = {};
  for (UINT i = 0; i < count; ++i) {
    if (heaps == nullptr || heaps[i] == nullptr) return invalid("SetDescriptorHeaps", "expected a heap, found null");
    const D3D12_DESCRIPTOR_HEAP_DESC desc = heaps[i]->GetDesc();
    if ((desc.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) == 0) {
      return invalid("SetDescriptorHeaps", fmt::format("heap {} is not shader visible", i));
    }
    if (std::exchange(set[desc.Type == D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER ? 1 : 0], heaps[i]) != nullptr) {
      return invalid("SetDescriptorHeaps", "two heaps of one type");
    }
  }
  std::copy(std::begin(set), std::end(set), state_.heaps);
}

void GraphicsCommandList::SetComputeRootSignature(ID3D12RootSignature* signature) {
  if (!begin(not_in_copies, "SetComputeRootSignature")) return;
  if (type_ != D3D12_COMMAND_LIST_TYPE_BUNDLE && signature != state_.arguments.compute.signature) {
    recording_->unbind_memory(MemoryBindings::compute_root, MemoryBindings::slots);
  }
  state_.arguments.compute.set_signature(signature);
}
void GraphicsCommandList::SetGraphicsRootSignature(ID3D12RootSignature* signature) {
  if (!begin(direct_and_bundle, "SetGraphicsRootSignature")) return;
  if (type_ != D3D12_COMMAND_LIST_TYPE_BUNDLE && signature != state_.arguments.graphics.signature) {
    recording_->unbind_memory(MemoryBindings::graphics_root, MemoryBindings::compute_root);
  }
  state_.arguments.graphics.set_signature(signature);
}
void GraphicsCommandList::set_table(const char* method, bool dispatches, UINT parameter,
                                    D3D12_GPU_DESCRIPTOR_HANDLE table) {
  if (device().descriptor_heaps().names_visible(table.ptr)) {
    state_.arguments.of(dispatches).set_descriptor(parameter, table.ptr);
    if (parameter < D3D12_MAX_ROOT_COST) recording_->bind_table(slot_of(dispatches, parameter), table.ptr);
    return;
  }
  error(E_INVALIDARG, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID, method,
        fmt::format("expected a GPU handle of a descriptor in a shader visible heap that is there, found {:#x}",
                    table.ptr));
}
void GraphicsCommandList::SetComputeRootDescriptorTable(UINT parameter, D3D12_GPU_DESCRIPTOR_HANDLE table) {
  const char* const method = "SetComputeRootDescriptorTable";
  if (begin(not_in_copies, method)) set_table(method, true, parameter, table);
}
void GraphicsCommandList::SetGraphicsRootDescriptorTable(UINT parameter, D3D12_GPU_DESCRIPTOR_HANDLE table) {
  const char* const method = "SetGraphicsRootDescriptorTable";
  if (begin(direct_and_bundle, method)) set_table(method, false, parameter, table);
}
void GraphicsCommandList::SetComputeRoot32BitConstant(UINT parameter, UINT value, UINT at) {
  SetComputeRoot32BitConstants(parameter, 1, &value, at);
}
void GraphicsCommandList::SetGraphicsRoot32BitConstant(UINT parameter, UINT value, UINT at) {
  SetGraphicsRoot32BitConstants(parameter, 1, &value, at);
}
void GraphicsCommandList::SetComputeRoot32BitConstants(UINT parameter, UINT count, const void* values, UINT at) {
  if (begin(not_in_copies, "SetComputeRoot32BitConstants")) {
    state_.arguments.compute.constants.set(parameter, count, values, at);
  }
}
void GraphicsCommandList::SetGraphicsRoot32BitConstants(UINT parameter, UINT count, const void* values, UINT at) {
  if (begin(direct_and_bundle, "SetGraphicsRoot32BitConstants")) {
    state_.arguments.graphics.constants.set(parameter, count, values, at);
  }
}
void GraphicsCommandList::SetComputeRootConstantBufferView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(not_in_copies, "SetComputeRootConstantBufferView"))
    set_root_descriptor(*recording_, state_.arguments, true, parameter, at);
}
void GraphicsCommandList::SetGraphicsRootConstantBufferView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(direct_and_bundle, "SetGraphicsRootConstantBufferView"))
    set_root_descriptor(*recording_, state_.arguments, false, parameter, at);
}
void GraphicsCommandList::SetComputeRootShaderResourceView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(not_in_copies, "SetComputeRootShaderResourceView"))
    set_root_descriptor(*recording_, state_.arguments, true, parameter, at);
}
void GraphicsCommandList::SetGraphicsRootShaderResourceView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(direct_and_bundle, "SetGraphicsRootShaderResourceView"))
    set_root_descriptor(*recording_, state_.arguments, false, parameter, at);
}
void GraphicsCommandList::SetComputeRootUnorderedAccessView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(not_in_copies, "SetComputeRootUnorderedAccessView"))
    set_root_descriptor(*recording_, state_.arguments, true, parameter, at);
}
void GraphicsCommandList::SetGraphicsRootUnorderedAccessView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) {
  if (begin(direct_and_bundle, "SetGraphicsRootUnorderedAccessView"))
    set_root_descriptor(*recording_, state_.arguments, false, parameter, at);
}
void GraphicsCommandList::IASetIndexBuffer(const D3D12_INDEX_BUFFER_VIEW* view) {
  if (!begin(direct_and_bundle, "IASetIndexBuffer")) return;
  if (view == nullptr) {
    if (bindings_ != nullptr) bindings_->set_index_buffer(nullptr);
    recording_->bind_memory(MemoryBindings::index_buffer, 0);
    return;
  }
  const bool known = view->Format == DXGI_FORMAT_R16_UINT || view->Format == DXGI_FORMAT_R32_UINT ||
                     view->Format == DXGI_FORMAT_UNKNOWN;
  if (bindings_ != nullptr && known) bindings_->set_index_buffer(view);
  if (known) recording_->bind_memory(MemoryBindings::index_buffer, view->BufferLocation);
  if (!known) invalid("IASetIndexBuffer", fmt::format("expected R16_UINT or R32_UINT, found format {}", view->Format));
}
void GraphicsCommandList::IASetVertexBuffers(UINT first, UINT count, const D3D12_VERTEX_BUFFER_VIEW* views) {
  if (!begin(direct_and_bundle, "IASetVertexBuffers")) return;
  constexpr UINT slots = D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT;
  if (first > slots || count > slots - first) {
    return invalid("IASetVertexBuffers",
                   fmt::format("expected slots below {}, found {} from {} on", slots, count, first));
  }
  for (UINT i = 0; i < count; ++i) {
    recording_->bind_memory(MemoryBindings::vertex_buffers + first + i, views != nullptr ? views[i].BufferLocation : 0);
  }
}
void GraphicsCommandList::SOSetTargets(UINT, UINT, const D3D12_STREAM_OUTPUT_BUFFER_VIEW*) {
  begin(direct_only, "SOSetTargets");
}
void GraphicsCommandList::OMSetRenderTargets(UINT count, const D3D12_CPU_DESCRIPTOR_HANDLE* targets, BOOL range,
                                             const D3D12_CPU_DESCRIPTOR_HANDLE* depth_stencil) {
  const char* const method = "OMSetRenderTargets";
  if (!begin(direct_only, method)) return;
  if (count > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT) {
    return invalid(method, fmt::format("expected at most 8 render targets, found {}", count));
  }
  if (count > 0 && targets == nullptr) return invalid(method, "expected render targets, found null");
  std::vector<D3D12_CPU_DESCRIPTOR_HANDLE> colors;
  for (UINT i = 0; i < count; ++i) {
    colors.push_back(range != FALSE ? D3D12_CPU_DESCRIPTOR_HANDLE{targets[0].ptr + SIZE_T{i} * descriptor_increment}
                                    : targets[i]);
  }
  if (const auto views = targets_at(colors, depth_stencil, method)) set_targets(*views);
}
void GraphicsCommandList::SetProtectedResourceSession(ID3D12ProtectedResourceSession* session) {
  if (!begin(not_in_bundles, "SetProtectedResourceSession") || session == nullptr) return;
  not_modelled("ID3D12GraphicsCommandList3::SetProtectedResourceSession");
}
void GraphicsCommandList::SetPipelineState1(ID3D12StateObject*) {
  if (begin(not_in_copies, "SetPipelineState1")) not_modelled("ID3D12GraphicsCommandList4::SetPipelineState1");
}

}  // namespace fenceline::d3d12
