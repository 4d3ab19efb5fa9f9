// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_source.hpp"
#include "api/contents/list_bytes.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// Resources that have content or are written are so many bytes together at most: what is hashed in the end.
constexpr std::uint64_t most_content_bytes = std::uint64_t{64} << 30;
/// Bytes of a `base64` in a workload.
constexpr std::uint64_t most_base64_bytes = 65'536;

/// Bytes of a resource at the start.
struct InitialBytes {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  SharedBytes source;  ///< null: zeros
};
/// A resource at the start.
struct ContentResource {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<InitialBytes> initial;  ///< without overlaps; zeros elsewhere
};
/// What a CPU thread writes.
struct ContentWrite {
  std::uint32_t resource = 0;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  SharedBytes source;
};

/// What a program that acts on bytes does to them.
struct ProgramContents {
  std::vector<ContentResource> resources;  ///< by resource of the workload
  std::vector<ListBytes> lists;            ///< by command list
  std::vector<ContentWrite> writes;        ///< of CPU threads: steps name them by their place
};

}  // namespace fenceline
