// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "shadercache/shader_caches.hpp"

#include <memory>

namespace fenceline::d3d12 {

/// The application-managed shader caches of this process, whatever the device.
ShaderCaches& process_caches();

using ShaderCacheSessionFace = Face<ID3D12ShaderCacheSession, ID3D12DeviceChild, ID3D12Object>;

/// ID3D12ShaderCacheSession, over a real cache: what is stored is there in real time, whatever the simulation does.
class ShaderCacheSession final : public DeviceChild<ShaderCacheSessionFace> {
 public:
  ShaderCacheSession(DeviceCore& device, std::unique_ptr<fenceline::ShaderCacheSession> session)
      : DeviceChild(device), session_(std::move(session)) {}

  HRESULT STDMETHODCALLTYPE FindValue(const void* key, UINT key_bytes, void* value, UINT* value_bytes) override;
  HRESULT STDMETHODCALLTYPE StoreValue(const void* key, UINT key_bytes, const void* value, UINT value_bytes) override;
  void STDMETHODCALLTYPE SetDeleteOnDestroy() override;
  D3D12_SHADER_CACHE_SESSION_DESC STDMETHODCALLTYPE GetDesc() override;

 private:
  ~ShaderCacheSession() override = default;
  void tell(CacheStatus status, const char* method);

  std::unique_ptr<fenceline::ShaderCacheSession> session_;
};

/// ID3D12Device9's CreateShaderCacheSession and ShaderCacheControl.
HRESULT create_shader_cache_session(DeviceCore& device, const D3D12_SHADER_CACHE_SESSION_DESC* desc, REFIID iid,
                                    void** session);
HRESULT control_shader_caches(DeviceCore& device, D3D12_SHADER_CACHE_KIND_FLAGS kinds,
                              D3D12_SHADER_CACHE_CONTROL_FLAGS control);

}  // namespace fenceline::d3d12
