// SPDX-License-Identifier: Apache-2.0
#include "scheduler/residency/segment.hpp"

#include "sim/members.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace fenceline {
namespace {

/// The move of it that is made now never ends.
bool next_hangs(Allocation& one) {
  if (one.hangs == 0) return false;
  --one.hangs;
  return true;
}

}  // namespace

std::uint32_t Segment::create(Allocation allocation, std::uint64_t now_ps) {
  allocation.bytes = rounded_up(allocation.bytes, rules_.page_bytes);
  allocation.recent_ps = allocation.came_in_ps = now_ps;
  allocation.where = Residence::system;
  if (!allocation.evicted && allocation.initialised) {
    if (allocation.bytes <= rules_.bytes - resident_bytes_) {
      allocation.where = Residence::resident;
      resident_bytes_ += allocation.bytes;
    } else if (rules_.over_commit == OverCommit::demote) {
      become_demoted(allocation);
    }
  }
  allocations_.push_back(allocation);
  return static_cast<std::uint32_t>(allocations_.size() - 1);
}

void Segment::create_context(std::uint32_t index, std::uint64_t bytes, std::uint64_t now_ps) {
  Allocation allocation;
  allocation.bytes = rounded_up(bytes, rules_.page_bytes);
  allocation.priority = std::numeric_limits<std::uint32_t>::max();
  allocation.initialised = false;
  allocation.recent_ps = allocation.came_in_ps = now_ps;
  contexts_.emplace(index, allocation);
}

void Segment::remove_context(std::uint32_t index) {
  const auto one = contexts_.find(index);
  if (one == contexts_.end()) return;
  if (one->second.where == Residence::resident) resident_bytes_ -= one->second.bytes;
  contexts_.erase(one);
}

void Segment::forget_uses() {
  for (Allocation& one : allocations_) one.in_use = one.kept = one.left_out = false;
  for (auto& [index, one] : contexts_) one.in_use = one.kept = one.left_out = false;
}

/// Numbers tell who was created first: those at the end alone are given anew.
void Segment::remove(std::uint32_t index) {
  Allocation& one = allocations_[index];
  if (one.where == Residence::resident) resident_bytes_ -= one.bytes;
  one = {};
  one.evicted = one.removed = true;
  while (!allocations_.empty() && allocations_.back().removed) allocations_.pop_back();
}

std::optional<std::vector<PagingMove>> Segment::bring_in(std::uint32_t index, Victims& from, std::uint64_t now_ps) {
  Allocation& one = (*this)[index];
  std::vector<PagingMove> moves;
  if (one.where == Residence::resident) return moves;
  if (one.where == Residence::demoted && one.in_use && one.bytes <= rules_.bytes) {
    // It is used where it is.
    if (rules_.over_commit == OverCommit::page) return {};
    return moves;
  }
  const auto victims = one.bytes <= rules_.bytes ? victims_for(index, from) : std::nullopt;
  if (!victims) {
    if (is_context(index) || (one.bytes <= rules_.bytes && rules_.over_commit == OverCommit::page)) return {};
    use_in_place(index, moves);
    return moves;
  }
  for (const std::uint32_t victim : *victims) {
    const bool stays_usable =
        rules_.over_commit == OverCommit::demote && !is_context(victim) && !allocations_[victim].evicted;
    moves.push_back(leave(victim, stays_usable || (*this)[victim].left_out));
  }
  if (std::exchange(one.mapped, false)) {
    moves.push_back({PagingOperation::unmap, index, one.bytes, false, one.small_pages});
  }
  const PagingOperation arrival = arrival_of(index);
  moves.push_back({arrival, index, one.bytes, arrival != PagingOperation::place, one.small_pages});
  moves.back().hangs = next_hangs(one);
  if (!one.initialised) one.dirty = one.initialised = true;
  one.where = Residence::resident;
  one.came_in_ps = now_ps;
  if (!one.used) one.recent_ps = now_ps;
  resident_bytes_ += one.bytes;
  return moves;
}

std::uint64_t Segment::bytes_in(Residence where) const {
  std::uint64_t bytes = 0;
  for (const Allocation& one : allocations_) bytes += one.where == where ? one.bytes : 0;
  for (const auto& [index, one] : contexts_) bytes += one.where == where ? one.bytes : 0;
  return bytes;
}

/// Who may make room at all.
std::vector<VictimCandidate> Segment::candidates(const VictimOrder& order) const {
  std::vector<VictimCandidate> all;
  const auto consider = [&](std::uint32_t i, const Allocation& one) {
    if (one.where != Residence::resident || one.in_use || one.kept) return;
    const std::optional<std::uint32_t> place = one.evicted || !order ? std::optional<std::uint32_t>(0) : order(i);
    if (!place) return;
    all.push_back({i, one.priority, rules_.unwanted_first && one.evicted, *place, one.recent_ps, one.came_in_ps});
  };
  for (const auto& [i, one] : contexts_) consider(i, one);
  for (std::uint32_t i = 0; i < allocations_.size(); ++i) consider(i, allocations_[i]);
  return all;
}

