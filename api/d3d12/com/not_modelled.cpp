// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/not_modelled.hpp"

#include "sim/files/console.hpp"

#include <mutex>
#include <set>
#include <string>

namespace fenceline::d3d12 {

HRESULT not_modelled(const char* method) {
  static std::mutex mutex;
  static auto* const told = new std::set<std::string>;  // programs may call it while static objects die
  const std::lock_guard<std::mutex> lock(mutex);
  if (told->insert(method).second) console::tell("fenceline: {} is not modelled\n", method);
  return E_NOTIMPL;
}

}  // namespace fenceline::d3d12
