/* SPDX-License-Identifier: Apache-2.0 */
/// @file
/// D3D12, DXGI, DXCore and the HLSL compiler as programs include them, for C, too. Win32's events and waits are among
/// them (CreateEvent, WaitForSingleObject, CloseHandle, Sleep). The interfaces are Microsoft's own.
///
/// C++ programs also have fenceline::d3d12::shader for shaders without a compiler, fenceline::d3d12::create_device for
/// devices of machines of their own, fenceline::d3d12::set_background_processes for budgets of video memory among
/// others, and fenceline::HostThread for programs of several threads.
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"
#include "api/hlsl/d3dcompiler.hpp"
#ifdef __cplusplus
#include "api/d3d12/application_budget.hpp"
#include "api/d3d12/create_device.hpp"
#include "api/d3d12/dxbc/shader_declarations.hpp"
#include "api/d3d12/host_thread.hpp"
#include "api/d3d12/shader.hpp"
#include "api/d3d12/shaders/shader_desc.hpp"
#endif
