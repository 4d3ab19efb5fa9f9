// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/block_pool.hpp"

#include "sim/rounding.hpp"

#include <sys/mman.h>

#include <cstring>

namespace fenceline::d3d12 {

BlockPool& BlockPool::instance() {
  static auto* const pool = new BlockPool;
  return *pool;
}

std::uint64_t block_size(std::uint64_t bytes) {
  if (bytes > BlockPool::largest_kept) return bytes;
  std::uint64_t step = std::uint64_t{64} << 10;
  while (bytes > 8 * step) step *= 2;  // above 8 steps of a size begin those of twice the size
  return rounded_up(bytes, step);
}

std::byte* BlockPool::take(std::uint64_t bytes) {
  const std::uint64_t size = block_size(bytes);
  std::byte* block = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(size);
    if (found != kept_.end() && !found->second.empty()) {
      block = found->second.back();
      found->second.pop_back();
      kept_bytes_ -= size;
    }
  }
  if (block != nullptr) {
    std::memset(block, 0, bytes);
    return block;
  }
  void* made = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made != MAP_FAILED ? static_cast<std::byte*>(made) : nullptr;
}

void BlockPool::give_back(std::byte* block, std::uint64_t bytes) {
  const std::uint64_t size = block_size(bytes);
  if (size <= largest_kept) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (kept_bytes_ + size <= most_kept) {
      kept_[size].push_back(block);
      kept_bytes_ += size;
      return;
    }
  }
  munmap(block, size);
}

}  // namespace fenceline::d3d12
