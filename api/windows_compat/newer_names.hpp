// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of D3D12 that are newer than the installed DirectX-Headers.
#include "api/d3d12/d3d12.hpp"

#if D3D12_SDK_VERSION <= 606
#define D3D12_BARRIER_SYNC_INDEX_INPUT D3D12_BARRIER_SYNC_INPUT_ASSEMBLER
#endif
