// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that make shaders run.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/resource.hpp"
#include "api/d3d12/root/command_signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t most_mesh_groups = 1U << 22;  // D3D12's, of one DispatchMesh

/// The last command has them bound; a bundle's those of the list that executes it, too.
void bind(Recording& recording, D3D12_COMMAND_LIST_TYPE type, BoundArguments& arguments, bool dispatches,
          bool sets_constants = false) {
  if (type == D3D12_COMMAND_LIST_TYPE_BUNDLE) {
    recording.bind_in_bundle(arguments.of(dispatches), dispatches);
  } else {
    recording.bind(arguments.of(dispatches), sets_constants);
  }
}

}  // namespace

/// Index of the current pipeline state in the stream's list of its kind; `no_index` and a message when it is of the
/// other kind, or there is none: D3D12 drops such a call, and closes the list none the less.
template <class Pipeline>
std::uint32_t GraphicsCommandList::pipeline_in(std::vector<Pipeline>& pipelines, const char* method, const char* kind,
                                               const std::optional<Pipeline>& (PipelineState::*cost)() const) {
  if (!state_.pipeline || !(state_.pipeline.get()->*cost)()) {
    complain(D3D12_MESSAGE_ID_COMMAND_LIST_PIPELINE_STATE_NOT_SET, method,
             fmt::format("no {} pipeline state is set", kind));
    return no_index;
  }
  if (state_.pipeline_index != no_index) return state_.pipeline_index;
  const auto known = std::find_if(pipelines_.begin(), pipelines_.end(),
                                  [&](const auto& one) { return one.first.get() == state_.pipeline.get(); });
  if (known != pipelines_.end()) return state_.pipeline_index = known->second;
  state_.pipeline_index = static_cast<std::uint32_t>(pipelines.size());
  pipelines.push_back(*(state_.pipeline.get()->*cost)());
  if (const std::string given = state_.pipeline->name(); !given.empty()) pipelines.back().name = given;
  recording_->table_reads_of(pipelines).push_back(state_.pipeline->table_reads());
  recording_->measured_of(pipelines).push_back(state_.pipeline->measured());
  pipelines_.emplace_back(state_.pipeline, state_.pipeline_index);
  return state_.pipeline_index;
}

std::uint32_t GraphicsCommandList::graphics_pipeline(const char* method) {
  if (state_.pipeline && state_.pipeline->mesh().threads > 0) {
    invalid(method, "no graphics pipeline state is set, but a mesh shader's");
    return no_index;
  }
  return pipeline_in(recording_->stream().graphics_pipelines, method, "graphics", &PipelineState::graphics);
}

std::uint32_t GraphicsCommandList::mesh_pipeline(const char* method) {
  if (!state_.pipeline || state_.pipeline->mesh().threads == 0) {
    invalid(method, "no pipeline state of a mesh shader is set");
    return no_index;
  }
  return pipeline_in(recording_->stream().graphics_pipelines, method, "mesh", &PipelineState::graphics);
}

std::uint32_t GraphicsCommandList::compute_pipeline(const char* method) {
  return pipeline_in(recording_->stream().compute_pipelines, method, "compute", &PipelineState::compute);
}

template <class Arguments>
void GraphicsCommandList::draw(const Arguments& arguments, const char* method) {
  if (!begin(direct_and_bundle, method)) return;
  const std::uint32_t pipeline = graphics_pipeline(method);
  if (pipeline == no_index) return;
  if (bindings_ != nullptr) watch_draw(method, arguments);
  recording_->add(draw_command({pipeline, state_.topology, state_.area.pixels(), {}}, arguments));
  bind(*recording_, type_, state_.arguments, false);
}

void GraphicsCommandList::DrawInstanced(UINT vertices, UINT instances, UINT first_vertex, UINT first_instance) {
  draw(D3D12_DRAW_ARGUMENTS{vertices, instances, first_vertex, first_instance}, "DrawInstanced");
}

void GraphicsCommandList::DrawIndexedInstanced(UINT indices, UINT instances, UINT first_index, INT base_vertex,
                                               UINT first_instance) {
  draw(D3D12_DRAW_INDEXED_ARGUMENTS{indices, instances, first_index, base_vertex, first_instance},
       "DrawIndexedInstanced");
}

void GraphicsCommandList::Dispatch(UINT x, UINT y, UINT z) {
  if (!begin(not_in_copies, "Dispatch")) return;
  // Of one dimension it may be any number: newer headers have Max1DDispatchSize of D3D12_OPTIONS22.
  const bool line = y <= 1 && z <= 1;
  for (const UINT groups : {line ? 1 : x, y, z}) {
    if (groups <= D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION) continue;
    return invalid("Dispatch",
                   fmt::format("expected at most 65535 groups in each of several directions, found {}", groups));
  }
  const std::uint32_t pipeline = compute_pipeline("Dispatch");
  if (pipeline == no_index) return;
  if (x == 0 || y == 0 || z == 0) return;
  recording_->add(dispatch_command({pipeline, {}, 0, {}}, {x, y, z}));
  bind(*recording_, type_, state_.arguments, true);
}

