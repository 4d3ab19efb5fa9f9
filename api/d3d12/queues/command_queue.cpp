// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/queues/command_queue.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/core/device_capture.hpp"
#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/gpu_clock.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/lists/execution.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/lists/removal_record.hpp"
#include "api/d3d12/queues/fence.hpp"
#include "api/d3d12/queues/swap_chain_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

std::optional<QueueType> type_of(D3D12_COMMAND_LIST_TYPE type) {
  switch (type) {
    case D3D12_COMMAND_LIST_TYPE_DIRECT: return QueueType::direct;
    case D3D12_COMMAND_LIST_TYPE_COMPUTE: return QueueType::compute;
    case D3D12_COMMAND_LIST_TYPE_COPY: return QueueType::copy;
    default: return {};
  }
}

std::optional<QueuePriority> priority_of(INT priority) {
  switch (priority) {
    case D3D12_COMMAND_QUEUE_PRIORITY_NORMAL: return QueuePriority::normal;
    case D3D12_COMMAND_QUEUE_PRIORITY_HIGH: return QueuePriority::high;
    case D3D12_COMMAND_QUEUE_PRIORITY_GLOBAL_REALTIME: return QueuePriority::global_realtime;
    default: return {};
  }
}

HRESULT refused(DeviceCore& device, D3D12_MESSAGE_ID id, const std::string& text) {
  device.message(D3D12_MESSAGE_SEVERITY_ERROR, id, "ID3D12Device::CreateCommandQueue: " + text);
  return E_INVALIDARG;
}

/// The queue waits until buffers of swap chains that the list writes have left the screen.
void await_back_buffers(DeviceCore& device, ContextId queue, const Recording& list) {
  for (const auto& buffer : list.back_buffers()) {
    if (buffer->frames->before_write(queue, *buffer)) continue;
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_WRONGSWAPCHAINBUFFERREFERENCE,
                   fmt::format("ID3D12CommandQueue::ExecuteCommandLists: a list writes buffer {} of a swap chain, and "
                               "Present comes to buffer {} next",
                               buffer->index, buffer->frames->current()));
  }
}

}  // namespace

CommandQueue::CommandQueue(DeviceCore& device, const D3D12_COMMAND_QUEUE_DESC& desc, QueueConfig config)
    : DeviceChild(device), desc_(desc), config_(std::move(config)), number_(device.next_queue_number()) {
  desc_.NodeMask = nodes_of(desc_.NodeMask);
  device.expect(*this);
}

void CommandQueue::on_last_release() {
  {
    const Host::Lock lock = Host::instance().lock();
    if (in_machine_) {
      device().machine().close_queue(queue_);
    } else {
      device().dismiss(*this);
    }
  }
  DeviceChild::on_last_release();
}

void CommandQueue::come_in() {
  config_.name = machine_name("queue", number_, name());
  queue_ = device().machine().create_queue(config_);
  in_machine_ = true;
}

/// Its number and the program's name for it.
std::string CommandQueue::full_name() const {
  const std::string given = name();
  return given.empty() ? fmt::format("queue{}", number_) : fmt::format("queue{} (\"{}\")", number_, given);
}

void CommandQueue::ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) {
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed() || count == 0) return;
  if (lists == nullptr) {
    device().message(D3D12_MESSAGE_SEVERITY_CORRUPTION, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER2,
                     fmt::format("ID3D12CommandQueue::ExecuteCommandLists: expected {} lists, found null", count));
    return;
  }
  std::vector<GraphicsCommandList*> ours;
  for (UINT i = 0; i < count; ++i) {
    auto* list = com_cast<GraphicsCommandList>(lists[i]);
    ExecuteRefusal refusal = list == nullptr ? ExecuteRefusal{} : list->refusal(desc_.Type, desc_.NodeMask);
    if (refusal.id == D3D12_MESSAGE_ID_UNKNOWN && std::find(ours.begin(), ours.end(), list) != ours.end()) {
      refusal = {D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC, "is in the call twice", true};
    }
    if (list == nullptr) {
      device().message(D3D12_MESSAGE_SEVERITY_CORRUPTION, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER2,
                       fmt::format("ID3D12CommandQueue::ExecuteCommandLists: list {} is null", i));
      return;
    }
    if (refusal.id != D3D12_MESSAGE_ID_UNKNOWN) {
      device().message(D3D12_MESSAGE_SEVERITY_ERROR, refusal.id,
                       fmt::format("ID3D12CommandQueue::ExecuteCommandLists: list {} {}", i, refusal.text));
      if (refusal.removes_device) device().remove(DXGI_ERROR_INVALID_CALL);
      return;
    }
    ours.push_back(list);
  }
  DeviceCapture::submits();
  const bool each_use = device().machine().is_paging();
  PgoDriver* const driver = device().machine().pgo_driver("");
  for (GraphicsCommandList* list : ours) {
    await_back_buffers(device(), queue_, *list->recording());
    auto execution = std::make_shared<Execution>(list->executed_recording(each_use), device().hazards(), driver);
    const std::uint64_t packet = device().machine().execute(
        queue_, std::shared_ptr<const CommandStream>(execution, &execution->stream()), execution, execution);
    if (execution->access_times()) device().hazards()->submitted(packet, full_name(), execution->access_times());
    if (execution->breadcrumbs() != nullptr) device().removal_record().add(list, list->name(), this, name(), execution);
  }
  Host::instance().notify();
}

