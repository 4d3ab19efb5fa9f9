// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/node_mask.hpp"

#include "api/d3d12/core/device_core.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

UINT count_of(const DeviceCore& device) { return device.machine().config().linked_adapters; }

HRESULT refused(DeviceCore& device, UINT mask, const char* method, const char* expected) {
  const UINT nodes = count_of(device);
  device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_NODE_MASK_MISMATCH,
                 fmt::format("{}: expected a node mask with {} of {} node{}, found {:#x}", method, expected, nodes,
                             nodes > 1 ? "s" : "", mask));
  return E_INVALIDARG;
}

}  // namespace

HRESULT check_one_node(DeviceCore& device, UINT mask, const char* method) {
  return is_one_node(mask, count_of(device)) ? S_OK : refused(device, mask, method, "one bit");
}

HRESULT check_nodes(DeviceCore& device, UINT mask, const char* method) {
  return are_nodes(mask, count_of(device)) ? S_OK : refused(device, mask, method, "bits");
}

}  // namespace fenceline::d3d12
