// SPDX-License-Identifier: Apache-2.0
// Node masks of linked adapters, at every place of the API that has one. Source: win32 docs, "Multi-adapter systems".
#include "api/d3d12/dxgi.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr auto mismatch = D3D12_MESSAGE_ID_NODE_MASK_MISMATCH;

/// Two linked adapters, with the debug layer on.
struct Linked : DebugLayerOn, App {
  Linked() : App(device_of("tiny_linked")) {
    REQUIRE(device.As(&messages) == S_OK);
    messages->SetMuteDebugOutput(TRUE);
  }
  Ids said_ids() { return take_ids(*messages.Get()); }
  HRESULT queue_of(UINT mask, ComPtr<ID3D12CommandQueue>& made) {
    const D3D12_COMMAND_QUEUE_DESC desc{direct_type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, mask};
    return device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made));
  }
  ComPtr<ID3D12GraphicsCommandList> list_of(UINT mask, ID3D12CommandAllocator* into,
                                            D3D12_COMMAND_LIST_TYPE type = direct_type) {
    ComPtr<ID3D12GraphicsCommandList> made;
    REQUIRE(device->CreateCommandList(mask, type, into, nullptr, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12InfoQueue> messages;
};

/// A call with a node mask: what it answers for each mask, and what the debug layer says of those that it refuses.
void check_masks(Linked& app, bool one, int message, const std::function<HRESULT(UINT)>& call) {
  struct Row {
    UINT mask;
    bool good;
  };
  for (const Row& row : {Row{0, true}, Row{1, true}, Row{2, true}, Row{3, !one}, Row{4, false}, Row{5, false},
                         Row{0x80000000, false}, Row{0xFFFFFFFF, false}}) {
    INFO("mask " << row.mask);
    app.said_ids();
    CHECK(call(row.mask) == (row.good ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (row.good ? Ids{} : Ids{message}));
  }
}

}  // namespace

TEST_CASE("d3d12: a machine with linked adapters has as many nodes", "[d3d12]") {
  Linked app;
  CHECK(app.device->GetNodeCount() == 2);
}

TEST_CASE("d3d12: a queue is of one node, the first where none is said", "[d3d12]") {
  Linked app;
  ComPtr<ID3D12CommandQueue> queue;
  check_masks(app, true, mismatch, [&](UINT mask) {
    const HRESULT result = app.queue_of(mask, queue);
    if (result == S_OK) CHECK(queue->GetDesc().NodeMask == (mask == 0 ? 1 : mask));
    return result;
  });
  ComPtr<ID3D12Device9> device;
  REQUIRE(app.device.As(&device) == S_OK);
  check_masks(app, true, mismatch, [&](UINT mask) {
    const D3D12_COMMAND_QUEUE_DESC desc{copy_type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, mask};
    return device->CreateCommandQueue1(&desc, IID{}, IID_PPV_ARGS(&queue));
  });
}

TEST_CASE("d3d12: a list is of one node, also one that begins closed", "[d3d12]") {
  Linked app;
  ComPtr<ID3D12Device4> device;
  REQUIRE(app.device.As(&device) == S_OK);
  check_masks(app, true, mismatch, [&](UINT mask) {
    const auto allocator = app.allocator(direct_type);
    ComPtr<ID3D12GraphicsCommandList> list;
    return app.device->CreateCommandList(mask, direct_type, allocator.Get(), nullptr, IID_PPV_ARGS(&list));
  });
  check_masks(app, true, mismatch, [&](UINT mask) {
    ComPtr<ID3D12GraphicsCommandList> list;
    return device->CreateCommandList1(mask, compute_type, D3D12_COMMAND_LIST_FLAG_NONE, IID_PPV_ARGS(&list));
  });
}

TEST_CASE("d3d12: a descriptor heap and a query heap are of one node", "[d3d12]") {
  Linked app;
  check_masks(app, true, mismatch, [&](UINT mask) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, mask};
    ComPtr<ID3D12DescriptorHeap> heap;
    const HRESULT result = app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap));
    if (result == S_OK) CHECK(heap->GetDesc().NodeMask == (mask == 0 ? 1 : mask));
    return result;
  });
  check_masks(app, true, mismatch, [&](UINT mask) {
    const D3D12_QUERY_HEAP_DESC desc{D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, mask};
    ComPtr<ID3D12QueryHeap> heap;
    return app.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap));
  });
}

