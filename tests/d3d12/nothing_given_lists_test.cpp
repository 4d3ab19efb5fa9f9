// SPDX-License-Identifier: Apache-2.0
// Null where a method takes a pointer, and null with a count where it takes an array: every method answers. Lists
// answer in Close.
#include "tests/d3d12/nothing_given.hpp"

#include <functional>
#include <string>
#include <vector>

using namespace fenceline::testing;

namespace {

struct ListRow {
  const char* name;
  HRESULT close;
  std::function<void(List&, Objects&)> call;
};

std::vector<ListRow> list_rows() {
  return {
      {"ClearState", S_OK, [](List& l, Objects&) { l.ClearState(nullptr); }},
      {"ExecuteBundle", E_INVALIDARG, [](List& l, Objects&) { l.ExecuteBundle(nullptr); }},
      {"SetMarker", S_OK, [](List& l, Objects&) { l.SetMarker(0, nullptr, many); }},
      {"BeginEvent", S_OK, [](List& l, Objects&) { l.BeginEvent(0, nullptr, many); }},
      {"ResourceBarrier", E_INVALIDARG, [](List& l, Objects&) { l.ResourceBarrier(many, nullptr); }},
      {"ResourceBarrier of null", E_INVALIDARG,
       [](List& l, Objects&) {
         const D3D12_RESOURCE_BARRIER barrier{};
         l.ResourceBarrier(1, &barrier);
       }},
      {"ResourceBarrier, aliasing and UAV of null", S_OK,
       [](List& l, Objects&) {
         D3D12_RESOURCE_BARRIER barriers[2]{};
         barriers[0].Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
         barriers[1].Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
         l.ResourceBarrier(2, barriers);
       }},
      {"Barrier", E_INVALIDARG, [](List& l, Objects&) { l.Barrier(many, nullptr); }},
      {"Barrier of groups", E_INVALIDARG,
       [](List& l, Objects&) {
         D3D12_BARRIER_GROUP group{};
         group.Type = D3D12_BARRIER_TYPE_TEXTURE;
         group.NumBarriers = many;
         l.Barrier(1, &group);
       }},
      {"Barrier of a null texture", E_INVALIDARG,
       [](List& l, Objects&) {
         const D3D12_TEXTURE_BARRIER barrier{};
         D3D12_BARRIER_GROUP group{};
         group.Type = D3D12_BARRIER_TYPE_TEXTURE;
         group.NumBarriers = 1;
         group.pTextureBarriers = &barrier;
         l.Barrier(1, &group);
       }},
      {"ExecuteIndirect", E_INVALIDARG,
       [](List& l, Objects&) { l.ExecuteIndirect(nullptr, many, nullptr, 0, nullptr, 0); }},
      {"BeginRenderPass", E_INVALIDARG,
       [](List& l, Objects&) { l.BeginRenderPass(1, nullptr, nullptr, D3D12_RENDER_PASS_FLAG_NONE); }},
      {"BeginRenderPass of resolves", E_INVALIDARG,
       [](List& l, Objects& of) {
         D3D12_RENDER_PASS_RENDER_TARGET_DESC desc{};
         desc.cpuDescriptor = of.view();
         desc.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
         desc.EndingAccess.Resolve.SubresourceCount = many;
         l.BeginRenderPass(1, &desc, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
         l.EndRenderPass();
       }},
      {"BeginRenderPass of a null resolve", E_INVALIDARG,
       [](List& l, Objects& of) {
         D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS part{};
         D3D12_RENDER_PASS_RENDER_TARGET_DESC desc{};
         desc.cpuDescriptor = of.view();
         desc.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
         desc.EndingAccess.Resolve.SubresourceCount = 1;
         desc.EndingAccess.Resolve.pSubresourceParameters = &part;
         l.BeginRenderPass(1, &desc, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
         l.EndRenderPass();
       }},
      {"SetPipelineState", E_INVALIDARG, [](List& l, Objects&) { l.SetPipelineState(nullptr); }},
      {"RSSetViewports", S_OK, [](List& l, Objects&) { l.RSSetViewports(16, nullptr); }},
      {"RSSetScissorRects", S_OK, [](List& l, Objects&) { l.RSSetScissorRects(16, nullptr); }},
      {"OMSetBlendFactor", S_OK, [](List& l, Objects&) { l.OMSetBlendFactor(nullptr); }},
      {"SetSamplePositions", S_OK, [](List& l, Objects&) { l.SetSamplePositions(4, 1, nullptr); }},
      {"RSSetShadingRate", S_OK, [](List& l, Objects&) { l.RSSetShadingRate({}, nullptr); }},
      {"RSSetShadingRateImage", S_OK, [](List& l, Objects&) { l.RSSetShadingRateImage(nullptr); }},
      {"SetDescriptorHeaps", E_INVALIDARG, [](List& l, Objects&) { l.SetDescriptorHeaps(1, nullptr); }},
      {"SetDescriptorHeaps of null", E_INVALIDARG,
       [](List& l, Objects&) {
         ID3D12DescriptorHeap* const null = nullptr;
         l.SetDescriptorHeaps(1, &null);
       }},
      {"SetComputeRootSignature", S_OK, [](List& l, Objects&) { l.SetComputeRootSignature(nullptr); }},
      {"SetGraphicsRootSignature", S_OK, [](List& l, Objects&) { l.SetGraphicsRootSignature(nullptr); }},
      {"SetComputeRoot32BitConstants", S_OK,
       [](List& l, Objects&) { l.SetComputeRoot32BitConstants(0, many, nullptr, 0); }},
      {"SetGraphicsRoot32BitConstants", S_OK,
       [](List& l, Objects&) { l.SetGraphicsRoot32BitConstants(0, many, nullptr, 0); }},
      {"IASetIndexBuffer", S_OK, [](List& l, Objects&) { l.IASetIndexBuffer(nullptr); }},
      {"IASetVertexBuffers", S_OK, [](List& l, Objects&) { l.IASetVertexBuffers(0, 16, nullptr); }},
      {"SOSetTargets", S_OK, [](List& l, Objects&) { l.SOSetTargets(0, 4, nullptr); }},
      {"OMSetRenderTargets", E_INVALIDARG, [](List& l, Objects&) { l.OMSetRenderTargets(8, nullptr, FALSE, nullptr); }},
      {"OMSetRenderTargets of a range", E_INVALIDARG,
       [](List& l, Objects&) { l.OMSetRenderTargets(8, nullptr, TRUE, nullptr); }},
      {"SetProtectedResourceSession", S_OK, [](List& l, Objects&) { l.SetProtectedResourceSession(nullptr); }},
      {"SetPipelineState1", S_OK, [](List& l, Objects&) { l.SetPipelineState1(nullptr); }},
      {"CopyBufferRegion", E_INVALIDARG, [](List& l, Objects&) { l.CopyBufferRegion(nullptr, 0, nullptr, 0, 4); }},
      {"CopyTextureRegion", E_INVALIDARG,
       [](List& l, Objects&) { l.CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); }},
      {"CopyTextureRegion of null", E_INVALIDARG,
       [](List& l, Objects&) {
         const D3D12_TEXTURE_COPY_LOCATION null{};
         l.CopyTextureRegion(&null, 0, 0, 0, &null, nullptr);
       }},
      {"CopyResource", E_INVALIDARG, [](List& l, Objects&) { l.CopyResource(nullptr, nullptr); }},
      {"CopyTiles", E_INVALIDARG, [](List& l, Objects&) { l.CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, {}); }},
      {"ResolveSubresource", E_INVALIDARG, [](List& l, Objects&) { l.ResolveSubresource(nullptr, 0, nullptr, 0, {}); }},
      {"ResolveSubresourceRegion", E_INVALIDARG,
       [](List& l, Objects&) { l.ResolveSubresourceRegion(nullptr, 0, 0, 0, nullptr, 0, nullptr, {}, {}); }},
      {"AtomicCopyBufferUINT", E_INVALIDARG,
       [](List& l, Objects&) { l.AtomicCopyBufferUINT(nullptr, 0, nullptr, 0, many, nullptr, nullptr); }},
      {"AtomicCopyBufferUINT64", E_INVALIDARG,
       [](List& l, Objects&) { l.AtomicCopyBufferUINT64(nullptr, 0, nullptr, 0, many, nullptr, nullptr); }},
      {"WriteBufferImmediate", E_INVALIDARG, [](List& l, Objects&) { l.WriteBufferImmediate(many, nullptr, nullptr); }},
      {"ClearRenderTargetView", E_INVALIDARG,
       [](List& l, Objects& of) { l.ClearRenderTargetView(of.view(), nullptr, many, nullptr); }},
      {"ClearDepthStencilView", S_OK,
       [](List& l, Objects& of) { l.ClearDepthStencilView(of.view(), D3D12_CLEAR_FLAG_DEPTH, 1, 0, many, nullptr); }},
      {"ClearUnorderedAccessViewUint", E_INVALIDARG,
       [](List& l, Objects& of) { l.ClearUnorderedAccessViewUint({}, of.view(), nullptr, nullptr, many, nullptr); }},
      {"ClearUnorderedAccessViewFloat", E_INVALIDARG,
       [](List& l, Objects& of) { l.ClearUnorderedAccessViewFloat({}, of.view(), nullptr, nullptr, many, nullptr); }},
      {"DiscardResource", E_INVALIDARG, [](List& l, Objects&) { l.DiscardResource(nullptr, nullptr); }},
      {"DiscardResource of rectangles", S_OK,
       [](List& l, Objects& of) {
         const D3D12_DISCARD_REGION region{many, nullptr, 0, many};
         l.DiscardResource(of.target.Get(), &region);
       }},
      {"BeginQuery", E_INVALIDARG, [](List& l, Objects&) { l.BeginQuery(nullptr, {}, 0); }},
      {"EndQuery", E_INVALIDARG, [](List& l, Objects&) { l.EndQuery(nullptr, {}, 0); }},
      {"ResolveQueryData", E_INVALIDARG,
       [](List& l, Objects&) { l.ResolveQueryData(nullptr, {}, 0, many, nullptr, 0); }},
      {"SetPredication", S_OK, [](List& l, Objects&) { l.SetPredication(nullptr, 0, {}); }},
      {"InitializeMetaCommand", S_OK, [](List& l, Objects&) { l.InitializeMetaCommand(nullptr, nullptr, many); }},
      {"ExecuteMetaCommand", S_OK, [](List& l, Objects&) { l.ExecuteMetaCommand(nullptr, nullptr, many); }},
      {"BuildRaytracingAccelerationStructure", S_OK,
       [](List& l, Objects&) { l.BuildRaytracingAccelerationStructure(nullptr, many, nullptr); }},
      {"EmitRaytracingAccelerationStructurePostbuildInfo", S_OK,
       [](List& l, Objects&) { l.EmitRaytracingAccelerationStructurePostbuildInfo(nullptr, many, nullptr); }},
      {"DispatchRays", S_OK, [](List& l, Objects&) { l.DispatchRays(nullptr); }},
  };
}

}  // namespace

TEST_CASE("nothing given: every method of a list that takes a pointer answers null", "[d3d12]") {
  Objects of;
  for (const ListRow& row : list_rows()) {
    CAPTURE(row.name);
    const auto made = of.list(of.into.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<List> list;
    REQUIRE(made.As(&list) == S_OK);
    row.call(*list.Get(), of);
    CHECK(list->Close() == row.close);
  }
}

TEST_CASE("nothing given: BeginRenderPass says what is not there, and what is too much", "[d3d12]") {
  Objects of;
  const auto says = [&](UINT count) {
    const auto made = of.list(of.into.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<List> list;
    REQUIRE(made.As(&list) == S_OK);
    of.messages->ClearStoredMessages();
    list->BeginRenderPass(count, nullptr, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
    REQUIRE(list->Close() == E_INVALIDARG);
    return of.said().at(0).text;
  };
  const std::string method = "ID3D12GraphicsCommandList::BeginRenderPass: ";
  CHECK(says(1) == method + "expected render targets, found null");
  CHECK(says(8) == method + "expected render targets, found null");
  CHECK(says(9) == method + "expected at most 8 render targets, found 9");
}
