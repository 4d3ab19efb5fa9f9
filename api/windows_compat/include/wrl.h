/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/windows_compat/wrappers.hpp"
#include "windows.h"

#include <wrl/client.h>
