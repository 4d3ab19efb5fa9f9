// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/dxgi_debug.hpp"

const GUID IID_IDXGIDebug = __uuidof(IDXGIDebug);
const GUID IID_IDXGIDebug1 = __uuidof(IDXGIDebug1);

HRESULT WINAPI DXGIGetDebugInterface(REFIID, void** debug) {
  if (debug != nullptr) *debug = nullptr;
  return E_NOINTERFACE;
}

HRESULT WINAPI DXGIGetDebugInterface1(UINT, REFIID riid, void** debug) { return DXGIGetDebugInterface(riid, debug); }
