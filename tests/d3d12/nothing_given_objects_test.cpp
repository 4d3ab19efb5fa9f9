// SPDX-License-Identifier: Apache-2.0
// Null where a method of what a device has made, or of an event, takes a pointer: every one answers.
#include "tests/d3d12/nothing_given.hpp"

#include <functional>
#include <vector>

using namespace fenceline::testing;

namespace {

std::vector<Row> object_rows() {
  const IID iid = __uuidof(ID3D12Device);
  return {
      {"ExecuteCommandLists", S_OK, quiet([](Objects& of) { of.queue_of->ExecuteCommandLists(many, nullptr); })},
      {"ExecuteCommandLists of null", S_OK, quiet([](Objects& of) {
         ID3D12CommandList* const null = nullptr;
         of.queue_of->ExecuteCommandLists(1, &null);
       })},
      {"UpdateTileMappings", S_OK, quiet([](Objects& of) {
         of.queue_of->UpdateTileMappings(nullptr, many, nullptr, nullptr, nullptr, many, nullptr, nullptr, nullptr, {});
       })},
      {"CopyTileMappings", S_OK,
       quiet([](Objects& of) { of.queue_of->CopyTileMappings(nullptr, nullptr, nullptr, nullptr, nullptr, {}); })},
      {"queue SetMarker", S_OK, quiet([](Objects& of) { of.queue_of->SetMarker(0, nullptr, many); })},
      {"queue BeginEvent", S_OK, quiet([](Objects& of) { of.queue_of->BeginEvent(0, nullptr, many); })},
      {"queue Signal", E_INVALIDARG, [](Objects& of) { return of.queue_of->Signal(nullptr, 1); }},
      {"queue Wait", E_INVALIDARG, [](Objects& of) { return of.queue_of->Wait(nullptr, 1); }},
      {"GetTimestampFrequency", E_INVALIDARG, [](Objects& of) { return of.queue_of->GetTimestampFrequency(nullptr); }},
      {"GetClockCalibration", E_INVALIDARG,
       [](Objects& of) { return of.queue_of->GetClockCalibration(nullptr, nullptr); }},
      {"queue GetDevice", E_POINTER, [=](Objects& of) { return of.queue_of->GetDevice(iid, nullptr); }},
      {"SetEventOnCompletion", S_OK, [](Objects& of) { return of.fence_of->SetEventOnCompletion(0, nullptr); }},
      {"Map", S_OK, [](Objects& of) { return of.mapped->Map(0, nullptr, nullptr); }},
      {"Unmap", S_OK, quiet([](Objects& of) { of.mapped->Unmap(0, nullptr); })},
      {"WriteToSubresource", E_INVALIDARG,
       [](Objects& of) { return of.mapped->WriteToSubresource(0, nullptr, nullptr, 0, 0); }},
      {"ReadFromSubresource", E_INVALIDARG,
       [](Objects& of) { return of.mapped->ReadFromSubresource(nullptr, 0, 0, 0, nullptr); }},
      {"GetHeapProperties", S_OK, [](Objects& of) { return of.mapped->GetHeapProperties(nullptr, nullptr); }},
      {"GetCachedBlob", E_INVALIDARG, [](Objects& of) { return of.pipeline->GetCachedBlob(nullptr); }},
      {"StorePipeline", E_INVALIDARG, [](Objects& of) { return of.library->StorePipeline(nullptr, nullptr); }},
      {"StorePipeline of a name", E_INVALIDARG,
       [](Objects& of) { return of.library->StorePipeline(L"name", nullptr); }},
      {"LoadGraphicsPipeline", E_INVALIDARG,
       [=](Objects& of) { return of.library->LoadGraphicsPipeline(nullptr, nullptr, iid, place()); }},
      {"LoadComputePipeline", E_INVALIDARG,
       [=](Objects& of) { return of.library->LoadComputePipeline(nullptr, nullptr, iid, place()); }},
      {"LoadPipeline", E_INVALIDARG,
       [=](Objects& of) { return of.library->LoadPipeline(nullptr, nullptr, iid, place()); }},
      {"Serialize", E_INVALIDARG, [](Objects& of) { return of.library->Serialize(nullptr, many); }},
      {"FindValue", E_INVALIDARG, [](Objects& of) { return of.cache->FindValue(nullptr, many, nullptr, nullptr); }},
      {"FindValue of a key", E_INVALIDARG, [](Objects& of) { return of.cache->FindValue("key", 3, nullptr, nullptr); }},
      {"FindValue of a key of no bytes", E_INVALIDARG,
       [](Objects& of) {
         UINT bytes = 0;
         return of.cache->FindValue("key", 0, nullptr, &bytes);
       }},
      {"StoreValue", E_INVALIDARG, [](Objects& of) { return of.cache->StoreValue(nullptr, many, nullptr, many); }},
      {"StoreValue of a key", E_INVALIDARG, [](Objects& of) { return of.cache->StoreValue("key", 3, nullptr, many); }},
      {"StoreValue of no bytes", E_INVALIDARG, [](Objects& of) { return of.cache->StoreValue("key", 3, "value", 0); }},
      {"session GetDevice", E_POINTER, [=](Objects& of) { return of.cache->GetDevice(iid, nullptr); }},
      {"session QueryInterface", E_POINTER, [=](Objects& of) { return of.cache->QueryInterface(iid, nullptr); }},
      {"list Reset", E_INVALIDARG,
       [](Objects& of) {
         const auto list = of.list(of.into.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
         REQUIRE(list->Close() == S_OK);
         return list->Reset(nullptr, nullptr);
       }},
      {"GetMessage", E_INVALIDARG, [](Objects& of) { return of.messages->GetMessage(0, nullptr, nullptr); }},
      {"AddMessage", E_INVALIDARG, [](Objects& of) { return of.messages->AddMessage({}, {}, {}, nullptr); }},
      {"AddStorageFilterEntries", E_INVALIDARG,
       [](Objects& of) { return of.messages->AddStorageFilterEntries(nullptr); }},
      {"AddStorageFilterEntries of lists", E_INVALIDARG,
       [](Objects& of) {
         D3D12_INFO_QUEUE_FILTER filter{};
         filter.DenyList.NumIDs = filter.AllowList.NumCategories = many;
         return of.messages->AddStorageFilterEntries(&filter);
       }},
      {"GetStorageFilter", E_INVALIDARG, [](Objects& of) { return of.messages->GetStorageFilter(nullptr, nullptr); }},
      {"PushStorageFilter", E_INVALIDARG, [](Objects& of) { return of.messages->PushStorageFilter(nullptr); }},
      {"AddRetrievalFilterEntries", E_INVALIDARG,
       [](Objects& of) { return of.messages->AddRetrievalFilterEntries(nullptr); }},
      {"PushRetrievalFilter", E_INVALIDARG, [](Objects& of) { return of.messages->PushRetrievalFilter(nullptr); }},
      {"EnumAdapters", DXGI_ERROR_INVALID_CALL, [](Objects& of) { return of.factory->EnumAdapters(0, nullptr); }},
      {"EnumAdapterByLuid", DXGI_ERROR_INVALID_CALL,
       [=](Objects& of) { return of.factory->EnumAdapterByLuid({}, iid, nullptr); }},
      {"CreateSwapChain", DXGI_ERROR_INVALID_CALL,
       [](Objects& of) { return of.factory->CreateSwapChain(nullptr, nullptr, nullptr); }},
      {"CreateSwapChainForHwnd", DXGI_ERROR_INVALID_CALL,
       [](Objects& of) { return of.factory->CreateSwapChainForHwnd(nullptr, {}, nullptr, nullptr, nullptr, nullptr); }},
      {"CreateSwapChainForComposition", DXGI_ERROR_INVALID_CALL,
       [](Objects& of) {
         return of.factory->CreateSwapChainForComposition(of.queue_of.Get(), nullptr, nullptr, nullptr);
       }},
      {"DXGI CheckFeatureSupport", DXGI_ERROR_INVALID_CALL,
       [](Objects& of) {
         return of.factory->CheckFeatureSupport(DXGI_FEATURE_PRESENT_ALLOW_TEARING, nullptr, sizeof(BOOL));
       }},
      {"WaitForMultipleObjects", S_OK,
       quiet([](Objects&) { CHECK(WaitForMultipleObjects(many, nullptr, FALSE, 0) == WAIT_FAILED); })},
      {"WaitForMultipleObjects of few", S_OK,
       quiet([](Objects&) { CHECK(WaitForMultipleObjects(2, nullptr, FALSE, 0) == WAIT_FAILED); })},
      {"WaitForSingleObject", S_OK, quiet([](Objects&) { CHECK(WaitForSingleObject(nullptr, 0) == WAIT_FAILED); })},
      {"SetEvent", S_OK, quiet([](Objects&) { CHECK(SetEvent(nullptr) == FALSE); })},
      {"ResetEvent", S_OK, quiet([](Objects&) { CHECK(ResetEvent(nullptr) == FALSE); })},
      {"CloseHandle", S_OK, quiet([](Objects&) { CHECK(CloseHandle(nullptr) == FALSE); })},
  };
}

}  // namespace

TEST_CASE("nothing given: every method of a device's objects, and of events, that takes a pointer answers null",
          "[d3d12]") {
  Objects of;
  for (const Row& row : object_rows()) {
    CAPTURE(row.name);
    CHECK(row.call(of) == row.answer);
  }
}
