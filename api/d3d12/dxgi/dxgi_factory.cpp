// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi/dxgi_factory.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/dxgi/dxgi_adapter.hpp"
#include "api/d3d12/dxgi/swap_chain.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <cstdio>
#include <cstring>

namespace fenceline::d3d12 {
namespace {

/// DXGI knows no adapter that cannot be read, and says so on stderr.
const std::vector<Adapter>& readable_adapters() {
  static const std::vector<Adapter> none;
  try {
    return adapters();
  } catch (const ConfigError& error) {
    console::tell("fenceline: FENCELINE_MACHINE: {}\n", error.what());
    return none;
  }
}

HRESULT give_adapter(DxgiFactory& factory, const Adapter& adapter, REFIID iid, void** place) {
  auto* const made = new DxgiAdapter(factory, adapter);
  const HRESULT result = made->QueryInterface(iid, place);
  made->Release();
  return result;
}

}  // namespace

HRESULT DxgiFactory::GetParent(REFIID, void** parent) {
  if (parent == nullptr) return E_POINTER;
  *parent = nullptr;
  return E_NOINTERFACE;
}

HRESULT DxgiFactory::enumerate(UINT index, REFIID iid, void** adapter) {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  const std::vector<Adapter>& all = readable_adapters();
  if (index >= all.size()) return DXGI_ERROR_NOT_FOUND;
  return give_adapter(*this, all[index], iid, adapter);
}

HRESULT DxgiFactory::EnumAdapters(UINT index, IDXGIAdapter** adapter) {
  return enumerate(index, __uuidof(IDXGIAdapter), reinterpret_cast<void**>(adapter));
}

HRESULT DxgiFactory::EnumAdapters1(UINT index, IDXGIAdapter1** adapter) {
  return enumerate(index, __uuidof(IDXGIAdapter1), reinterpret_cast<void**>(adapter));
}

HRESULT DxgiFactory::EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference, REFIID iid,
                                                void** adapter) {
  if (preference < DXGI_GPU_PREFERENCE_UNSPECIFIED || preference > DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE) {
    return DXGI_ERROR_INVALID_CALL;
  }
  return enumerate(index, iid, adapter);
}

HRESULT DxgiFactory::EnumAdapterByLuid(LUID luid, REFIID iid, void** adapter) {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  for (const Adapter& one : readable_adapters()) {
    if (same_luid(one.luid, luid)) {
      return give_adapter(*this, one, iid, adapter);
    }
  }
  return DXGI_ERROR_NOT_FOUND;
}

HRESULT DxgiFactory::EnumWarpAdapter(REFIID, void** adapter) {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  not_modelled("IDXGIFactory4::EnumWarpAdapter");
  return DXGI_ERROR_NOT_FOUND;
}

HRESULT DxgiFactory::CreateSoftwareAdapter(HMODULE, IDXGIAdapter** adapter) {
  if (adapter != nullptr) *adapter = nullptr;
  return not_modelled("IDXGIFactory::CreateSoftwareAdapter");
}

HRESULT DxgiFactory::MakeWindowAssociation(HWND window, UINT flags) {
  if ((flags & ~static_cast<UINT>(DXGI_MWA_VALID)) != 0 || (window == HWND{} && flags != 0)) {
    return DXGI_ERROR_INVALID_CALL;
  }
  window_ = window;
  return S_OK;
}

HRESULT DxgiFactory::GetWindowAssociation(HWND* window) {
  if (window == nullptr) return DXGI_ERROR_INVALID_CALL;
  *window = window_;
  return S_OK;
}

HRESULT DxgiFactory::CreateSwapChain(IUnknown* device, DXGI_SWAP_CHAIN_DESC* desc, IDXGISwapChain** swap_chain) {
  if (desc == nullptr || swap_chain == nullptr) return DXGI_ERROR_INVALID_CALL;
  *swap_chain = nullptr;
  DXGI_SWAP_CHAIN_DESC1 buffers{};
  buffers.Width = desc->BufferDesc.Width;
  buffers.Height = desc->BufferDesc.Height;
  buffers.Format = desc->BufferDesc.Format;
  buffers.SampleDesc = desc->SampleDesc;
  buffers.BufferUsage = desc->BufferUsage;
  buffers.BufferCount = desc->BufferCount;
  buffers.SwapEffect = desc->SwapEffect;
  buffers.AlphaMode = DXGI_ALPHA_MODE_IGNORE;
  buffers.Flags = desc->Flags;
  const DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen{desc->BufferDesc.RefreshRate, desc->BufferDesc.ScanlineOrdering,
                                                   desc->BufferDesc.Scaling, desc->Windowed};
  IDXGISwapChain1* made = nullptr;
  const HRESULT result = CreateSwapChainForHwnd(device, desc->OutputWindow, &buffers, &fullscreen, nullptr, &made);
  *swap_chain = made;
  return result;
}

