// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace fenceline::d3d12 {

/// What a rule says: S_OK, or what D3D12 returns and one line that tells what was found and what was expected.
struct Verdict {
  HRESULT result = S_OK;
  std::string message;
  bool ok() const { return result == S_OK; }
};

template <class... Args>
Verdict invalid(fmt::format_string<Args...> format, Args&&... args) {
  return {E_INVALIDARG, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace fenceline::d3d12
