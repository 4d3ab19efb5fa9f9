// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/application_budget.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/host/host.hpp"
#include "scheduler/residency/budget.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr UINT most_processes = 1000;

/// They change at the caller's clock; whoever listens hears of it if the budget does.
template <class Change>
void change_peers(DeviceCore& device, Change change) {
  VideoMemory& memory = *device.video_memory();
  {
    const Host::Lock lock = device.enter(device.costs().call_ps);
    BudgetPeers peers = memory.peers();
    change(peers);
    device.machine().set_background_processes({}, peers.count, !peers.have_focus);
    if (!memory.share_with(peers)) return;
    memory.listeners().set_events();
    Host::instance().notify();
  }
  memory.listeners().call();
}

}  // namespace

HRESULT set_background_processes(ID3D12Device* device, UINT count) {
  auto* const ours = com_cast<Device>(static_cast<ID3D12Device11*>(device));
  if (ours == nullptr) return E_INVALIDARG;
  if (count > most_processes) {
    ours->message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER2,
                  fmt::format("set_background_processes: expected at most {}, found {}", most_processes, count));
    return E_INVALIDARG;
  }
  change_peers(*ours, [count](BudgetPeers& peers) { peers.count = count; });
  return S_OK;
}

HRESULT set_application_focus(ID3D12Device* device, BOOL focus) {
  auto* const ours = com_cast<Device>(static_cast<ID3D12Device11*>(device));
  if (ours == nullptr) return E_INVALIDARG;
  change_peers(*ours, [focus](BudgetPeers& peers) { peers.have_focus = focus == FALSE; });
  return S_OK;
}

}  // namespace fenceline::d3d12
