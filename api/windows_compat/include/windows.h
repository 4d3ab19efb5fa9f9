/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Win32, as far as D3D12 programs use it; README.md of this folder says what that is. */
#include "api/windows_compat/clock.hpp"
#include "api/windows_compat/error.hpp"
#include "api/windows_compat/files/file.hpp"
#include "api/windows_compat/newer_names.hpp"
#include "api/windows_compat/process/process.hpp"
#include "api/windows_compat/text.hpp"
#include "api/windows_compat/threads/thread.hpp"
#include "api/windows_compat/types.hpp"
#include "api/windows_compat/windows/window.hpp"
/* The last one, for it takes the name L. */
#include "api/windows_compat/dialect.hpp"
