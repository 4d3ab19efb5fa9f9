// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

/// The answer of what Fenceline does not model: E_NOTIMPL, and for each name once a line on stderr. `method` is a
/// string literal, "ID3D12Device5::CreateStateObject".
HRESULT not_modelled(const char* method);

}  // namespace fenceline::d3d12
