// SPDX-License-Identifier: Apache-2.0
// Which descriptors a list uses, and when: rule 26 of docs/residency.md. Written from the rules and Microsoft's pages,
// without knowledge of the implementation.
#include "tests/d3d12/residency/tables_app.hpp"

#include <string>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency tables: descriptors count as they stand when the list is executed", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto version = GENERATE(table_1_0, table_1_1);
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}}, version);
  const auto state = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  const auto gate = app.app.fence();
  REQUIRE(app.evict(gone) == S_OK);
  const auto closed_with = [&](const ComPtr<ID3D12Resource>& shown) {
    app.srv(0, shown);
    app.dispatch(root.Get(), state.Get());
    REQUIRE(app.list()->Close() == S_OK);
  };
  /// Executed behind a gate, before which the descriptor changes once more.
  const auto execute_then_show = [&](const ComPtr<ID3D12Resource>& shown) {
    REQUIRE(app.work.queue->Wait(gate.Get(), 1) == S_OK);
    app.submit_closed();
    app.srv(0, shown);
    REQUIRE(gate->Signal(1) == S_OK);
    app.work.wait();
    return app.app.device->GetDeviceRemovedReason();
  };
  SECTION("replaced before that") {
    closed_with(gone);
    app.srv(0, other);
    CHECK(app.execute_again() == S_OK);
  }
  SECTION("made to show it before that") {
    closed_with(other);
    app.srv(0, gone);
    CHECK(app.execute_again() == DXGI_ERROR_DEVICE_HUNG);
  }
  SECTION("made to show nothing before that") {
    closed_with(gone);
    app.show_srv(app.cpu(0), nullptr);
    CHECK(app.execute_again() == S_OK);
  }
  SECTION("copied there before that") {
    closed_with(other);
    const auto staging = descriptor_heap(app.app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    app.show_srv(staging->GetCPUDescriptorHandleForHeapStart(), gone.Get());
    app.app.device->CopyDescriptorsSimple(1, app.cpu(0), staging->GetCPUDescriptorHandleForHeapStart(),
                                          D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    CHECK(app.execute_again() == DXGI_ERROR_DEVICE_HUNG);
  }
  SECTION("replaced after that") {
    closed_with(gone);
    CHECK(execute_then_show(other) == DXGI_ERROR_DEVICE_HUNG);
  }
  SECTION("made to show it after that") {
    closed_with(other);
    CHECK(execute_then_show(gone) == S_OK);
  }
}

TEST_CASE("residency tables: each execution of one list finds its own descriptors", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
  const auto state = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto fits = app.app.buffer(mib);
  const auto gone = app.app.buffer(page_bytes);
  app.memory.fill_but(0);
  const auto over = app.app.buffer(mib);  // of equal priority, and last: used in place
  app.srv(0, over);
  app.record_timed([&] { app.dispatch(root.Get(), state.Get()); });
  // 1 MiB passes PCIe at 0.128 GB/s: 2^20 / 128 = 8192 us; in video memory none of it does.
  REQUIRE(app.execute() == S_OK);
  CHECK(app.took_us() == Approx(mib_passes_us).margin(20));
  app.srv(0, fits);
  REQUIRE(app.execute_again() == S_OK);
  CHECK(app.took_us() < 100);
  app.srv(0, over);
  REQUIRE(app.execute_again() == S_OK);
  CHECK(app.took_us() == Approx(mib_passes_us).margin(20));
  app.srv(0, gone);
  REQUIRE(app.execute_again() == S_OK);
  CHECK(app.took_us() < 100);
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute_again() == DXGI_ERROR_DEVICE_HUNG);
}

