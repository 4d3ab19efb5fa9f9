// SPDX-License-Identifier: Apache-2.0
// Queries, time stamps, predication and immediate writes: rules of D3D12's documentation, and what they leave behind.
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <functional>

using namespace fenceline::testing;

namespace {

using Statistics = D3D12_QUERY_DATA_PIPELINE_STATISTICS;

void set_viewport(ID3D12GraphicsCommandList* list, float width, float height) {
  const D3D12_VIEWPORT viewport{0, 0, width, height, 0, 1};
  list->RSSetViewports(1, &viewport);
}

}  // namespace

TEST_CASE("query heaps: need a type and a count", "[d3d12]") {
  App app;
  const auto made = [&](D3D12_QUERY_HEAP_TYPE type, UINT count) {
    const D3D12_QUERY_HEAP_DESC desc{type, count, 0};
    ComPtr<ID3D12QueryHeap> heap;
    return app.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap));
  };
  CHECK(made(D3D12_QUERY_HEAP_TYPE_OCCLUSION, 0) == E_INVALIDARG);
  CHECK(made(static_cast<D3D12_QUERY_HEAP_TYPE>(99), 1) == E_INVALIDARG);
  for (const auto type : {D3D12_QUERY_HEAP_TYPE_OCCLUSION, D3D12_QUERY_HEAP_TYPE_TIMESTAMP,
                          D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, D3D12_QUERY_HEAP_TYPE_SO_STATISTICS,
                          D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS1}) {
    CHECK(made(type, 1) == S_OK);
  }
}

TEST_CASE("queries: begin and end are a pair of one list, time stamps have an end alone", "[d3d12]") {
  App app;
  const auto occlusion = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2);
  const auto stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
  constexpr auto type = D3D12_QUERY_TYPE_OCCLUSION;
  const auto begin = [&](List* list, UINT index) { list->BeginQuery(occlusion.Get(), type, index); };
  const auto end = [&](List* list, UINT index) { list->EndQuery(occlusion.Get(), type, index); };
  const auto says = [&](const std::function<void(List*)>& record) { return closed(app, direct_type, record); };
  CHECK(says([&](List* l) { begin(l, 0), begin(l, 1), end(l, 0), end(l, 1); }) == S_OK);
  CHECK(says([&](List* l) { begin(l, 0), end(l, 0), begin(l, 0), end(l, 0); }) == S_OK);
  CHECK(says([&](List* l) { begin(l, 2); }) == E_INVALIDARG);
  CHECK(says([&](List* l) { l->BeginQuery(nullptr, type, 0); }) == E_INVALIDARG);
  CHECK(says([&](List* l) { l->BeginQuery(stamps.Get(), type, 0); }) == E_INVALIDARG);
  CHECK(says([&](List* l) { l->BeginQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0); }) == E_INVALIDARG);
  CHECK(says([&](List* l) { l->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1); }) == S_OK);
}

TEST_CASE("queries: a list with half of one is closed, and removes the device when it is executed", "[d3d12]") {
  constexpr auto type = D3D12_QUERY_TYPE_OCCLUSION;
  enum class Half { begin_0, end_0, begin_1 };
  for (const auto& calls : {std::vector<Half>{Half::begin_0},
                            {Half::end_0},
                            {Half::begin_0, Half::begin_0, Half::end_0},
                            {Half::begin_1, Half::end_0},
                            {Half::begin_0, Half::end_0, Half::end_0}}) {
    App app;
    const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2);
    const auto to = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
    const auto from = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
    write(from.Get(), std::vector<UINT>{7});
    const Recorder direct(app, direct_type);
    direct.list->CopyResource(to.Get(), from.Get());
    for (const Half call : calls) {
      if (call == Half::end_0) {
        direct.list->EndQuery(heap.Get(), type, 0);
      } else {
        direct.list->BeginQuery(heap.Get(), type, call == Half::begin_1 ? 1 : 0);
      }
    }
    CHECK(direct.list->Close() == S_OK);
    CHECK(app.device->GetDeviceRemovedReason() == S_OK);
    ID3D12CommandList* const lists[] = {direct.list.Get()};
    direct.queue->ExecuteCommandLists(1, lists);
    CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_INVALID_CALL);
    CHECK(read<UINT>(to.Get(), 1)[0] == 0);
  }
}

TEST_CASE("queries: copy lists have time stamps of their own, compute lists nothing else", "[d3d12]") {
  App app;
  const auto occlusion = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 1);
  const auto stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1);
  const auto copy_stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, 1);
  const auto says = [&](D3D12_COMMAND_LIST_TYPE list_type, ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type) {
    return closed(app, list_type, [&](List* l) { l->EndQuery(heap, type, 0); });
  };
  constexpr auto compute = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  constexpr auto copy = D3D12_COMMAND_LIST_TYPE_COPY;
  CHECK(says(compute, stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP) == S_OK);
  CHECK(says(copy, copy_stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP) == S_OK);
  CHECK(says(copy, stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP) == E_INVALIDARG);
  CHECK(says(compute, copy_stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP) == E_INVALIDARG);
  CHECK(says(direct_type, copy_stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP) == E_INVALIDARG);
  CHECK(says(compute, occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION) == E_INVALIDARG);
}

