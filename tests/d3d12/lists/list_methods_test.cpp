// SPDX-License-Identifier: Apache-2.0
// Every method of a command list on every type of list. Source: D3D12's table of command list API restrictions
// ("Recording command lists and bundles"); what is newer than it stands with its kind.
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <functional>
#include <string>

using namespace fenceline::testing;

namespace {

/// What the methods' arguments name.
struct Things {
  explicit Things(App& app)
      : draws(graphics_pipeline(app)),
        dispatches(compute_pipeline(app)),
        meshes(mesh_pipeline(app)),
        buffer(app.buffer(4096)),
        other(app.buffer(4096)),
        raw(app.buffer(4096, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS)),
        target(app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET)),
        copy(app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8)),
        depth(app.texture(DXGI_FORMAT_D32_FLOAT, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL)),
        targets(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV)),
        depths(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_DSV)),
        views(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)),
        visible(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true)),
        occlusion(query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 4)),
        stamps(query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4)),
        copy_stamps(query_heap(app, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, 4)),
        indirect(signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, sizeof(D3D12_DISPATCH_ARGUMENTS))),
        bundles(app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE)),
        bundle(app.list(bundles.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE)) {
    app.device->CreateRenderTargetView(target.Get(), nullptr, target_view());
    app.device->CreateDepthStencilView(depth.Get(), nullptr, depth_view());
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
    desc.Format = DXGI_FORMAT_R32_TYPELESS;
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.NumElements = 16;
    desc.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
    app.device->CreateUnorderedAccessView(raw.Get(), nullptr, &desc, raw_view());
    REQUIRE(bundle->Close() == S_OK);
  }
  D3D12_CPU_DESCRIPTOR_HANDLE target_view() const { return targets->GetCPUDescriptorHandleForHeapStart(); }
  D3D12_CPU_DESCRIPTOR_HANDLE depth_view() const { return depths->GetCPUDescriptorHandleForHeapStart(); }
  D3D12_CPU_DESCRIPTOR_HANDLE raw_view() const { return views->GetCPUDescriptorHandleForHeapStart(); }
  D3D12_GPU_DESCRIPTOR_HANDLE table() const { return visible->GetGPUDescriptorHandleForHeapStart(); }

  ComPtr<ID3D12PipelineState> draws, dispatches, meshes;
  ComPtr<ID3D12Resource> buffer, other, raw, target, copy, depth;
  ComPtr<ID3D12DescriptorHeap> targets, depths, views, visible;
  ComPtr<ID3D12QueryHeap> occlusion, stamps, copy_stamps;
  ComPtr<ID3D12CommandSignature> indirect;
  ComPtr<ID3D12CommandAllocator> bundles;
  ComPtr<ID3D12GraphicsCommandList> bundle;
};

struct Method {
  const char* name;
  std::string types;  ///< D direct, C compute, Y copy, B bundle
  std::function<void(List&, const Things&)> call;
};

const float color[4] = {};
const UINT zeros[4] = {};

