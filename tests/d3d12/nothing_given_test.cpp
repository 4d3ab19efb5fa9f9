// SPDX-License-Identifier: Apache-2.0
// Null where a method takes a pointer, and null with a count where it takes an array: every method answers. What it
// answers stands in the table where D3D12 returns something.
#include "tests/d3d12/nothing_given.hpp"

#include <functional>
#include <vector>

using namespace fenceline::testing;

namespace {

std::vector<Row> device_rows() {
  const D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
  const IID iid = __uuidof(ID3D12Device);
  const auto none = D3D12_RESOURCE_STATE_COMMON;
  const auto no_layout = D3D12_BARRIER_LAYOUT_UNDEFINED;
  return {
      {"CreateCommandQueue", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateCommandQueue(nullptr, iid, place()); }},
      {"CreateCommandQueue1", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateCommandQueue1(nullptr, iid, iid, place()); }},
      {"CreateCommandAllocator", S_FALSE,
       [=](Objects& of) { return of.newest->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, iid, nullptr); }},
      {"CreateGraphicsPipelineState", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateGraphicsPipelineState(nullptr, iid, place()); }},
      {"CreateComputePipelineState", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateComputePipelineState(nullptr, iid, place()); }},
      {"CreatePipelineState", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreatePipelineState(nullptr, iid, place()); }},
      {"CreatePipelineState of bytes", E_INVALIDARG,
       [=](Objects& of) {
         const D3D12_PIPELINE_STATE_STREAM_DESC desc{64, nullptr};
         return of.newest->CreatePipelineState(&desc, iid, place());
       }},
      {"CreatePipelineLibrary of bytes", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreatePipelineLibrary(nullptr, 64, iid, place()); }},
      {"CreateCommandList", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, nullptr, nullptr, iid, place());
       }},
      {"CreateCommandList1", S_FALSE,
       [=](Objects& of) {
         return of.newest->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_FLAG_NONE, iid,
                                              nullptr);
       }},
      {"CheckFeatureSupport", E_INVALIDARG,
       [](Objects& of) {
         return of.newest->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, nullptr,
                                               sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS));
       }},
      {"CheckFeatureSupport of levels", E_INVALIDARG,
       [](Objects& of) {
         D3D12_FEATURE_DATA_FEATURE_LEVELS levels{many, nullptr, {}};
         return of.newest->CheckFeatureSupport(D3D12_FEATURE_FEATURE_LEVELS, &levels, sizeof levels);
       }},
      {"CheckFeatureSupport of a wrong size", E_INVALIDARG,
       [](Objects& of) {
         char small = 0;
         return of.newest->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &small, 1);
       }},
      {"CreateDescriptorHeap", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateDescriptorHeap(nullptr, iid, place()); }},
      {"CreateRootSignature", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateRootSignature(0, nullptr, many, iid, place()); }},
      {"CreateConstantBufferView", S_OK,
       quiet([](Objects& of) { of.newest->CreateConstantBufferView(nullptr, of.view()); })},
      {"CreateShaderResourceView", S_OK,
       quiet([](Objects& of) { of.newest->CreateShaderResourceView(nullptr, nullptr, of.view()); })},
      {"CreateUnorderedAccessView", S_OK,
       quiet([](Objects& of) { of.newest->CreateUnorderedAccessView(nullptr, nullptr, nullptr, of.view()); })},
      {"CreateRenderTargetView", S_OK,
       quiet([](Objects& of) { of.newest->CreateRenderTargetView(nullptr, nullptr, of.view()); })},
      {"CreateDepthStencilView", S_OK,
       quiet([](Objects& of) { of.newest->CreateDepthStencilView(nullptr, nullptr, of.view()); })},
      {"CreateSampler", S_OK, quiet([](Objects& of) { of.newest->CreateSampler(nullptr, of.view()); })},
      {"CreateSampler2", S_OK, quiet([](Objects& of) { of.newest->CreateSampler2(nullptr, of.view()); })},
      {"CreateSamplerFeedbackUnorderedAccessView", S_OK,
       quiet([](Objects& of) { of.newest->CreateSamplerFeedbackUnorderedAccessView(nullptr, nullptr, of.view()); })},
      {"CopyDescriptors", S_OK, quiet([](Objects& of) {
         of.newest->CopyDescriptors(many, nullptr, nullptr, many, nullptr, nullptr, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
       })},
      {"CopyDescriptors from nothing", S_OK, quiet([](Objects& of) {
         const auto to = of.view();
         of.newest->CopyDescriptors(1, &to, nullptr, many, nullptr, nullptr, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
       })},
      {"GetResourceAllocationInfo", S_OK, quiet([](Objects& of) {
         CHECK(of.newest->GetResourceAllocationInfo(0, many, nullptr).SizeInBytes == ~UINT64{0});
       })},
      {"GetResourceAllocationInfo1", S_OK, quiet([](Objects& of) {
         CHECK(of.newest->GetResourceAllocationInfo1(0, many, nullptr, nullptr).SizeInBytes == ~UINT64{0});
       })},
      {"GetResourceAllocationInfo2", S_OK, quiet([](Objects& of) {
         CHECK(of.newest->GetResourceAllocationInfo2(0, many, nullptr, nullptr).SizeInBytes == ~UINT64{0});
       })},
      {"GetResourceAllocationInfo of none", S_OK,
       quiet([](Objects& of) { CHECK(of.newest->GetResourceAllocationInfo(0, 0, nullptr).SizeInBytes == 0); })},
      {"GetCopyableFootprints", S_OK, quiet([](Objects& of) {
         UINT64 total = 0;
         of.newest->GetCopyableFootprints(nullptr, 0, 1, 0, nullptr, nullptr, nullptr, &total);
         CHECK(total == ~UINT64{0});
       })},
      {"GetCopyableFootprints1", S_OK, quiet([](Objects& of) {
         UINT64 total = 0;
         of.newest->GetCopyableFootprints1(nullptr, 0, 1, 0, nullptr, nullptr, nullptr, &total);
         CHECK(total == ~UINT64{0});
       })},
      {"CreateCommittedResource", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommittedResource(nullptr, D3D12_HEAP_FLAG_NONE, nullptr, none, nullptr, iid, place());
       }},
      {"CreateCommittedResource of properties", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, nullptr, none, nullptr, iid,
                                                   place());
       }},
      {"CreateCommittedResource1", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommittedResource1(&properties, D3D12_HEAP_FLAG_NONE, nullptr, none, nullptr, nullptr,
                                                    iid, place());
       }},
      {"CreateCommittedResource2", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommittedResource2(&properties, D3D12_HEAP_FLAG_NONE, nullptr, none, nullptr, nullptr,
                                                    iid, place());
       }},
      {"CreateCommittedResource3", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateCommittedResource3(nullptr, D3D12_HEAP_FLAG_NONE, nullptr, no_layout, nullptr, nullptr,
                                                    many, nullptr, iid, place());
       }},
      {"CreateHeap", E_INVALIDARG, [=](Objects& of) { return of.newest->CreateHeap(nullptr, iid, place()); }},
      {"CreateHeap1", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateHeap1(nullptr, nullptr, iid, place()); }},
      {"CreatePlacedResource", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreatePlacedResource(nullptr, 0, nullptr, none, nullptr, iid, place()); }},
      {"CreatePlacedResource1", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreatePlacedResource1(nullptr, 0, nullptr, none, nullptr, iid, place()); }},
      {"CreatePlacedResource2", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreatePlacedResource2(nullptr, 0, nullptr, no_layout, nullptr, many, nullptr, iid, place());
       }},
      {"CreateReservedResource", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateReservedResource(nullptr, none, nullptr, iid, place()); }},
      {"CreateReservedResource1", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateReservedResource1(nullptr, none, nullptr, nullptr, iid, place()); }},
      {"CreateReservedResource2", E_INVALIDARG,
       [=](Objects& of) {
         return of.newest->CreateReservedResource2(nullptr, no_layout, nullptr, nullptr, many, nullptr, iid, place());
       }},
      {"GetResourceTiling", S_OK, quiet([](Objects& of) {
         of.newest->GetResourceTiling(nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr);
       })},
      {"CreateSharedHandle", E_INVALIDARG,
       [](Objects& of) { return of.newest->CreateSharedHandle(nullptr, nullptr, 0, nullptr, nullptr); }},
      {"OpenSharedHandle", E_INVALIDARG,
       [=](Objects& of) { return of.newest->OpenSharedHandle(nullptr, iid, nullptr); }},
      {"OpenSharedHandleByName", E_INVALIDARG,
       [](Objects& of) { return of.newest->OpenSharedHandleByName(nullptr, 0, nullptr); }},
      {"MakeResident", E_INVALIDARG, [](Objects& of) { return of.newest->MakeResident(many, nullptr); }},
      {"MakeResident of null", E_INVALIDARG,
       [](Objects& of) {
         ID3D12Pageable* const null = nullptr;
         return of.newest->MakeResident(1, &null);
       }},
      {"Evict", E_INVALIDARG, [](Objects& of) { return of.newest->Evict(many, nullptr); }},
      {"Evict of null", E_INVALIDARG,
       [](Objects& of) {
         ID3D12Pageable* const null = nullptr;
         return of.newest->Evict(1, &null);
       }},
      {"SetResidencyPriority", E_INVALIDARG,
       [](Objects& of) { return of.newest->SetResidencyPriority(many, nullptr, nullptr); }},
      {"SetResidencyPriority without priorities", E_INVALIDARG,
       [](Objects& of) {
         ID3D12Pageable* const null = nullptr;
         return of.newest->SetResidencyPriority(1, &null, nullptr);
       }},
      {"EnqueueMakeResident", E_INVALIDARG,
       [](Objects& of) {
         return of.newest->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, many, nullptr, of.fence_of.Get(), 1);
       }},
      {"EnqueueMakeResident without a fence", E_INVALIDARG,
       [](Objects& of) { return of.newest->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 0, nullptr, nullptr, 1); }},
      {"CreateFence", S_FALSE,
       [=](Objects& of) { return of.newest->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid, nullptr); }},
      {"CreateQueryHeap", E_INVALIDARG, [=](Objects& of) { return of.newest->CreateQueryHeap(nullptr, iid, place()); }},
      {"CreateCommandSignature", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateCommandSignature(nullptr, nullptr, iid, place()); }},
      {"CreateCommandSignature of arguments", E_INVALIDARG,
       [=](Objects& of) {
         const D3D12_COMMAND_SIGNATURE_DESC desc{16, many, nullptr, 0};
         return of.newest->CreateCommandSignature(&desc, nullptr, iid, place());
       }},
      {"SetEventOnMultipleFenceCompletion", E_INVALIDARG,
       [](Objects& of) {
         return of.newest->SetEventOnMultipleFenceCompletion(nullptr, nullptr, many, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                             nullptr);
       }},
      {"SetEventOnMultipleFenceCompletion of null", E_INVALIDARG,
       [](Objects& of) {
         ID3D12Fence* const null = nullptr;
         const UINT64 value = 1;
         return of.newest->SetEventOnMultipleFenceCompletion(&null, &value, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                             nullptr);
       }},
      {"EnumerateMetaCommands", E_INVALIDARG,
       [](Objects& of) { return of.newest->EnumerateMetaCommands(nullptr, nullptr); }},
      {"EnumerateMetaCommandParameters", E_NOTIMPL,
       [=](Objects& of) { return of.newest->EnumerateMetaCommandParameters(iid, {}, nullptr, nullptr, nullptr); }},
      {"CreateMetaCommand", E_NOTIMPL,
       [=](Objects& of) { return of.newest->CreateMetaCommand(iid, 0, nullptr, many, iid, nullptr); }},
      {"CreateStateObject", E_NOTIMPL,
       [=](Objects& of) { return of.newest->CreateStateObject(nullptr, iid, nullptr); }},
      {"AddToStateObject", E_NOTIMPL,
       [=](Objects& of) { return of.newest->AddToStateObject(nullptr, nullptr, iid, nullptr); }},
      {"GetRaytracingAccelerationStructurePrebuildInfo", S_OK,
       quiet([](Objects& of) { of.newest->GetRaytracingAccelerationStructurePrebuildInfo(nullptr, nullptr); })},
      {"CheckDriverMatchingIdentifier", S_OK,
       quiet([](Objects& of) { of.newest->CheckDriverMatchingIdentifier({}, nullptr); })},
      {"CreateLifetimeTracker", E_NOTIMPL,
       [=](Objects& of) { return of.newest->CreateLifetimeTracker(nullptr, iid, nullptr); }},
      {"CreateProtectedResourceSession", E_NOTIMPL,
       [=](Objects& of) { return of.newest->CreateProtectedResourceSession(nullptr, iid, nullptr); }},
      {"CreateProtectedResourceSession1", E_NOTIMPL,
       [=](Objects& of) { return of.newest->CreateProtectedResourceSession1(nullptr, iid, nullptr); }},
      {"CreateShaderCacheSession", E_INVALIDARG,
       [=](Objects& of) { return of.newest->CreateShaderCacheSession(nullptr, iid, nullptr); }},
      {"CreateShaderCacheSession of a description", S_FALSE,
       [=](Objects& of) {
         const D3D12_SHADER_CACHE_SESSION_DESC desc{{1, 2, 3, {}}, D3D12_SHADER_CACHE_MODE_MEMORY, {}, 0, 0, 0, 0};
         return of.newest->CreateShaderCacheSession(&desc, iid, nullptr);
       }},
      {"ShaderCacheControl", E_INVALIDARG, [](Objects& of) { return of.newest->ShaderCacheControl({}, {}); }},
      {"SetBackgroundProcessingMode", S_OK,
       [](Objects& of) { return of.newest->SetBackgroundProcessingMode({}, {}, nullptr, nullptr); }},
      {"OpenExistingHeapFromAddress", E_NOTIMPL,
       [=](Objects& of) { return of.newest->OpenExistingHeapFromAddress(nullptr, iid, nullptr); }},
      {"OpenExistingHeapFromFileMapping", E_NOTIMPL,
       [=](Objects& of) { return of.newest->OpenExistingHeapFromFileMapping(nullptr, iid, nullptr); }},
      {"QueryInterface", E_POINTER, [=](Objects& of) { return of.newest->QueryInterface(iid, nullptr); }},
      {"GetPrivateData", E_INVALIDARG, [=](Objects& of) { return of.newest->GetPrivateData(iid, nullptr, nullptr); }},
      {"SetPrivateData", S_FALSE, [=](Objects& of) { return of.newest->SetPrivateData(iid, many, nullptr); }},
      {"SetPrivateDataInterface", S_OK, [=](Objects& of) { return of.newest->SetPrivateDataInterface(iid, nullptr); }},
      {"SetName", S_FALSE, [](Objects& of) { return of.newest->SetName(nullptr); }},
      {"D3D12CreateDevice", S_FALSE,
       [=](Objects&) { return D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, iid, nullptr); }},
      {"D3D12GetDebugInterface", S_FALSE,
       [=](Objects&) { return D3D12GetDebugInterface(__uuidof(ID3D12Debug), nullptr); }},
      {"D3D12GetInterface", E_NOINTERFACE, [=](Objects&) { return D3D12GetInterface(iid, iid, nullptr); }},
      {"D3D12EnableExperimentalFeatures", E_NOINTERFACE,
       [](Objects&) { return D3D12EnableExperimentalFeatures(many, nullptr, nullptr, nullptr); }},
      {"D3D12SerializeRootSignature", E_INVALIDARG,
       [](Objects&) { return D3D12SerializeRootSignature(nullptr, D3D_ROOT_SIGNATURE_VERSION_1, nullptr, nullptr); }},
      {"D3D12SerializeVersionedRootSignature", E_INVALIDARG,
       [](Objects&) { return D3D12SerializeVersionedRootSignature(nullptr, nullptr, nullptr); }},
      {"D3D12SerializeRootSignature of parameters", E_INVALIDARG,
       [](Objects&) {
         const D3D12_ROOT_SIGNATURE_DESC desc{many, nullptr, many, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
         ComPtr<ID3DBlob> blob;
         return D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr);
       }},
      {"D3D12SerializeRootSignature of ranges", E_INVALIDARG,
       [](Objects&) {
         D3D12_ROOT_PARAMETER parameter{};
         parameter.DescriptorTable.NumDescriptorRanges = many;
         const D3D12_ROOT_SIGNATURE_DESC desc{1, &parameter, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
         ComPtr<ID3DBlob> blob;
         return D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr);
       }},
      {"D3D12CreateRootSignatureDeserializer", E_INVALIDARG,
       [=](Objects&) { return D3D12CreateRootSignatureDeserializer(nullptr, many, iid, place()); }},
      {"D3D12CreateVersionedRootSignatureDeserializer", E_INVALIDARG,
       [=](Objects&) { return D3D12CreateVersionedRootSignatureDeserializer(nullptr, many, iid, nullptr); }},
  };
}

}  // namespace

TEST_CASE("nothing given: every method of a device that takes a pointer answers null", "[d3d12]") {
  Objects of;
  for (const Row& row : device_rows()) {
    CAPTURE(row.name);
    CHECK(row.call(of) == row.answer);
  }
}
