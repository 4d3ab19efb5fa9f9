// SPDX-License-Identifier: Apache-2.0
// What a removed device tells of the work that it did not complete.
#include "api/d3d12/host/host.hpp"
#include "engines/command/command.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace fenceline;
using namespace fenceline::testing;

/// Settings of the process for as long as it lives.
struct Settings {
  explicit Settings(D3D12_DRED_ENABLEMENT enablement) {
    REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&settings)) == S_OK);
    set(enablement);
  }
  ~Settings() {
    set(D3D12_DRED_ENABLEMENT_FORCED_OFF);
    settings->UseMarkersOnlyAutoBreadcrumbs(FALSE);
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  void set(D3D12_DRED_ENABLEMENT enablement) const {
    settings->SetAutoBreadcrumbsEnablement(enablement);
    settings->SetBreadcrumbContextEnablement(enablement);
    settings->SetPageFaultEnablement(enablement);
  }

  ComPtr<ID3D12DeviceRemovedExtendedDataSettings2> settings;
};

void remove(App& app) {
  ComPtr<ID3D12Device5> device;
  REQUIRE(app.device.As(&device) == S_OK);
  device->RemoveDevice();
}

ComPtr<ID3D12DeviceRemovedExtendedData2> data_of(App& app) {
  ComPtr<ID3D12DeviceRemovedExtendedData2> data;
  REQUIRE(app.device.As(&data) == S_OK);
  return data;
}

constexpr UINT64 mebibyte = 1 << 20;

/// A list whose third operation of five is a copy that takes milliseconds; the GPU is in the middle of it.
struct Interrupted {
  explicit Interrupted(App& app)
      : recorder(app, D3D12_COMMAND_LIST_TYPE_COMPUTE),
        from(app.buffer(64 * mebibyte, D3D12_HEAP_TYPE_UPLOAD)),
        to(app.buffer(64 * mebibyte)) {
    recorder.queue->SetName(L"uploads");
    recorder.list->SetName(L"level 1");
    recorder.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 16);
    const char text[] = "geometry";
    recorder.list->BeginEvent(1, text, sizeof text);
    recorder.list->CopyResource(to.Get(), from.Get());
    recorder.list->EndEvent();
    recorder.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 16);
    recorder.submit();
  }
  Recorder recorder;
  ComPtr<ID3D12Resource> from;
  ComPtr<ID3D12Resource> to;
};

