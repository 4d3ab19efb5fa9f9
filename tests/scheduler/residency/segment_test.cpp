// SPDX-License-Identifier: Apache-2.0
// What is in video memory and who makes room: docs/residency.md, rules 3 to 9 and 17, and the closed forms of sweeps.
#include "scheduler/residency/segment.hpp"

#include "scheduler/residency/budget.hpp"
#include "tests/scheduler/residency/bring_in.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using namespace fenceline;
using testing::bring_in;

namespace {

constexpr std::uint64_t block_bytes = 65536;

/// N equal blocks, swept again and again in groups that are used together, with room for so many.
class Sweep {
 public:
  Sweep(std::uint32_t blocks, std::uint32_t room, EvictionPolicy policy, OverCommit over_commit = OverCommit::page)
      : segment_({room * block_bytes, block_bytes, over_commit, policy}), blocks_(blocks) {}

  /// `priority_of(block)`, which are all created now; clean: nobody writes them.
  template <class PriorityOf>
  void create(const PriorityOf& priority_of, bool clean = false) {
    for (std::uint32_t i = 0; i < blocks_; ++i) {
      Allocation one;
      one.bytes = block_bytes;
      one.priority = priority_of(i);
      one.dirty = !clean;
      segment_.create(one, 0);
    }
  }
  struct Moved {
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    std::uint64_t dropped = 0;
    std::uint64_t remote = 0;
  };
  Moved frame(bool reversed = false, std::uint32_t group = 1) {
    Moved moved;
    for (std::uint32_t step = 0; step < blocks_ / group; ++step) {
      const std::uint32_t place = reversed ? blocks_ / group - 1 - step : step;
      std::vector<std::uint32_t> used(group);
      std::iota(used.begin(), used.end(), place * group);
      for (const std::uint32_t block : used) {
        const auto moves = bring_in(segment_, block, used, ++now_ps_);
        REQUIRE(moves);
        for (const PagingMove& move : *moves) count(move, moved);
      }
      ++now_ps_;
      for (const std::uint32_t block : used) {
        REQUIRE(segment_[block].where != Residence::system);
        segment_[block].recent_ps = now_ps_;
        if (segment_[block].where == Residence::demoted) moved.remote += block_bytes;
      }
    }
    return moved;
  }
  Moved frames(std::uint32_t count, std::uint32_t group = 1) {
    Moved all;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Moved one = frame(false, group);
      all.in += one.in, all.out += one.out, all.dropped += one.dropped, all.remote += one.remote;
    }
    return all;
  }

 private:
  static void count(const PagingMove& move, Moved& moved) {
    if (comes_in(move.operation)) {
      moved.in += move.bytes;
    } else {
      (move.operation == PagingOperation::drop ? moved.dropped : moved.out) += move.bytes;
    }
  }
  Segment segment_;
  std::uint32_t blocks_;
  std::uint64_t now_ps_ = 0;
};

constexpr auto equal = [](std::uint32_t) { return normal_residency_priority; };
/// The first ones are the highest.
constexpr auto distinct = [](std::uint32_t block) { return 1'000'000 - block; };

struct Size {
  std::uint32_t blocks;
  std::uint32_t room;
  std::uint64_t over() const { return blocks > room ? blocks - room : 0; }
};
Size generated_size() {
  return GENERATE(Size{60, 60}, Size{90, 60}, Size{120, 60}, Size{4, 4}, Size{6, 4}, Size{8, 4});
}

}  // namespace

TEST_CASE("segment: a sweep in one direction moves all of it with lru and fifo", "[scheduler]") {
  const Size size = generated_size();
  const bool clean = GENERATE(false, true);
  for (const EvictionPolicy policy : {EvictionPolicy::lru, EvictionPolicy::fifo}) {
    Sweep sweep(size.blocks, size.room, policy);
    sweep.create(equal, clean);
    sweep.frames(3);
    const Sweep::Moved moved = sweep.frame();
    const std::uint64_t expected = size.over() > 0 ? size.blocks * block_bytes : 0;
    CHECK(moved.in == expected);
    CHECK(moved.out == (clean ? 0 : expected));
    CHECK(moved.dropped == (clean ? expected : 0));
  }
}

