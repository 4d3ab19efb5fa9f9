// SPDX-License-Identifier: Apache-2.0
// Bundles: rules of D3D12's documentation, and what executing them does.
#include "tests/d3d12/pipelines/pipelines.hpp"

using namespace fenceline::testing;

namespace {

constexpr D3D12_COMMAND_LIST_TYPE bundle_type = D3D12_COMMAND_LIST_TYPE_BUNDLE;

struct Bundle {
  explicit Bundle(App& app) : allocator(app.allocator(bundle_type)), list(app.list(allocator.Get(), bundle_type)) {}
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
};

/// What Close of a direct list says that executes the bundle.
HRESULT executed(App& app, ID3D12GraphicsCommandList* bundle, ID3D12DescriptorHeap* heap = nullptr) {
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  if (heap != nullptr) list->SetDescriptorHeaps(1, &heap);
  list->ExecuteBundle(bundle);
  return list->Close();
}

}  // namespace

TEST_CASE("bundles: only closed ones are executed", "[d3d12]") {
  App app;
  CHECK(executed(app, nullptr) == E_INVALIDARG);
  const auto direct = app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = app.list(direct.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  REQUIRE(list->Close() == S_OK);
  CHECK(executed(app, list.Get()) == E_INVALIDARG);
  const Bundle bundle(app);
  CHECK(executed(app, bundle.list.Get()) == E_INVALIDARG);
  REQUIRE(bundle.list->Close() == S_OK);
  CHECK(executed(app, bundle.list.Get()) == S_OK);
  REQUIRE(bundle.allocator->Reset() == S_OK);
  CHECK(executed(app, bundle.list.Get()) == E_INVALIDARG);
  const Bundle failed(app);
  failed.list->CopyResource(nullptr, nullptr);
  REQUIRE(failed.list->Close() == E_FAIL);
  CHECK(executed(app, failed.list.Get()) == E_INVALIDARG);
}

TEST_CASE("bundles: the descriptor heaps that they set are those of the list", "[d3d12]") {
  App app;
  const auto heap = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true);
  const auto other = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true);
  const Bundle none(app);
  REQUIRE(none.list->Close() == S_OK);
  const Bundle bundle(app);
  ID3D12DescriptorHeap* const heaps[] = {heap.Get()};
  bundle.list->SetDescriptorHeaps(1, heaps);
  REQUIRE(bundle.list->Close() == S_OK);
  CHECK(executed(app, none.list.Get(), heap.Get()) == S_OK);
  CHECK(executed(app, bundle.list.Get(), heap.Get()) == S_OK);
  CHECK(executed(app, bundle.list.Get(), other.Get()) == E_INVALIDARG);
  CHECK(executed(app, bundle.list.Get()) == E_INVALIDARG);
}

TEST_CASE("bundles: the viewport goes in, pipeline state and topology do not", "[d3d12]") {
  App app;
  const auto draws = graphics_pipeline(app);
  const Bundle without(app);
  without.list->DrawInstanced(3, 1, 0, 0);
  CHECK(without.list->Close() == S_OK);  // there is none to inherit, and nothing is drawn
  const Bundle bundle(app);
  bundle.list->SetPipelineState(draws.Get());
  bundle.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  bundle.list->DrawInstanced(3, 1, 0, 0);
  REQUIRE(bundle.list->Close() == S_OK);

  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 3);
  const auto back = app.buffer(24, D3D12_HEAP_TYPE_READBACK);
  for (UINT i = 0; i < 3; ++i) {
    const D3D12_VIEWPORT viewport{0, 0, 10.0F * static_cast<float>(i + 1), 20, 0, 1};
    direct.list->RSSetViewports(1, &viewport);
    direct.list->BeginQuery(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, i);
    if (i < 2) direct.list->ExecuteBundle(bundle.list.Get());
    if (i == 2) direct.list->DrawInstanced(3, 1, 0, 0);  // with what the bundle has left behind
    direct.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, i);
  }
  direct.list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0, 3, back.Get(), 0);
  direct.run();
  CHECK(read<UINT64>(back.Get(), 3) == std::vector<UINT64>{200, 400, 600});
}

TEST_CASE("bundles: their commands are predicated, and run any number of times", "[d3d12]") {
  App app;
  const auto draws = graphics_pipeline(app);
  const Bundle bundle(app);
  bundle.list->SetPipelineState(draws.Get());
  bundle.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  bundle.list->DrawInstanced(300, 2, 0, 0);
  REQUIRE(bundle.list->Close() == S_OK);
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto predicate = app.buffer(16, D3D12_HEAP_TYPE_UPLOAD);
  write(predicate.Get(), std::vector<UINT64>{0, 1});
  const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1);
  using Statistics = D3D12_QUERY_DATA_PIPELINE_STATISTICS;
  const auto back = app.buffer(sizeof(Statistics), D3D12_HEAP_TYPE_READBACK);
  direct.list->BeginQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  for (const UINT64 offset : {UINT64{0}, UINT64{8}, UINT64{8}}) {  // skipped, executed, executed
    direct.list->SetPredication(predicate.Get(), offset, D3D12_PREDICATION_OP_EQUAL_ZERO);
    direct.list->ExecuteBundle(bundle.list.Get());
  }
  direct.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  direct.list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 1, back.Get(), 0);
  direct.run();
  CHECK(read<Statistics>(back.Get(), 1)[0].IAVertices == 2 * 600);
}

TEST_CASE("bundles: immediate writes and indirect dispatches take place where the bundle is executed", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto signature = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  const auto arguments = app.buffer(12, D3D12_HEAP_TYPE_UPLOAD);
  const auto words = app.buffer(16);
  write(arguments.Get(), std::vector<UINT>{2, 3, 4});
  const Bundle bundle(app);
  ComPtr<ID3D12GraphicsCommandList2> list;
  REQUIRE(bundle.list.As(&list) == S_OK);
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{words->GetGPUVirtualAddress() + 4, 99};
  list->WriteBufferImmediate(1, &parameter, nullptr);
  list->SetPipelineState(dispatches.Get());
  list->ExecuteIndirect(signature.Get(), 1, arguments.Get(), 0, nullptr, 0);
  REQUIRE(list->Close() == S_OK);

  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1);
  using Statistics = D3D12_QUERY_DATA_PIPELINE_STATISTICS;
  const auto back = app.buffer(sizeof(Statistics), D3D12_HEAP_TYPE_READBACK);
  const auto written = app.buffer(16, D3D12_HEAP_TYPE_READBACK);
  direct.list->BeginQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  direct.list->ExecuteBundle(bundle.list.Get());
  direct.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  direct.list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 1, back.Get(), 0);
  direct.list->CopyResource(written.Get(), words.Get());
  direct.run();
  CHECK(read<Statistics>(back.Get(), 1)[0].CSInvocations == 2 * 3 * 4 * 64);
  CHECK(read<UINT>(written.Get(), 4) == std::vector<UINT>{0, 99, 0, 0});

  const Bundle counted(app);
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->ExecuteIndirect(signature.Get(), 1, arguments.Get(), 0, arguments.Get(), 0);
  CHECK(counted.list->Close() == E_INVALIDARG);  // a bundle has no count buffer
}