TEST_CASE("removed device: without being asked to, it has recorded nothing", "[d3d12]") {
  App app;
  const auto data = data_of(app);
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT breadcrumbs{};
  D3D12_DRED_PAGE_FAULT_OUTPUT fault{};
  CHECK(data->GetAutoBreadcrumbsOutput(&breadcrumbs) == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  CHECK(data->GetPageFaultAllocationOutput(&fault) == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  remove(app);
  CHECK(data->GetAutoBreadcrumbsOutput(&breadcrumbs) == DXGI_ERROR_UNSUPPORTED);
  CHECK(data->GetPageFaultAllocationOutput(&fault) == DXGI_ERROR_UNSUPPORTED);
  CHECK(data->GetAutoBreadcrumbsOutput(nullptr) == E_INVALIDARG);
  CHECK(data->GetDeviceState() == D3D12_DRED_DEVICE_STATE_UNKNOWN);
}

TEST_CASE("removed device: breadcrumbs say which list was interrupted, and where", "[d3d12]") {
  const Settings settings(D3D12_DRED_ENABLEMENT_FORCED_ON);
  App app;
  const Interrupted work(app);
  Sleep(1);
  REQUIRE(work.recorder.fence->GetCompletedValue() == 0);
  const auto data = data_of(app);
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 output{};
  CHECK(data->GetAutoBreadcrumbsOutput1(&output) == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
  remove(app);

  REQUIRE(data->GetAutoBreadcrumbsOutput1(&output) == S_OK);
  const D3D12_AUTO_BREADCRUMB_NODE1* const node = output.pHeadAutoBreadcrumbNode;
  REQUIRE(node != nullptr);
  CHECK(node->pNext == nullptr);
  CHECK(node->pCommandList == work.recorder.list.Get());
  CHECK(node->pCommandQueue == work.recorder.queue.Get());
  CHECK(std::string(node->pCommandListDebugNameA) == "level 1");
  CHECK(std::wstring(node->pCommandListDebugNameW) == L"level 1");
  CHECK(std::string(node->pCommandQueueDebugNameA) == "uploads");
  CHECK(std::wstring(node->pCommandQueueDebugNameW) == L"uploads");
  const std::vector<D3D12_AUTO_BREADCRUMB_OP> history(node->pCommandHistory,
                                                      node->pCommandHistory + node->BreadcrumbCount);
  CHECK(history == std::vector<D3D12_AUTO_BREADCRUMB_OP>{
                       D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION, D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT,
                       D3D12_AUTO_BREADCRUMB_OP_COPYRESOURCE, D3D12_AUTO_BREADCRUMB_OP_ENDEVENT,
                       D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION});
  CHECK(*node->pLastBreadcrumbValue == 2);
  REQUIRE(node->BreadcrumbContextsCount == 1);
  CHECK(node->pBreadcrumbContexts[0].BreadcrumbIndex == 1);
  CHECK(std::wstring(node->pBreadcrumbContexts[0].pContextString) == L"geometry");

  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT older{};
  REQUIRE(data->GetAutoBreadcrumbsOutput(&older) == S_OK);
  REQUIRE(older.pHeadAutoBreadcrumbNode != nullptr);
  CHECK(older.pHeadAutoBreadcrumbNode->BreadcrumbCount == 5);
  CHECK(*older.pHeadAutoBreadcrumbNode->pLastBreadcrumbValue == 2);
  D3D12_DRED_PAGE_FAULT_OUTPUT2 fault{};
  REQUIRE(data->GetPageFaultAllocationOutput2(&fault) == S_OK);
  CHECK(fault.PageFaultVA == 0);
  CHECK(fault.pHeadExistingAllocationNode == nullptr);
}

TEST_CASE("removed device: work beyond the end of simulated time hangs it", "[d3d12]") {
  App app;
  Recorder endless(app, compute_type);
  endless.list->SetPipelineState(compute_pipeline(app).Get());
  constexpr int dispatches = 4000;  // of 2^48 groups, on a machine that begins 8 at once
  for (int i = 0; i < dispatches; ++i) endless.list->Dispatch(65535, 65535, 65535);
  endless.submit();
  endless.wait();  // returns: fences of a removed device have ended
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_HUNG);
  CHECK(endless.fence->GetCompletedValue() == UINT64_MAX);
  ComPtr<ID3D12Fence> late;
  CHECK(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&late)) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(endless.queue->Signal(endless.fence.Get(), 2) == DXGI_ERROR_DEVICE_REMOVED);
}

namespace {

/// tiny with the rules of Windows and no granularity finer than a whole dispatch, where 100 us are too long.
ComPtr<ID3D12Device> impatient(EngineResets engine_reset = EngineResets::supported) {
  return tiny_with([&](MachineConfig& tiny) {
    tiny.scheduler.policy = SchedulingPolicy::wddm;
    tiny.tdr.delay_us = tiny.tdr.too_long_us = 100;
    tiny.tdr.engine_reset = engine_reset;
    for (NodeConfig& node : tiny.engines) {
      std::visit(
          [](EngineConfig& engine) {
            engine.compute_preemption = {ComputePreemption::dispatch_boundary, {}};
          },
          node);
    }
  });
}

/// A dispatch of some milliseconds.
void dispatch_long(Recorder& recorder) {
  recorder.list->SetPipelineState(compute_pipeline(recorder.app).Get());
  recorder.list->Dispatch(65535, 100, 1);
  recorder.submit();
}

}  // namespace

TEST_CASE("removed device: one whose dispatch does not stop in time is hung, and what waits for it goes on",
          "[d3d12]") {
  const bool whole_adapter = GENERATE(false, true);
  App app(impatient(whole_adapter ? EngineResets::unsupported : EngineResets::supported));
  Recorder recorder(app, compute_type);
  dispatch_long(recorder);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  recorder.wait();
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_HUNG);
  CHECK(recorder.fence->GetCompletedValue() == UINT64_MAX);
  CHECK(recorder.queue->Signal(recorder.fence.Get(), 7) == DXGI_ERROR_DEVICE_REMOVED);
  ComPtr<ID3D12CommandAllocator> late;
  CHECK(app.device->CreateCommandAllocator(compute_type, IID_PPV_ARGS(&late)) == DXGI_ERROR_DEVICE_REMOVED);
}

