/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/d3d12/dxgi.hpp"
#include "windows.h"
