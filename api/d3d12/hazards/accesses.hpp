// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/access.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// What the commands of a list read and write for certain, and which of them an execution has run, and when. What
/// shaders do is not known. Names of commands are literals.
class Accesses {
 public:
  void clear();
  /// By the command at that index of the stream.
  void add(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, Counts::when_run);
  }
  /// By a barrier, or whatever else takes no time, in front of the command that will be at that index.
  void add_between(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, Counts::always);
  }
  /// By an ExecuteIndirect: of the part, which is the arguments from the first byte on, as many as it finds commands.
  void add_arguments(std::size_t command, std::uint32_t stride, std::uint64_t last_bytes, AccessedPart part);
  /// By a draw, which counts if it covers pixels.
  void add_draw(std::size_t command, const char* name, bool writes, AccessedPart part) {
    add(name, writes, std::move(part), command, Counts::when_drawn);
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

  // The execution under way.
  void begin(std::size_t commands);
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps);
  /// An ExecuteIndirect runs so many commands, which draw or do not.
  void found(std::size_t command, std::uint64_t count, bool draws);
  /// Those that have taken place, in the order recorded; `end_ps` is now.
  void for_each(const CommandStream& stream, std::uint64_t end_ps,
                const std::function<void(const TimedAccess&)>& visit) const;

 private:
  enum class Counts : std::uint8_t { always, when_run, when_drawn, as_arguments };
  struct Recorded {
    Access access;
    std::size_t first;  // of its commands
    std::size_t last;
    Counts counts;
    std::uint32_t stride = 0;      // as_arguments: bytes from one command's to the next one's
    std::uint64_t last_bytes = 0;  // the same: of the last one's
  };
  struct Window {
    std::uint64_t start_ps = ~std::uint64_t{0};
    std::uint64_t end_ps = 0;
    bool any() const { return start_ps <= end_ps; }
    void join(const Window& other);
  };
  struct Found {
    std::size_t command;
    std::uint64_t count;
    bool draws;
  };
  void add(const char* name, bool writes, AccessedPart part, std::size_t command, Counts counts);
  const Found* found_at(std::size_t command) const;
  bool draws(const CommandStream& stream, std::size_t command) const;
  std::vector<std::uint64_t> boundaries(std::uint64_t end_ps) const;
  Window window_of(const Recorded& recorded, const CommandStream& stream,
                   const std::vector<std::uint64_t>& boundaries) const;

  std::vector<Recorded> list_;
  std::vector<Window> windows_;  // by command, of the execution under way
  std::vector<Found> found_;
};

}  // namespace fenceline::d3d12
