/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Where the Agility SDK has it. */
#include "../../windows.h"

#include <directx/d3dx12.h>
