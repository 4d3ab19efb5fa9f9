/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/windows_compat/pix.hpp"
#include "windows.h"
