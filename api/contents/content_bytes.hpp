// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_source.hpp"
#include "api/resources/resource.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// Where a content stands in a workload, and how many bytes it may be.
struct ContentPlace {
  std::string file;
  std::string pointer;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// The bytes that the content says; of a fill a pattern. Null: zeros. Throws ConfigError where they are too few or too
/// many, no base64, or those of a blob that nobody has read.
SharedBytes content_bytes(const ContentInfo& content, const ContentPlace& place);

}  // namespace fenceline
