// SPDX-License-Identifier: Apache-2.0
#pragma once

// Microsoft's own headers, in the only order in which they compile on Linux: the stand-in for Windows' types first, the
// values of the IIDs, which are written for the interfaces declared before them, last. C programs may include it, too.
// clang-format off
#include <wsl/winadapter.h>
#include <directx/d3dcommon.h>
#include <directx/dxgiformat.h>
#include <directx/dxgicommon.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#ifdef __cplusplus
#include <directx/dxcore.h>
#include <directx/dxcore_interface.h>
#include <dxguids/dxguids.h>
#endif
// clang-format on

// Of winerror.h, which the stand-in for Windows' types does not have.
#ifndef D3D12_ERROR_ADAPTER_NOT_FOUND
#define D3D12_ERROR_ADAPTER_NOT_FOUND ((HRESULT)0x887E0001L)
#define D3D12_ERROR_DRIVER_VERSION_MISMATCH ((HRESULT)0x887E0002L)
#endif
// Results of ID3D12DeviceRemovedExtendedData and ID3D12PipelineLibrary that <dxgicommon.h> leaves out.
#ifndef DXGI_ERROR_NOT_CURRENTLY_AVAILABLE
#define DXGI_ERROR_NOT_CURRENTLY_AVAILABLE ((HRESULT)0x887A0022L)
#endif
#ifndef DXGI_ERROR_CACHE_CORRUPT
#define DXGI_ERROR_CACHE_CORRUPT ((HRESULT)0x887A0033L)
#endif
#ifndef DXGI_ERROR_CACHE_FULL
#define DXGI_ERROR_CACHE_FULL ((HRESULT)0x887A0034L)
#endif
#ifndef DXGI_ERROR_CACHE_HASH_COLLISION
#define DXGI_ERROR_CACHE_HASH_COLLISION ((HRESULT)0x887A0035L)
#endif
#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

#ifdef __cplusplus
// Two that <dxguids/dxguids.h> leaves out.
WINADAPTER_IID(ID3D10Blob, 0x8ba5fb08, 0x5195, 0x40e2, 0xac, 0x58, 0x0d, 0x98, 0x9c, 0x3a, 0x01, 0x02)
WINADAPTER_IID(ID3DDestructionNotifier, 0xa06eb39a, 0x50da, 0x425b, 0x8c, 0x31, 0x4e, 0xec, 0xd6, 0xc2, 0x70, 0xf3)
#endif
