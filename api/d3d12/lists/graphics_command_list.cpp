// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that open and close it and hand it on.
#include "api/d3d12/lists/graphics_command_list.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/lists/removal_record.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace fenceline::d3d12 {
namespace {

/// CommandStream::number of the next one that is closed.
std::atomic<std::uint64_t> next_recording{1};

const char* name_of(D3D12_COMMAND_LIST_TYPE type) {
  switch (type) {
    case D3D12_COMMAND_LIST_TYPE_DIRECT: return "direct";
    case D3D12_COMMAND_LIST_TYPE_BUNDLE: return "bundle";
    case D3D12_COMMAND_LIST_TYPE_COMPUTE: return "compute";
    case D3D12_COMMAND_LIST_TYPE_COPY: return "copy";
    default: return "unknown";
  }
}

bool is_list_type(D3D12_COMMAND_LIST_TYPE type) { return type >= 0 && type <= D3D12_COMMAND_LIST_TYPE_COPY; }

}  // namespace

GraphicsCommandList::GraphicsCommandList(DeviceCore& device, UINT node, CommandAllocator& allocator,
                                         ID3D12PipelineState* initial_state)
    : DeviceChild(device), type_(allocator.type()), node_(node) {
  open(allocator, initial_state);
}

GraphicsCommandList::~GraphicsCommandList() {
  // A list that dies while it records leaves its allocator to others.
  if (recording_now_) allocator_->end(*this);
}

void GraphicsCommandList::open(CommandAllocator& allocator, ID3D12PipelineState* initial_state) {
  recording_.reset();  // the allocator may use it again
  recording_ = allocator.begin(*this);
  if (DeviceCore::debug_layer()) {
    recording_->check_states(type_class_of(type_), [of = &device()](const std::string& resource,
                                                                    const StateProblem& problem) {
      of->message(D3D12_MESSAGE_SEVERITY_ERROR, problem.id,
                  fmt::format("ID3D12CommandQueue::ExecuteCommandLists: resource \"{}\": {}", resource, problem.text));
    });
  }
  if (device().hazards() != nullptr) recording_->watch();
  bindings_ = recording_->accesses() != nullptr ? std::make_unique<DrawBindings>() : nullptr;
  recording_->set_breadcrumbs(device().removal_record().new_breadcrumbs());
  recording_->stream().name = name();
  if (recording_->stream().name.empty()) recording_->stream().name = fmt::format("{} list", name_of(type_));
  allocator_ = Held<CommandAllocator>(&allocator);
  allocator_resets_ = allocator.resets();
  recording_now_ = true;
  in_render_pass_ = false;
  unmatched_query_ = false;
  suspended_.reset();
  error_ = S_OK;
  pipelines_.clear();
  open_queries_.clear();
  state_ = {};
  state_.pipeline = Held<PipelineState>(com_cast<PipelineState>(initial_state));
}

bool GraphicsCommandList::begin(MethodLists types, const char* method) {
  Host::spend(device().costs().record_ps);
  if (!recording_now_) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                     fmt::format("ID3D12GraphicsCommandList::{}: the list is closed", method));
    return false;
  }
  if (in_render_pass_ && !allowed_in_pass(method)) {
    error(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED, method, "not allowed in a render pass");
    return false;
  }
  if (types.contains(type_)) {
    if (Breadcrumbs* const breadcrumbs = recording_->breadcrumbs()) {
      breadcrumbs->add(method, recording_->stream().commands.size());
    }
    return true;
  }
  const bool bundle = type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE;
  // D3D12 has an id of its own for bundles alone.
  error(E_FAIL, bundle ? D3D12_MESSAGE_ID_INVALID_BUNDLE_API : D3D12_MESSAGE_ID_UNKNOWN, method,
        fmt::format("not allowed on a {}", bundle ? "bundle" : fmt::format("{} command list", name_of(type_))));
  return false;
}

void GraphicsCommandList::complain(D3D12_MESSAGE_ID id, const char* method, const std::string& text) {
  device().message(D3D12_MESSAGE_SEVERITY_ERROR, id, fmt::format("ID3D12GraphicsCommandList::{}: {}", method, text));
}

