// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/dxgi_debug.hpp"

#include "api/d3d12/pix_capture.hpp"
#include "api/windows_compat/graphics_analysis.hpp"

const GUID IID_IDXGIDebug = __uuidof(IDXGIDebug);
const GUID IID_IDXGIDebug1 = __uuidof(IDXGIDebug1);
const GUID IID_IDXGraphicsAnalysis = __uuidof(IDXGraphicsAnalysis);

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"  // Microsoft's interfaces have none, and nobody deletes this one
/// There is one, as long as the process.
class GraphicsAnalysis final : public IDXGraphicsAnalysis {
 public:
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** to) override {
    if (to == nullptr) return E_POINTER;
    const bool is_it =
        InlineIsEqualGUID(riid, __uuidof(IDXGraphicsAnalysis)) || InlineIsEqualGUID(riid, __uuidof(IUnknown));
    *to = is_it ? static_cast<IDXGraphicsAnalysis*>(this) : nullptr;
    return is_it ? S_OK : E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return 2; }
  ULONG STDMETHODCALLTYPE Release() override { return 1; }
  void STDMETHODCALLTYPE BeginCapture() override { PIXBeginCapture2(PIX_CAPTURE_GPU, nullptr); }
  void STDMETHODCALLTYPE EndCapture() override { PIXEndCapture(FALSE); }
};
#pragma GCC diagnostic pop

}  // namespace

HRESULT WINAPI DXGIGetDebugInterface(REFIID, void** debug) {
  if (debug != nullptr) *debug = nullptr;
  return E_NOINTERFACE;
}

HRESULT WINAPI DXGIGetDebugInterface1(UINT, REFIID riid, void** debug) {
  static GraphicsAnalysis analysis;
  if (debug != nullptr && InlineIsEqualGUID(riid, __uuidof(IDXGraphicsAnalysis)))
    return analysis.QueryInterface(riid, debug);
  return DXGIGetDebugInterface(riid, debug);
}
