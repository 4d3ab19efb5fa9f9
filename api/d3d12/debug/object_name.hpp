// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <string>

namespace fenceline::d3d12 {

/// The program's name for the object as it gave it; empty without one.
inline std::wstring wide_name(ID3D12Object& object) {
  UINT bytes = 0;
  if (object.GetPrivateData(WKPDID_D3DDebugObjectNameW, &bytes, nullptr) != S_OK) return {};
  std::wstring name(bytes / sizeof(wchar_t), L'\0');
  object.GetPrivateData(WKPDID_D3DDebugObjectNameW, &bytes, name.data());
  while (!name.empty() && name.back() == L'\0') name.pop_back();
  return name;
}

template <class Char>
const Char* or_null(const std::basic_string<Char>& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace fenceline::d3d12
