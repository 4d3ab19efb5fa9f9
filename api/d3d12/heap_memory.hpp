// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fenceline::d3d12 {

/// The bytes of a heap, in the process's own memory: zero until written, and taken from the system page by page as they
/// are touched. Shared by the heap, the resources in it and the commands that work on them.
class HeapMemory {
 public:
  /// Null when the system has no room for it. A GPU virtual address is given where `addressable`.
  static std::shared_ptr<HeapMemory> make(std::uint64_t bytes, bool addressable);
  ~HeapMemory();
  HeapMemory(const HeapMemory&) = delete;
  HeapMemory& operator=(const HeapMemory&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  /// D3D12_GPU_VIRTUAL_ADDRESS of the first byte; 0 where there is none.
  std::uint64_t address() const { return address_; }

 private:
  HeapMemory(std::byte* data, std::uint64_t bytes, std::uint64_t address)
      : data_(data), bytes_(bytes), address_(address) {}
  std::byte* data_;
  std::uint64_t bytes_;
  std::uint64_t address_;
};

/// The memory that holds the GPU virtual address; null where none does.
std::shared_ptr<HeapMemory> memory_at(std::uint64_t address);

}  // namespace fenceline::d3d12