TEST_CASE("queries: ResolveQueryData stays within heap and buffer", "[d3d12]") {
  App app;
  const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 4);
  const auto buffer = app.buffer(32);
  const auto says = [&](UINT first, UINT count, UINT64 offset, D3D12_QUERY_TYPE type = D3D12_QUERY_TYPE_OCCLUSION) {
    return closed(app, direct_type,
                  [&](List* l) { l->ResolveQueryData(heap.Get(), type, first, count, buffer.Get(), offset); });
  };
  CHECK(says(0, 4, 0) == S_OK);
  CHECK(says(3, 1, 24) == S_OK);
  CHECK(says(0, 4, 8) == E_INVALIDARG);
  CHECK(says(1, 4, 0) == E_INVALIDARG);
  CHECK(says(0, 1, 4) == E_INVALIDARG);
  CHECK(says(0, 1, 0, D3D12_QUERY_TYPE_TIMESTAMP) == E_INVALIDARG);
}

TEST_CASE("queries: occlusion counts the pixels of the draws within, as estimated", "[d3d12]") {
  App app;
  Recorder direct(app, direct_type);
  const auto pipeline = graphics_pipeline(app);
  const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 4);
  const auto back = app.buffer(64, D3D12_HEAP_TYPE_READBACK);
  auto* const list = direct.list.Get();
  list->SetPipelineState(pipeline.Get());
  list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
  set_viewport(list, 64, 32);
  const auto query = [&](D3D12_QUERY_TYPE type, UINT index, int draws) {
    list->BeginQuery(heap.Get(), type, index);
    for (int i = 0; i < draws; ++i) list->DrawInstanced(4, 1, 0, 0);  // two triangles: the whole viewport
    list->EndQuery(heap.Get(), type, index);
  };
  query(D3D12_QUERY_TYPE_OCCLUSION, 0, 0);
  query(D3D12_QUERY_TYPE_OCCLUSION, 1, 1);
  list->DrawInstanced(4, 1, 0, 0);  // in no query
  query(D3D12_QUERY_TYPE_OCCLUSION, 2, 3);
  query(D3D12_QUERY_TYPE_BINARY_OCCLUSION, 3, 2);
  list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0, 3, back.Get(), 0);
  list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 3, 1, back.Get(), 24);
  direct.submit();
  CHECK(read<UINT64>(back.Get(), 4) == std::vector<UINT64>(4, 0));  // not yet
  direct.wait();
  CHECK(read<UINT64>(back.Get(), 4) == std::vector<UINT64>{0, 64 * 32, 3 * 64 * 32, 1});
}

TEST_CASE("queries: statistics count vertices, primitives and what shaders are started for", "[d3d12]") {
  App app;
  Recorder direct(app, direct_type);
  const auto draws = graphics_pipeline(app);
  const auto dispatches = compute_pipeline(app);
  const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1);
  const auto back = app.buffer(sizeof(Statistics), D3D12_HEAP_TYPE_READBACK);
  auto* const list = direct.list.Get();
  set_viewport(list, 16, 16);
  list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  list->BeginQuery(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  list->SetPipelineState(draws.Get());
  list->DrawInstanced(3, 1, 0, 0);
  list->DrawInstanced(30, 5, 0, 0);
  list->SetPipelineState(dispatches.Get());
  list->Dispatch(3, 2, 1);
  list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 1, back.Get(), 0);
  direct.run();
  const Statistics found = read<Statistics>(back.Get(), 1)[0];
  CHECK(found.IAVertices == 3 + 150);
  CHECK(found.IAPrimitives == 1 + 50);
  CHECK(found.VSInvocations == 3 + 150);
  CHECK(found.CInvocations == 51);
  CHECK(found.CPrimitives == 51);
  CHECK(found.PSInvocations == 2 * 16 * 16);
  CHECK(found.CSInvocations == 6 * 64);
  CHECK(found.GSInvocations == 0);
}

TEST_CASE("queries: an occlusion result decides what is drawn next", "[d3d12]") {
  App app;
  const auto pipeline = graphics_pipeline(app);
  for (const bool visible : {false, true}) {
    Recorder direct(app, direct_type);
    const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2);
    const auto predicate = app.buffer(8);
    const auto back = app.buffer(8, D3D12_HEAP_TYPE_READBACK);
    auto* const list = direct.list.Get();
    list->SetPipelineState(pipeline.Get());
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    set_viewport(list, 8, 8);
    list->BeginQuery(heap.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 0);
    list->DrawInstanced(visible ? 3 : 0, 1, 0, 0);
    list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 0);
    list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 0, 1, predicate.Get(), 0);
    list->BeginQuery(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 1);
    list->SetPredication(predicate.Get(), 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    list->DrawInstanced(3, 1, 0, 0);
    list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 1);  // is not predicated
    list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 1, 1, back.Get(), 0);
    direct.run();
    CHECK(read<UINT64>(back.Get(), 1)[0] == (visible ? 64 : 0));
  }
}

