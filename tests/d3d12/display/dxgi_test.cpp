// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/device/adapter.hpp"
#include "tests/d3d12/display/game.hpp"

#include <string>

using namespace fenceline::testing;

TEST_CASE("dxgi: a factory has all its versions, and no more", "[d3d12]") {
  setenv("FENCELINE_MACHINE", "tiny", 1);
  const IID iids[] = {__uuidof(IUnknown),      __uuidof(IDXGIObject),   __uuidof(IDXGIFactory),
                      __uuidof(IDXGIFactory1), __uuidof(IDXGIFactory2), __uuidof(IDXGIFactory3),
                      __uuidof(IDXGIFactory4), __uuidof(IDXGIFactory5), __uuidof(IDXGIFactory6),
                      __uuidof(IDXGIFactory7)};
  for (const IID& iid : iids) {
    for (const auto create : {&CreateDXGIFactory, &CreateDXGIFactory1}) {
      IUnknown* factory = nullptr;
      REQUIRE(create(iid, reinterpret_cast<void**>(&factory)) == S_OK);
      CHECK(factory->Release() == 0);
    }
  }
  void* none = &none;
  CHECK(CreateDXGIFactory1(__uuidof(IDXGIAdapter), &none) == E_NOINTERFACE);
  CHECK(none == nullptr);
  CHECK(CreateDXGIFactory2(2, __uuidof(IDXGIFactory), &none) == DXGI_ERROR_INVALID_CALL);
  ComPtr<IDXGIFactory3> factory;
  REQUIRE(CreateDXGIFactory2(DXGI_CREATE_FACTORY_DEBUG, IID_PPV_ARGS(&factory)) == S_OK);
  CHECK(factory->GetCreationFlags() == DXGI_CREATE_FACTORY_DEBUG);
}

TEST_CASE("dxgi: the IIDs for C are those for C++", "[d3d12]") {
  CHECK(IID_IDXGIObject == __uuidof(IDXGIObject));
  CHECK(IID_IDXGISwapChain == __uuidof(IDXGISwapChain));
  CHECK(IID_IDXGISwapChain4 == __uuidof(IDXGISwapChain4));
  CHECK(IID_IDXGIFactory7 == __uuidof(IDXGIFactory7));
  CHECK(IID_IDXGIAdapter4 == __uuidof(IDXGIAdapter4));
}