void GraphicsCommandList::error(HRESULT result, D3D12_MESSAGE_ID id, const char* method, const std::string& text) {
  complain(id, method, text);
  if (error_ == S_OK) error_ = result;
}

void GraphicsCommandList::needs(const Resource& resource, D3D12_RESOURCE_STATES state, UINT first, UINT count) {
  StateSteps* const steps = recording_->states();
  if (steps != nullptr) steps->add_access(resource.states(), resource.name(), first, count, state);
  constexpr UINT writes = D3D12_RESOURCE_STATE_RENDER_TARGET | D3D12_RESOURCE_STATE_UNORDERED_ACCESS |
                          D3D12_RESOURCE_STATE_COPY_DEST | D3D12_RESOURCE_STATE_RESOLVE_DEST;
  if ((static_cast<UINT>(state) & writes) != 0) recording_->add_back_buffer(resource.back_buffer());
}

HRESULT GraphicsCommandList::Close() {
  Host::spend(device().costs().record_ps);
  if (!recording_now_) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                     "ID3D12GraphicsCommandList::Close: the list is closed");
    return E_FAIL;
  }
  if (in_render_pass_) {
    error(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_CLOSE_COMMAND_LIST, "Close", "a render pass has not ended");
  }
  if (!open_queries_.empty()) {
    complain(D3D12_MESSAGE_ID_CLOSE_COMMAND_LIST_OPEN_QUERY, "Close", "a query has not ended");
    unmatched_query_ = true;
  }
  if (const std::size_t open = type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE ? 0 : recording_->end_events(); open > 0) {
    device().message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_UNKNOWN,
                     fmt::format("ID3D12GraphicsCommandList::Close: {} event(s) have not ended, and end here", open));
  }
  if (const std::string given = name(); !given.empty()) recording_->stream().name = given;
  recording_->stream().number = next_recording++;
  recording_now_ = false;
  allocator_->end(*this);
  if (error_ == S_OK && device().removed()) error_ = DXGI_ERROR_DEVICE_REMOVED;
  unusable_ = error_;
  return error_;
}

HRESULT GraphicsCommandList::Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState* initial_state) {
  Host::spend(device().costs().record_ps);
  if (unusable_ != S_OK) return unusable_;
  auto* const into = com_cast<CommandAllocator>(allocator);
  if (into == nullptr) return E_INVALIDARG;
  const auto refuse = [&](HRESULT result, D3D12_MESSAGE_ID id, const char* text) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, id, fmt::format("ID3D12GraphicsCommandList::Reset: {}", text));
    return result;
  };
  if (recording_now_) return refuse(E_FAIL, D3D12_MESSAGE_ID_COMMAND_LIST_OPEN, "the list is not closed");
  if (into->type() != type_) {
    return refuse(E_INVALIDARG, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE, "the allocator is of another type");
  }
  if (into->recording_list() != nullptr) {
    return refuse(E_INVALIDARG, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION,
                  "another list is recording into the allocator");
  }
  open(*into, initial_state);
  return S_OK;
}

void GraphicsCommandList::ClearState(ID3D12PipelineState* pipeline) {
  if (!begin(direct_and_compute, "ClearState")) return;
  state_ = {};
  state_.pipeline = Held<PipelineState>(com_cast<PipelineState>(pipeline));
  if (bindings_ != nullptr) bindings_->clear();
  recording_->unbind_memory(0, MemoryBindings::slots);
}