TEST_CASE("removed device: a queue with DISABLE_GPU_TIMEOUT may run as long as it wants", "[d3d12]") {
  App app(impatient());
  Recorder recorder(app, compute_type);
  const D3D12_COMMAND_QUEUE_DESC desc{compute_type, 0, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 0};
  recorder.queue.Reset();
  REQUIRE(app.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&recorder.queue)) == S_OK);
  dispatch_long(recorder);
  recorder.wait();
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(recorder.fence->GetCompletedValue() == recorder.value);
}

namespace {

/// The GPU accesses that address for the process, and nothing is there.
void fault(App& app, std::uint64_t address, const std::string& process = {}, bool resets_adapter = false) {
  auto list = std::make_shared<CommandStream>();
  list->name = "faults";
  list->faulting_accesses.push_back({address, true, "target", resets_adapter});
  list->commands.emplace_back(PageFault{0});
  {
    const d3d12::Host::Lock lock = d3d12::Host::instance().lock();
    Machine& machine = machine_of(app.device.Get());
    QueueConfig queue;
    queue.name = "faulty";
    queue.type = QueueType::compute;
    queue.process = process;
    machine.execute(machine.create_queue(queue), list);
    machine.advance_to(machine.now_ps() + 200 * ms);
  }
}

ComPtr<ID3D12Resource> placed(App& app, ID3D12Heap* heap, const wchar_t* name) {
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = 65536;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  ComPtr<ID3D12Resource> made;
  REQUIRE(app.device->CreatePlacedResource(heap, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&made)) ==
          S_OK);
  made->SetName(name);
  return made;
}

}  // namespace

TEST_CASE("removed device: a page fault says where it was, and what lies there and lay there", "[d3d12]") {
  const Settings settings(D3D12_DRED_ENABLEMENT_FORCED_ON);
  App app(impatient());
  const auto other = app.buffer(65536);
  D3D12_HEAP_DESC desc{};
  desc.SizeInBytes = 65536;
  desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto existing = placed(app, heap.Get(), L"existing");
  placed(app, heap.Get(), L"first");
  placed(app, heap.Get(), L"second");
  const std::uint64_t address = existing->GetGPUVirtualAddress() + 100;
  const auto data = data_of(app);
  CHECK(data->GetDeviceState() == D3D12_DRED_DEVICE_STATE_UNKNOWN);
  fault(app, address);

  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_HUNG);
  CHECK(data->GetDeviceState() == D3D12_DRED_DEVICE_STATE_PAGEFAULT);
  D3D12_DRED_PAGE_FAULT_OUTPUT2 output{};
  REQUIRE(data->GetPageFaultAllocationOutput2(&output) == S_OK);
  CHECK(output.PageFaultVA == address);
  REQUIRE(output.pHeadExistingAllocationNode != nullptr);
  CHECK(std::wstring(output.pHeadExistingAllocationNode->ObjectNameW) == L"existing");
  CHECK(output.pHeadExistingAllocationNode->AllocationType == D3D12_DRED_ALLOCATION_TYPE_RESOURCE);
  CHECK(output.pHeadExistingAllocationNode->pObject == existing.Get());
  CHECK(output.pHeadExistingAllocationNode->pNext == nullptr);
  REQUIRE(output.pHeadRecentFreedAllocationNode != nullptr);
  CHECK(std::string(output.pHeadRecentFreedAllocationNode->ObjectNameA) == "second");
  REQUIRE(output.pHeadRecentFreedAllocationNode->pNext != nullptr);
  CHECK(std::string(output.pHeadRecentFreedAllocationNode->pNext->ObjectNameA) == "first");
  CHECK(output.pHeadRecentFreedAllocationNode->pNext->pNext == nullptr);
  D3D12_DRED_PAGE_FAULT_OUTPUT oldest{};
  REQUIRE(data->GetPageFaultAllocationOutput(&oldest) == S_OK);
  CHECK(oldest.PageFaultVA == address);
  CHECK(std::string(oldest.pHeadExistingAllocationNode->ObjectNameA) == "existing");
}

