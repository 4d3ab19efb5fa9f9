// SPDX-License-Identifier: Apache-2.0
// What is used through tables: rule 26 of docs/residency.md. Written from the rules and Microsoft's pages, without
// knowledge of the implementation.
#include "tests/d3d12/residency/tables_app.hpp"

#include <string>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency tables: of a shader that does not say what it reads nothing is known",
          "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
  // DXIL whose container has no part with its bindings.
  const std::string silent =
      dxbc({{"DXIL", program(program_version(compute_kind, 6, 0), {0x4C495844, 0x100, 16, 4, 0})}});
  const auto state = app.compute_of(root.Get(), silent);
  const auto gone = app.app.buffer(mib);
  app.srv(0, gone);
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == S_OK);
}

TEST_CASE("residency tables: DXIL says in PSV0 what it reads", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  // u2 and u3 of space 1 at slots 0 and 1; the shader declares u3 of space 1 alone.
  const auto root = tables_root(app.app, {{{{table_uav, 2, 2, 1}}}});
  constexpr std::uint32_t uav_with_counter = 9;
  std::vector<std::uint32_t> validation(1 + 12, 0);
  validation[0] = 48;
  validation[10] = 64;  // threads
  validation[11] = validation[12] = 1;
  for (const std::uint32_t one : {1U, 16U, uav_with_counter, 1U, 3U, 3U}) validation.push_back(one);
  const auto state = app.compute_of(
      root.Get(), dxbc({{"PSV0", numbers(validation)},
                        {"DXIL", program(program_version(compute_kind, 6, 0), {0x4C495844, 0x100, 16, 4, 0})}}));
  const auto gone = app.writable(mib);
  const auto other = app.writable(mib);
  const auto counter = app.writable(4);
  const UINT shows_it = GENERATE(0U, 1U, 2U);
  CAPTURE(shows_it);
  app.uav(0, shows_it == 0 ? gone : other);
  app.uav(1, shows_it == 1 ? gone : other, (shows_it == 2 ? gone : counter).Get());  // 2: as the counter
  app.dispatch(root.Get(), state.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == (shows_it == 0 ? S_OK : DXGI_ERROR_DEVICE_HUNG));
}

TEST_CASE("residency tables: what is placed in an evicted heap faults at the heap's beginning",
          "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> settings;
  REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&settings)) == S_OK);
  settings->SetPageFaultEnablement(D3D12_DRED_ENABLEMENT_FORCED_ON);
  {
    TablesApp app;
    const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
    const auto state = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
    const auto home = app.memory.heap(2 * mib);
    const auto first = app.memory.placed(home.Get(), mib);  // at the heap's beginning
    const D3D12_RESOURCE_DESC desc = buffer_desc(mib);
    ComPtr<ID3D12Resource> second;
    REQUIRE(app.app.device->CreatePlacedResource(home.Get(), mib, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                 IID_PPV_ARGS(&second)) == S_OK);
    app.srv(0, second);
    app.dispatch(root.Get(), state.Get());
    REQUIRE(app.memory.evict({home.Get()}) == S_OK);
    CHECK(app.execute() == DXGI_ERROR_DEVICE_HUNG);
    // Rule 27: the first byte of the evicted heap, where the buffer shown is not.
    ComPtr<ID3D12DeviceRemovedExtendedData> data;
    REQUIRE(app.app.device.As(&data) == S_OK);
    D3D12_DRED_PAGE_FAULT_OUTPUT fault{};
    REQUIRE(data->GetPageFaultAllocationOutput(&fault) == S_OK);
    CHECK(fault.PageFaultVA == first->GetGPUVirtualAddress());
  }
  settings->SetPageFaultEnablement(D3D12_DRED_ENABLEMENT_FORCED_OFF);
}

