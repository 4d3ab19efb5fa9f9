/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/windows_compat/dxgi_debug.hpp"
#include "windows.h"
