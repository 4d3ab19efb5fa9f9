// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"

#include <vector>

namespace fenceline::d3d12 {

/// One kind of question of ID3D12Device::CheckFeatureSupport.
struct Feature {
  D3D12_FEATURE feature;
  const char* name;
  UINT bytes;  ///< of its data, and no other size is taken
  /// Fills in the data. E_INVALIDARG for a question that D3D12 does not know.
  HRESULT (*answer)(const MachineConfig& machine, void* data);
  const char* source;  ///< where the answer is from: what Fenceline does, the machine, or who requires it
};

/// All of them, in the order of their numbers. What several structs tell is said once, so that they agree: a GPU of
/// feature level 12_1 with what Fenceline models.
const std::vector<Feature>& features();

}  // namespace fenceline::d3d12
