// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cstdlib>
#include <string>

namespace fenceline::testing {

constexpr auto application = D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED;
constexpr auto disable = D3D12_SHADER_CACHE_CONTROL_FLAG_DISABLE;
constexpr auto enable = D3D12_SHADER_CACHE_CONTROL_FLAG_ENABLE;
constexpr auto clear = D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR;

inline D3D12_SHADER_CACHE_SESSION_DESC cache_desc(unsigned number, D3D12_SHADER_CACHE_MODE mode, UINT64 version = 0) {
  D3D12_SHADER_CACHE_SESSION_DESC desc{};
  desc.Identifier = {0xa1000000 + number, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
  desc.Mode = mode;
  desc.Version = version;
  return desc;
}

/// A program with the debug layer on that has shader caches.
struct CacheApp : DebuggedApp {
  CacheApp() { REQUIRE(App::device.As(&device) == S_OK); }
  Ids ids() { return take_ids(*messages.Get()); }
  ComPtr<ID3D12ShaderCacheSession> open(const D3D12_SHADER_CACHE_SESSION_DESC& desc, HRESULT expected = S_OK) {
    return open_on(*device.Get(), desc, expected);
  }
  static ComPtr<ID3D12ShaderCacheSession> open_on(ID3D12Device9& device, const D3D12_SHADER_CACHE_SESSION_DESC& desc,
                                                  HRESULT expected = S_OK) {
    ComPtr<ID3D12ShaderCacheSession> session;
    CHECK(device.CreateShaderCacheSession(&desc, IID_PPV_ARGS(&session)) == expected);
    CHECK((session != nullptr) == (expected == S_OK));
    return session;
  }
  ComPtr<ID3D12Device9> device;
};

/// The caches of this process are in a directory of the tests'.
struct CacheHome {
  CacheHome() { setenv("XDG_CACHE_HOME", (directory / "caches").c_str(), 1); }
  TemporaryDirectory directory;
};

/// `tiny` with something else, as caches need it.
template <class Change>
ComPtr<ID3D12Device9> cache_device(Change change) {
  ComPtr<ID3D12Device9> device;
  REQUIRE(tiny_with(change).As(&device) == S_OK);
  return device;
}

inline HRESULT store(ID3D12ShaderCacheSession& session, const std::string& key, const std::string& value) {
  return session.StoreValue(key.data(), static_cast<UINT>(key.size()), value.data(), static_cast<UINT>(value.size()));
}

/// By the two calls that are meant for it.
inline HRESULT find(ID3D12ShaderCacheSession& session, const std::string& key, std::string& value) {
  UINT bytes = 0;
  const HRESULT there = session.FindValue(key.data(), static_cast<UINT>(key.size()), nullptr, &bytes);
  value.assign(bytes, '\0');
  return there == S_OK ? session.FindValue(key.data(), static_cast<UINT>(key.size()), value.data(), &bytes) : there;
}
inline HRESULT find(ID3D12ShaderCacheSession& session, const std::string& key) {
  std::string value;
  return find(session, key, value);
}

}  // namespace fenceline::testing
