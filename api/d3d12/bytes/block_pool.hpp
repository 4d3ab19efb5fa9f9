// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace fenceline::d3d12 {

/// Blocks of the process's memory that are zero. Small ones that come back are kept and given out again, for most of
/// what a block costs is the system's: to map it, to give it a page at each first touch, and to take them all away
/// again, for which threads wait for each other. Any thread may call.
///
/// A block that is given out again is zeroed by us, as far as it is asked for. That is dearer than new pages if nobody
/// touches them, so that large blocks are not kept.
class BlockPool {
 public:
  /// Of the process. Lives on while its last blocks come back.
  static BlockPool& instance();

  /// Null when the system has no room. `bytes` is at least 1.
  std::byte* take(std::uint64_t bytes);
  /// The block of `take(bytes)`.
  void give_back(std::byte* block, std::uint64_t bytes);

  static constexpr std::uint64_t largest_kept = std::uint64_t{4} << 20;
  /// Of all that are kept at a time.
  static constexpr std::uint64_t most_kept = std::uint64_t{64} << 20;

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<std::byte*>> kept_;  // by size
  std::uint64_t kept_bytes_ = 0;
};

/// What is mapped for so many bytes: whole pages of 64 KiB, of which at most a quarter is more than asked for, so that
/// blocks of about the same size can be given out for each other. Large ones are mapped as they are.
std::uint64_t block_size(std::uint64_t bytes);

}  // namespace fenceline::d3d12
