// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::bench {

/// Bytes on the heap, counted by this program's operator new and delete (malloc_usable_size of each block).
struct Heap {
  std::uint64_t live = 0;
  std::uint64_t peak = 0;
  std::uint64_t allocations = 0;  ///< so far
};
Heap heap();
/// The peak is from now on.
void reset_heap_peak();

}  // namespace fenceline::bench
