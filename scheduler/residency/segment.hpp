// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"
#include "scheduler/residency/victim.hpp"
#include "sim/paging_record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// Towards video memory.
constexpr bool comes_in(PagingOperation operation) {
  switch (operation) {
    case PagingOperation::in:
    case PagingOperation::promote:
    case PagingOperation::init:
    case PagingOperation::fill:
    case PagingOperation::place: return true;
    case PagingOperation::out:
    case PagingOperation::drop:
    case PagingOperation::demote:
    case PagingOperation::map:
    case PagingOperation::unmap: return false;
  }
  return false;
}
/// From video memory.
constexpr bool goes_out(PagingOperation operation) {
  return operation == PagingOperation::out || operation == PagingOperation::drop ||
         operation == PagingOperation::demote;
}

/// One allocation moves.
struct PagingMove {
  PagingOperation operation;
  std::uint32_t allocation;  ///< its number
  std::uint64_t bytes;       ///< its size
  bool copied = true;        ///< its bytes are; else the page table changes alone
  bool small_pages = false;  ///< the page table has pages of 4 KiB for it (rule 34)
  bool converts = false;     ///< from now on
  bool hangs = false;        ///< its first operation never ends
};

/// Of whose an allocation is, as VictimCandidate::order; nothing: it may not make room now. By its number.
using VictimOrder = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// Who may make room at a moment, the first to do so first: found when somebody has to. Those that have left meanwhile,
/// and that have come to stay, are passed over.
class Victims {
 public:
  explicit Victims(VictimOrder order = {}) : order_(std::move(order)) {}

 private:
  friend class Segment;
  VictimOrder order_;
  bool found_ = false;
  std::vector<VictimCandidate> line_;    // the first ones, in order
  std::vector<VictimCandidate> others_;  // a heap: its front is the next in the line
  std::size_t next_ = 0;
};

/// A memory segment: what is in video memory, and who makes room there. Pure arithmetic; time is given from outside.
class Segment {
 public:
  struct Rules {
    std::uint64_t bytes = 0;       ///< of the segment
    std::uint64_t page_bytes = 1;  ///< sizes are rounded up to it
    OverCommit over_commit = OverCommit::demote;
    EvictionPolicy eviction = EvictionPolicy::lru;
    ApertureUse aperture = ApertureUse::mapped;
    bool unwanted_first = true;        ///< those that no device wants make room before all others
    bool small_pages_outside = false;  ///< what is demoted gets pages of 4 KiB, for good
  };
  explicit Segment(const Rules& rules) : rules_(rules) {}

  /// The allocation's number. It is resident if it has content, still finds room and is wanted: nothing moves for it
  /// (rules 3 and 30).
  std::uint32_t create(Allocation allocation, std::uint64_t now_ps);
  /// A context allocation of that number, which has context_bit: in video memory when it is needed, never in place.
  void create_context(std::uint32_t index, std::uint64_t bytes, std::uint64_t now_ps);
  /// The context allocation is no more.
  void remove_context(std::uint32_t index);
  /// There is such a context allocation.
  bool has_context(std::uint32_t index) const { return contexts_.count(index) > 0; }
  const Allocation& operator[](std::uint32_t index) const {
    return is_context(index) ? contexts_.at(index) : allocations_[index];
  }
  Allocation& operator[](std::uint32_t index) { return is_context(index) ? contexts_.at(index) : allocations_[index]; }
  /// Nothing is in use, kept or left out; the caller says what is.
  void forget_uses();

  /// What moves, in order, so that the allocation can be used; what is in use or kept stays, and what is left out is
  /// demoted where it makes room. Empty: it is resident, or is used in place. Nothing: too few can make room now, and
  /// none has moved (rules 8 and 9).
  std::optional<std::vector<PagingMove>> bring_in(std::uint32_t index, Victims& victims, std::uint64_t now_ps);
  /// It is gone: its room is free, and its number is never used again but by those created after all others are gone.
  void remove(std::uint32_t index);
  /// Its content is needed, or not any more: then it neither comes in nor goes out with its bytes, and no copy in
  /// system memory is good.
  void content(std::uint32_t index, bool needed);
  /// It is demoted where it is in system memory.
  void demote(std::uint32_t index);
  /// Everything has left video memory, and what was dirty has lost its content (rule 35); `moving` counts as there.
  /// Returns the bytes that were.
  std::uint64_t purge(const std::vector<std::uint32_t>& moving);
  /// It is used in place where it is in system memory: what that takes, in addition to `moves` (rule 32).
  void use_in_place(std::uint32_t index, std::vector<PagingMove>& moves);

  /// How many resources there are.
  std::uint32_t allocations() const { return static_cast<std::uint32_t>(allocations_.size()); }
  /// Of the segment.
  std::uint64_t bytes() const { return rules_.bytes; }
  /// Bytes that are in video memory.
  std::uint64_t resident_bytes() const { return resident_bytes_; }
  /// Bytes of allocations that are there.
  std::uint64_t bytes_in(Residence where) const;

 private:
  std::vector<VictimCandidate> candidates(const VictimOrder& order) const;
  const VictimCandidate* in_line(Victims& victims, std::size_t place) const;
  std::optional<std::vector<std::uint32_t>> victims_for(std::uint32_t index, Victims& victims) const;
  PagingOperation arrival_of(std::uint32_t index) const;
  PagingMove leave(std::uint32_t index, bool stays_usable);
  void become_demoted(Allocation& one) const;

  Rules rules_;
  std::vector<Allocation> allocations_;           // of resources
  std::map<std::uint32_t, Allocation> contexts_;  // by number
  std::uint64_t resident_bytes_ = 0;
};

}  // namespace fenceline
