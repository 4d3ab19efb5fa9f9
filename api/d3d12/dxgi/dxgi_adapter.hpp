// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/dxgi_object.hpp"
#include "api/d3d12/device/adapter.hpp"

namespace fenceline::d3d12 {

/// IDXGIAdapter4: what DXGI tells of a machine, the same as DXCore does. It has a reference to its factory. A new one
/// is made whenever a factory is asked, as DXGI does. The memory budget changes where the program says that others are
/// there (application_budget.hpp).
class DxgiAdapter final
    : public DxgiObject<Face<IDXGIAdapter4, IDXGIAdapter3, IDXGIAdapter2, IDXGIAdapter1, IDXGIAdapter, IDXGIObject>> {
 public:
  DxgiAdapter(IDXGIFactory7& factory, const Adapter& adapter);

  HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) override;
  /// The machine's, the primary one first (DxgiOutput).
  HRESULT STDMETHODCALLTYPE EnumOutputs(UINT index, IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) override;
  /// DXGI_ERROR_UNSUPPORTED: it tells of Direct3D 10's interfaces alone, and there are none.
  HRESULT STDMETHODCALLTYPE CheckInterfaceSupport(REFGUID iid, LARGE_INTEGER* version) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_ADAPTER_DESC1* desc) override;
  HRESULT STDMETHODCALLTYPE GetDesc2(DXGI_ADAPTER_DESC2* desc) override;
  HRESULT STDMETHODCALLTYPE RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterHardwareContentProtectionTeardownStatus(DWORD) override {}
  HRESULT STDMETHODCALLTYPE QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                 DXGI_QUERY_VIDEO_MEMORY_INFO* info) override;
  HRESULT STDMETHODCALLTYPE SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                      UINT64 bytes) override;
  HRESULT STDMETHODCALLTYPE RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterVideoMemoryBudgetChangeNotification(DWORD cookie) override;
  HRESULT STDMETHODCALLTYPE GetDesc3(DXGI_ADAPTER_DESC3* desc) override;

 private:
  ~DxgiAdapter() override = default;
  void on_last_release() override;

  IDXGIFactory7& factory_;
  const Adapter& adapter_;
};

}  // namespace fenceline::d3d12
