// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>

namespace fenceline::testing {

/// In memory where that can be: some file systems bring a file to the disk whenever another one takes its place.
inline std::filesystem::path quick_directory() {
  const char* const memory = "/dev/shm";
  return ::access(memory, W_OK | X_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

}  // namespace fenceline::testing