TEST_CASE("d3d12: a root signature, a command signature and a pipeline state may be of several nodes", "[d3d12]") {
  Linked app;
  const D3D12_ROOT_SIGNATURE_DESC empty{};
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3D12SerializeRootSignature(&empty, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr) == S_OK);
  ComPtr<ID3D12RootSignature> root;
  check_masks(app, false, mismatch, [&](UINT mask) {
    return app.device->CreateRootSignature(mask, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&root));
  });
  check_masks(app, false, mismatch, [&](UINT mask) {
    D3D12_INDIRECT_ARGUMENT_DESC dispatch{};
    dispatch.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    const D3D12_COMMAND_SIGNATURE_DESC desc{sizeof(D3D12_DISPATCH_ARGUMENTS), 1, &dispatch, mask};
    ComPtr<ID3D12CommandSignature> signature;
    return app.device->CreateCommandSignature(&desc, nullptr, IID_PPV_ARGS(&signature));
  });
  const std::string code = empty_shader(5);
  check_masks(app, false, mismatch, [&](UINT mask) {
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.CS = {code.data(), code.size()};
    desc.NodeMask = mask;
    ComPtr<ID3D12PipelineState> pipeline;
    return app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline));
  });
  ComPtr<ID3D12Device2> with_streams;
  REQUIRE(app.device.As(&with_streams) == S_OK);
  check_masks(app, false, mismatch, [&](UINT mask) {
    struct {
      alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE code_type;
      D3D12_SHADER_BYTECODE code;
      alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE mask_type;
      UINT mask;
    } stream{D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS,
             {code.data(), code.size()},
             D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_NODE_MASK,
             mask};
    const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
    ComPtr<ID3D12PipelineState> pipeline;
    return with_streams->CreatePipelineState(&desc, IID_PPV_ARGS(&pipeline));
  });
  const std::string vertex = empty_shader(1);
  const std::string pixel = empty_shader(0);
  check_masks(app, false, mismatch, [&](UINT mask) {
    auto desc = graphics_desc(vertex, pixel, DXGI_FORMAT_B8G8R8A8_UNORM);
    desc.NodeMask = mask;
    ComPtr<ID3D12PipelineState> pipeline;
    return app.device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&pipeline));
  });
}

TEST_CASE("d3d12: a heap is created on one node and visible on it, and maybe on others", "[d3d12]") {
  Linked app;
  const auto heap = [&](UINT created, UINT visible) {
    D3D12_HEAP_DESC desc{};
    desc.SizeInBytes = 65536;
    desc.Properties = {D3D12_HEAP_TYPE_DEFAULT, {}, {}, created, visible};
    ComPtr<ID3D12Heap> made;
    const HRESULT result = app.device->CreateHeap(&desc, IID_PPV_ARGS(&made));
    if (result == S_OK) {
      CHECK(made->GetDesc().Properties.CreationNodeMask == (created == 0 ? 1 : created));
      CHECK(made->GetDesc().Properties.VisibleNodeMask == (visible == 0 ? 1 : visible));
    }
    return result;
  };
  const auto committed = [&](UINT created, UINT visible) {
    const D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_DEFAULT, {}, {}, created, visible};
    const D3D12_RESOURCE_DESC desc{
        D3D12_RESOURCE_DIMENSION_BUFFER, 0, 256, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0}, D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
        D3D12_RESOURCE_FLAG_NONE};
    ComPtr<ID3D12Resource> made;
    return app.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                               nullptr, IID_PPV_ARGS(&made));
  };
  const auto create = [](const auto& call, UINT created, UINT visible) { return call(created, visible); };
  check_masks(app, true, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES,
              [&](UINT mask) { return create(heap, mask, mask == 4 ? 7 : 3); });
  check_masks(app, false, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES,
              [&](UINT mask) { return create(heap, mask == 2 ? 2 : 1, mask); });
  check_masks(app, true, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDDESC,
              [&](UINT mask) { return create(committed, mask, 3); });
  check_masks(app, false, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDDESC,
              [&](UINT mask) { return create(committed, mask == 2 ? 2 : 1, mask); });
  CHECK(heap(1, 2) == E_INVALIDARG);
  CHECK(heap(2, 1) == E_INVALIDARG);
  CHECK(heap(2, 0) == E_INVALIDARG);
  CHECK(heap(0, 2) == E_INVALIDARG);
  CHECK(committed(2, 1) == E_INVALIDARG);
}

