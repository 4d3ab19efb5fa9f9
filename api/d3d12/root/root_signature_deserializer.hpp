// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"
#include "api/d3d12/root/root_layout.hpp"

namespace fenceline::d3d12 {

/// Shows a root signature as version 1.0 says it. As D3D12's own, it does not answer to IUnknown.
class RootSignatureDeserializer final : public ComObject<ShyFace<ID3D12RootSignatureDeserializer>> {
 public:
  explicit RootSignatureDeserializer(const RootLayout& layout) : descs_(layout) {}
  const D3D12_ROOT_SIGNATURE_DESC* STDMETHODCALLTYPE GetRootSignatureDesc() override {
    return &descs_.version_1_0().Desc_1_0;
  }

 private:
  RootDescs descs_;
};

/// Shows a root signature in both versions.
class VersionedRootSignatureDeserializer final : public ComObject<ShyFace<ID3D12VersionedRootSignatureDeserializer>> {
 public:
  explicit VersionedRootSignatureDeserializer(const RootLayout& layout) : descs_(layout), version_(layout.version) {}
  /// E_INVALIDARG, and null, for another version than 1.0 and 1.1.
  HRESULT STDMETHODCALLTYPE GetRootSignatureDescAtVersion(D3D_ROOT_SIGNATURE_VERSION version,
                                                          const D3D12_VERSIONED_ROOT_SIGNATURE_DESC** desc) override;
  const D3D12_VERSIONED_ROOT_SIGNATURE_DESC* STDMETHODCALLTYPE GetUnconvertedRootSignatureDesc() override;

 private:
  RootDescs descs_;
  D3D_ROOT_SIGNATURE_VERSION version_;
};

}  // namespace fenceline::d3d12
