// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

/// So many other processes have queues on the device's adapter, from now on: at most 1000, and none in the beginning.
/// They are not simulated; what they change is the program's budget of video memory (docs/residency.md, rule 28). If it
/// becomes another one, registered events are set, and DXCore's callbacks called, before this returns. S_OK, or
/// E_INVALIDARG, with nothing changed.
HRESULT set_background_processes(ID3D12Device* device, UINT count);

/// Whether the program has the focus among the processes on the device's adapter, as it has in the beginning; else one
/// of the others has it. Answers and notifies as set_background_processes does.
HRESULT set_application_focus(ID3D12Device* device, BOOL focus);

}  // namespace fenceline::d3d12
