/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/windows_compat/dxgi_debug.hpp"
#include "api/windows_compat/graphics_analysis.hpp"
#include "windows.h"
