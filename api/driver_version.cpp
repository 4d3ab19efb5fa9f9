// SPDX-License-Identifier: Apache-2.0
#include "api/driver_version.hpp"

#include "api/version.hpp"

#include <cstdio>

namespace fenceline {

std::uint64_t driver_version(const MachineConfig& machine) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  std::sscanf(version, "%u.%u.%u", &major, &minor, &patch);
  return (std::uint64_t{major} << 48) | (std::uint64_t{minor} << 32) | (std::uint64_t{patch} << 16) |
         machine.shader_cache.driver_revision;
}

}  // namespace fenceline
