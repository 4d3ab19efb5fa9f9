// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/root/root_layout.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace fenceline::d3d12 {

/// ID3D12RootSignature. The device knows it as long as it lives.
class RootSignature final : public DeviceChild<Face<ID3D12RootSignature, ID3D12DeviceChild, ID3D12Object>> {
 public:
  /// `key` names the description.
  RootSignature(DeviceCore& device, RootLayout layout, std::string key)
      : DeviceChild(device), layout_(std::move(layout)), key_(std::move(key)) {}
  const RootLayout& layout() const { return layout_; }

 private:
  ~RootSignature() override;
  RootLayout layout_;
  std::string key_;
};

/// The root signatures of a device that live: of each description one. Any thread may call.
class RootSignatures {
 public:
  /// The one of this description, or a new one; with a reference.
  RootSignature* get(DeviceCore& device, RootLayout layout);
  /// It dies.
  void forget(const std::string& key, const RootSignature* signature);

 private:
  std::mutex mutex_;
  std::map<std::string, RootSignature*> living_;  // not held; by description
};

HRESULT create_root_signature(DeviceCore& device, UINT node_mask, const void* blob, SIZE_T bytes, REFIID iid,
                              void** signature);

}  // namespace fenceline::d3d12