TEST_CASE("d3d12: what asks for a node answers for those that there are", "[d3d12]") {
  Linked app;
  for (const UINT mask : {0, 1, 2}) {
    const D3D12_HEAP_PROPERTIES found = app.device->GetCustomHeapProperties(mask, D3D12_HEAP_TYPE_UPLOAD);
    CHECK(found.CreationNodeMask == (mask == 0 ? 1 : mask));
    CHECK(found.VisibleNodeMask == (mask == 0 ? 1 : mask));
  }
  const D3D12_RESOURCE_DESC buffer{
      D3D12_RESOURCE_DIMENSION_BUFFER, 0, 256, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0}, D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
      D3D12_RESOURCE_FLAG_NONE};
  for (const UINT mask : {0, 1, 2, 3}) {
    CHECK(app.device->GetResourceAllocationInfo(mask, 1, &buffer).SizeInBytes == 65536);
  }
  CHECK(app.said_ids().empty());
  app.device->GetCustomHeapProperties(3, D3D12_HEAP_TYPE_UPLOAD);
  app.device->GetCustomHeapProperties(4, D3D12_HEAP_TYPE_UPLOAD);
  CHECK(app.device->GetResourceAllocationInfo(4, 1, &buffer).SizeInBytes == ~UINT64{0});
  CHECK(app.said_ids() == Ids{mismatch, mismatch, mismatch});
  ComPtr<ID3D12Device8> device;
  REQUIRE(app.device.As(&device) == S_OK);
  D3D12_RESOURCE_ALLOCATION_INFO1 each{};
  const D3D12_RESOURCE_DESC1 same{buffer.Dimension, 0,        256, 1, 1, 1, buffer.Format, {1, 0}, buffer.Layout,
                                  buffer.Flags,     {0, 0, 0}};
  for (const UINT mask : {0, 3, 4}) {
    const UINT64 expected = mask == 4 ? ~UINT64{0} : 65536;
    CHECK(device->GetResourceAllocationInfo1(mask, 1, &buffer, &each).SizeInBytes == expected);
    CHECK(device->GetResourceAllocationInfo2(mask, 1, &same, &each).SizeInBytes == expected);
  }
  CHECK(app.said_ids() == Ids{mismatch, mismatch});
  for (const UINT node : {0, 1, 2}) {
    D3D12_FEATURE_DATA_ARCHITECTURE1 data{};
    data.NodeIndex = node;
    CHECK(app.device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE1, &data, sizeof(data)) ==
          (node < 2 ? S_OK : E_INVALIDARG));
    CHECK(data.NodeIndex == node);
    D3D12_FEATURE_DATA_SERIALIZATION serialization{node, {}};
    CHECK(app.device->CheckFeatureSupport(D3D12_FEATURE_SERIALIZATION, &serialization, sizeof(serialization)) ==
          (node < 2 ? S_OK : E_INVALIDARG));
  }
}

TEST_CASE("d3d12: DXGI tells of the video memory of each node", "[d3d12]") {
  setenv("FENCELINE_MACHINE", "tiny_linked", 1);  // a process reads it once: as a test of its own this one sees it
  ComPtr<IDXGIFactory4> factory;
  REQUIRE(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)) == S_OK);
  ComPtr<IDXGIAdapter1> first;
  ComPtr<IDXGIAdapter3> adapter;
  REQUIRE(factory->EnumAdapters1(0, &first) == S_OK);
  REQUIRE(first.As(&adapter) == S_OK);
  ComPtr<ID3D12Device> device;
  REQUIRE(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
  const UINT nodes = device->GetNodeCount();
  for (const UINT node : {0, 1, 2}) {
    DXGI_QUERY_VIDEO_MEMORY_INFO info{};
    CHECK(adapter->QueryVideoMemoryInfo(node, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info) ==
          (node < nodes ? S_OK : E_INVALIDARG));
    CHECK((info.Budget > 0) == (node < nodes));
  }
}

TEST_CASE("d3d12: a fence may be for other adapters, alone or shared", "[d3d12]") {
  Linked app;
  for (const unsigned flags : {0U, 1U, 2U, 3U, 4U, 7U}) {
    ComPtr<ID3D12Fence> fence;
    CHECK(app.device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(flags), IID_PPV_ARGS(&fence)) == S_OK);
  }
  CHECK(app.said_ids().empty());
  ComPtr<ID3D12Fence> fence;
  CHECK(app.device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(8), IID_PPV_ARGS(&fence)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS});
}

TEST_CASE("d3d12: a queue executes no list of another node", "[d3d12]") {
  Linked app;
  const auto allocator = app.allocator(direct_type);
  const auto list = app.list_of(2, allocator.Get());
  REQUIRE(list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {list.Get()};
  ComPtr<ID3D12CommandQueue> first;
  ComPtr<ID3D12CommandQueue> second;
  REQUIRE(app.queue_of(0, first) == S_OK);
  REQUIRE(app.queue_of(2, second) == S_OK);
  second->ExecuteCommandLists(1, lists);
  CHECK(app.said_ids().empty());
  const auto executed = app.fence();
  REQUIRE(second->Signal(executed.Get(), 1) == S_OK);
  REQUIRE(executed->SetEventOnCompletion(1, nullptr) == S_OK);
  first->ExecuteCommandLists(1, lists);
  CHECK(app.said_ids() == Ids{mismatch});
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("d3d12: a list executes no bundle of another node", "[d3d12]") {
  Linked app;
  const auto bundles = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.list_of(2, bundles.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  REQUIRE(bundle->Close() == S_OK);
  for (const UINT mask : {2, 1}) {
    const auto allocator = app.allocator(direct_type);
    const auto list = app.list_of(mask, allocator.Get());
    list->ExecuteBundle(bundle.Get());
    CHECK(app.said_ids() == (mask == 2 ? Ids{} : Ids{mismatch}));
    CHECK(list->Close() == (mask == 2 ? S_OK : E_INVALIDARG));
  }
}

TEST_CASE("d3d12: on a machine of one adapter every mask but 0 and 1 is refused", "[d3d12]") {
  DebuggedApp app;
  const auto allocator = app.allocator(direct_type);
  ComPtr<ID3D12GraphicsCommandList> list;
  CHECK(app.device->CreateCommandList(2, direct_type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{mismatch});
  CHECK(app.device->CreateCommandList(1, direct_type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)) == S_OK);
  CHECK(app.said_ids().empty());
}
