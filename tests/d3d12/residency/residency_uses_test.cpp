// SPDX-License-Identifier: Apache-2.0
// What commands use: each kind of binding faults where it is evicted, is slower where it is used in place, and is asked
// nothing where it is replaced before anything is drawn.
#include "tests/d3d12/residency/residency_app.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace fenceline::testing;

namespace {

const std::string uses_memory =
    std::string(slow_pcie) + "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=64\n/tdr/level=recover";

/// A buffer, a target, and pipelines to use them by.
struct UsesApp {
  UsesApp() : memory(app), work(app, direct_type) {
    REQUIRE(rtvs->GetCPUDescriptorHandleForHeapStart().ptr != 0);
    app.device->CreateRenderTargetView(target.Get(), nullptr, rtvs->GetCPUDescriptorHandleForHeapStart());
    work.list->SetPipelineState(draws.Get());
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    const D3D12_RECT scissor{0, 0, 64, 64};
    work.list->RSSetViewports(1, &viewport);
    work.list->RSSetScissorRects(1, &scissor);
    work.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  }
  ID3D12GraphicsCommandList* list() const { return work.list.Get(); }
  D3D12_GPU_VIRTUAL_ADDRESS at(const ComPtr<ID3D12Resource>& of) const { return of->GetGPUVirtualAddress(); }
  void bind_target() const {
    const auto view = rtvs->GetCPUDescriptorHandleForHeapStart();
    list()->OMSetRenderTargets(1, &view, FALSE, nullptr);
  }
  void bind_vertices(const ComPtr<ID3D12Resource>& of) const {
    const D3D12_VERTEX_BUFFER_VIEW view{at(of), 64, 16};
    list()->IASetVertexBuffers(0, 1, &view);
  }
  void bind_indices(const ComPtr<ID3D12Resource>& of) const {
    const D3D12_INDEX_BUFFER_VIEW view{at(of), 64, DXGI_FORMAT_R32_UINT};
    list()->IASetIndexBuffer(&view);
  }
  void draw() const { list()->DrawInstanced(3, 1, 0, 0); }
  void dispatch() const {
    list()->SetPipelineState(dispatches.Get());
    list()->Dispatch(1, 1, 1);
  }
  /// The device's end, if there is one.
  HRESULT execute() {
    REQUIRE(list()->Close() == S_OK);
    ID3D12CommandList* const lists[] = {list()};
    work.queue->ExecuteCommandLists(1, lists);
    work.queue->Signal(work.fence.Get(), ++work.value);
    work.wait();
    return app.device->GetDeviceRemovedReason();
  }

