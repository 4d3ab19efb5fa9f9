// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/access.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// When an access that is recorded takes place.
enum class AccessCounts : std::uint8_t {
  always,
  when_run,      ///< its command runs, and is not skipped
  when_drawn,    ///< one of its commands covers pixels
  as_arguments,  ///< its ExecuteIndirect finds commands: of the part their arguments
};

/// An access of one command, or of several in a row that draw alike.
struct RecordedAccess {
  Access access;
  std::size_t first;  ///< index of its command
  std::size_t last;   ///< of the last one that draws alike
  AccessCounts counts;
  std::uint32_t stride = 0;      ///< as_arguments: bytes from one command's to the next one's
  std::uint64_t last_bytes = 0;  ///< as_arguments: of the last one's
};

/// What the commands of a list read and write for certain. What shaders do is not known. Names of commands are
/// literals. When it takes place in an execution is AccessTimes.
class Accesses {
 public:
  void clear() { list_.clear(); }
  /// By the command at that index of the stream.
  void add(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, AccessCounts::when_run);
  }
  /// By a barrier, or whatever else takes no time, in front of the command that will be at that index.
  void add_between(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, AccessCounts::always);
  }
  /// By an ExecuteIndirect: of the part, which is the arguments from the first byte on, as many as it finds commands.
  void add_arguments(std::size_t command, std::uint32_t stride, std::uint64_t last_bytes, AccessedPart part);
  /// By a draw, which counts if it covers pixels.
  void add_draw(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, AccessCounts::when_drawn);
  }
  /// That command is one more such draw: of the `count` accesses from `first` on.
  void extend_draws(std::size_t first, std::size_t count, std::size_t command);
  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  /// Everything of a list whose commands begin at that index.
  void append(const Accesses& other, std::size_t first);

  /// Some access is to that resource.
  bool touches(const AccessedResource* resource) const;
  /// Some access is to that memory.
  bool touches(const HeapMemory* memory) const;

  /// In the order recorded.
  const std::vector<RecordedAccess>& all() const { return list_; }

 private:
  void add(const char* name, bool writes, AccessedPart part, std::size_t command, AccessCounts counts);

  std::vector<RecordedAccess> list_;
};

}  // namespace fenceline::d3d12
