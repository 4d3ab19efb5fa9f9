// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"
#include "scheduler/residency/victim.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// What happens to what does not fit into video memory.
enum class OverCommit : std::uint8_t {
  demote,  ///< it is used in place in system memory
  page     ///< it has to be in video memory, others make room
};

/// How an allocation moves between video memory and system memory.
enum class PagingOperation : std::uint8_t {
  in,      ///< from system memory
  out,     ///< to system memory, with its bytes
  drop,    ///< the same without: its copy there is still good
  demote,  ///< out, and used in place from then on
  promote  ///< in, of one that was used in place
};
constexpr const char* name_of(PagingOperation operation) {
  switch (operation) {
    case PagingOperation::in: return "in";
    case PagingOperation::out: return "out";
    case PagingOperation::drop: return "drop";
    case PagingOperation::demote: return "demote";
    case PagingOperation::promote: return "promote";
  }
  return "?";
}
/// Towards video memory.
constexpr bool comes_in(PagingOperation operation) {
  return operation == PagingOperation::in || operation == PagingOperation::promote;
}

/// One allocation moves.
struct PagingMove {
  PagingOperation operation;
  std::uint32_t allocation;  ///< its number
  std::uint64_t bytes;       ///< its size
  bool copied = true;        ///< its bytes are; else the page table changes alone
};

/// A memory segment: what is in video memory, and who makes room there. Pure arithmetic; time is given from outside.
class Segment {
 public:
  struct Rules {
    std::uint64_t bytes = 0;       ///< of the segment
    std::uint64_t page_bytes = 1;  ///< sizes are rounded up to it
    OverCommit over_commit = OverCommit::demote;
    EvictionPolicy eviction = EvictionPolicy::lru;
  };
  explicit Segment(const Rules& rules) : rules_(rules) {}

  /// The allocation's number. It is resident if it still finds room and is wanted: nothing moves for it (rule 3).
  std::uint32_t create(Allocation allocation, std::uint64_t now_ps);
  const Allocation& operator[](std::uint32_t index) const { return allocations_[index]; }
  Allocation& operator[](std::uint32_t index) { return allocations_[index]; }

  /// What moves, in order, so that the allocation can be used; those of `kept` stay, as those in use do. Empty: it is
  /// resident, or is used in place. Nothing: too few can make room now, and none has moved (rules 8 and 9).
  std::optional<std::vector<PagingMove>> bring_in(std::uint32_t index, const std::vector<std::uint32_t>& kept,
                                                  std::uint64_t now_ps);

  /// Bytes that are in video memory.
  std::uint64_t resident_bytes() const { return resident_bytes_; }
  /// Bytes of allocations that are there.
  std::uint64_t bytes_in(Residence where) const;

 private:
  std::vector<VictimCandidate> candidates_for(std::uint32_t index, const std::vector<std::uint32_t>& kept) const;
  std::optional<std::vector<std::uint32_t>> victims_for(std::uint32_t index,
                                                        const std::vector<std::uint32_t>& kept) const;
  PagingMove leave(std::uint32_t index);

  Rules rules_;
  std::vector<Allocation> allocations_;
  std::uint64_t resident_bytes_ = 0;
};

}  // namespace fenceline
