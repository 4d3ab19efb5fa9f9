// SPDX-License-Identifier: Apache-2.0
// ExecuteIndirect: signatures, and what is run as the arguments say when the GPU gets there.
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

using namespace fenceline::testing;

namespace {

using Statistics = D3D12_QUERY_DATA_PIPELINE_STATISTICS;
constexpr auto statistics_type = D3D12_QUERY_TYPE_PIPELINE_STATISTICS;

HRESULT signature(App& app, const std::vector<D3D12_INDIRECT_ARGUMENT_TYPE>& types, UINT stride,
                  ID3D12RootSignature* root = nullptr) {
  std::vector<D3D12_INDIRECT_ARGUMENT_DESC> arguments;
  for (const auto type : types) {
    arguments.emplace_back();
    arguments.back().Type = type;
    if (type == D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT) arguments.back().Constant.Num32BitValuesToSet = 1;
  }
  const D3D12_COMMAND_SIGNATURE_DESC desc{stride, static_cast<UINT>(arguments.size()), arguments.data(), 0};
  ComPtr<ID3D12CommandSignature> made;
  return app.device->CreateCommandSignature(&desc, root, IID_PPV_ARGS(&made));
}

/// A direct list within a query of statistics.
struct Counted {
  explicit Counted(App& app)
      : recorder(app, D3D12_COMMAND_LIST_TYPE_DIRECT),
        list(recorder.list.Get()),
        heap(query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1)),
        back(app.buffer(sizeof(Statistics), D3D12_HEAP_TYPE_READBACK)) {
    const D3D12_VIEWPORT viewport{0, 0, 16, 16, 0, 1};
    list->RSSetViewports(1, &viewport);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    list->BeginQuery(heap.Get(), statistics_type, 0);
  }
  Statistics run() {
    list->EndQuery(heap.Get(), statistics_type, 0);
    list->ResolveQueryData(heap.Get(), statistics_type, 0, 1, back.Get(), 0);
    recorder.run();
    return read<Statistics>(back.Get(), 1)[0];
  }
  Recorder recorder;
  ID3D12GraphicsCommandList* list;
  ComPtr<ID3D12QueryHeap> heap;
  ComPtr<ID3D12Resource> back;
};

}  // namespace

TEST_CASE("indirect: a signature has one draw or dispatch, the last, and room for its arguments", "[d3d12]") {
  App app;
  constexpr auto draw = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW;
  constexpr auto indexed = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED;
  constexpr auto dispatch = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
  constexpr auto vertices = D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW;
  constexpr auto constant = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT;
  const auto root = root_constants(app, 1);
  CHECK(signature(app, {draw}, 16) == S_OK);
  CHECK(signature(app, {indexed}, 20) == S_OK);
  CHECK(signature(app, {dispatch}, 12) == S_OK);
  CHECK(signature(app, {vertices, draw}, 32) == S_OK);
  CHECK(signature(app, {constant, dispatch}, 16, root.Get()) == S_OK);
  CHECK(signature(app, {}, 16) == E_INVALIDARG);
  CHECK(signature(app, {vertices}, 16) == E_INVALIDARG);
  CHECK(signature(app, {draw, draw}, 32) == E_INVALIDARG);
  CHECK(signature(app, {draw, dispatch}, 32) == E_INVALIDARG);
  CHECK(signature(app, {draw, vertices}, 32) == E_INVALIDARG);
  CHECK(signature(app, {draw}, 12) == E_INVALIDARG);
  CHECK(signature(app, {draw}, 18) == E_INVALIDARG);
  CHECK(signature(app, {constant, dispatch}, 16) == E_INVALIDARG);
  CHECK(signature(app, {draw}, 16, root.Get()) == E_INVALIDARG);
}