TEST_CASE("segment: a sweep with mru moves W (W - V) / (W - s), the mean of N - 1 frames", "[scheduler]") {
  const Size size = generated_size();
  Sweep sweep(size.blocks, size.room, EvictionPolicy::mru);
  sweep.create(equal);
  sweep.frames(2 * size.blocks);
  const Sweep::Moved moved = sweep.frames(size.blocks - 1);
  CHECK(moved.in == size.blocks * size.over() * block_bytes);
  CHECK(moved.out == moved.in);
}

TEST_CASE("segment: distinct priorities keep all but one slot", "[scheduler]") {
  const Size size = generated_size();
  Sweep sweep(size.blocks, size.room, EvictionPolicy::lru);
  sweep.create(distinct);
  sweep.frames(3);
  CHECK(sweep.frame().in == (size.over() > 0 ? (size.over() + 1) * block_bytes : 0));
}

TEST_CASE("segment: the higher of two classes stays", "[scheduler]") {
  const Size size = generated_size();
  const std::uint32_t high = GENERATE(1u, 2u, 3u);
  Sweep sweep(size.blocks, size.room, EvictionPolicy::lru);
  sweep.create([&](std::uint32_t block) { return normal_residency_priority + (block < high ? 1 : 0); });
  sweep.frames(3);
  CHECK(sweep.frame().in == (size.over() > 0 ? (size.blocks - high) * block_bytes : 0));
}

TEST_CASE("segment: losers that are demoted are used in place", "[scheduler]") {
  const Size size = generated_size();
  Sweep sweep(size.blocks, size.room, EvictionPolicy::lru, OverCommit::demote);
  sweep.create(distinct);
  sweep.frames(2);
  const Sweep::Moved moved = sweep.frame();
  CHECK(moved.in == 0);
  CHECK(moved.out == 0);
  CHECK(moved.remote == size.over() * block_bytes);
}

TEST_CASE("segment: lru moves W - V where the direction changes with every frame", "[scheduler]") {
  const Size size = generated_size();
  Sweep sweep(size.blocks, size.room, EvictionPolicy::lru);
  sweep.create(equal);
  for (std::uint32_t i = 0; i < 4; ++i) sweep.frame(i % 2 == 1);
  CHECK(sweep.frame(false).in == size.over() * block_bytes);
  CHECK(sweep.frame(true).in == size.over() * block_bytes);
}

TEST_CASE("segment: groups that are used together count as one block", "[scheduler]") {
  Sweep sweep(90, 60, EvictionPolicy::mru);
  sweep.create(equal);
  sweep.frames(90, 2);
  CHECK(sweep.frames(44, 2).in == 45ull * 15 * 2 * block_bytes);
}