HRESULT CommandQueue::Signal(ID3D12Fence* fence, UINT64 value) {
  if (fence == nullptr) return E_INVALIDARG;
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return DXGI_ERROR_DEVICE_REMOVED;
  const Fence* const ours = fence_of(device(), fence, "ID3D12CommandQueue::Signal");
  if (ours == nullptr) return E_INVALIDARG;
  device().machine().signal(queue_, ours->id(), value);
  Host::instance().notify();
  return S_OK;
}

HRESULT CommandQueue::Wait(ID3D12Fence* fence, UINT64 value) {
  if (fence == nullptr) return E_INVALIDARG;
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return DXGI_ERROR_DEVICE_REMOVED;
  const Fence* const ours = fence_of(device(), fence, "ID3D12CommandQueue::Wait");
  if (ours == nullptr) return E_INVALIDARG;
  device().machine().wait(queue_, ours->id(), value);
  Host::instance().notify();
  return S_OK;
}

HRESULT CommandQueue::GetTimestampFrequency(UINT64* frequency) {
  if (frequency == nullptr) return E_INVALIDARG;
  *frequency = timestamp_frequency;
  return S_OK;
}

HRESULT CommandQueue::GetClockCalibration(UINT64* gpu_timestamp, UINT64* cpu_timestamp) {
  if (gpu_timestamp == nullptr || cpu_timestamp == nullptr) return E_INVALIDARG;
  const Host::Lock lock = device().enter(device().costs().poll_ps);
  const std::uint64_t now_ps = device().machine().now_ps();
  *gpu_timestamp = timestamp_ticks(now_ps);
  *cpu_timestamp = now_ps / ps_per_counter_tick;
  return S_OK;
}

HRESULT create_command_queue(DeviceCore& device, const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid, void** place) {
  if (desc == nullptr) return E_INVALIDARG;
  const auto type = type_of(desc->Type);
  const auto priority = priority_of(desc->Priority);
  constexpr UINT known = D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT;
  if (!type) {
    return refused(
        device, D3D12_MESSAGE_ID_CREATE_QUEUE_INVALID_TYPE,
        fmt::format("expected type DIRECT (0), COMPUTE (2) or COPY (3), found {}", static_cast<int>(desc->Type)));
  }
  if (!priority) {
    return refused(device, D3D12_MESSAGE_ID_CREATE_QUEUE_INVALID_PRIORITY,
                   fmt::format("expected priority 0, 100 or 10000, found {}", desc->Priority));
  }
  if ((static_cast<UINT>(desc->Flags) & ~known) != 0) {
    return refused(device, D3D12_MESSAGE_ID_CREATE_QUEUE_INVALID_FLAGS,
                   fmt::format("expected flags among {}, found {}", known, static_cast<UINT>(desc->Flags)));
  }
  Host::Lock lock = device.enter(device.costs().call_ps);
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  QueueConfig config;
  config.type = *type;
  config.priority = *priority;
  config.path = device.submission_path();
  if (const HRESULT nodes = check_one_node(device, desc->NodeMask, "ID3D12Device::CreateCommandQueue"); nodes != S_OK) {
    return nodes;
  }
  config.disable_gpu_timeout = (desc->Flags & D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT) != 0;
  config.node_mask = nodes_of(desc->NodeMask);
  const std::string reason = refusal(config, device.machine().config());
  if (!reason.empty()) return refused(device, D3D12_MESSAGE_ID_CREATE_QUEUE_INVALID_TYPE, reason);
  device.begin_output();
  auto* const made = new CommandQueue(device, *desc, config);
  lock.unlock();  // it may die at once
  return give_out(made, iid, place);
}

}  // namespace fenceline::d3d12
