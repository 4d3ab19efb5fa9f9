// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

class DeviceCore;

/// A node mask names nodes of a device, each a physical adapter: bit i for node i, and 0 for the first. Source: win32
/// docs, "Multi-adapter systems", which says of each call whether one bit or several may be set.
constexpr UINT nodes_of(UINT mask) { return mask == 0 ? 1 : mask; }
constexpr bool is_one_node(UINT mask, UINT nodes) { return mask >> nodes == 0 && (mask & (mask - 1)) == 0; }
constexpr bool are_nodes(UINT mask, UINT nodes) { return mask >> nodes == 0; }

/// S_OK where the mask is of one node of the device, or of several; else it is told, and the call's answer comes back.
HRESULT check_one_node(DeviceCore& device, UINT mask, const char* method);
HRESULT check_nodes(DeviceCore& device, UINT mask, const char* method);

}  // namespace fenceline::d3d12
