// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/create_device.hpp"
#include "api/d3d12/device/adapter.hpp"
#include "sim/config_error.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/support/places.hpp"

#include <string>

using namespace fenceline::testing;
using fenceline::builtin_machine;

namespace {

/// As the App chose its machine, when it is the first of the process.
struct Dxcore : App {
  Dxcore() { REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK); }
  ComPtr<IDXCoreAdapterList> list(std::vector<GUID> attributes = {DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS}) {
    ComPtr<IDXCoreAdapterList> made;
    REQUIRE(factory->CreateAdapterList(static_cast<std::uint32_t>(attributes.size()), attributes.data(),
                                       IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<IDXCoreAdapter> first() {
    ComPtr<IDXCoreAdapter> adapter;
    REQUIRE(list()->GetAdapter(0, IID_PPV_ARGS(&adapter)) == S_OK);
    return adapter;
  }
  ComPtr<IDXCoreAdapterFactory> factory;
};

}  // namespace

TEST_CASE("adapters: FENCELINE_MACHINE names one or more machines, each with its LUID", "[d3d12]") {
  using fenceline::d3d12::adapters_of;
  CHECK(adapters_of("").at(0).machine.name == "h200");
  const auto three = adapters_of("tiny:rtx_4090,h200");
  REQUIRE(three.size() == 3);
  CHECK(three[0].machine.name == "tiny");
  CHECK(three[1].machine.name == "rtx_4090");
  CHECK(three[2].machine.name == "h200");
  CHECK(three[0].luid.LowPart != three[1].luid.LowPart);
  CHECK(adapters_of((source_directory() / "configs/machines/tiny.json").string()).at(0).machine.name == "tiny");
  CHECK_THROWS_AS(adapters_of("tiny:no_such_gpu"), fenceline::ConfigError);
}

TEST_CASE("DXCore: one factory, lists by attributes, the same adapters in all of them", "[d3d12]") {
  Dxcore dxcore;
  ComPtr<IDXCoreAdapterFactory> again;
  REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&again)) == S_OK);
  CHECK(again.Get() == dxcore.factory.Get());
  CHECK(DXCoreCreateAdapterFactory(__uuidof(IDXCoreAdapterFactory), nullptr) == E_POINTER);

  const auto both = dxcore.list({DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS, DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE});
  CHECK(both->GetAdapterCount() == 1);
  CHECK_FALSE(both->IsStale());
  CHECK(dxcore.list({DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS})->GetAdapterCount() == 0);
  ComPtr<IDXCoreAdapter> adapter;
  REQUIRE(both->GetAdapter(0, IID_PPV_ARGS(&adapter)) == S_OK);
  CHECK(adapter.Get() == dxcore.first().Get());
  CHECK(both->GetAdapter(1, IID_PPV_ARGS(&adapter)) == E_INVALIDARG);
  CHECK(both->GetAdapter(0, __uuidof(IDXCoreAdapter), nullptr) == E_POINTER);
  ComPtr<ID3D12Device> none;
  CHECK(both->GetAdapter(0, IID_PPV_ARGS(&none)) == E_NOINTERFACE);
  const GUID attribute = DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS;
  ComPtr<IDXCoreAdapterList> list;
  CHECK(dxcore.factory->CreateAdapterList(0, &attribute, IID_PPV_ARGS(&list)) == E_INVALIDARG);
  CHECK(dxcore.factory->CreateAdapterList(1, nullptr, IID_PPV_ARGS(&list)) == E_INVALIDARG);
  CHECK(dxcore.factory->CreateAdapterList(1, &attribute, __uuidof(IDXCoreAdapterList), nullptr) == E_POINTER);
  ComPtr<IDXCoreAdapterFactory> of_list;
  CHECK(both->GetFactory(IID_PPV_ARGS(&of_list)) == S_OK);
  CHECK(of_list.Get() == dxcore.factory.Get());
  const auto hardware = DXCoreAdapterPreference::Hardware;
  CHECK(both->Sort(1, &hardware) == S_OK);
  CHECK(both->Sort(0, &hardware) == E_INVALIDARG);
  const auto none_such = static_cast<DXCoreAdapterPreference>(77);
  CHECK(both->Sort(1, &none_such) == DXGI_ERROR_UNSUPPORTED);
}

