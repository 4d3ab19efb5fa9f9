// SPDX-License-Identifier: Apache-2.0
// The values of the IIDs that DirectX-Headers' library does not have: DXGI's, and one that <directx/d3dcommon.h>
// declares. A program that defines INITGUID has its own of DXGI's.
#define INITGUID
#include "api/d3d12/dxgi.hpp"

DEFINE_GUID(IID_ID3DDestructionNotifier, 0xa06eb39a, 0x50da, 0x425b, 0x8c, 0x31, 0x4e, 0xec, 0xd6, 0xc2, 0x70, 0xf3);