TEST_CASE("residency tables: only what a dispatch finds bound is used", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
  const auto reads = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto reads_nothing = app.compute(root.Get(), {});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  app.srv(0, gone);
  app.srv(1, other);
  REQUIRE(app.evict(gone) == S_OK);
  app.begin(root.Get());
  HRESULT end = S_OK;
  SECTION("bound and replaced") {
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
    app.dispatch(root.Get(), reads.Get(), 1);
  }
  SECTION("bound behind the last dispatch") {
    app.dispatch(root.Get(), reads.Get(), 1);
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
  }
  SECTION("dispatched by a pipeline state that declares nothing") {
    app.dispatch(root.Get(), reads_nothing.Get(), 0);
    app.dispatch(root.Get(), reads.Get(), 1);
  }
  SECTION("and by one that declares it after that") {
    app.dispatch(root.Get(), reads_nothing.Get(), 0);
    app.list()->SetPipelineState(reads.Get());
    app.list()->Dispatch(1, 1, 1);
    end = DXGI_ERROR_DEVICE_HUNG;
  }
  SECTION("bound for the second dispatch") {
    app.dispatch(root.Get(), reads.Get(), 1);
    app.dispatch(root.Get(), reads.Get(), 0);
    end = DXGI_ERROR_DEVICE_HUNG;
  }
  CHECK(app.execute() == end);
}

TEST_CASE("residency tables: what a bundle draws counts as the list's", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 1}}}});
  const auto reads = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto reads_nothing = app.compute(root.Get(), {});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  app.srv(0, gone);
  app.srv(1, other);
  const auto allocator = app.app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  ID3D12DescriptorHeap* const heaps[] = {app.heap.Get()};
  app.begin(root.Get());
  HRESULT end = DXGI_ERROR_DEVICE_HUNG;
  SECTION("with a table of its own") {
    bundle->SetDescriptorHeaps(1, heaps);
    bundle->SetComputeRootSignature(root.Get());
    bundle->SetComputeRootDescriptorTable(0, app.gpu(0));
    bundle->SetPipelineState(reads.Get());
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(1));
  }
  SECTION("with the list's table") {
    bundle->SetPipelineState(reads.Get());
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
  }
  SECTION("with a table of its own in place of the list's") {
    bundle->SetDescriptorHeaps(1, heaps);
    bundle->SetComputeRootSignature(root.Get());
    bundle->SetComputeRootDescriptorTable(0, app.gpu(1));
    bundle->SetPipelineState(reads.Get());
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
    end = S_OK;
  }
  SECTION("by a pipeline state that declares nothing") {
    bundle->SetPipelineState(reads_nothing.Get());
    app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
    end = S_OK;
  }
  bundle->Dispatch(1, 1, 1);
  REQUIRE(bundle->Close() == S_OK);
  app.list()->ExecuteBundle(bundle.Get());
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == end);
}

TEST_CASE("residency tables: a dispatch of ExecuteIndirect finds the tables", "[d3d12][residency][blind]") {
  if (!runs_with(tables_memory)) return;
  TablesApp app;
  const auto root = tables_root(app.app, {{{{table_srv, 2}}}});
  const auto state = app.compute(root.Get(), {{table_srv, 0, 0, 0}});
  const auto gone = app.app.buffer(mib);
  const auto other = app.app.buffer(mib);
  const bool declared = GENERATE(true, false);
  app.srv(0, declared ? gone : other);
  app.srv(1, declared ? other : gone);
  const auto arguments = app.app.buffer(12, D3D12_HEAP_TYPE_UPLOAD);
  write(arguments.Get(), std::vector<UINT>{1, 1, 1});
  const auto signature = signature_of(app.app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  app.begin(root.Get());
  app.list()->SetPipelineState(state.Get());
  app.list()->SetComputeRootDescriptorTable(0, app.gpu(0));
  app.list()->ExecuteIndirect(signature.Get(), 1, arguments.Get(), 0, nullptr, 0);
  REQUIRE(app.evict(gone) == S_OK);
  CHECK(app.execute() == (declared ? DXGI_ERROR_DEVICE_HUNG : S_OK));
}
