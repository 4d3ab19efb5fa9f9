// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/driver_version.hpp"

#include "api/version.hpp"

#include <cstdio>

namespace fenceline::d3d12 {

std::uint64_t driver_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  std::sscanf(version, "%u.%u.%u", &major, &minor, &patch);
  return (std::uint64_t{major} << 48) | (std::uint64_t{minor} << 32) | (std::uint64_t{patch} << 16);
}

}  // namespace fenceline::d3d12
