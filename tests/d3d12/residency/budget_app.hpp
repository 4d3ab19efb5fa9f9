// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/application_budget.hpp"
#include "tests/d3d12/residency/residency_app.hpp"

#include <string>

namespace fenceline::testing {

/// 80 percent are 8 MiB; the rest is 2.
inline const std::string budget_memory =
    std::string(slow_pcie) + "/video_memory/dedicated_mib=10\n/video_memory/shared_mib=64";

/// A program with a queue.
struct BudgetApp {
  BudgetApp() : memory(app), queue(app.queue(direct_type)) {}
  HRESULT others(UINT count) const { return fenceline::d3d12::set_background_processes(app.device.Get(), count); }
  HRESULT focus(bool has) const {
    return fenceline::d3d12::set_application_focus(app.device.Get(), has ? TRUE : FALSE);
  }
  UINT64 budget() const { return memory.local().Budget; }
  UINT64 dxcore_budget() const {
    ComPtr<IDXCoreAdapterFactory> factory;
    REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK);
    ComPtr<IDXCoreAdapter> adapter;
    REQUIRE(factory->GetAdapterByLuid(app.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup details{0, DXCoreSegmentGroup::Local};
    DXCoreAdapterMemoryBudget found{};
    REQUIRE(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, sizeof details, &details, sizeof found,
                                &found) == S_OK);
    return found.budget;
  }
  DWORD registered(const Event& event) const {
    DWORD cookie = 0;
    REQUIRE(memory.adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(event.handle, &cookie) == S_OK);
    return cookie;
  }

  App app;
  VideoMemoryOf memory;
  ComPtr<ID3D12CommandQueue> queue;
};

}  // namespace fenceline::testing
