// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // COM's interfaces have no virtual destructors, of which programs would be warned

// IDXGIDebug, which is not modelled: who asks for it is told that there is none.
#include "api/d3d12/dxgi.hpp"

#ifndef __dxgidebug_h__
#define __dxgidebug_h__

typedef GUID DXGI_DEBUG_ID;
typedef enum DXGI_DEBUG_RLO_FLAGS {
  DXGI_DEBUG_RLO_SUMMARY = 1,
  DXGI_DEBUG_RLO_DETAIL = 2,
  DXGI_DEBUG_RLO_IGNORE_INTERNAL = 4,
  DXGI_DEBUG_RLO_ALL = 7
} DXGI_DEBUG_RLO_FLAGS;
static const GUID DXGI_DEBUG_ALL = {0xe48ae283, 0xda80, 0x490b, {0x87, 0xe6, 0x43, 0xe9, 0xa9, 0xcf, 0xda, 0x08}};
static const GUID DXGI_DEBUG_DXGI = {0x25cddaa4, 0xb1c6, 0x47e1, {0xac, 0x3e, 0x98, 0x87, 0x5b, 0x5a, 0x2e, 0x2a}};

// clang-format off
#define FENCELINE_IDXGIDEBUG_METHODS \
  STDMETHOD(ReportLiveObjects)(THIS_ GUID apiid, DXGI_DEBUG_RLO_FLAGS flags) PURE;
#undef INTERFACE
#define INTERFACE IDXGIDebug
DECLARE_INTERFACE_(IDXGIDebug, IUnknown) {
  FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
  FENCELINE_IDXGIDEBUG_METHODS
};
FENCELINE_IID(IDXGIDebug, 0x119e7452, 0xde9e, 0x40fe, 0x88, 0x06, 0x88, 0xf9, 0x0c, 0x12, 0xb4, 0x41)
#define __IDXGIDebug_INTERFACE_DEFINED__

#define FENCELINE_IDXGIDEBUG1_METHODS \
  STDMETHOD_(void, EnableLeakTrackingForThread)(THIS) PURE; \
  STDMETHOD_(void, DisableLeakTrackingForThread)(THIS) PURE; \
  STDMETHOD_(BOOL, IsLeakTrackingEnabledForThread)(THIS) PURE;
#undef INTERFACE
#define INTERFACE IDXGIDebug1
DECLARE_INTERFACE_(IDXGIDebug1, IDXGIDebug) {
  FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIDEBUG_METHODS)
  FENCELINE_IDXGIDEBUG1_METHODS
};
FENCELINE_IID(IDXGIDebug1, 0xc5a05f0c, 0x16f2, 0x4adf, 0x9f, 0x4d, 0xa8, 0xc4, 0xd5, 0x8a, 0xc5, 0x50)
#define __IDXGIDebug1_INTERFACE_DEFINED__
#undef INTERFACE
// clang-format on

#ifdef __cplusplus
extern "C" {
#endif

/// E_NOINTERFACE.
HRESULT WINAPI DXGIGetDebugInterface(REFIID riid, void** debug);
/// The same, but for IDXGraphicsAnalysis (graphics_analysis.hpp).
HRESULT WINAPI DXGIGetDebugInterface1(UINT flags, REFIID riid, void** debug);

#ifdef __cplusplus
}
#endif

#endif
