/* SPDX-License-Identifier: Apache-2.0 */
/// @file
/// PIX's captures and markers as programs written for WinPixEventRuntime call them: `#include <fenceline/pix3.hpp>` in
/// place of pix3.h. A GPU capture is a file that `fenceline run` plays. Markers on lists and queues are D3D12's, which
/// breadcrumbs of a removed device tell of; those without one, on the CPU alone, are nothing.
#pragma once

#include "api/d3d12/pix_capture.hpp"
#include "api/d3d12/pix_markers.hpp"
