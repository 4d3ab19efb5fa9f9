// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/root/root_layout.hpp"

namespace fenceline::d3d12 {

/// May that be a root signature? E_INVALIDARG and the first rule that it breaks: a cost of at most 64, values of the
/// enumerations, flags that go together, samplers in tables of their own, registers that do not overlap for any stage.
Verdict check_root_layout(const RootLayout& layout);

}  // namespace fenceline::d3d12
