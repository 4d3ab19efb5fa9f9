// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/dxgi_object.hpp"

#include <atomic>

namespace fenceline::d3d12 {

/// IDXGIFactory7: lists the process's adapters, and makes swap chains. Adapters never change, no window is ever hidden,
/// and nothing is stereo: whoever wants to hear of that never does.
class DxgiFactory final
    : public DxgiObject<Face<IDXGIFactory7, IDXGIFactory6, IDXGIFactory5, IDXGIFactory4, IDXGIFactory3, IDXGIFactory2,
                             IDXGIFactory1, IDXGIFactory, IDXGIObject>> {
 public:
  explicit DxgiFactory(UINT flags) : flags_(flags) {}

  HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) override;
  HRESULT STDMETHODCALLTYPE EnumAdapters(UINT index, IDXGIAdapter** adapter) override;
  HRESULT STDMETHODCALLTYPE MakeWindowAssociation(HWND window, UINT flags) override;
  HRESULT STDMETHODCALLTYPE GetWindowAssociation(HWND* window) override;
  HRESULT STDMETHODCALLTYPE CreateSwapChain(IUnknown* device, DXGI_SWAP_CHAIN_DESC* desc,
                                            IDXGISwapChain** swap_chain) override;
  HRESULT STDMETHODCALLTYPE CreateSoftwareAdapter(HMODULE module, IDXGIAdapter** adapter) override;
  HRESULT STDMETHODCALLTYPE EnumAdapters1(UINT index, IDXGIAdapter1** adapter) override;
  BOOL STDMETHODCALLTYPE IsCurrent() override { return TRUE; }
  BOOL STDMETHODCALLTYPE IsWindowedStereoEnabled() override { return FALSE; }
  HRESULT STDMETHODCALLTYPE CreateSwapChainForHwnd(IUnknown* device, HWND window, const DXGI_SWAP_CHAIN_DESC1* desc,
                                                   const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen,
                                                   IDXGIOutput* restrict_to, IDXGISwapChain1** swap_chain) override;
  HRESULT STDMETHODCALLTYPE CreateSwapChainForCoreWindow(IUnknown* device, IUnknown* window,
                                                         const DXGI_SWAP_CHAIN_DESC1* desc, IDXGIOutput* restrict_to,
                                                         IDXGISwapChain1** swap_chain) override;
  HRESULT STDMETHODCALLTYPE GetSharedResourceAdapterLuid(HANDLE resource, LUID* luid) override;
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusWindow(HWND, UINT, DWORD* cookie) override { return take(cookie); }
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusEvent(HANDLE, DWORD* cookie) override { return take(cookie); }
  void STDMETHODCALLTYPE UnregisterStereoStatus(DWORD) override {}
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusWindow(HWND, UINT, DWORD* cookie) override { return take(cookie); }
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusEvent(HANDLE, DWORD* cookie) override { return take(cookie); }
  void STDMETHODCALLTYPE UnregisterOcclusionStatus(DWORD) override {}
  HRESULT STDMETHODCALLTYPE CreateSwapChainForComposition(IUnknown* device, const DXGI_SWAP_CHAIN_DESC1* desc,
                                                          IDXGIOutput* restrict_to,
                                                          IDXGISwapChain1** swap_chain) override;
  UINT STDMETHODCALLTYPE GetCreationFlags() override { return flags_; }
  HRESULT STDMETHODCALLTYPE EnumAdapterByLuid(LUID luid, REFIID iid, void** adapter) override;
  HRESULT STDMETHODCALLTYPE EnumWarpAdapter(REFIID iid, void** adapter) override;
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT bytes) override;
  /// All preferences list them in the same order.
  HRESULT STDMETHODCALLTYPE EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference, REFIID iid,
                                                       void** adapter) override;
  HRESULT STDMETHODCALLTYPE RegisterAdaptersChangedEvent(HANDLE, DWORD* cookie) override { return take(cookie); }
  HRESULT STDMETHODCALLTYPE UnregisterAdaptersChangedEvent(DWORD cookie) override;

 private:
  ~DxgiFactory() override = default;
  HRESULT enumerate(UINT index, REFIID iid, void** adapter);
  HRESULT take(DWORD* cookie);

  UINT flags_;
  std::atomic<HWND> window_{};
  std::atomic<DWORD> cookies_{0};
};

}  // namespace fenceline::d3d12
