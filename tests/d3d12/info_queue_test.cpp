// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/message_category.hpp"
#include "tests/d3d12/app.hpp"

#include <csignal>
#include <string>

using namespace fenceline::testing;

namespace {

/// The debug layer is on while this is there.
struct DebugLayer {
  DebugLayer() {
    REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)) == S_OK);
    debug->EnableDebugLayer();
  }
  ~DebugLayer() { debug->DisableDebugLayer(); }
  ComPtr<ID3D12Debug6> debug;
};

struct Queue : DebugLayer, App {
  Queue() {
    REQUIRE(device.As(&info) == S_OK);
    info->SetMuteDebugOutput(TRUE);
  }
  void say(const char* text, D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_INFO) {
    CHECK(info->AddApplicationMessage(severity, text) == S_OK);
  }
  std::string text(UINT64 index) {
    SIZE_T bytes = 0;
    REQUIRE(info->GetMessage(index, nullptr, &bytes) == S_FALSE);
    std::vector<std::byte> place(bytes);
    auto* const message = reinterpret_cast<D3D12_MESSAGE*>(place.data());
    REQUIRE(info->GetMessage(index, message, &bytes) == S_OK);
    CHECK(message->DescriptionByteLength == std::strlen(message->pDescription) + 1);
    CHECK(bytes == sizeof(D3D12_MESSAGE) + message->DescriptionByteLength);
    return message->pDescription;
  }
  ComPtr<ID3D12InfoQueue1> info;
};

D3D12_INFO_QUEUE_FILTER denying(D3D12_MESSAGE_SEVERITY& severity) {
  D3D12_INFO_QUEUE_FILTER filter{};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &severity;
  return filter;
}

}  // namespace

TEST_CASE("debug interface: every version is one object, Debug1 and Debug2 are relatives", "[d3d12]") {
  ComPtr<ID3D12Debug> first;
  REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&first)) == S_OK);
  ComPtr<ID3D12Debug1> one;
  ComPtr<ID3D12Debug2> two;
  ComPtr<ID3D12Debug5> five;
  CHECK(first.As(&one) == S_OK);
  CHECK(first.As(&two) == S_OK);
  CHECK(first.As(&five) == S_OK);
  ComPtr<IUnknown> unknown;
  ComPtr<IUnknown> again;
  CHECK(two.As(&unknown) == S_OK);
  CHECK(five.As(&again) == S_OK);
  CHECK(unknown.Get() == again.Get());
  ComPtr<ID3D12Device> device;
  CHECK(D3D12GetDebugInterface(IID_PPV_ARGS(&device)) == E_NOINTERFACE);
}

TEST_CASE("info queue: a face of the device while the debug layer is on", "[d3d12]") {
  const App app;
  ComPtr<ID3D12InfoQueue> info;
  CHECK(app.device.As(&info) == E_NOINTERFACE);
  const DebugLayer layer;
  REQUIRE(app.device.As(&info) == S_OK);
  ComPtr<ID3D12InfoQueue1> newer;
  REQUIRE(info.As(&newer) == S_OK);
  ComPtr<ID3D12Device> device;
  REQUIRE(newer.As(&device) == S_OK);
  CHECK(device.Get() == app.device.Get());
  CHECK(references(app.device.Get()) == 4);
}

TEST_CASE("info queue: what the device says is stored with its id and category", "[d3d12]") {
  Queue queue;
  ComPtr<ID3D12Fence> fence;
  CHECK(queue.device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(0x80), IID_PPV_ARGS(&fence)) == E_INVALIDARG);
  REQUIRE(queue.info->GetNumStoredMessages() == 1);
  SIZE_T bytes = 0;
  REQUIRE(queue.info->GetMessage(0, nullptr, &bytes) == S_FALSE);
  std::vector<std::byte> place(bytes);
  auto* const message = reinterpret_cast<D3D12_MESSAGE*>(place.data());
  --bytes;
  CHECK(queue.info->GetMessage(0, message, &bytes) == DXGI_ERROR_MORE_DATA);
  REQUIRE(queue.info->GetMessage(0, message, &bytes) == S_OK);
  CHECK(message->ID == D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS);
  CHECK(message->Severity == D3D12_MESSAGE_SEVERITY_ERROR);
  CHECK(message->Category == fenceline::d3d12::category_of(D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS));
  CHECK(std::string(message->pDescription).find("ID3D12Device::CreateFence") == 0);
  CHECK(queue.info->GetMessage(1, nullptr, &bytes) == E_INVALIDARG);
  CHECK(queue.info->GetMessage(0, message, nullptr) == E_INVALIDARG);
}

