// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"

namespace fenceline::d3d12 {

/// A device of a machine of its own, for C++ programs that want many: every call makes one, with a LUID that no adapter
/// of DXCore has. Answers as D3D12CreateDevice does.
HRESULT create_device(const MachineConfig& machine, REFIID iid, void** device);

}  // namespace fenceline::d3d12
