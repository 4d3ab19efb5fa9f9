// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// What became of a resource that was written.
struct WrittenResource {
  std::string name;                                 ///< of the resource
  std::uint64_t bytes = 0;                          ///< its size
  std::uint64_t hash = 0;                           ///< XXH3 (64 bits) of its bytes at the end
  std::map<std::string, std::uint64_t> written_by;  ///< bytes, by who wrote them: `queue "copy"`, `CPU thread "app"`
};

/// What a run of a workload that acts on bytes did to them.
struct ContentsResult {
  std::vector<WrittenResource> written;  ///< in the order of the workload
  std::uint64_t resources = 0;           ///< all of the workload
};

}  // namespace fenceline