TEST_CASE("info queue: messages of the program, the oldest make room at the limit", "[d3d12]") {
  Queue queue;
  CHECK(queue.info->GetMessageCountLimit() == D3D12_INFO_QUEUE_DEFAULT_MESSAGE_COUNT_LIMIT);
  CHECK(queue.info->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, nullptr) == E_INVALIDARG);
  CHECK(queue.info->SetMessageCountLimit(2) == S_OK);
  for (const char* text : {"a", "b", "c"}) queue.say(text);
  CHECK(queue.info->GetNumStoredMessages() == 2);
  CHECK(queue.info->GetNumMessagesDiscardedByMessageCountLimit() == 1);
  CHECK(queue.info->GetNumMessagesAllowedByStorageFilter() == 3);
  CHECK(queue.text(0) == "b");
  CHECK(queue.text(1) == "c");
  CHECK(queue.info->SetMessageCountLimit(1) == S_OK);
  CHECK(queue.text(0) == "c");
  CHECK(queue.info->SetMessageCountLimit(~UINT64{0}) == S_OK);
  for (int i = 0; i < 2000; ++i) queue.say("more");
  CHECK(queue.info->GetNumStoredMessages() == 2001);
  queue.info->ClearStoredMessages();
  CHECK(queue.info->GetNumStoredMessages() == 0);
}

TEST_CASE("info queue: storage filters decide what is kept, the topmost of the stack counts", "[d3d12]") {
  Queue queue;
  auto info = D3D12_MESSAGE_SEVERITY_INFO;
  auto warning = D3D12_MESSAGE_SEVERITY_WARNING;
  D3D12_INFO_QUEUE_FILTER no_info = denying(info);
  CHECK(queue.info->GetStorageFilterStackSize() == 0);
  CHECK(queue.info->PushStorageFilter(nullptr) == E_INVALIDARG);
  CHECK(queue.info->PushStorageFilter(&no_info) == S_OK);
  queue.say("denied");
  queue.say("kept", D3D12_MESSAGE_SEVERITY_WARNING);
  CHECK(queue.info->GetNumMessagesDeniedByStorageFilter() == 1);
  CHECK(queue.info->GetNumStoredMessages() == 1);

  CHECK(queue.info->PushCopyOfStorageFilter() == S_OK);
  D3D12_INFO_QUEUE_FILTER no_warning = denying(warning);
  CHECK(queue.info->AddStorageFilterEntries(&no_warning) == S_OK);
  queue.say("denied");
  queue.say("denied", D3D12_MESSAGE_SEVERITY_WARNING);
  CHECK(queue.info->GetNumMessagesDeniedByStorageFilter() == 3);
  SIZE_T bytes = 0;
  CHECK(queue.info->GetStorageFilter(nullptr, &bytes) == S_FALSE);
  CHECK(bytes == sizeof(D3D12_INFO_QUEUE_FILTER) + 2 * sizeof(D3D12_MESSAGE_SEVERITY));
  std::vector<std::byte> place(bytes);
  auto* const both = reinterpret_cast<D3D12_INFO_QUEUE_FILTER*>(place.data());
  CHECK(queue.info->GetStorageFilter(both, &bytes) == S_OK);
  REQUIRE(both->DenyList.NumSeverities == 2);
  CHECK(both->DenyList.pSeverityList[0] == info);
  CHECK(both->DenyList.pSeverityList[1] == warning);
  CHECK(both->AllowList.NumIDs == 0);

  queue.info->PopStorageFilter();
  queue.say("kept", D3D12_MESSAGE_SEVERITY_WARNING);
  CHECK(queue.info->PushEmptyStorageFilter() == S_OK);
  queue.say("kept");
  CHECK(queue.info->GetStorageFilterStackSize() == 2);
  queue.info->PopStorageFilter();
  queue.info->ClearStorageFilter();
  queue.say("kept");
  CHECK(queue.info->GetNumStoredMessages() == 4);
  CHECK(queue.info->GetNumMessagesDeniedByStorageFilter() == 3);
}

TEST_CASE("info queue: a retrieval filter hides what is stored", "[d3d12]") {
  Queue queue;
  queue.say("a");
  queue.say("b", D3D12_MESSAGE_SEVERITY_ERROR);
  queue.say("c");
  auto error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER only_errors{};
  only_errors.AllowList.NumSeverities = 1;
  only_errors.AllowList.pSeverityList = &error;
  CHECK(queue.info->AddRetrievalFilterEntries(&only_errors) == S_OK);
  CHECK(queue.info->GetRetrievalFilterStackSize() == 1);
  CHECK(queue.info->GetNumStoredMessages() == 3);
  CHECK(queue.info->GetNumStoredMessagesAllowedByRetrievalFilter() == 1);
  CHECK(queue.text(0) == "b");
  queue.info->PopRetrievalFilter();
  CHECK(queue.text(2) == "c");
  D3D12_INFO_QUEUE_FILTER broken{};
  broken.DenyList.NumIDs = 1;
  CHECK(queue.info->PushRetrievalFilter(&broken) == E_INVALIDARG);
}