  App app;
  VideoMemoryOf memory;
  ComPtr<ID3D12PipelineState> draws = graphics_pipeline(app);
  ComPtr<ID3D12PipelineState> dispatches = compute_pipeline(app);
  ComPtr<ID3D12Resource> target =
      app.texture(DXGI_FORMAT_B8G8R8A8_UNORM, 64, 64, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  ComPtr<ID3D12DescriptorHeap> rtvs = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  ComPtr<ID3D12Resource> gone = app.buffer(mib);
  ComPtr<ID3D12Resource> other = app.buffer(mib);
  Recorder work;
};

}  // namespace

TEST_CASE("residency: every kind of use of what is evicted hangs the device", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  UsesApp app;
  ID3D12GraphicsCommandList* const list = app.list();
  ComPtr<ID3D12Pageable> evicted = app.gone;
  SECTION("a vertex buffer") {
    app.bind_vertices(app.gone);
    app.draw();
  }
  SECTION("an index buffer") {
    app.bind_indices(app.gone);
    list->DrawIndexedInstanced(3, 1, 0, 0, 0);
  }
  SECTION("a render target that is drawn to") {
    evicted = app.target;
    app.bind_target();
    app.draw();
  }
  SECTION("a render target that is cleared") {
    evicted = app.target;
    const FLOAT black[4] = {};
    list->ClearRenderTargetView(app.rtvs->GetCPUDescriptorHandleForHeapStart(), black, 0, nullptr);
  }
  SECTION("a constant buffer of draws") {
    list->SetGraphicsRootConstantBufferView(0, app.at(app.gone));
    app.draw();
  }
  SECTION("what dispatches read") {
    list->SetComputeRootShaderResourceView(1, app.at(app.gone));
    app.dispatch();
  }
  SECTION("what dispatches write") {
    list->SetComputeRootUnorderedAccessView(2, app.at(app.gone));
    app.dispatch();
  }
  SECTION("arguments of an ExecuteIndirect") {
    const auto signature = signature_of(app.app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, 16);
    list->ExecuteIndirect(signature.Get(), 1, app.gone.Get(), 0, nullptr, 0);
  }
  SECTION("a vertex buffer that a bundle binds") {
    const auto allocator = app.app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
    const auto bundle = app.app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
    bundle->SetPipelineState(app.draws.Get());
    const D3D12_VERTEX_BUFFER_VIEW view{app.at(app.gone), 64, 16};
    bundle->IASetVertexBuffers(0, 1, &view);
    bundle->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    bundle->DrawInstanced(3, 1, 0, 0);
    REQUIRE(bundle->Close() == S_OK);
    list->ExecuteBundle(bundle.Get());
    REQUIRE(app.memory.evict({evicted.Get()}) == S_OK);
    CHECK(app.execute() == DXGI_ERROR_DEVICE_HUNG);
    return;
  }
  REQUIRE(app.memory.evict({evicted.Get()}) == S_OK);
  CHECK(app.execute() == DXGI_ERROR_DEVICE_HUNG);
}

TEST_CASE("residency: what is bound and not drawn with may be evicted", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  UsesApp app;
  ID3D12GraphicsCommandList* const list = app.list();
  SECTION("a vertex buffer that is replaced") {
    app.bind_vertices(app.gone);
    app.bind_vertices(app.other);
    app.draw();
  }
  SECTION("a vertex buffer that is unbound") {
    app.bind_vertices(app.gone);
    list->IASetVertexBuffers(0, 1, nullptr);
    app.draw();
  }
  SECTION("an index buffer behind the last draw") {
    app.draw();
    app.bind_indices(app.gone);
  }
  SECTION("what only dispatches would read") {
    list->SetComputeRootShaderResourceView(1, app.at(app.gone));
    app.draw();
  }
  SECTION("before ClearState") {
    app.bind_vertices(app.gone);
    list->SetGraphicsRootConstantBufferView(0, app.at(app.gone));
    list->ClearState(app.draws.Get());
    app.draw();
  }
  REQUIRE(app.memory.evict({app.gone.Get()}) == S_OK);
  CHECK(app.execute() == S_OK);
}

TEST_CASE("residency: a draw passes PCIe for what it has bound in place", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  App app;
  VideoMemoryOf memory(app);
  memory.fill_but(0);
  const auto over = app.buffer(mib);
  const auto stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
  const auto back = app.buffer(2 * sizeof(UINT64), D3D12_HEAP_TYPE_READBACK);
  Recorder work(app, direct_type);
  UINT64 frequency = 0;
  REQUIRE(work.queue->GetTimestampFrequency(&frequency) == S_OK);
  const auto dispatches = compute_pipeline(app);
  const auto dispatch_us = [&](UINT count) {
    work.list->SetPipelineState(dispatches.Get());
    work.list->SetComputeRootShaderResourceView(0, over->GetGPUVirtualAddress());
    work.list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    for (UINT i = 0; i < count; ++i) work.list->Dispatch(1, 1, 1);
    work.list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
    work.list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
    work.run();
    const auto read_back = read<UINT64>(back.Get(), 2);
    return static_cast<double>(read_back[1] - read_back[0]) * 1e6 / static_cast<double>(frequency);
  };
  CHECK(dispatch_us(1) == Approx(mib_passes_us).margin(20));
  CHECK(dispatch_us(3) == Approx(3 * mib_passes_us).margin(60));
  // What one names twice passes once.
  work.list->SetComputeRootUnorderedAccessView(1, over->GetGPUVirtualAddress());
  CHECK(dispatch_us(2) == Approx(2 * mib_passes_us).margin(40));
  memory.filler.Reset();
  CHECK(dispatch_us(3) < 100);
}

TEST_CASE("residency: what is released and made again finds its room again", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const UINT64 before = memory.usage();
  for (int i = 0; i < 50; ++i) {
    const auto large = app.buffer(6 * mib);
    CHECK(memory.usage() == before + 6 * mib);
    CHECK(watch.copy_us(to.Get(), large.Get()) < 100);  // it is in video memory
  }
  CHECK(memory.usage() == before);
  const double begin = watch.now_us();
  CHECK(watch.copy_us(to.Get(), app.buffer(6 * mib).Get()) < 100);
  CHECK(watch.now_us() - begin < 200);  // nothing has moved
}

TEST_CASE("residency: a heap's memory stays until what is placed in it is gone", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  auto home = memory.heap(2 * mib);
  auto inside = memory.placed(home.Get(), mib);
  home.Reset();
  CHECK(memory.usage() == before + 2 * mib);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  CHECK(watch.copy_us(to.Get(), inside.Get()) < 100);
  inside.Reset();
  CHECK(memory.usage() == before + mib);
}

TEST_CASE("residency: a released heap's bytes are those of a copy under way", "[d3d12][residency]") {
  if (!runs_with(uses_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, copy_type);
  const UINT64 before = memory.usage();
  const auto down = app.buffer(mib, D3D12_HEAP_TYPE_READBACK);
  auto from = app.buffer(mib);
  copies.list->CopyBufferRegion(down.Get(), 0, from.Get(), 0, mib);  // 8192 us
  copies.submit();
  Sleep(1);
  from.Reset();
  CHECK(memory.usage() == before + mib);
  copies.wait();
  copies.reset();
  CHECK(memory.usage() == before);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: the run directory tells what moved", "[d3d12][residency]") {
  const Shell shell;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string name = "residency: MakeResident returns when all is there";
  const Output output = shell.run(
      "RESIDENCY_TEST_CHILD=1 FENCELINE_MACHINE=tiny FENCELINE_OUT=out FENCELINE_SET=" + Shell::quoted(uses_memory) +
      " " + Shell::quoted(program) + " " + Shell::quoted(name));
  INFO(output.out << output.err);
  REQUIRE(output.code == 0);
  const auto contents = [&](const char* file) {
    std::ifstream in(shell.work() / "out" / file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto residency = nlohmann::json::parse(contents("report.json"))["statistics"]["residency"];
  CHECK(residency["in_bytes"] == 3 * mib);
  CHECK(residency["paging_packets"] == 2);
  CHECK(residency["processes"][""]["budget_bytes"] == 8 * mib);
  CHECK(residency["processes"][""]["out_of_memory"] == 0);
  const std::string rows = contents("paging.csv");
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 3);  // a heading and two moves
}