void GraphicsCommandList::ExecuteBundle(ID3D12GraphicsCommandList* list) {
  if (!begin(direct_only, "ExecuteBundle")) return;
  const auto* const bundle = com_cast<GraphicsCommandList>(list);
  if (bundle == nullptr || bundle->type_ != D3D12_COMMAND_LIST_TYPE_BUNDLE) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE, "ExecuteBundle", "expected a bundle");
    return;
  }
  const auto refuse = [&](D3D12_MESSAGE_ID id, const char* text) { error(E_INVALIDARG, id, "ExecuteBundle", text); };
  if (bundle->node_ != node_) return refuse(D3D12_MESSAGE_ID_NODE_MASK_MISMATCH, "the bundle is of another node");
  if (bundle->recording_now_ || bundle->recording_ == nullptr) {
    return refuse(D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE, "the bundle is not closed");
  }
  if (bundle->error_ != S_OK) {
    return refuse(D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE, "the bundle could not be closed");
  }
  if (bundle->allocator_->resets() != bundle->allocator_resets_) {
    return refuse(D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC,
                  "the bundle was recorded into an allocator that has been reset since");
  }
  for (const int kind : {0, 1}) {
    const auto* const heap = bundle->state_.heaps[kind];
    if (heap != nullptr && heap != state_.heaps[kind]) {
      return refuse(D3D12_MESSAGE_ID_EXECUTE_BUNDLE_DESCRIPTOR_HEAP_MISMATCH,
                    "the bundle sets a descriptor heap that is not the list's");
    }
  }
  // All state but the pipeline state and the topology goes in; all that the bundle sets comes out.
  if (bindings_ != nullptr && bundle->bindings_ != nullptr) {
    bindings_->draw_bundle(*recording_->accesses(), recording_->stream().commands.size(), *bundle->bindings_,
                           state_.area.scissored());
  }
  recording_->append(*bundle->recording_, state_.area.pixels(), state_.arguments);
  for (const bool dispatches : {false, true}) {
    state_.arguments.of(dispatches).take(bundle->state_.arguments.of(dispatches));
  }
  if (bundle->state_.pipeline) {
    state_.pipeline = bundle->state_.pipeline;
    state_.pipeline_index = no_index;
  }
  if (bundle->state_.topology != D3D_PRIMITIVE_TOPOLOGY_UNDEFINED) state_.topology = bundle->state_.topology;
}

ExecuteRefusal GraphicsCommandList::refusal(D3D12_COMMAND_LIST_TYPE queue_type, UINT queue_node) const {
  if (type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE) {
    return {D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_BUNDLENOTSUPPORTED, "is a bundle", false};
  }
  if (type_ != queue_type) {
    return {D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH,
            fmt::format("is a {} list on a {} queue", name_of(type_), name_of(queue_type)), false};
  }
  if (node_ != queue_node) {
    return {D3D12_MESSAGE_ID_NODE_MASK_MISMATCH,
            fmt::format("is of node mask {:#x} on a queue of {:#x}", node_, queue_node), false};
  }
  if (recording_now_ || recording_ == nullptr) {
    return {D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_OPENCOMMANDLIST, "is not closed", true};
  }
  if (error_ != S_OK) return {D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST, "could not be closed", false};
  if (unmatched_query_) {
    return {D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST, "has queries without a beginning or an end", true};
  }
  if (allocator_->resets() != allocator_resets_) {
    return {D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC, "was recorded into an allocator that has been reset since", true};
  }
  if (recording_->executions() > 0) {
    return {D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC, "is still executing from an earlier call", true};
  }
  return {};
}

HRESULT create_command_list(DeviceCore& device, UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                            ID3D12CommandAllocator* allocator, ID3D12PipelineState* initial_state, REFIID iid,
                            void** list) {
  Host::spend(device.costs().call_ps);
  auto* const into = com_cast<CommandAllocator>(allocator);
  if (into == nullptr || !is_list_type(type) || into->type() != type) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
                   "ID3D12Device::CreateCommandList: expected an allocator of the list's type");
    return E_INVALIDARG;
  }
  if (const HRESULT nodes = check_one_node(device, node_mask, "ID3D12Device::CreateCommandList"); nodes != S_OK) {
    return nodes;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (into->recording_list() != nullptr) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION,
                   "ID3D12Device::CreateCommandList: another list is recording into the allocator");
    return E_INVALIDARG;
  }
  return give_out(new GraphicsCommandList(device, nodes_of(node_mask), *into, initial_state), iid, list);
}

HRESULT create_closed_command_list(DeviceCore& device, UINT node_mask, D3D12_COMMAND_LIST_TYPE type, REFIID iid,
                                   void** list) {
  Host::spend(device.costs().call_ps);
  if (!is_list_type(type)) return E_INVALIDARG;
  if (const HRESULT nodes = check_one_node(device, node_mask, "ID3D12Device4::CreateCommandList1"); nodes != S_OK) {
    return nodes;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  return give_out(new GraphicsCommandList(device, nodes_of(node_mask), type), iid, list);
}

}  // namespace fenceline::d3d12