HRESULT DxgiFactory::CreateSwapChainForHwnd(IUnknown* device, HWND window, const DXGI_SWAP_CHAIN_DESC1* desc,
                                            const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen, IDXGIOutput* restrict_to,
                                            IDXGISwapChain1** swap_chain) {
  if (swap_chain != nullptr) *swap_chain = nullptr;
  if (window == HWND{}) return DXGI_ERROR_INVALID_CALL;
  return create_swap_chain(*this, device,
                           {SwapChainTarget::window, window, fullscreen, com_cast<DxgiOutput>(restrict_to)}, desc,
                           swap_chain);
}

HRESULT DxgiFactory::CreateSwapChainForComposition(IUnknown* device, const DXGI_SWAP_CHAIN_DESC1* desc,
                                                   IDXGIOutput* restrict_to, IDXGISwapChain1** swap_chain) {
  if (swap_chain != nullptr) *swap_chain = nullptr;
  return create_swap_chain(
      *this, device, {SwapChainTarget::composition, {}, nullptr, com_cast<DxgiOutput>(restrict_to)}, desc, swap_chain);
}

HRESULT DxgiFactory::CreateSwapChainForCoreWindow(IUnknown*, IUnknown*, const DXGI_SWAP_CHAIN_DESC1*, IDXGIOutput*,
                                                  IDXGISwapChain1** swap_chain) {
  if (swap_chain != nullptr) *swap_chain = nullptr;
  return not_modelled("IDXGIFactory2::CreateSwapChainForCoreWindow");
}

HRESULT DxgiFactory::GetSharedResourceAdapterLuid(HANDLE, LUID*) {
  return not_modelled("IDXGIFactory2::GetSharedResourceAdapterLuid");
}

HRESULT DxgiFactory::CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT bytes) {
  if (feature != DXGI_FEATURE_PRESENT_ALLOW_TEARING || data == nullptr || bytes != sizeof(BOOL)) {
    return DXGI_ERROR_INVALID_CALL;
  }
  const BOOL supported = TRUE;
  std::memcpy(data, &supported, sizeof supported);
  return S_OK;
}

HRESULT DxgiFactory::take(DWORD* cookie) {
  if (cookie == nullptr) return DXGI_ERROR_INVALID_CALL;
  *cookie = ++cookies_;
  return S_OK;
}

HRESULT DxgiFactory::UnregisterAdaptersChangedEvent(DWORD cookie) {
  return cookie > 0 && cookie <= cookies_ ? S_OK : DXGI_ERROR_INVALID_CALL;
}

}  // namespace fenceline::d3d12

HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID iid, void** factory) {
  if (factory == nullptr) return DXGI_ERROR_INVALID_CALL;
  *factory = nullptr;
  if ((flags & ~static_cast<UINT>(DXGI_CREATE_FACTORY_DEBUG)) != 0) return DXGI_ERROR_INVALID_CALL;
  auto* const made = new fenceline::d3d12::DxgiFactory(flags);
  const HRESULT result = made->QueryInterface(iid, factory);
  made->Release();
  return result;
}

HRESULT WINAPI CreateDXGIFactory1(REFIID iid, void** factory) { return CreateDXGIFactory2(0, iid, factory); }
HRESULT WINAPI CreateDXGIFactory(REFIID iid, void** factory) { return CreateDXGIFactory2(0, iid, factory); }

HRESULT WINAPI DXGIDeclareAdapterRemovalSupport() {
  static std::atomic<bool> declared{false};
  return declared.exchange(true) ? DXGI_ERROR_ALREADY_EXISTS : S_OK;
}
