// SPDX-License-Identifier: Apache-2.0
// Budgets beside other processes, beside budget_blind_test.cpp: what is refused, who outlives whom, and callbacks that
// call.
#include "scheduler/residency/budget.hpp"
#include "tests/d3d12/residency/budget_app.hpp"

#include <cstdint>
#include <functional>

using namespace fenceline::testing;

namespace {

constexpr auto budget_change = DXCoreNotificationType::AdapterBudgetChange;

/// An adapter of DXCore's, whose notifications a function hears.
struct Listener {
  explicit Listener(ID3D12Device* device) {
    REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK);
    REQUIRE(factory->GetAdapterByLuid(device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  }
  HRESULT listen(std::function<void()> call) {
    hears = std::move(call);
    return factory->RegisterEventNotification(adapter.Get(), budget_change, &Listener::called, this, &cookie);
  }
  static void STDMETHODCALLTYPE called(DXCoreNotificationType, IUnknown*, void* context) {
    static_cast<Listener*>(context)->hears();
  }

  ComPtr<IDXCoreAdapterFactory> factory;
  ComPtr<IDXCoreAdapter> adapter;
  std::function<void()> hears;
  std::uint32_t cookie = 0;
};

}  // namespace

TEST_CASE("residency: budgets beside other processes are no null device's", "[d3d12][residency]") {
  CHECK(fenceline::d3d12::set_background_processes(nullptr, 1) == E_INVALIDARG);
  CHECK(fenceline::d3d12::set_application_focus(nullptr, FALSE) == E_INVALIDARG);
}

TEST_CASE("residency: an adapter's next device has the budget that the last one was told of", "[d3d12][residency]") {
  if (!runs_with(budget_memory)) return;
  ComPtr<ID3D12Heap> heap;
  {
    const BudgetApp app;
    REQUIRE(app.focus(false) == S_OK);
    REQUIRE(app.others(2) == S_OK);
    CHECK(app.budget() == mib);
  }
  const BudgetApp again;
  CHECK(again.budget() == mib);
  const auto fence = again.memory.app.fence();
  const auto over = again.memory.not_resident(2 * mib);
  const auto deny = D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET;
  CHECK(again.memory.enqueue({over.Get()}, fence.Get(), 1, deny) == E_OUTOFMEMORY);
  REQUIRE(again.others(0) == S_OK);
  CHECK(again.memory.enqueue({over.Get()}, fence.Get(), 1, deny) == S_OK);
}

TEST_CASE("residency: the sizes of an adapter and what may be reserved are no budget", "[d3d12][residency]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  REQUIRE(app.others(1) == S_OK);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 2 * mib);
  DXGI_ADAPTER_DESC desc{};
  REQUIRE(app.memory.adapter->GetDesc(&desc) == S_OK);
  CHECK(desc.DedicatedVideoMemory == 10 * mib);
  CHECK(app.memory.local().AvailableForReservation == 5 * mib);
}

TEST_CASE("residency: an event that has been closed is not set for a budget", "[d3d12][residency]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  DWORD cookie = 0;
  {
    const Event closed;
    cookie = app.registered(closed);
  }
  const Event other;  // has its handle, perhaps
  REQUIRE(app.others(1) == S_OK);
  CHECK_FALSE(other.is_set());
  app.memory.adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
}

TEST_CASE("residency: DXCore refuses notifications that it does not have", "[d3d12][residency]") {
  const App app;
  Listener listener(app.device.Get());
  IDXCoreAdapterFactory& factory = *listener.factory.Get();
  CHECK(factory.IsNotificationTypeSupported(budget_change));
  for (const auto type :
       {DXCoreNotificationType::AdapterListStale, DXCoreNotificationType::AdapterNoLongerValid,
        DXCoreNotificationType::AdapterHardwareContentProtectionTeardown, static_cast<DXCoreNotificationType>(77)}) {
    listener.cookie = 7;
    CHECK_FALSE(factory.IsNotificationTypeSupported(type));
    CHECK(factory.RegisterEventNotification(listener.adapter.Get(), type, &Listener::called, &listener,
                                            &listener.cookie) == DXGI_ERROR_INVALID_CALL);
    CHECK(listener.cookie == 0);
  }
  std::uint32_t cookie = 7;
  CHECK(factory.RegisterEventNotification(nullptr, budget_change, &Listener::called, &listener, &cookie) ==
        E_INVALIDARG);
  CHECK(cookie == 0);
  CHECK(factory.RegisterEventNotification(&factory, budget_change, &Listener::called, &listener, &cookie) ==
        E_INVALIDARG);
  CHECK(factory.RegisterEventNotification(listener.adapter.Get(), budget_change, nullptr, &listener, &cookie) ==
        E_POINTER);
  CHECK(factory.RegisterEventNotification(listener.adapter.Get(), budget_change, &Listener::called, &listener,
                                          nullptr) == E_POINTER);
  CHECK(factory.UnregisterEventNotification(0) == E_INVALIDARG);
  CHECK(factory.UnregisterEventNotification(123456) == E_INVALIDARG);
}

TEST_CASE("residency: DXCore's callbacks may ask and change and end themselves", "[d3d12][residency]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  Listener listener(app.app.device.Get());
  REQUIRE(app.focus(true) == S_OK);  // the adapter remembers
  REQUIRE(app.others(0) == S_OK);
  int calls = 0;
  SECTION("they find their cookie and the new budget") {
    UINT64 found = 0;
    REQUIRE(listener.listen([&] {
      ++calls;
      CHECK(listener.cookie != 0);
      found = app.dxcore_budget();
    }) == S_OK);
    CHECK(found == 10 * mib);
    REQUIRE(app.others(1) == S_OK);
    CHECK(found == 8 * mib);
    CHECK(calls == 2);
    REQUIRE(listener.factory->UnregisterEventNotification(listener.cookie) == S_OK);
  }
  SECTION("a change from inside calls once more behind it") {
    bool inside = false;
    REQUIRE(listener.listen([&] {
      CHECK_FALSE(inside);
      inside = true;
      if (++calls == 2) CHECK(app.focus(false) == S_OK);
      inside = false;
    }) == S_OK);
    REQUIRE(app.others(1) == S_OK);
    CHECK(calls == 3);
    CHECK(app.budget() == 2 * mib);
    REQUIRE(listener.factory->UnregisterEventNotification(listener.cookie) == S_OK);
  }
  SECTION("they end at once where they say so") {
    REQUIRE(listener.listen([&] {
      ++calls;
      CHECK(listener.factory->UnregisterEventNotification(listener.cookie) == S_OK);
    }) == S_OK);
    REQUIRE(app.others(1) == S_OK);
    CHECK(calls == 1);
    CHECK(listener.factory->UnregisterEventNotification(listener.cookie) == E_INVALIDARG);
  }
}

TEST_CASE("residency: a budget among peers is one of so many processes", "[d3d12][residency]") {
  fenceline::BudgetView view;
  view.dedicated_bytes = 1000;
  CHECK(local_budget(with_peers(view, {0, true})) == 1000);
  CHECK(local_budget(with_peers(view, {3, false})) == 800);
  CHECK(local_budget(with_peers(view, {4, true})) == 50);
}
