// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fenceline::testing {

/// A reader of bytes from outside.
struct FuzzTarget {
  const char* name;
  /// Gives it the bytes, in memory of exactly their size. Returns whether they were taken or refused as they should be;
  /// everything else throws or aborts.
  void (*run)(std::string_view bytes);
  /// Bytes that it takes, and some that it refuses.
  std::vector<std::string> (*seeds)();
};

/// All of them.
const std::vector<FuzzTarget>& fuzz_targets();

std::vector<FuzzTarget> document_targets();
std::vector<FuzzTarget> file_targets();
std::vector<FuzzTarget> container_targets();
std::vector<FuzzTarget> cache_targets();
std::vector<FuzzTarget> capture_targets();
std::vector<FuzzTarget> hlsl_targets();

}  // namespace fenceline::testing
