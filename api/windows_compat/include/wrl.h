/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "api/windows_compat/files/wrappers.hpp"
#include "windows.h"

#include <wrl/client.h>