TEST_CASE("indirect: arguments and count lie within their buffers, at multiples of 4 bytes", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto of = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  const auto buffer = app.buffer(36);
  const auto says = [&](ID3D12CommandSignature* call, UINT most, UINT64 offset, UINT64 count_offset,
                        D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_COMPUTE) {
    const auto allocator = app.allocator(type);
    const auto list = app.list(allocator.Get(), type);
    list->SetPipelineState(dispatches.Get());
    list->ExecuteIndirect(call, most, buffer.Get(), offset, buffer.Get(), count_offset);
    return list->Close();
  };
  CHECK(says(of.Get(), 3, 0, 32) == S_OK);
  CHECK(says(of.Get(), 2, 12, 0) == S_OK);
  CHECK(says(nullptr, 1, 0, 0) == E_INVALIDARG);
  CHECK(says(of.Get(), 4, 0, 0) == E_INVALIDARG);
  CHECK(says(of.Get(), 1, 28, 0) == E_INVALIDARG);
  CHECK(says(of.Get(), 1, 2, 0) == E_INVALIDARG);
  CHECK(says(of.Get(), 1, 0, 2) == E_INVALIDARG);
  CHECK(says(of.Get(), 1, 0, 36) == E_INVALIDARG);
  const auto draws = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, 16);
  CHECK(says(draws.Get(), 1, 0, 0) == E_INVALIDARG);  // a compute list
}

TEST_CASE("indirect: draws, indexed draws and dispatches run as their arguments say", "[d3d12]") {
  App app;
  const auto draws = graphics_pipeline(app);
  const auto dispatches = compute_pipeline(app);
  const auto arguments = app.buffer(4096, D3D12_HEAP_TYPE_UPLOAD);
  write(arguments.Get(), std::vector<UINT>{3, 1, 0, 0, 30, 2, 0, 0, 6, 10, 0, 0});
  write(arguments.Get(), std::vector<UINT>{12, 3, 0, 0, 0}, 1024);
  write(arguments.Get(), std::vector<UINT>{2, 2, 2, 5, 1, 1, 0, 7, 7}, 2048);
  Counted counted(app);
  const auto draw = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, 16);
  const auto indexed = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED, 20);
  const auto dispatch = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  counted.list->SetPipelineState(draws.Get());
  counted.list->ExecuteIndirect(draw.Get(), 3, arguments.Get(), 0, nullptr, 0);
  counted.list->ExecuteIndirect(indexed.Get(), 1, arguments.Get(), 1024, nullptr, 0);
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->ExecuteIndirect(dispatch.Get(), 3, arguments.Get(), 2048, nullptr, 0);
  const Statistics found = counted.run();
  CHECK(found.IAVertices == 3 + 60 + 60 + 36);
  CHECK(found.IAPrimitives == 1 + 20 + 20 + 12);
  CHECK(found.CSInvocations == (8 + 5 + 0) * 64);
}

TEST_CASE("indirect: the count is the buffer's, and at most what the call says", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto of = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  const auto arguments = app.buffer(48, D3D12_HEAP_TYPE_UPLOAD);
  write(arguments.Get(), std::vector<UINT>{1, 1, 1, 10, 1, 1, 100, 1, 1, 1000, 1, 1});
  for (const auto& [count, groups] : {std::pair{0U, 0U}, {1U, 1U}, {2U, 11U}, {3U, 111U}, {~0U, 111U}}) {
    const auto counts = app.buffer(8, D3D12_HEAP_TYPE_UPLOAD);
    write(counts.Get(), std::vector<UINT>{count}, 4);
    Counted counted(app);
    counted.list->SetPipelineState(dispatches.Get());
    counted.list->ExecuteIndirect(of.Get(), 3, arguments.Get(), 0, counts.Get(), 4);
    CHECK(counted.run().CSInvocations == groups * 64);
  }
}

TEST_CASE("indirect: the last arguments need no room behind them", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto of = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 32);
  const auto arguments = app.buffer(32 + 12, D3D12_HEAP_TYPE_UPLOAD);
  write(arguments.Get(), std::vector<UINT>{1, 1, 1, 0, 0, 0, 0, 0, 10, 1, 1});
  Counted counted(app);
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->ExecuteIndirect(of.Get(), 2, arguments.Get(), 0, nullptr, 0);
  CHECK(counted.run().CSInvocations == 11 * 64);
}