TEST_CASE("removed device: an adapter that another process has had reset", "[d3d12]") {
  const bool resets_adapter = GENERATE(false, true);
  App app;
  Recorder recorder(app, compute_type);
  recorder.submit();
  recorder.wait();
  fault(app, 0x1000, "another", resets_adapter);
  if (!resets_adapter) {  // that is the other one's alone
    CHECK(app.device->GetDeviceRemovedReason() == S_OK);
    CHECK(recorder.queue->Signal(recorder.fence.Get(), 7) == S_OK);
    return;
  }
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_RESET);
  CHECK(recorder.fence->GetCompletedValue() == UINT64_MAX);
  CHECK(recorder.queue->Signal(recorder.fence.Get(), 7) == DXGI_ERROR_DEVICE_REMOVED);
  ComPtr<ID3D12Fence> late;
  CHECK(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&late)) == DXGI_ERROR_DEVICE_REMOVED);
}

TEST_CASE("removed device: where page faults are not recorded the state alone tells of one", "[d3d12]") {
  App app(impatient());
  const auto buffer = app.buffer(65536);
  fault(app, buffer->GetGPUVirtualAddress());
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_HUNG);
  CHECK(data_of(app)->GetDeviceState() == D3D12_DRED_DEVICE_STATE_PAGEFAULT);
  D3D12_DRED_PAGE_FAULT_OUTPUT1 output{};
  CHECK(data_of(app)->GetPageFaultAllocationOutput1(&output) == DXGI_ERROR_UNSUPPORTED);
  CHECK(output.PageFaultVA == 0);
}

TEST_CASE("removed device: lists that are complete are not in its breadcrumbs, those that wait are", "[d3d12]") {
  const Settings settings(D3D12_DRED_ENABLEMENT_FORCED_ON);
  App app;
  Recorder complete(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(16, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(16);
  for (int i = 0; i < 3; ++i) {
    complete.list->CopyResource(to.Get(), from.Get());
    complete.run();
  }
  Recorder waiting(app, D3D12_COMMAND_LIST_TYPE_COPY);
  waiting.list->CopyResource(to.Get(), from.Get());
  REQUIRE(waiting.queue->Wait(complete.fence.Get(), 100) == S_OK);
  waiting.submit();
  Sleep(1);
  remove(app);
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT output{};
  REQUIRE(data_of(app)->GetAutoBreadcrumbsOutput(&output) == S_OK);
  REQUIRE(output.pHeadAutoBreadcrumbNode != nullptr);
  CHECK(output.pHeadAutoBreadcrumbNode->pCommandList == waiting.list.Get());
  CHECK(output.pHeadAutoBreadcrumbNode->pCommandListDebugNameA == nullptr);
  CHECK(output.pHeadAutoBreadcrumbNode->BreadcrumbCount == 1);
  CHECK(*output.pHeadAutoBreadcrumbNode->pLastBreadcrumbValue == 0);
  CHECK(output.pHeadAutoBreadcrumbNode->pNext == nullptr);
}

TEST_CASE("removed device: markers alone are breadcrumbs, too", "[d3d12]") {
  const Settings settings(D3D12_DRED_ENABLEMENT_FORCED_ON);
  settings.settings->UseMarkersOnlyAutoBreadcrumbs(TRUE);
  App app;
  const Interrupted work(app);
  Sleep(1);
  remove(app);
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT output{};
  REQUIRE(data_of(app)->GetAutoBreadcrumbsOutput(&output) == S_OK);
  REQUIRE(output.pHeadAutoBreadcrumbNode != nullptr);
  const auto& node = *output.pHeadAutoBreadcrumbNode;
  REQUIRE(node.BreadcrumbCount == 2);
  CHECK(node.pCommandHistory[0] == D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT);
  CHECK(node.pCommandHistory[1] == D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
  CHECK(*node.pLastBreadcrumbValue == 0);
}

TEST_CASE("removed device: the settings are one object with three versions", "[d3d12]") {
  const Settings settings(D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED);
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> oldest;
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings1> middle;
  CHECK(settings.settings.As(&oldest) == S_OK);
  CHECK(settings.settings.As(&middle) == S_OK);
  ComPtr<ID3D12Debug> debug;
  CHECK(settings.settings.As(&debug) == E_NOINTERFACE);
  App app;
  remove(app);
  D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT output{};
  CHECK(data_of(app)->GetAutoBreadcrumbsOutput(&output) == DXGI_ERROR_UNSUPPORTED);
}

}  // namespace
