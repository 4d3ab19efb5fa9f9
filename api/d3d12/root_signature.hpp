// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/device_child.hpp"
#include "api/d3d12/root_layout.hpp"

namespace fenceline::d3d12 {

/// ID3D12RootSignature.
class RootSignature final : public DeviceChild<Face<ID3D12RootSignature, ID3D12DeviceChild, ID3D12Object>> {
 public:
  RootSignature(Device& device, RootLayout layout) : DeviceChild(device), layout_(std::move(layout)) {}
  const RootLayout& layout() const { return layout_; }

 private:
  ~RootSignature() override = default;
  RootLayout layout_;
};

HRESULT create_root_signature(Device& device, const void* blob, SIZE_T bytes, REFIID iid, void** signature);

}  // namespace fenceline::d3d12
