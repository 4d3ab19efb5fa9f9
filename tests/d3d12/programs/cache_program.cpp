// SPDX-License-Identifier: Apache-2.0
// cache_program VERSION COMMAND...: opens a disk session of that version, and does what is asked for: `store KEY
// VALUE`, `find KEY`, `drop` (deleted on destroy). Prints how each went.
#include "api/d3d12/d3d12.hpp"

#include <wrl/client.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using Microsoft::WRL::ComPtr;

namespace {

void print(std::string_view what, HRESULT result, const std::string& value = {}) {
  std::printf("%.*s 0x%08x %s\n", static_cast<int>(what.size()), what.data(), static_cast<unsigned>(result),
              value.c_str());
}

std::string found(ID3D12ShaderCacheSession& session, const std::string& key, HRESULT& result) {
  UINT bytes = 0;
  result = session.FindValue(key.data(), static_cast<UINT>(key.size()), nullptr, &bytes);
  std::string value(SUCCEEDED(result) ? bytes : 0, '\0');
  if (SUCCEEDED(result)) result = session.FindValue(key.data(), static_cast<UINT>(key.size()), value.data(), &bytes);
  return value;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  ComPtr<ID3D12Device9> device;
  if (D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) != S_OK) return 1;
  D3D12_SHADER_CACHE_SESSION_DESC desc{};
  desc.Identifier = {0x1b0c6a9d, 0x4d1e, 0x4c55, {1, 2, 3, 4, 5, 6, 7, 8}};
  desc.Mode = D3D12_SHADER_CACHE_MODE_DISK;
  desc.Version = std::strtoull(arguments[1], nullptr, 10);
  ComPtr<ID3D12ShaderCacheSession> session;
  const HRESULT opened = device->CreateShaderCacheSession(&desc, IID_PPV_ARGS(&session));
  print("open", opened);
  if (FAILED(opened)) return 1;
  for (int i = 2; i < count; ++i) {
    const std::string_view command = arguments[i];
    if (command == "store" && i + 2 < count) {
      const std::string key = arguments[++i];
      const std::string value = arguments[++i];
      print(command, session->StoreValue(key.data(), static_cast<UINT>(key.size()), value.data(),
                                         static_cast<UINT>(value.size())));
    } else if (command == "find" && i + 1 < count) {
      HRESULT result = S_OK;
      const std::string value = found(*session.Get(), arguments[++i], result);
      print(command, result, value);
    } else if (command == "drop") {
      session->SetDeleteOnDestroy();
    } else {
      return 2;
    }
  }
  return 0;
}
