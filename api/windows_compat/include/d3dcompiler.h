/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* D3DCompile, where this build of Fenceline has a compiler. */
#include "windows.h"

#include "api/hlsl/d3dcompiler.hpp"
