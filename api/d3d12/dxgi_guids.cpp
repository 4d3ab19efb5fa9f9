// SPDX-License-Identifier: Apache-2.0
// The values of DXGI's IIDs, which DirectX-Headers' library does not have. A program that defines INITGUID has its own.
#define INITGUID
#include "api/d3d12/dxgi.hpp"
