// SPDX-License-Identifier: Apache-2.0
// Who keeps whom alive: a table with a row for each pair of objects. An object that another one keeps is destroyed with
// that one and not with the program's last Release; one that nobody keeps is destroyed at once. Whether an object is
// there still ID3DDestructionNotifier tells.
#include "tests/d3d12/display/game.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline::testing;

namespace {

/// Becomes false when the object is destroyed.
std::shared_ptr<bool> watch(IUnknown* object) {
  ComPtr<ID3DDestructionNotifier> notifier;
  REQUIRE(object->QueryInterface(IID_PPV_ARGS(&notifier)) == S_OK);
  auto alive = std::make_shared<bool>(true);
  const auto told = [](void* data) { *static_cast<bool*>(data) = false; };
  REQUIRE(notifier->RegisterDestructionCallback(told, alive.get(), nullptr) == S_OK);
  return alive;
}

struct Pair {
  ComPtr<IUnknown> keeper;
  ComPtr<IUnknown> kept;  ///< to be released first
};

ComPtr<ID3D12Heap> heap_of(const App& app) {
  const D3D12_HEAP_DESC desc{1 << 20, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  return heap;
}

ComPtr<ID3D12Resource> placed_in(const App& app, ID3D12Heap* heap, UINT64 offset = 0) {
  const D3D12_RESOURCE_DESC desc = buffer_desc(4096);
  ComPtr<ID3D12Resource> made;
  REQUIRE(app.device->CreatePlacedResource(heap, offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

ComPtr<ID3D12DescriptorHeap> views_of(const App& app, D3D12_DESCRIPTOR_HEAP_TYPE type,
                                      D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
  const D3D12_DESCRIPTOR_HEAP_DESC desc{type, 4, flags, 0};
  ComPtr<ID3D12DescriptorHeap> made;
  REQUIRE(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

struct Row {
  const char* what;
  bool keeps;
  std::function<Pair(App&)> make;
};

template <class A, class B>
Pair pair_of(const ComPtr<A>& keeper, const ComPtr<B>& kept) {
  return {ComPtr<IUnknown>(keeper.Get()), ComPtr<IUnknown>(kept.Get())};
}

std::vector<Row> table() {
  constexpr auto direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
  constexpr auto compute = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  constexpr auto cbv_srv_uav = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  return {
      {"a placed resource keeps its heap", true,
       [](App& app) {
         const auto heap = heap_of(app);
         return pair_of(placed_in(app, heap.Get()), heap);
       }},
      {"a heap does not keep what is placed in it", false,
       [](App& app) {
         const auto heap = heap_of(app);
         return pair_of(heap, placed_in(app, heap.Get()));
       }},
      {"a reserved resource does not keep heaps that it is mapped to", false,
       [](App& app) {
         const D3D12_RESOURCE_DESC desc = buffer_desc(1 << 16);
         ComPtr<ID3D12Resource> reserved;
         REQUIRE(app.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                    IID_PPV_ARGS(&reserved)) == S_OK);
         const auto heap = heap_of(app);
         const auto queue = app.queue(direct);
         const D3D12_TILE_RANGE_FLAGS flags = D3D12_TILE_RANGE_FLAG_NONE;
         const UINT first = 0;
         const UINT count = 1;
         queue->UpdateTileMappings(reserved.Get(), 1, nullptr, nullptr, heap.Get(), 1, &flags, &first, &count,
                                   D3D12_TILE_MAPPING_FLAG_NONE);
         const auto done = app.fence();
         REQUIRE(queue->Signal(done.Get(), 1) == S_OK);
         REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
         return pair_of(reserved, heap);
       }},
      {"a pipeline state keeps its root signature", true,
       [](App& app) {
         const auto root = root_constants(app, 3);
         const std::string code = empty_shader(5);
         D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
         desc.pRootSignature = root.Get();
         desc.CS = {code.data(), code.size()};
         ComPtr<ID3D12PipelineState> pipeline;
         REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
         return pair_of(pipeline, root);
       }},
      {"a command signature keeps its root signature", true,
       [](App& app) {
         const auto root = root_constants(app, 5);
         D3D12_INDIRECT_ARGUMENT_DESC arguments[2]{};
         arguments[0].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT;
         arguments[0].Constant = {0, 0, 1};
         arguments[1].Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
         const D3D12_COMMAND_SIGNATURE_DESC desc{16, 2, arguments, 0};
         ComPtr<ID3D12CommandSignature> signature;
         REQUIRE(app.device->CreateCommandSignature(&desc, root.Get(), IID_PPV_ARGS(&signature)) == S_OK);
         return pair_of(signature, root);
       }},
      {"a list keeps the allocator that it has recorded into", true,
       [](App& app) {
         const auto allocator = app.allocator(direct);
         return pair_of(app.list(allocator.Get(), direct), allocator);
       }},
      {"an allocator does not keep lists", false,
       [](App& app) {
         const auto allocator = app.allocator(direct);
         return pair_of(allocator, app.list(allocator.Get(), direct));
       }},
      {"a list keeps the pipeline state that is set", true,
       [](App& app) {
         const auto pipeline = compute_pipeline(app);
         const auto list = app.list(app.allocator(compute).Get(), compute);
         list->SetPipelineState(pipeline.Get());
         return pair_of(list, pipeline);
       }},
      {"a list keeps pipeline states that it has recorded with", true,
       [](App& app) {
         const auto pipeline = compute_pipeline(app);
         const auto list = app.list(app.allocator(compute).Get(), compute);
         list->SetPipelineState(pipeline.Get());
         list->Dispatch(1, 1, 1);
         list->ClearState(nullptr);
         REQUIRE(list->Close() == S_OK);
         return pair_of(list, pipeline);
       }},
      {"a list that is reset does not keep what it had", false,
       [](App& app) {
         const auto pipeline = compute_pipeline(app);
         const auto allocator = app.allocator(compute);
         const auto list = app.list(allocator.Get(), compute);
         list->SetPipelineState(pipeline.Get());
         list->Dispatch(1, 1, 1);
         REQUIRE(list->Close() == S_OK);
         REQUIRE(list->Reset(allocator.Get(), nullptr) == S_OK);
         return pair_of(list, pipeline);
       }},
      {"a list does not keep resources", false,
       [](App& app) {
         const auto buffer = app.buffer(4096);
         const auto from = app.buffer(4096);
         const auto list = app.list(app.allocator(direct).Get(), direct);
         list->CopyResource(buffer.Get(), from.Get());
         return pair_of(list, buffer);
       }},
      {"a list does not keep descriptor heaps", false,
       [](App& app) {
         const auto views = views_of(app, cbv_srv_uav, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE);
         const auto list = app.list(app.allocator(direct).Get(), direct);
         ID3D12DescriptorHeap* const heaps[] = {views.Get()};
         list->SetDescriptorHeaps(1, heaps);
         return pair_of(list, views);
       }},
      {"a list does not keep root signatures", false,
       [](App& app) {
         const auto root = root_constants(app, 7);
         const auto list = app.list(app.allocator(direct).Get(), direct);
         list->SetComputeRootSignature(root.Get());
         return pair_of(list, root);
       }},
      {"a view does not keep its resource", false,
       [](App& app) {
         const auto views = views_of(app, cbv_srv_uav, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
         const auto buffer = app.buffer(4096);
         D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
         desc.Format = DXGI_FORMAT_R32_UINT;
         desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
         desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
         desc.Buffer.NumElements = 1;
         app.device->CreateShaderResourceView(buffer.Get(), &desc, views->GetCPUDescriptorHandleForHeapStart());
         return pair_of(views, buffer);
       }},
      {"a view of a target does not keep it", false,
       [](App& app) {
         const auto views = views_of(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
         const auto target = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
         app.device->CreateRenderTargetView(target.Get(), nullptr, views->GetCPUDescriptorHandleForHeapStart());
         return pair_of(views, target);
       }},
      {"a queue does not keep lists that it has executed", false,
       [](App& app) {
         const Recorder copy(app, direct);
         REQUIRE(copy.list->Close() == S_OK);
         ID3D12CommandList* const lists[] = {copy.list.Get()};
         copy.queue->ExecuteCommandLists(1, lists);
         REQUIRE(copy.queue->Signal(copy.fence.Get(), 1) == S_OK);
         REQUIRE(copy.fence->SetEventOnCompletion(1, nullptr) == S_OK);
         return pair_of(copy.queue, copy.list);
       }},
      {"a queue does not keep fences", false,
       [](App& app) {
         const auto queue = app.queue(direct);
         const auto fence = app.fence();
         REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
         return pair_of(queue, fence);
       }},
      {"an event does not keep the fence that will set it", false,
       [](App& app) {
         const auto fence = app.fence();
         HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
         REQUIRE(fence->SetEventOnCompletion(1, event) == S_OK);
         CloseHandle(event);
         return pair_of(app.fence(), fence);
       }},
      {"a pipeline library keeps what is stored in it", true,
       [](App& app) {
         ComPtr<ID3D12Device1> device;
         REQUIRE(app.device.As(&device) == S_OK);
         ComPtr<ID3D12PipelineLibrary> library;
         REQUIRE(device->CreatePipelineLibrary(nullptr, 0, IID_PPV_ARGS(&library)) == S_OK);
         const auto pipeline = compute_pipeline(app);
         REQUIRE(library->StorePipeline(L"one", pipeline.Get()) == S_OK);
         return pair_of(library, pipeline);
       }},
      {"a swap chain keeps its queue", true,
       [](App& app) {
         const auto queue = app.queue(direct);
         return pair_of(swap_chain_of(dxgi_factory().Get(), queue.Get(), swap_chain_desc()), queue);
       }},
      {"a swap chain keeps its buffers", true,
       [](App& app) {
         const auto chain = swap_chain_of(dxgi_factory().Get(), app.queue(direct).Get(), swap_chain_desc());
         ComPtr<ID3D12Resource> buffer;
         REQUIRE(chain->GetBuffer(1, IID_PPV_ARGS(&buffer)) == S_OK);
         return pair_of(chain, buffer);
       }},
      {"private data keep an interface", true,
       [](App& app) {
         const auto inner = app.buffer(64);
         const auto outer = app.buffer(64);
         constexpr GUID guid{0x1234, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
         REQUIRE(outer->SetPrivateDataInterface(guid, inner.Get()) == S_OK);
         return pair_of(outer, inner);
       }},
  };
}

}  // namespace

TEST_CASE("lifetimes: what keeps what alive, and what does not", "[d3d12][lifetime]") {
  App app;
  for (const Row& row : table()) {
    INFO(row.what);
    Pair pair = row.make(app);
    const auto kept = watch(pair.kept.Get());
    pair.kept.Reset();
    CHECK(*kept == row.keeps);
    pair.keeper.Reset();
    CHECK_FALSE(*kept);
  }
}

TEST_CASE("lifetimes: everything made by a device keeps it", "[d3d12][lifetime]") {
  using Make = std::function<ComPtr<IUnknown>(App&)>;
  const auto unknown = [](const auto& object) { return ComPtr<IUnknown>(object.Get()); };
  const std::vector<std::pair<const char*, Make>> rows = {
      {"queue", [&](App& app) { return unknown(app.queue(D3D12_COMMAND_LIST_TYPE_COPY)); }},
      {"allocator", [&](App& app) { return unknown(app.allocator(D3D12_COMMAND_LIST_TYPE_COPY)); }},
      {"list",
       [&](App& app) {
         return unknown(app.list(app.allocator(D3D12_COMMAND_LIST_TYPE_COPY).Get(), D3D12_COMMAND_LIST_TYPE_COPY));
       }},
      {"fence", [&](App& app) { return unknown(app.fence()); }},
      {"buffer", [&](App& app) { return unknown(app.buffer(64)); }},
      {"heap", [&](App& app) { return unknown(heap_of(app)); }},
      {"placed resource", [&](App& app) { return unknown(placed_in(app, heap_of(app).Get())); }},
      {"descriptor heap",
       [&](App& app) {
         return unknown(views_of(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, D3D12_DESCRIPTOR_HEAP_FLAG_NONE));
       }},
      {"root signature", [&](App& app) { return unknown(root_constants(app, 2)); }},
      {"pipeline state", [&](App& app) { return unknown(compute_pipeline(app)); }},
      {"command signature",
       [&](App& app) {
         return unknown(signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, sizeof(D3D12_DRAW_ARGUMENTS)));
       }},
  };
  for (const auto& [name, make] : rows) {
    INFO(name);
    App app;
    ComPtr<IUnknown> child = make(app);
    const auto device = watch(app.device.Get());
    CHECK(references(app.device.Get()) >= 2);
    app.device.Reset();
    CHECK(*device);
    child.Reset();
    CHECK_FALSE(*device);
  }
}

TEST_CASE("lifetimes: a heap is destroyed with the last of what is placed in it, in any order", "[d3d12][lifetime]") {
  for (const std::vector<std::size_t>& order : std::vector<std::vector<std::size_t>>{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
    App app;
    auto heap = heap_of(app);
    std::vector<ComPtr<ID3D12Resource>> placed;
    for (UINT64 i = 0; i < 3; ++i) placed.push_back(placed_in(app, heap.Get(), i << 16));
    CHECK(references(heap.Get()) == 1);  // what keeps it is not counted
    const auto alive = watch(heap.Get());
    heap.Reset();
    for (const std::size_t i : order) {
      CHECK(*alive);
      placed[i].Reset();
    }
    CHECK_FALSE(*alive);
  }
}

TEST_CASE("lifetimes: a list goes on with a pipeline state that the program has released", "[d3d12][lifetime]") {
  App app;
  Recorder compute(app, D3D12_COMMAND_LIST_TYPE_COMPUTE);
  // Each new one may lie where the one before lay, and is another one all the same.
  for (const std::uint32_t instructions : {1'000U, 2'000U, 4'000U}) {
    const std::string code = shader_of(5, instructions);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.CS = {code.data(), code.size()};
    ComPtr<ID3D12PipelineState> pipeline;
    REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
    compute.list->SetPipelineState(pipeline.Get());
    pipeline.Reset();
    compute.list->Dispatch(1, 1, 1);
  }
  const GpuTimeline timeline(app.device.Get());
  compute.run();
  const auto& runs = timeline.of(0);
  REQUIRE(runs.size() == 1);
  // They run beside each other; on `tiny` one group runs an instruction in 4 ns.
  const std::uint64_t slowest_ps = std::uint64_t{4'000} * 4'000;
  CHECK(runs[0].end_ps - runs[0].start_ps >= slowest_ps);
}