void GraphicsCommandList::DispatchMesh(UINT x, UINT y, UINT z) {
  const char* const method = "DispatchMesh";
  if (!begin(direct_and_bundle, method)) return;
  for (const UINT groups : {x, y, z}) {
    if (groups <= D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION) continue;
    return invalid(method, fmt::format("expected at most 65535 groups in each direction, found {}", groups));
  }
  if (std::uint64_t{x} * y * z > most_mesh_groups) {
    return invalid(method, fmt::format("expected at most {} groups, found {} * {} * {}", most_mesh_groups, x, y, z));
  }
  const std::uint32_t pipeline = mesh_pipeline(method);
  if (pipeline == no_index || x == 0 || y == 0 || z == 0) return;
  if (bindings_ != nullptr) watch_draw(method, 1, false, 0, 0);
  recording_->add(mesh_command({pipeline, state_.topology, state_.area.pixels(), state_.pipeline->mesh()}, {x, y, z}));
  bind(*recording_, type_, state_.arguments, false);
}

void GraphicsCommandList::ExecuteIndirect(ID3D12CommandSignature* signature, UINT most, ID3D12Resource* arguments,
                                          UINT64 arguments_offset, ID3D12Resource* count, UINT64 count_offset) {
  const char* const method = "ExecuteIndirect";
  if (!begin(not_in_copies, method)) return;
  const auto wrong = [&](const std::string& text) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_EXECUTE_INDIRECT_INVALID_PARAMETERS, method, text);
  };
  auto* const call = com_cast<CommandSignature>(signature);
  auto* const buffer = com_cast<Resource>(arguments);
  auto* const count_buffer = com_cast<Resource>(count);
  if (call == nullptr || buffer == nullptr) return wrong("expected a signature and an argument buffer, found null");
  if (arguments_offset % 4 != 0 || count_offset % 4 != 0) return wrong("offsets are multiples of 4 bytes");
  const bool bundle = type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE;
  if (bundle && (count_buffer != nullptr || call->operations() > 1)) {
    return wrong("in a bundle without a count buffer and with one operation alone");
  }
  const std::uint64_t needed = most == 0 ? 0 : std::uint64_t{most - 1} * call->stride() + call->arguments_bytes();
  if (!buffer->is_buffer() || arguments_offset > buffer->bytes() || needed > buffer->bytes() - arguments_offset) {
    return wrong(fmt::format("the argument buffer has {} bytes, and {} from {} on are needed", buffer->bytes(), needed,
                             arguments_offset));
  }
  if (count_buffer != nullptr &&
      (!count_buffer->is_buffer() || count_buffer->bytes() < 4 || count_offset > count_buffer->bytes() - 4)) {
    return wrong("the count lies outside of its buffer");
  }
  const bool dispatches = call->operation() == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
  if (dispatches ? type_ == D3D12_COMMAND_LIST_TYPE_COPY : type_ == D3D12_COMMAND_LIST_TYPE_COMPUTE) {
    return wrong("the list's type has no such command");
  }
  const bool meshes = call->operation() == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH;
  const std::uint32_t pipeline = dispatches ? compute_pipeline(method)
                                 : meshes   ? mesh_pipeline(method)
                                            : graphics_pipeline(method);
  if (pipeline == no_index) return;
  Recording::Indirect indirect;
  needs(*buffer, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT);
  if (count_buffer != nullptr) needs(*count_buffer, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT);
  indirect.arguments = buffer->at(arguments_offset);
  indirect.arguments_bytes = buffer->bytes() - arguments_offset;
  if (count_buffer != nullptr) indirect.count = count_buffer->at(count_offset);
  indirect.most = most;
  indirect.stride = call->stride();
  indirect.operation_offset = call->operation_offset();
  indirect.operation = call->operation();
  indirect.state = {pipeline, state_.topology, state_.area.pixels(), state_.pipeline->mesh()};
  if (!call->constants().empty()) {
    indirect.constants = {call->constants(), state_.arguments.of(dispatches).constants};
  }
  if (bindings_ != nullptr && buffer->accessed() != nullptr) {
    const std::size_t command = recording_->stream().commands.size();
    recording_->accesses()->add_arguments(command, call->stride(), call->arguments_bytes(),
                                          buffer_part(*buffer, arguments_offset, needed));
    if (!dispatches) watch_draw(method, most, false, 0, 0);
  }
  if (count_buffer != nullptr) reads(method, [&] { return buffer_part(*count_buffer, count_offset, sizeof(UINT)); });
  recording_->add_indirect(indirect, buffer->in_host());
  bind(*recording_, type_, state_.arguments, dispatches, !call->constants().empty());
}

}  // namespace fenceline::d3d12