/// Whoever has that place in the line; null: it is not so long. Few are looked at: a heap, not sorted whole.
const VictimCandidate* Segment::in_line(Victims& victims, std::size_t place) const {
  const auto later = [this](const VictimCandidate& a, const VictimCandidate& b) {
    return makes_room_before(rules_.eviction, b, a);
  };
  std::vector<VictimCandidate>& others = victims.others_;
  if (!std::exchange(victims.found_, true)) {
    others = candidates(victims.order_);
    std::make_heap(others.begin(), others.end(), later);
  }
  for (; victims.line_.size() <= place; others.pop_back()) {
    if (others.empty()) return nullptr;
    std::pop_heap(others.begin(), others.end(), later);
    victims.line_.push_back(others.back());
  }
  return &victims.line_[place];
}

/// In order, until there is room. Nothing: all of them together do not suffice.
std::optional<std::vector<std::uint32_t>> Segment::victims_for(std::uint32_t index, Victims& from) const {
  std::vector<std::uint32_t> victims;
  std::uint64_t room = rules_.bytes - resident_bytes_;
  const Allocation& wanted = (*this)[index];
  if (room >= wanted.bytes) return victims;
  // Where somebody is used in place instead, lower priorities make room alone.
  const bool anybody = rules_.over_commit == OverCommit::page || is_context(index);
  const auto gone = [&](const VictimCandidate& one) {
    const Allocation& now = (*this)[one.allocation];
    return now.where != Residence::resident || now.kept;
  };
  while (from.next_ < from.line_.size() && gone(from.line_[from.next_])) ++from.next_;
  for (std::size_t place = from.next_; room < wanted.bytes; ++place) {
    const VictimCandidate* const one = in_line(from, place);
    if (one == nullptr) return {};
    if (gone(*one)) continue;
    if (!anybody && !(*this)[one->allocation].evicted && one->priority >= wanted.priority) {
      if (rules_.unwanted_first) return {};  // nobody behind it has a lower one
      continue;
    }
    victims.push_back(one->allocation);
    room += (*this)[one->allocation].bytes;
  }
  return victims;
}

void Segment::content(std::uint32_t index, bool needed) {
  Allocation& one = allocations_[index];
  one.discarded = !needed;
  one.dirty = one.dirty || one.discarded;
}

/// Where there is no content yet the processor makes it.
void Segment::demote(std::uint32_t index) {
  Allocation& one = allocations_[index];
  if (one.where != Residence::system) return;
  become_demoted(one);
  one.initialised = true;
}

void Segment::become_demoted(Allocation& one) const {
  one.where = Residence::demoted;
  one.small_pages = one.small_pages || rules_.small_pages_outside;
}

void Segment::use_in_place(std::uint32_t index, std::vector<PagingMove>& moves) {
  demote(index);
  Allocation& one = allocations_[index];
  if (one.where != Residence::demoted || rules_.aperture == ApertureUse::mapped || one.mapped) return;
  one.mapped = true;
  moves.push_back({PagingOperation::map, index, one.bytes, false, one.small_pages});
}

/// What it is called that the allocation comes in.
PagingOperation Segment::arrival_of(std::uint32_t index) const {
  const Allocation& one = (*this)[index];
  if (!one.initialised) return is_context(index) ? PagingOperation::init : PagingOperation::fill;
  if (one.discarded) return PagingOperation::place;
  return one.where == Residence::demoted ? PagingOperation::promote : PagingOperation::in;
}

PagingMove Segment::leave(std::uint32_t index, bool stays_usable) {
  Allocation& one = (*this)[index];
  resident_bytes_ -= one.bytes;
  one.where = Residence::system;
  const bool had_small_pages = one.small_pages;
  if (stays_usable) become_demoted(one);
  one.mapped = stays_usable && rules_.aperture == ApertureUse::on_use;
  const bool copied = one.dirty && !one.discarded;
  const PagingOperation operation = stays_usable ? PagingOperation::demote
                                    : copied     ? PagingOperation::out
                                                 : PagingOperation::drop;
  const bool converts = one.small_pages && !had_small_pages;
  return {operation, index, one.bytes, copied, one.small_pages, converts, next_hangs(one)};
}

std::uint64_t Segment::purge(const std::vector<std::uint32_t>& moving) {
  std::uint64_t purged = 0;
  const auto lose = [](Allocation& one) {
    one.where = Residence::system;
    one.mapped = false;
  };
  for (std::uint32_t i = 0; i < allocations_.size(); ++i) {
    Allocation& one = allocations_[i];
    one.mapped = false;
    if (one.where != Residence::resident && !contains(moving, i)) continue;
    purged += one.bytes;
    lose(one);
    if (one.fills) {
      one.initialised = false;
    } else if (one.dirty) {
      one.discarded = true;
    }
  }
  for (auto& [index, one] : contexts_) {
    if (one.where == Residence::resident || contains(moving, index)) purged += one.bytes;
    lose(one);
    one.initialised = false;
  }
  resident_bytes_ = 0;
  return purged;
}

}  // namespace fenceline
