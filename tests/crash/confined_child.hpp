// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace fenceline::testing {

// What a process does to itself. There is no way back: only in a ChildProcess.

/// Becomes a user who may not do everything: root ignores permissions. `directory` is given to that user. False: the
/// system does not let it.
bool become_plain_user(const std::filesystem::path& directory);

/// A file system in memory that nobody else sees, and that goes with this process.
class SmallDisk {
 public:
  /// Where nobody lets us mount, `reason` says why.
  SmallDisk(const std::filesystem::path& at, std::uint64_t bytes, std::uint64_t files);
  bool is_there() const { return reason_.empty(); }
  const std::string& reason() const { return reason_; }
  bool resize(std::uint64_t bytes, std::uint64_t files);

 private:
  std::filesystem::path at_;
  std::string reason_;
};

/// Files that this process writes may be so large; `no_limit`: as they want.
constexpr std::uint64_t no_limit = ~std::uint64_t{0};
void limit_files(std::uint64_t bytes);

}  // namespace fenceline::testing
