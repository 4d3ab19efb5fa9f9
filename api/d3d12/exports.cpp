// SPDX-License-Identifier: Apache-2.0
// Functions of d3d12.dll that know nothing here. The others stand beside what they create.
#include "api/d3d12/d3d12.hpp"

HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT, const IID*, void*, UINT*) { return E_NOINTERFACE; }

HRESULT WINAPI D3D12GetInterface(REFCLSID, REFIID, void** object) {
  if (object != nullptr) *object = nullptr;
  return E_NOINTERFACE;
}