TEST_CASE("indirect: arguments and count may be written by the list itself", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto of = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  const auto from = app.buffer(28, D3D12_HEAP_TYPE_UPLOAD);
  const auto arguments = app.buffer(28);
  write(from.Get(), std::vector<UINT>{4, 1, 1, 3, 3, 1, 2});
  Counted counted(app);
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->ExecuteIndirect(of.Get(), 2, arguments.Get(), 0, arguments.Get(), 24);  // 0 of them
  const auto transition = [&](D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Transition = {arguments.Get(), 0, before, after};
    counted.list->ResourceBarrier(1, &barrier);
  };
  transition(D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, D3D12_RESOURCE_STATE_COPY_DEST);
  counted.list->CopyResource(arguments.Get(), from.Get());
  transition(D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT);
  counted.list->ExecuteIndirect(of.Get(), 2, arguments.Get(), 0, arguments.Get(), 24);
  CHECK(counted.run().CSInvocations == (4 + 9) * 64);
}

TEST_CASE("indirect: root arguments and buffer views stand before the draw's own", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto root = root_constants(app, 1);
  D3D12_INDIRECT_ARGUMENT_DESC types[2] = {};
  types[0].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT;
  types[0].Constant.Num32BitValuesToSet = 1;
  types[1].Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
  const D3D12_COMMAND_SIGNATURE_DESC desc{20, 2, types, 0};  // 4 bytes between one and the next
  ComPtr<ID3D12CommandSignature> of;
  REQUIRE(app.device->CreateCommandSignature(&desc, root.Get(), IID_PPV_ARGS(&of)) == S_OK);
  const auto arguments = app.buffer(40, D3D12_HEAP_TYPE_UPLOAD);
  write(arguments.Get(), std::vector<UINT>{77, 2, 1, 1, 88, 99, 3, 1, 1, 0});
  Counted counted(app);
  counted.list->SetComputeRootSignature(root.Get());
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->ExecuteIndirect(of.Get(), 2, arguments.Get(), 0, nullptr, 0);
  CHECK(counted.run().CSInvocations == (2 + 3) * 64);
}

TEST_CASE("indirect: the bytes of a signature's constants are counted in more than 32 bits", "[d3d12]") {
  App app;
  const auto root = root_constants(app, 1);
  for (const UINT constants : {0x3FFFFFFFU, 0x40000000U, 0xFFFFFFFFU}) {
    D3D12_INDIRECT_ARGUMENT_DESC types[2] = {};
    types[0].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT;
    types[0].Constant.Num32BitValuesToSet = constants;
    types[1].Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    const D3D12_COMMAND_SIGNATURE_DESC desc{20, 2, types, 0};
    ComPtr<ID3D12CommandSignature> made;
    CHECK(app.device->CreateCommandSignature(&desc, root.Get(), IID_PPV_ARGS(&made)) == E_INVALIDARG);
  }
}

TEST_CASE("indirect: a predicate skips it, and a list that runs again reads again", "[d3d12]") {
  App app;
  const auto dispatches = compute_pipeline(app);
  const auto of = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12);
  const auto values = app.buffer(32, D3D12_HEAP_TYPE_UPLOAD);
  Counted counted(app);
  counted.list->SetPipelineState(dispatches.Get());
  counted.list->SetPredication(values.Get(), 16, D3D12_PREDICATION_OP_EQUAL_ZERO);
  counted.list->ExecuteIndirect(of.Get(), 1, values.Get(), 0, nullptr, 0);
  counted.list->EndQuery(counted.heap.Get(), statistics_type, 0);
  counted.list->ResolveQueryData(counted.heap.Get(), statistics_type, 0, 1, counted.back.Get(), 0);
  REQUIRE(counted.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {counted.list};
  const auto fence = app.fence();
  UINT64 run = 0;
  for (const auto& [groups, predicate] : {std::pair{5U, 1U}, {5U, 0U}, {6U, 1U}}) {
    write(values.Get(), std::vector<UINT>{groups, 1, 1, 0, predicate, 0});
    counted.recorder.queue->ExecuteCommandLists(1, lists);
    REQUIRE(counted.recorder.queue->Signal(fence.Get(), ++run) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(run, nullptr) == S_OK);
    CHECK(read<Statistics>(counted.back.Get(), 1)[0].CSInvocations == groups * predicate * 64);
  }
}
