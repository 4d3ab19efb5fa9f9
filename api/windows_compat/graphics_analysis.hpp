// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // COM's interfaces have no virtual destructors, of which programs would be warned

// IDXGraphicsAnalysis, the programmatic captures of before PIX: DXGIGetDebugInterface1 (dxgi_debug.hpp) gives it.
#include "api/d3d12/dxgi.hpp"

#ifndef __DXProgrammableCapture_h__
#define __DXProgrammableCapture_h__

// clang-format off
#undef INTERFACE
#define INTERFACE IDXGraphicsAnalysis
/// Begins and ends GPU captures, as PIXBeginCapture and PIXEndCapture of `fenceline/pix3.hpp` do without a file's name.
DECLARE_INTERFACE_(IDXGraphicsAnalysis, IUnknown) {
  FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
  STDMETHOD_(void, BeginCapture)(THIS) PURE;
  STDMETHOD_(void, EndCapture)(THIS) PURE;
};
FENCELINE_IID(IDXGraphicsAnalysis, 0x9f251514, 0x9d4d, 0x4902, 0x9d, 0x60, 0x18, 0x98, 0x8a, 0xb7, 0xd4, 0xb5)
#define __IDXGraphicsAnalysis_INTERFACE_DEFINED__
#undef INTERFACE
// clang-format on

#endif
