// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace fenceline {

/// Zeroed memory that this process shares with the workers it starts.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  void* at(std::size_t byte) const { return static_cast<char*>(memory_) + byte; }

 private:
  void* memory_;
  std::size_t bytes_;
};

/// Calls `work` with each number below `jobs`, each in a process of its own at the same time; with one job in this
/// process. What one of them throws is thrown here, as std::runtime_error, once all have ended.
void in_processes(std::uint32_t jobs, const std::function<void(std::uint32_t job)>& work);

}  // namespace fenceline
