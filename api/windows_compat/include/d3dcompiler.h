/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* D3DCompile, where this build of Fenceline has a compiler. */
#include "windows.h"

#if defined(__has_include) && __has_include("api/d3d12/d3dcompiler.hpp")
#include "api/d3d12/d3dcompiler.hpp"
#endif