TEST_CASE("DXCore: an adapter's properties, with their sizes", "[d3d12]") {
  Dxcore dxcore;
  const auto adapter = dxcore.first();
  LUID luid{};
  REQUIRE(adapter->GetProperty(DXCoreAdapterProperty::InstanceLuid, &luid) == S_OK);
  CHECK(luid.LowPart == dxcore.device->GetAdapterLuid().LowPart);
  ComPtr<IDXCoreAdapter> found;
  CHECK(dxcore.factory->GetAdapterByLuid(luid, IID_PPV_ARGS(&found)) == S_OK);
  CHECK(found.Get() == adapter.Get());
  CHECK(dxcore.factory->GetAdapterByLuid(LUID{77, 0}, IID_PPV_ARGS(&found)) == E_INVALIDARG);

  std::size_t bytes = 0;
  REQUIRE(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &bytes) == S_OK);
  std::string name(bytes, '?');
  CHECK(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, bytes - 1, name.data()) == E_INVALIDARG);
  REQUIRE(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, bytes, name.data()) == S_OK);
  CHECK(name == std::string("tiny") + '\0');

  const fenceline::PreemptionCaps caps = fenceline::preemption_caps(builtin_machine("tiny"));
  std::uint16_t graphics = 1;
  std::uint16_t compute = 1;
  REQUIRE(adapter->GetProperty(DXCoreAdapterProperty::GraphicsPreemptionGranularity, &graphics) == S_OK);
  REQUIRE(adapter->GetProperty(DXCoreAdapterProperty::ComputePreemptionGranularity, &compute) == S_OK);
  CHECK(graphics == static_cast<std::uint16_t>(caps.graphics));
  CHECK(compute == static_cast<std::uint16_t>(caps.compute));
  std::uint32_t wider = ~0U;
  REQUIRE(adapter->GetProperty(DXCoreAdapterProperty::GraphicsPreemptionGranularity, &wider) == S_OK);
  CHECK(wider == graphics);

  bool hardware = false;
  CHECK(adapter->GetProperty(DXCoreAdapterProperty::IsHardware, &hardware) == S_OK);
  CHECK(hardware);
  std::uint64_t memory = 0;
  CHECK(adapter->GetProperty(DXCoreAdapterProperty::DedicatedAdapterMemory, &memory) == S_OK);
  CHECK(memory == std::uint64_t{2048} << 20);  // configs/machines/tiny.json
  CHECK(adapter->GetProperty(DXCoreAdapterProperty::SharedSystemMemory, &memory) == S_OK);
  CHECK(memory == std::uint64_t{4096} << 20);
  const auto none = static_cast<DXCoreAdapterProperty>(77);
  CHECK_FALSE(adapter->IsPropertySupported(none));
  CHECK(adapter->GetPropertySize(none, &bytes) == DXGI_ERROR_INVALID_CALL);
  CHECK(adapter->GetProperty(none, sizeof(memory), &memory) == DXGI_ERROR_INVALID_CALL);
  CHECK(adapter->GetProperty(DXCoreAdapterProperty::IsHardware, 1, nullptr) == E_POINTER);
  CHECK(adapter->GetPropertySize(DXCoreAdapterProperty::IsHardware, nullptr) == E_POINTER);
}

TEST_CASE("DXCore: D3D12CreateDevice makes the device of an adapter, one per process", "[d3d12]") {
  Dxcore dxcore;
  ComPtr<ID3D12Device> device;
  REQUIRE(D3D12CreateDevice(dxcore.first().Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
  CHECK(device.Get() == dxcore.device.Get());
  ComPtr<ID3D12Device> none;
  CHECK(D3D12CreateDevice(device.Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&none)) == E_INVALIDARG);
}

TEST_CASE("create_device: as many machines as a program wants, each with a device of its own", "[d3d12]") {
  ComPtr<ID3D12Device> devices[3];
  const char* const names[] = {"tiny", "h200", "tiny"};
  for (int i = 0; i < 3; ++i) {
    REQUIRE(fenceline::d3d12::create_device(builtin_machine(names[i]), IID_PPV_ARGS(&devices[i])) == S_OK);
  }
  CHECK(devices[0].Get() != devices[2].Get());
  CHECK(devices[0]->GetAdapterLuid().LowPart != devices[2]->GetAdapterLuid().LowPart);
  for (auto& device : devices) {
    ComPtr<ID3D12CommandQueue> queue;
    const D3D12_COMMAND_QUEUE_DESC desc{};
    REQUIRE(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)) == S_OK);
    ComPtr<ID3D12Fence> fence;
    REQUIRE(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
    REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
    CHECK(fence->SetEventOnCompletion(1, nullptr) == S_OK);
    CHECK(fence->GetCompletedValue() == 1);
  }
}
