// SPDX-License-Identifier: Apache-2.0
// Who hears of a budget that changes: rules 17 and 28 of docs/residency.md. Written from the rules and Microsoft's
// pages, without knowledge of the implementation.
#include "tests/d3d12/residency/budget_app.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline::testing;

namespace {

/// What a program tells, and what becomes of its budget of 10 MiB.
struct BudgetStep {
  const char* what;
  bool of_focus;  // else of the number of others
  UINT value;
  UINT64 budget;
  bool changes;
};
const BudgetStep budget_steps[] = {
    {"no focus, and alone", true, 0, 10 * mib, false},        // all of it, whatever the focus
    {"one other has the focus", false, 1, 2 * mib, true},     // (10 - 8) / 1
    {"it is still one", false, 1, 2 * mib, false},            //
    {"two others", false, 2, mib, true},                      // (10 - 8) / 2: the program and one of them
    {"the focus", true, 1, 8 * mib, true},                    // 80 percent
    {"the focus again", true, 1, 8 * mib, false},             //
    {"eight others", false, 8, 8 * mib, false},               // they share the rest
    {"no focus among eight", true, 0, mib / 4, true},         // 2 / 8
    {"four others", false, 4, mib / 2, true},                 // 2 / 4
    {"alone", false, 0, 10 * mib, true},                      //
    {"the focus, alone", true, 1, 10 * mib, false},           //
    {"one other without the focus", false, 1, 8 * mib, true}  //
};

HRESULT budget_told(const BudgetApp& app, const BudgetStep& step) {
  return step.of_focus ? app.focus(step.value != 0) : app.others(step.value);
}

}  // namespace

TEST_CASE("residency budget: each event is set once for each change and for nothing else",
          "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  const Event one;
  const Event other;
  app.registered(one);
  app.registered(other);
  CHECK_FALSE(one.is_set());  // none at the registration
  CHECK_FALSE(other.is_set());
  for (const BudgetStep& step : budget_steps) {
    CAPTURE(step.what);
    REQUIRE(budget_told(app, step) == S_OK);
    CHECK(app.budget() == step.budget);
    CHECK(one.is_set() == step.changes);
    CHECK(other.is_set() == step.changes);
    Sleep(1);
    CHECK_FALSE(one.is_set());  // they reset themselves, and nobody sets them once more
    CHECK_FALSE(other.is_set());
  }
}

TEST_CASE("residency budget: who has unregistered is not notified", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  const Event stays(true);  // until it is reset
  const Event leaves;
  app.registered(stays);
  const DWORD cookie = app.registered(leaves);
  REQUIRE(app.others(1) == S_OK);
  CHECK(leaves.is_set());
  CHECK(stays.is_set());
  CHECK(stays.is_set());
  REQUIRE(ResetEvent(stays.handle) == TRUE);
  app.memory.adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(stays.is_set());
  CHECK_FALSE(leaves.is_set());
}

namespace {

/// How often DXCore has called.
struct BudgetCalls {
  std::atomic<int> count{0};
  std::atomic<int> wrong{0};
  static void STDMETHODCALLTYPE called(DXCoreNotificationType type, IUnknown* object, void* context) {
    auto& calls = *static_cast<BudgetCalls*>(context);
    calls.wrong += type == DXCoreNotificationType::AdapterBudgetChange && object != nullptr ? 0 : 1;
    ++calls.count;
  }
  /// Once it had time to: it may call on threads of its own.
  int now(int at_least) const {
    Sleep(1);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (count < at_least && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return count;
  }
};

}  // namespace

TEST_CASE("residency budget: DXCore calls back once at the registration and once for each change",
          "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  ComPtr<IDXCoreAdapterFactory> factory;
  REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK);
  ComPtr<IDXCoreAdapter> adapter;
  REQUIRE(factory->GetAdapterByLuid(app.app.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  BudgetCalls one;
  BudgetCalls other;
  std::uint32_t cookie = 0;
  std::uint32_t other_cookie = 0;
  constexpr auto change = DXCoreNotificationType::AdapterBudgetChange;
  REQUIRE(factory->RegisterEventNotification(adapter.Get(), change, &BudgetCalls::called, &one, &cookie) == S_OK);
  REQUIRE(factory->RegisterEventNotification(adapter.Get(), change, &BudgetCalls::called, &other, &other_cookie) ==
          S_OK);
  int expected = 1;  // at the registration, as DXCore's pages promise
  CHECK(one.now(expected) == expected);
  CHECK(other.now(expected) == expected);
  for (const BudgetStep& step : budget_steps) {
    CAPTURE(step.what);
    REQUIRE(budget_told(app, step) == S_OK);
    expected += step.changes ? 1 : 0;
    CHECK(one.now(expected) == expected);
    CHECK(other.now(expected) == expected);
  }
  REQUIRE(factory->UnregisterEventNotification(other_cookie) == S_OK);
  const int before = other.count;
  REQUIRE(app.others(0) == S_OK);  // 8 to 10 MiB
  CHECK(one.now(expected + 1) == expected + 1);
  CHECK(other.count == before);
  REQUIRE(factory->UnregisterEventNotification(cookie) == S_OK);
  CHECK(one.wrong == 0);
  CHECK(other.wrong == 0);
}