TEST_CASE("segment: those that no device wants make room first, and too few move nothing", "[scheduler]") {
  Segment segment({4, 1, OverCommit::page, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 2;
  const std::uint32_t low = segment.create(one, 0);
  one.priority = normal_residency_priority + 1;
  const std::uint32_t high = segment.create(one, 0);
  one.bytes = 3;
  one.dirty = false;
  const std::uint32_t large = segment.create(one, 0);
  CHECK(segment[large].where == Residence::system);
  segment[high].in_use = true;
  CHECK_FALSE(bring_in(segment, large, {}, 1));
  CHECK(segment.resident_bytes() == 4);
  segment[high].in_use = false;
  segment[high].evicted = true;
  const auto moves = bring_in(segment, large, {}, 2);
  REQUIRE(moves);
  REQUIRE(moves->size() == 3);
  CHECK((*moves)[0].allocation == high);
  CHECK((*moves)[1].allocation == low);
  CHECK((*moves)[2].operation == PagingOperation::in);
  CHECK(segment.resident_bytes() == 3);
}

TEST_CASE("segment: with allocation lists nobody makes room first for not being wanted", "[scheduler]") {
  const bool unwanted_first = GENERATE(false, true);
  Segment segment({2, 1, OverCommit::page, EvictionPolicy::lru, ApertureUse::mapped, unwanted_first});
  Allocation one;
  one.bytes = 1;
  const std::uint32_t first = segment.create(one, 0);
  const std::uint32_t unwanted = segment.create(one, 1);
  const std::uint32_t third = segment.create(one, 2);
  segment[unwanted].evicted = true;
  const auto moves = bring_in(segment, third, {}, 3);
  REQUIRE(moves);
  CHECK(moves->front().allocation == (unwanted_first ? unwanted : first));
}

TEST_CASE("segment: what is removed leaves its room, and the last numbers are given anew", "[scheduler]") {
  Segment::Rules rules;
  rules.bytes = 10;
  rules.over_commit = OverCommit::page;
  Segment segment(rules);
  const auto create = [&](std::uint64_t bytes) {
    Allocation allocation;
    allocation.bytes = bytes;
    return segment.create(allocation, 0);
  };
  const std::uint32_t first = create(4);
  const std::uint32_t second = create(4);
  const std::uint32_t third = create(4);  // finds no room
  CHECK(segment[third].where == Residence::system);
  segment.remove(first);
  CHECK(segment.resident_bytes() == 4);
  CHECK(segment.allocations() == 3);                           // the others keep their numbers
  CHECK(bring_in(segment, third, {}, 0).value().size() == 1);  // nobody has to go
  CHECK(segment.resident_bytes() == 8);
  segment.remove(third);
  CHECK(segment.allocations() == 2);
  segment.remove(second);
  CHECK(segment.allocations() == 0);
  CHECK(segment.resident_bytes() == 0);
  CHECK(create(10) == 0);
  CHECK(segment[0].where == Residence::resident);
}

TEST_CASE("segment: where losers are demoted nobody makes room for an equal, and who lost comes in once it is higher",
          "[scheduler]") {
  Segment segment({1, 1, OverCommit::demote, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 1;
  const std::uint32_t first = segment.create(one, 0);
  const std::uint32_t second = segment.create(one, 0);
  CHECK(segment[second].where == Residence::demoted);
  CHECK(bring_in(segment, second, {}, 1)->empty());
  CHECK(segment[first].where == Residence::resident);
  ++segment[second].priority;
  const auto moves = bring_in(segment, second, {}, 2);
  REQUIRE(moves);
  REQUIRE(moves->size() == 2);
  CHECK((*moves)[0].operation == PagingOperation::demote);
  CHECK((*moves)[1].operation == PagingOperation::promote);
  CHECK(segment[first].where == Residence::demoted);
}

TEST_CASE("segment: whatever is asked for, everything is in one place and no more than fits", "[scheduler]") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (int run = 0; run < 300; ++run) {
    const std::uint64_t bytes = 1 + below(40);
    const auto over_commit = below(2) == 0 ? OverCommit::page : OverCommit::demote;
    Segment segment(
        {bytes, 1 + below(3), over_commit, static_cast<EvictionPolicy>(below(3)), static_cast<ApertureUse>(below(2))});
    const std::uint32_t count = 1 + below(12);
    std::uint64_t committed = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      Allocation one;
      one.bytes = 1 + below(12);
      one.priority = below(3);
      one.dirty = below(2) == 0;
      one.evicted = below(4) == 0;
      one.initialised = below(4) != 0;
      committed += segment[segment.create(one, 0)].bytes;
    }
    for (std::uint64_t now = 1; now < 60; ++now) {
      const std::uint32_t wanted = below(count);
      segment[below(count)].in_use = below(3) == 0;
      segment[wanted].evicted = false;
      if (below(4) == 0) segment.content(below(count), below(2) == 0);
      const std::uint64_t before = segment.resident_bytes();
      const auto moves = bring_in(segment, wanted, {}, now);
      std::uint64_t after = before;
      if (moves) {
        for (const PagingMove& move : *moves) {
          if (comes_in(move.operation)) after += move.bytes;
          if (goes_out(move.operation)) after -= move.bytes;
        }
      }
      REQUIRE(segment.resident_bytes() == after);
      REQUIRE(after == segment.bytes_in(Residence::resident));
      REQUIRE(after <= bytes);
      REQUIRE(after + segment.bytes_in(Residence::demoted) + segment.bytes_in(Residence::system) == committed);
      if (moves) REQUIRE(segment[wanted].where != Residence::system);
    }
  }
}

TEST_CASE("budget: alone all, with the focus its percentage, the others the rest in equal parts", "[scheduler]") {
  CHECK(local_budget({1000, 1, false, false, 80}) == 1000);
  CHECK(local_budget({1000, 4, false, false, 80}) == 250);
  CHECK(local_budget({1000, 3, true, false, 80}) == 800);
  CHECK(local_budget({1000, 3, false, true, 80}) == 100);
  CHECK(local_budget({1000, 2, false, true, 100}) == 0);
}