TEST_CASE("time stamps: copy queues take theirs, in their clock's ticks", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, 3);
  constexpr UINT64 bytes = 1 << 22;
  const auto from = app.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(bytes);
  const auto back = app.buffer(24, D3D12_HEAP_TYPE_READBACK);
  UINT64 before = 0;
  UINT64 cpu = 0;
  REQUIRE(copy.queue->GetClockCalibration(&before, &cpu) == S_OK);
  for (UINT i = 0; i < 3; ++i) {
    if (i > 0) copy.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, i * bytes / 2);
    copy.list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, i);
  }
  copy.list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 3, back.Get(), 0);
  copy.run();
  const auto stamps = read<UINT64>(back.Get(), 3);
  UINT64 after = 0;
  REQUIRE(copy.queue->GetClockCalibration(&after, &cpu) == S_OK);
  CHECK(before <= stamps[0]);
  CHECK(stamps[0] < stamps[1]);
  CHECK(stamps[1] < stamps[2]);
  CHECK(stamps[2] <= after);
  // Twice the bytes last about twice as long: the copies' set-up is small beside 2 MB.
  const auto first = static_cast<double>(stamps[1] - stamps[0]);
  CHECK(static_cast<double>(stamps[2] - stamps[1]) == Approx(2 * first).epsilon(0.1));
}

TEST_CASE("predication: bytes of a buffer, 8-byte aligned, with a known operation", "[d3d12]") {
  App app;
  const auto buffer = app.buffer(32);
  const auto texture = app.texture(DXGI_FORMAT_R8_UNORM, 4, 4);
  const auto says = [&](ID3D12Resource* values, UINT64 offset, int op) {
    return closed(app, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                  [&](List* l) { l->SetPredication(values, offset, static_cast<D3D12_PREDICATION_OP>(op)); });
  };
  CHECK(says(buffer.Get(), 24, 1) == S_OK);
  CHECK(says(nullptr, 3, 7) == S_OK);  // disables
  CHECK(says(buffer.Get(), 4, 0) == E_INVALIDARG);
  CHECK(says(buffer.Get(), 32, 0) == E_INVALIDARG);
  CHECK(says(buffer.Get(), 0, 2) == E_INVALIDARG);
  CHECK(says(texture.Get(), 0, 0) == E_INVALIDARG);
}

TEST_CASE("predication: draws, dispatches and copies are skipped, immediate writes and time stamps are not",
          "[d3d12]") {
  App app;
  const auto draws = graphics_pipeline(app);
  const auto dispatches = compute_pipeline(app);
  Recorder direct(app, direct_type);
  ComPtr<List> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 1);
  const auto stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1);
  const auto predicate = app.buffer(8, D3D12_HEAP_TYPE_UPLOAD);  // 0
  const auto from = app.buffer(8, D3D12_HEAP_TYPE_UPLOAD);
  const auto words = app.buffer(8);
  write(from.Get(), std::vector<UINT>{5, 6});
  const auto back = app.buffer(1024, D3D12_HEAP_TYPE_READBACK);
  list->SetPredication(predicate.Get(), 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
  list->BeginQuery(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  list->SetPipelineState(draws.Get());
  list->DrawInstanced(3, 1, 0, 0);
  list->DrawIndexedInstanced(3, 1, 0, 0, 0);
  list->SetPipelineState(dispatches.Get());
  list->Dispatch(1, 1, 1);
  list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0);
  list->CopyResource(words.Get(), from.Get());
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{words->GetGPUVirtualAddress() + 4, 70};
  list->WriteBufferImmediate(1, &parameter, nullptr);
  list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 1, back.Get(), 0);
  list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, back.Get(), 512);
  list->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
  list->CopyBufferRegion(back.Get(), 520, words.Get(), 0, 8);
  direct.run();
  const Statistics found = read<Statistics>(back.Get(), 1)[0];
  CHECK(found.IAVertices == 0);
  CHECK(found.CSInvocations == 0);
  CHECK(read<UINT64>(back.Get(), 1, 512)[0] > 0);
  CHECK(read<UINT>(back.Get(), 2, 520) == std::vector<UINT>{0, 70});
}

TEST_CASE("immediate writes: aligned, in a buffer, with a known mode", "[d3d12]") {
  App app;
  const auto buffer = app.buffer(16);
  const auto says = [&](UINT64 address, int mode) {
    return closed(app, D3D12_COMMAND_LIST_TYPE_COPY, [&](List* l) {
      const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{address, 1};
      const auto of = static_cast<D3D12_WRITEBUFFERIMMEDIATE_MODE>(mode);
      l->WriteBufferImmediate(1, &parameter, &of);
    });
  };
  const UINT64 start = buffer->GetGPUVirtualAddress();
  for (const int mode : {0, 1, 2}) CHECK(says(start + 12, mode) == S_OK);
  CHECK(says(start, 3) == E_INVALIDARG);
  CHECK(says(start, -1) == E_INVALIDARG);
  CHECK(says(start + 2, 0) == E_INVALIDARG);
  CHECK(says(0, 0) == E_INVALIDARG);
}
