// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_source.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace fenceline {

/// Where the blobs of a workload are.
struct BlobPlace {
  std::filesystem::path file;  ///< the workload's: a capture, which holds them, or JSON, which they are beside
  bool is_capture = false;
  std::string_view bytes = {};  ///< of a capture from standard input; empty: it is a file
};
/// Names, and how many bytes each may have.
using BlobLimits = std::map<std::string, std::uint64_t>;

/// Those of the blobs that are there, each in memory of its size. Throws ConfigError where one is longer than it may
/// be, before there is memory for it, or cannot be read.
std::map<std::string, SharedBytes> read_blobs(const BlobPlace& place, const BlobLimits& limits);

}  // namespace fenceline