namespace {
volatile std::sig_atomic_t traps = 0;
}  // namespace

TEST_CASE("info queue: breaks only where that was asked for", "[d3d12]") {
  Queue queue;
  traps = 0;
  const auto before = std::signal(SIGTRAP, [](int) { traps = traps + 1; });
  queue.say("no break", D3D12_MESSAGE_SEVERITY_ERROR);
  CHECK(traps == 0);
  CHECK(queue.info->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, TRUE) == S_OK);
  CHECK(queue.info->GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR) == TRUE);
  CHECK(queue.info->GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_INFO) == FALSE);
  queue.say("break", D3D12_MESSAGE_SEVERITY_ERROR);
  queue.say("no break");
  CHECK(traps == 1);
  CHECK(queue.info->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, FALSE) == S_OK);
  CHECK(queue.info->SetBreakOnCategory(D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, TRUE) == S_OK);
  CHECK(queue.info->SetBreakOnID(D3D12_MESSAGE_ID_STRING_FROM_APPLICATION, TRUE) == S_OK);
  CHECK(queue.info->GetBreakOnCategory(D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED) == TRUE);
  CHECK(queue.info->GetBreakOnID(D3D12_MESSAGE_ID_STRING_FROM_APPLICATION) == TRUE);
  queue.say("break");
  CHECK(traps == 2);
  CHECK(queue.info->SetBreakOnSeverity(static_cast<D3D12_MESSAGE_SEVERITY>(77), TRUE) == E_INVALIDARG);
  CHECK(queue.info->SetBreakOnCategory(static_cast<D3D12_MESSAGE_CATEGORY>(-1), TRUE) == E_INVALIDARG);
  CHECK(queue.info->SetBreakOnID(D3D12_MESSAGE_ID_D3D12_MESSAGES_END, TRUE) == E_INVALIDARG);
  std::signal(SIGTRAP, before);
}

TEST_CASE("info queue: callbacks hear what is stored, or everything", "[d3d12]") {
  Queue queue;
  const auto hear = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR text, void* heard) {
    static_cast<std::string*>(heard)->append(text);
  };
  std::string filtered;
  std::string all;
  DWORD first = 0;
  DWORD second = 0;
  CHECK(queue.info->RegisterMessageCallback(nullptr, D3D12_MESSAGE_CALLBACK_FLAG_NONE, nullptr, &first) ==
        E_INVALIDARG);
  CHECK(queue.info->RegisterMessageCallback(hear, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &filtered, &first) == S_OK);
  CHECK(queue.info->RegisterMessageCallback(hear, D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS, &all, &second) == S_OK);
  CHECK(first != 0);
  CHECK(second != first);
  queue.say("a");
  auto info = D3D12_MESSAGE_SEVERITY_INFO;
  D3D12_INFO_QUEUE_FILTER no_info = denying(info);
  CHECK(queue.info->PushStorageFilter(&no_info) == S_OK);
  queue.say("b");
  CHECK(queue.info->UnregisterMessageCallback(second) == S_OK);
  CHECK(queue.info->UnregisterMessageCallback(second) == E_INVALIDARG);
  queue.say("c", D3D12_MESSAGE_SEVERITY_ERROR);
  CHECK(filtered == "ac");
  CHECK(all == "ab");
}

TEST_CASE("messages: categories by the ranges of their ids", "[d3d12]") {
  using fenceline::d3d12::category_of;
  CHECK(category_of(D3D12_MESSAGE_ID_STRING_FROM_APPLICATION) == D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED);
  CHECK(category_of(D3D12_MESSAGE_ID_CORRUPTED_PARAMETER1) == D3D12_MESSAGE_CATEGORY_MISCELLANEOUS);
  CHECK(category_of(D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES) == D3D12_MESSAGE_CATEGORY_STATE_CREATION);
  CHECK(category_of(D3D12_MESSAGE_ID_LIVE_DEVICE) == D3D12_MESSAGE_CATEGORY_STATE_CREATION);
  CHECK(category_of(D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT) == D3D12_MESSAGE_CATEGORY_EXECUTION);
  CHECK(category_of(D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH) ==
        D3D12_MESSAGE_CATEGORY_RESOURCE_MANIPULATION);
  CHECK(category_of(D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED) == D3D12_MESSAGE_CATEGORY_EXECUTION);
  CHECK(category_of(D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC) == D3D12_MESSAGE_CATEGORY_EXECUTION);
  CHECK(category_of(D3D12_MESSAGE_ID_CLEARRENDERTARGETVIEW_MISMATCHINGCLEARVALUE) == D3D12_MESSAGE_CATEGORY_EXECUTION);
  CHECK(category_of(static_cast<D3D12_MESSAGE_ID>(-1)) == D3D12_MESSAGE_CATEGORY_MISCELLANEOUS);
}
