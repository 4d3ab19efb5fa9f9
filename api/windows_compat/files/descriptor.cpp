// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/files/descriptor.hpp"

#include "sim/files/descriptor.hpp"

#include <cstdint>
#include <limits>

namespace fenceline::windows_compat {

int descriptor_of(HANDLE handle) {
  const auto number = reinterpret_cast<std::intptr_t>(handle);
  return number > 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : -1;
}

HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(above_standard_streams(descriptor)));
}

}  // namespace fenceline::windows_compat
