// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/dxgi_object.hpp"
#include "api/d3d12/device/adapter.hpp"
#include "scheduler/display/frame.hpp"

namespace fenceline::d3d12 {

/// IDXGIOutput6: an output of a machine (`/display`). It has a reference to its adapter. A new one is made whenever an
/// adapter is asked, as DXGI does.
///
/// It has one mode, that of the machine's file, and standard range; the desktop has the outputs side by side, the
/// primary one at the left. Gamma, scan-out surfaces and duplication are not modelled.
class DxgiOutput final : public DxgiObject<Face<IDXGIOutput6, IDXGIOutput5, IDXGIOutput4, IDXGIOutput3, IDXGIOutput2,
                                                IDXGIOutput1, IDXGIOutput, IDXGIObject>> {
 public:
  DxgiOutput(IDXGIAdapter4& parent, const Adapter& adapter, OutputId id);

  const Adapter& adapter() const { return adapter_; }
  OutputId id() const { return id_; }

  HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_OUTPUT_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_OUTPUT_DESC1* desc) override;
  /// DXGI_ERROR_MORE_DATA: there are more modes than places. Formats that cannot be shown have no mode.
  HRESULT STDMETHODCALLTYPE GetDisplayModeList(DXGI_FORMAT format, UINT flags, UINT* count,
                                               DXGI_MODE_DESC* modes) override;
  HRESULT STDMETHODCALLTYPE GetDisplayModeList1(DXGI_FORMAT format, UINT flags, UINT* count,
                                                DXGI_MODE_DESC1* modes) override;
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode(const DXGI_MODE_DESC* wanted, DXGI_MODE_DESC* closest,
                                                    IUnknown* device) override;
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode1(const DXGI_MODE_DESC1* wanted, DXGI_MODE_DESC1* closest,
                                                     IUnknown* device) override;
  /// Blocks the calling thread until it knows of the first vertical blank after now.
  HRESULT STDMETHODCALLTYPE WaitForVBlank() override;
  BOOL STDMETHODCALLTYPE SupportsOverlays() override { return FALSE; }
  HRESULT STDMETHODCALLTYPE CheckOverlaySupport(DXGI_FORMAT format, IUnknown* device, UINT* flags) override;
  HRESULT STDMETHODCALLTYPE CheckOverlayColorSpaceSupport(DXGI_FORMAT format, DXGI_COLOR_SPACE_TYPE space,
                                                          IUnknown* device, UINT* flags) override;
  /// In full screen and in windows: every swap chain flips by itself.
  HRESULT STDMETHODCALLTYPE CheckHardwareCompositionSupport(UINT* flags) override;

  // Not modelled.
  HRESULT STDMETHODCALLTYPE TakeOwnership(IUnknown* device, BOOL exclusive) override;
  void STDMETHODCALLTYPE ReleaseOwnership() override {}
  HRESULT STDMETHODCALLTYPE GetGammaControlCapabilities(DXGI_GAMMA_CONTROL_CAPABILITIES* capabilities) override;
  HRESULT STDMETHODCALLTYPE SetGammaControl(const DXGI_GAMMA_CONTROL* control) override;
  HRESULT STDMETHODCALLTYPE GetGammaControl(DXGI_GAMMA_CONTROL* control) override;
  HRESULT STDMETHODCALLTYPE SetDisplaySurface(IDXGISurface* surface) override;
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData(IDXGISurface* surface) override;
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData1(IDXGIResource* surface) override;
  HRESULT STDMETHODCALLTYPE GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) override;
  HRESULT STDMETHODCALLTYPE DuplicateOutput(IUnknown* device, IDXGIOutputDuplication** duplication) override;
  HRESULT STDMETHODCALLTYPE DuplicateOutput1(IUnknown* device, UINT flags, UINT count, const DXGI_FORMAT* formats,
                                             IDXGIOutputDuplication** duplication) override;

 private:
  ~DxgiOutput() override = default;
  void on_last_release() override;

  IDXGIAdapter4& parent_;
  const Adapter& adapter_;
  OutputId id_;
};

/// IDXGIAdapter's EnumOutputs: DXGI_ERROR_NOT_FOUND behind the last one.
HRESULT give_output(IDXGIAdapter4& parent, const Adapter& adapter, UINT index, IDXGIOutput** output);

}  // namespace fenceline::d3d12