TEST_CASE("dxgi: adapters are the machines, new objects each time, of which each has its factory", "[d3d12]") {
  setenv("FENCELINE_MACHINE", "tiny:h200", 1);
  const auto factory = dxgi_factory();
  const auto& machines = fenceline::d3d12::adapters();  // of whatever test of this process asked first
  const auto count = static_cast<UINT>(machines.size());
  for (UINT i = 0; i < count; ++i) {
    const std::wstring name(machines[i].machine.name.begin(), machines[i].machine.name.end());
    ComPtr<IDXGIAdapter1> adapter;
    REQUIRE(factory->EnumAdapters1(i, &adapter) == S_OK);
    ComPtr<IDXGIAdapter> again;
    REQUIRE(factory->EnumAdapters(i, &again) == S_OK);
    CHECK(static_cast<IDXGIAdapter*>(adapter.Get()) != again.Get());
    again.Reset();
    CHECK(references(adapter.Get()) == 1);
    CHECK(references(factory.Get()) == 2);
    DXGI_ADAPTER_DESC1 desc{};
    REQUIRE(adapter->GetDesc1(&desc) == S_OK);
    CHECK(std::wstring(desc.Description) == name);
    CHECK(desc.Flags == DXGI_ADAPTER_FLAG_NONE);
    CHECK(desc.AdapterLuid.LowPart == i + 1);
    CHECK(desc.DedicatedVideoMemory > 0);
    CHECK(adapter->GetDesc1(nullptr) == E_INVALIDARG);
    ComPtr<IDXGIAdapter4> newest;
    REQUIRE(factory->EnumAdapterByLuid(desc.AdapterLuid, IID_PPV_ARGS(&newest)) == S_OK);
    DXGI_ADAPTER_DESC3 desc3{};
    REQUIRE(newest->GetDesc3(&desc3) == S_OK);
    CHECK(std::wstring(desc3.Description) == name);
    CHECK(desc3.GraphicsPreemptionGranularity <= DXGI_GRAPHICS_PREEMPTION_INSTRUCTION_BOUNDARY);
    ComPtr<IDXGIFactory2> parent;
    REQUIRE(adapter->GetParent(IID_PPV_ARGS(&parent)) == S_OK);
    CHECK(parent.Get() == static_cast<IDXGIFactory2*>(factory.Get()));
    REQUIRE(factory->EnumAdapterByGpuPreference(i, DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE, IID_PPV_ARGS(&newest)) ==
            S_OK);

    ComPtr<ID3D12Device> device;
    REQUIRE(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)) == S_OK);
    CHECK(device->GetAdapterLuid().LowPart == desc.AdapterLuid.LowPart);
  }
  IDXGIAdapter1* none = reinterpret_cast<IDXGIAdapter1*>(factory.Get());
  CHECK(factory->EnumAdapters1(count, &none) == DXGI_ERROR_NOT_FOUND);
  CHECK(none == nullptr);
  CHECK(factory->EnumAdapters1(0, nullptr) == DXGI_ERROR_INVALID_CALL);
  ComPtr<IDXGIAdapter> unknown;
  CHECK(factory->EnumAdapterByLuid({99, 0}, IID_PPV_ARGS(&unknown)) == DXGI_ERROR_NOT_FOUND);
  CHECK(factory->EnumWarpAdapter(IID_PPV_ARGS(&unknown)) == DXGI_ERROR_NOT_FOUND);
  REQUIRE(factory->EnumAdapters(0, &unknown) == S_OK);
  ComPtr<IDXGIOutput> output;
  REQUIRE(unknown->EnumOutputs(0, &output) == S_OK);
  CHECK(references(factory.Get()) > 1);
  output.Reset();
  unknown.Reset();
  CHECK(references(factory.Get()) == 1);
}

TEST_CASE("dxgi: tearing is there, and asked for with the right size", "[d3d12]") {
  const auto factory = dxgi_factory();
  BOOL data = 7;
  CHECK(factory->CheckFeatureSupport(static_cast<DXGI_FEATURE>(0x12345678), &data, sizeof data) ==
        DXGI_ERROR_INVALID_CALL);
  constexpr auto tearing = DXGI_FEATURE_PRESENT_ALLOW_TEARING;
  CHECK(factory->CheckFeatureSupport(tearing, &data, sizeof data - 1) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->CheckFeatureSupport(tearing, &data, sizeof data + 1) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->CheckFeatureSupport(tearing, nullptr, sizeof data) == DXGI_ERROR_INVALID_CALL);
  CHECK(data == 7);
  CHECK(factory->CheckFeatureSupport(tearing, &data, sizeof data) == S_OK);
  CHECK(data == TRUE);
}

TEST_CASE("dxgi: what a window or a stereo display would be for is taken, and never tells", "[d3d12]") {
  const auto factory = dxgi_factory();
  HWND window = 3;
  CHECK(factory->GetWindowAssociation(nullptr) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->GetWindowAssociation(&window) == S_OK);
  CHECK(window == 0);
  CHECK(factory->MakeWindowAssociation(5, DXGI_MWA_NO_ALT_ENTER) == S_OK);
  CHECK(factory->MakeWindowAssociation(5, DXGI_MWA_VALID + 1) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->GetWindowAssociation(&window) == S_OK);
  CHECK(window == 5);
  CHECK(factory->IsCurrent() == TRUE);
  CHECK(factory->IsWindowedStereoEnabled() == FALSE);
  DWORD cookie = 0;
  CHECK(factory->RegisterAdaptersChangedEvent(nullptr, &cookie) == S_OK);
  CHECK(factory->UnregisterAdaptersChangedEvent(cookie) == S_OK);
  CHECK(factory->UnregisterAdaptersChangedEvent(cookie + 1) == DXGI_ERROR_INVALID_CALL);
}