std::vector<Method> methods() {
  return {
      // Direct, compute and copy.
      {"AtomicCopyBufferUINT", "DCY",
       [](List& l, const Things& t) { l.AtomicCopyBufferUINT(t.buffer.Get(), 0, t.other.Get(), 0, 0, {}, {}); }},
      {"AtomicCopyBufferUINT64", "DCY",
       [](List& l, const Things& t) { l.AtomicCopyBufferUINT64(t.buffer.Get(), 0, t.other.Get(), 0, 0, {}, {}); }},
      {"CopyBufferRegion", "DCY",
       [](List& l, const Things& t) { l.CopyBufferRegion(t.buffer.Get(), 0, t.other.Get(), 0, 16); }},
      {"CopyResource", "DCY", [](List& l, const Things& t) { l.CopyResource(t.buffer.Get(), t.other.Get()); }},
      {"CopyTextureRegion", "DCY",
       [](List& l, const Things& t) {
         D3D12_TEXTURE_COPY_LOCATION to{};
         to.pResource = t.copy.Get();
         D3D12_TEXTURE_COPY_LOCATION from{};
         from.pResource = t.target.Get();
         l.CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
       }},
      {"CopyTiles", "DCY",
       [](List& l, const Things&) { l.CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, D3D12_TILE_COPY_FLAG_NONE); }},
      {"EndQuery", "DCY",
       [](List& l, const Things& t) {
         const bool copies = l.GetType() == D3D12_COMMAND_LIST_TYPE_COPY;
         l.EndQuery((copies ? t.copy_stamps : t.stamps).Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
       }},
      {"ResolveQueryData", "DCY",
       [](List& l, const Things& t) {
         l.ResolveQueryData(t.stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, t.buffer.Get(), 0);
       }},
      {"ResourceBarrier", "DCY",
       [](List& l, const Things& t) {
         D3D12_RESOURCE_BARRIER barrier{};
         barrier.Transition = {t.buffer.Get(), 0, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST};
         l.ResourceBarrier(1, &barrier);
       }},
      {"Barrier", "DCY",
       [](List& l, const Things&) {
         const D3D12_GLOBAL_BARRIER global{};
         D3D12_BARRIER_GROUP group{};
         group.Type = D3D12_BARRIER_TYPE_GLOBAL;
         group.NumBarriers = 1;
         group.pGlobalBarriers = &global;
         l.Barrier(1, &group);
       }},
      {"SetProtectedResourceSession", "DCY", [](List& l, const Things&) { l.SetProtectedResourceSession(nullptr); }},
      // All.
      {"WriteBufferImmediate", "DCYB",
       [](List& l, const Things& t) {
         const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write{t.buffer->GetGPUVirtualAddress(), 1};
         l.WriteBufferImmediate(1, &write, nullptr);
       }},
      {"SetMarker", "DCYB", [](List& l, const Things&) { l.SetMarker(0, "", 1); }},
      {"BeginEvent", "DCYB",
       [](List& l, const Things&) {
         l.BeginEvent(0, "", 1);
         l.EndEvent();
       }},
      // Direct and compute.
      {"BuildRaytracingAccelerationStructure", "DC",
       [](List& l, const Things&) { l.BuildRaytracingAccelerationStructure(nullptr, 0, nullptr); }},
      {"CopyRaytracingAccelerationStructure", "DC",
       [](List& l, const Things&) { l.CopyRaytracingAccelerationStructure(0, 0, {}); }},
      {"EmitRaytracingAccelerationStructurePostbuildInfo", "DC",
       [](List& l, const Things&) { l.EmitRaytracingAccelerationStructurePostbuildInfo(nullptr, 0, nullptr); }},
      {"ClearState", "DC", [](List& l, const Things&) { l.ClearState(nullptr); }},
      {"ClearUnorderedAccessViewFloat", "DC",
       [](List& l, const Things& t) {
         l.ClearUnorderedAccessViewFloat(t.table(), t.raw_view(), t.raw.Get(), color, 0, nullptr);
       }},
      {"ClearUnorderedAccessViewUint", "DC",
       [](List& l, const Things& t) {
         l.ClearUnorderedAccessViewUint(t.table(), t.raw_view(), t.raw.Get(), zeros, 0, nullptr);
       }},
      {"DiscardResource", "DC", [](List& l, const Things& t) { l.DiscardResource(t.raw.Get(), nullptr); }},
      {"ExecuteMetaCommand", "DC", [](List& l, const Things&) { l.ExecuteMetaCommand(nullptr, nullptr, 0); }},
      {"InitializeMetaCommand", "DC", [](List& l, const Things&) { l.InitializeMetaCommand(nullptr, nullptr, 0); }},
      {"SetPredication", "DC",
       [](List& l, const Things& t) { l.SetPredication(t.buffer.Get(), 0, D3D12_PREDICATION_OP_EQUAL_ZERO); }},
      // Direct, compute and bundles.
      {"Dispatch", "DCB",
       [](List& l, const Things& t) {
         l.SetPipelineState(t.dispatches.Get());
         l.Dispatch(1, 1, 1);
       }},
      {"DispatchRays", "DCB", [](List& l, const Things&) { l.DispatchRays(nullptr); }},
      {"ExecuteIndirect", "DCB",
       [](List& l, const Things& t) {
         l.SetPipelineState(t.dispatches.Get());
         l.ExecuteIndirect(t.indirect.Get(), 1, t.buffer.Get(), 0, nullptr, 0);
       }},
      {"SetPipelineState", "DCB", [](List& l, const Things& t) { l.SetPipelineState(t.dispatches.Get()); }},
      {"SetPipelineState1", "DCB", [](List& l, const Things&) { l.SetPipelineState1(nullptr); }},
      {"SetDescriptorHeaps", "DCB",
       [](List& l, const Things& t) {
         ID3D12DescriptorHeap* const heaps[] = {t.visible.Get()};
         l.SetDescriptorHeaps(1, heaps);
       }},
      {"SetComputeRootSignature", "DCB", [](List& l, const Things&) { l.SetComputeRootSignature(nullptr); }},
      {"SetComputeRoot32BitConstant", "DCB", [](List& l, const Things&) { l.SetComputeRoot32BitConstant(0, 0, 0); }},
      {"SetComputeRoot32BitConstants", "DCB",
       [](List& l, const Things&) { l.SetComputeRoot32BitConstants(0, 4, zeros, 0); }},
      {"SetComputeRootConstantBufferView", "DCB",
       [](List& l, const Things&) { l.SetComputeRootConstantBufferView(0, 0); }},
      {"SetComputeRootDescriptorTable", "DCB",
       [](List& l, const Things& t) { l.SetComputeRootDescriptorTable(0, t.table()); }},
      {"SetComputeRootShaderResourceView", "DCB",
       [](List& l, const Things&) { l.SetComputeRootShaderResourceView(0, 0); }},
      {"SetComputeRootUnorderedAccessView", "DCB",
       [](List& l, const Things&) { l.SetComputeRootUnorderedAccessView(0, 0); }},
      // Direct and bundles.
      {"DrawInstanced", "DB",
       [](List& l, const Things& t) {
         l.SetPipelineState(t.draws.Get());
         l.DrawInstanced(3, 1, 0, 0);
       }},
      {"DrawIndexedInstanced", "DB",
       [](List& l, const Things& t) {
         l.SetPipelineState(t.draws.Get());
         l.DrawIndexedInstanced(3, 1, 0, 0, 0);
       }},
      {"DispatchMesh", "DB",
       [](List& l, const Things& t) {
         l.SetPipelineState(t.meshes.Get());
         l.DispatchMesh(1, 1, 1);
       }},
      {"IASetIndexBuffer", "DB", [](List& l, const Things&) { l.IASetIndexBuffer(nullptr); }},
      {"IASetPrimitiveTopology", "DB",
       [](List& l, const Things&) { l.IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST); }},
      {"IASetVertexBuffers", "DB", [](List& l, const Things&) { l.IASetVertexBuffers(0, 0, nullptr); }},
      {"OMSetBlendFactor", "DB", [](List& l, const Things&) { l.OMSetBlendFactor(color); }},
      {"OMSetDepthBounds", "DB", [](List& l, const Things&) { l.OMSetDepthBounds(0, 1); }},
      {"OMSetStencilRef", "DB", [](List& l, const Things&) { l.OMSetStencilRef(1); }},
      {"OMSetFrontAndBackStencilRef", "DB", [](List& l, const Things&) { l.OMSetFrontAndBackStencilRef(1, 2); }},
      {"RSSetShadingRate", "DB", [](List& l, const Things&) { l.RSSetShadingRate(D3D12_SHADING_RATE_1X1, nullptr); }},
      {"RSSetShadingRateImage", "DB", [](List& l, const Things&) { l.RSSetShadingRateImage(nullptr); }},
      {"SetGraphicsRootSignature", "DB", [](List& l, const Things&) { l.SetGraphicsRootSignature(nullptr); }},
      {"SetGraphicsRoot32BitConstant", "DB", [](List& l, const Things&) { l.SetGraphicsRoot32BitConstant(0, 0, 0); }},
      {"SetGraphicsRoot32BitConstants", "DB",
       [](List& l, const Things&) { l.SetGraphicsRoot32BitConstants(0, 4, zeros, 0); }},
      {"SetGraphicsRootConstantBufferView", "DB",
       [](List& l, const Things&) { l.SetGraphicsRootConstantBufferView(0, 0); }},
      {"SetGraphicsRootDescriptorTable", "DB",
       [](List& l, const Things& t) { l.SetGraphicsRootDescriptorTable(0, t.table()); }},
      {"SetGraphicsRootShaderResourceView", "DB",
       [](List& l, const Things&) { l.SetGraphicsRootShaderResourceView(0, 0); }},
      {"SetGraphicsRootUnorderedAccessView", "DB",
       [](List& l, const Things&) { l.SetGraphicsRootUnorderedAccessView(0, 0); }},
      {"SetSamplePositions", "DB", [](List& l, const Things&) { l.SetSamplePositions(0, 0, nullptr); }},
      {"SetViewInstanceMask", "DB", [](List& l, const Things&) { l.SetViewInstanceMask(1); }},
      // Direct alone.
      {"BeginQuery", "D",
       [](List& l, const Things& t) {
         l.BeginQuery(t.occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
         l.EndQuery(t.occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
       }},
      {"BeginRenderPass", "D",
       [](List& l, const Things&) {
         l.BeginRenderPass(0, nullptr, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
         l.EndRenderPass();
       }},
      {"ClearDepthStencilView", "D",
       [](List& l, const Things& t) {
         l.ClearDepthStencilView(t.depth_view(), D3D12_CLEAR_FLAG_DEPTH, 1, 0, 0, nullptr);
       }},
      {"ClearRenderTargetView", "D",
       [](List& l, const Things& t) { l.ClearRenderTargetView(t.target_view(), color, 0, nullptr); }},
      {"ExecuteBundle", "D", [](List& l, const Things& t) { l.ExecuteBundle(t.bundle.Get()); }},
      {"OMSetRenderTargets", "D",
       [](List& l, const Things& t) {
         const auto view = t.target_view();
         l.OMSetRenderTargets(1, &view, FALSE, nullptr);
       }},
      {"ResolveSubresource", "D",
       [](List& l, const Things&) { l.ResolveSubresource(nullptr, 0, nullptr, 0, DXGI_FORMAT_UNKNOWN); }},
      {"ResolveSubresourceRegion", "D",
       [](List& l, const Things&) {
         l.ResolveSubresourceRegion(nullptr, 0, 0, 0, nullptr, 0, nullptr, DXGI_FORMAT_UNKNOWN, {});
       }},
      {"RSSetScissorRects", "D", [](List& l, const Things&) { l.RSSetScissorRects(0, nullptr); }},
      {"RSSetViewports", "D", [](List& l, const Things&) { l.RSSetViewports(0, nullptr); }},
      {"SOSetTargets", "D", [](List& l, const Things&) { l.SOSetTargets(0, 0, nullptr); }},
  };
}

/// These have no arguments here that they would take; what counts is that a list with the method does not say E_FAIL.
bool has_bad_arguments(const std::string& name) {
  return name == "ResolveSubresource" || name == "ResolveSubresourceRegion" || name == "CopyTiles";
}

constexpr struct {
  char letter;
  D3D12_COMMAND_LIST_TYPE type;
} list_types[] = {{'D', D3D12_COMMAND_LIST_TYPE_DIRECT},
                  {'C', D3D12_COMMAND_LIST_TYPE_COMPUTE},
                  {'Y', D3D12_COMMAND_LIST_TYPE_COPY},
                  {'B', D3D12_COMMAND_LIST_TYPE_BUNDLE}};

}  // namespace

TEST_CASE("lists: each method is recorded by the types that have it, and makes Close of the others fail", "[d3d12]") {
  App app;
  const Things things(app);
  for (const auto& of : list_types) {
    const auto allocator = app.allocator(of.type);
    for (const Method& method : methods()) {
      const auto made = app.list(allocator.Get(), of.type);
      ComPtr<List> list;
      REQUIRE(made.As(&list) == S_OK);
      method.call(*list.Get(), things);
      const HRESULT closed = list->Close();
      INFO(method.name << " on " << of.letter);
      if (method.types.find(of.letter) == std::string::npos) {
        CHECK(closed == E_FAIL);
      } else if (has_bad_arguments(method.name)) {
        CHECK(closed != E_FAIL);
      } else {
        CHECK(closed == S_OK);
      }
      CHECK(app.device->GetDeviceRemovedReason() == S_OK);
    }
  }
}

TEST_CASE("lists: what is called on a closed one is dropped", "[d3d12]") {
  App app;
  const Things things(app);
  for (const auto& of : list_types) {
    const auto allocator = app.allocator(of.type);
    const auto made = app.list(allocator.Get(), of.type);
    ComPtr<List> list;
    REQUIRE(made.As(&list) == S_OK);
    REQUIRE(list->Close() == S_OK);
    for (const Method& method : methods()) method.call(*list.Get(), things);
    CHECK(list->Close() == E_FAIL);
    CHECK(list->Reset(allocator.Get(), nullptr) == S_OK);  // it had been closed well
    CHECK(list->Close() == S_OK);
  }
}
