// SPDX-License-Identifier: Apache-2.0
#include "bench/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

// The benchmarks run in one thread.
fenceline::bench::Heap counted;

void* counted_allocation(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  ++counted.allocations;
  counted.live += malloc_usable_size(block);
  counted.peak = std::max(counted.peak, counted.live);
  return block;
}

void counted_free(void* block) noexcept {
  if (block == nullptr) return;
  counted.live -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted_allocation(size); }
void* operator new[](std::size_t size) { return counted_allocation(size); }
void operator delete(void* block) noexcept { counted_free(block); }
void operator delete[](void* block) noexcept { counted_free(block); }
void operator delete(void* block, std::size_t) noexcept { counted_free(block); }
void operator delete[](void* block, std::size_t) noexcept { counted_free(block); }

namespace fenceline::bench {

Heap heap() { return counted; }
void reset_heap_peak() { counted.peak = counted.live; }

}  // namespace fenceline::bench