TEST_CASE("residency tables: a dispatch passes PCIe for what its tables show in place", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  app.memory.fill_but(0);  // nobody makes room: what comes now is used in place
  // t0 to t3 at slots 0 to 3, u0 at slot 4.
  const auto root = tables_root(app.app, {{{{table_srv, 4}, {table_uav, 1}}}});
  const auto t0 = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto t0_to_t3 = app.compute(root.Get(), {{table_srv, 0, 0, 3}});
  const auto u0 = app.compute(root.Get(), {{table_uav, 0, 0, 0}});
  const auto dispatch_us = [&](const ComPtr<ID3D12PipelineState>& state, UINT count = 1) {
    return app.timed_us([&] {
      for (UINT i = 0; i < count; ++i) app.dispatch(root.Get(), state.Get());
    });
  };
  for (UINT slot = 0; slot < 4; ++slot) app.show_srv(app.cpu(slot), nullptr);
  SECTION("each time in whole") {
    const auto over = app.app.buffer(mib);
    app.srv(0, over);
    CHECK(dispatch_us(t0) == Approx(8192).margin(20));         // 2^20 bytes / 128 bytes a us, though 1 KiB is shown
    CHECK(dispatch_us(t0, 3) == Approx(3 * 8192).margin(60));  // by each dispatch
    CHECK(dispatch_us(u0) < 100);                              // which does not declare t0
    app.memory.filler.Reset();
    CHECK(dispatch_us(t0, 3) < 100);  // it has come in before that
  }
  SECTION("each of an array") {
    const auto one = app.app.buffer(mib);
    const auto other = app.app.buffer(mib / 2);
    app.srv(1, one);
    app.srv(3, other);
    CHECK(dispatch_us(t0_to_t3) == Approx(8192 + 4096).margin(30));
    CHECK(dispatch_us(t0) < 100);
  }
  SECTION("once however often it is shown") {
    const auto over = app.app.buffer(mib);
    for (UINT slot = 0; slot < 4; ++slot) app.srv(slot, over);
    CHECK(dispatch_us(t0_to_t3) == Approx(8192).margin(20));
  }
  SECTION("with its heap") {
    const auto home = app.memory.heap(2 * mib);
    const auto inside = app.memory.placed(home.Get(), page_bytes);
    app.srv(0, inside);
    // The heap is the allocation, and all of it passes: 2 x 8192.
    CHECK(dispatch_us(t0) == Approx(2 * 8192).margin(40));
  }
  SECTION("with its counter") {
    const auto data = app.writable(mib);
    const auto counter = app.writable(4);  // a page: 65536 / 128 = 512 us
    app.uav(4, data, counter.Get());
    CHECK(dispatch_us(u0) == Approx(8192 + 512).margin(20));
    app.uav(4, data);
    CHECK(dispatch_us(u0) == Approx(8192).margin(20));
  }
}

TEST_CASE("residency tables: what tables show has been used", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory + "\n/video_memory/over_commit=page")) return;
  TablesApp app;
  const Stopwatch watch(app.app);
  const auto root = tables_root(app.app, {{{{table_srv, 2}}}});
  const auto t0 = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto wants = app.memory.buffer_not_resident(mib);
  const auto older = app.app.buffer(mib);
  const auto newer = app.app.buffer(mib);
  app.memory.fill_but(0);  // 1 + 1 + 6 MiB
  const auto use = [&](const ComPtr<ID3D12Resource>& declared, const ComPtr<ID3D12Resource>& not_declared) {
    app.srv(0, declared);
    app.srv(1, not_declared);
    app.dispatch(root.Get(), t0.Get());
    app.work.run();
    Sleep(1);
  };
  bool older_goes = true;
  SECTION("the one that was made first is used first") {
    use(older, older);
    use(newer, newer);
  }
  SECTION("the one that was made first is used last") {
    use(newer, newer);
    use(older, older);
    older_goes = false;
  }
  SECTION("it is used before and after the other") {
    use(older, older);
    use(newer, newer);
    use(older, older);
    older_goes = false;
  }
  SECTION("a register that is not declared is no use") {
    use(newer, newer);
    use(older, newer);  // were both used here they would be equal, and older the first to go
    older_goes = false;
  }
  // Both evicted: the one last used less recently makes room. Out and in, 8193 us each.
  REQUIRE(app.memory.evict({older.Get(), newer.Get()}) == S_OK);
  double begin = watch.now_us();
  REQUIRE(app.memory.make_resident({wants.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));
  const auto& stays = older_goes ? newer : older;
  const auto& went = older_goes ? older : newer;
  begin = watch.now_us();
  REQUIRE(app.memory.make_resident({stays.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(0).margin(2));  // it has been there
  REQUIRE(app.memory.evict({wants.Get()}) == S_OK);
  begin = watch.now_us();
  REQUIRE(app.memory.make_resident({went.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));
}
