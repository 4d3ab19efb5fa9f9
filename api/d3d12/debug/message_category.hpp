// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

/// The category of a message that D3D12 defines: by the ranges in which d3d12sdklayers.h numbers messages of one kind.
D3D12_MESSAGE_CATEGORY category_of(D3D12_MESSAGE_ID id);

}  // namespace fenceline::d3d12
