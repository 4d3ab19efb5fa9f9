// SPDX-License-Identifier: Apache-2.0
// What fills, discards and mappings do to what moves: docs/residency.md, rules 30 to 32.
#include "scheduler/residency/segment.hpp"
#include "tests/scheduler/residency/bring_in.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <utility>
#include <vector>

using namespace fenceline;
using testing::bring_in;

TEST_CASE("segment: what is to be filled takes no room before it is needed, is filled once, and is dirty then",
          "[scheduler]") {
  Segment segment({2, 1, OverCommit::page, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 2;
  one.dirty = one.initialised = false;
  const std::uint32_t filled = segment.create(one, 0);
  CHECK(segment[filled].where == Residence::system);
  one.initialised = true;
  const std::uint32_t other = segment.create(one, 0);
  CHECK(segment[other].where == Residence::resident);
  const auto moves_for = [&](std::uint32_t wanted, std::uint64_t now) {
    std::vector<PagingOperation> operations;
    const std::vector<PagingMove> moves = bring_in(segment, wanted, {}, now).value();
    for (const PagingMove& move : moves) operations.push_back(move.operation);
    return operations;
  };
  CHECK(moves_for(filled, 1) == std::vector{PagingOperation::drop, PagingOperation::fill});
  CHECK(moves_for(other, 2) == std::vector{PagingOperation::out, PagingOperation::in});
  CHECK(moves_for(filled, 3) == std::vector{PagingOperation::drop, PagingOperation::in});
}

TEST_CASE("segment: what is demoted instead of filled has content", "[scheduler]") {
  Segment segment({1, 1, OverCommit::demote, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 1;
  segment.create(one, 0);
  one.initialised = one.dirty = false;
  const std::uint32_t filled = segment.create(one, 0);
  CHECK(segment[filled].where == Residence::system);
  CHECK(bring_in(segment, filled, {}, 1)->empty());
  CHECK(segment[filled].where == Residence::demoted);
  ++segment[filled].priority;
  const auto moves = bring_in(segment, filled, {}, 2);
  REQUIRE(moves);
  REQUIRE(moves->size() == 2);
  CHECK((*moves)[1].operation == PagingOperation::promote);
  CHECK_FALSE(segment[filled].dirty);  // what the processor has cleared is in system memory
}

TEST_CASE("segment: a discarded one is dropped and placed, and dirty for good", "[scheduler]") {
  Segment segment({1, 1, OverCommit::page, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 1;
  one.dirty = false;  // its program never writes it
  const std::uint32_t discarded = segment.create(one, 0);
  const std::uint32_t other = segment.create(one, 0);
  const auto moves_for = [&](std::uint32_t wanted, std::uint64_t now) {
    std::vector<std::pair<PagingOperation, bool>> result;
    const std::vector<PagingMove> moves = bring_in(segment, wanted, {}, now).value();
    for (const PagingMove& move : moves) result.emplace_back(move.operation, move.copied);
    return result;
  };
  using Moves = std::vector<std::pair<PagingOperation, bool>>;
  segment.content(discarded, false);
  CHECK(moves_for(other, 1) == Moves{{PagingOperation::drop, false}, {PagingOperation::in, true}});
  CHECK(moves_for(discarded, 2) == Moves{{PagingOperation::drop, false}, {PagingOperation::place, false}});
  CHECK(moves_for(other, 3) == Moves{{PagingOperation::drop, false}, {PagingOperation::in, true}});
  CHECK(moves_for(discarded, 4) == Moves{{PagingOperation::drop, false}, {PagingOperation::place, false}});
  segment.content(discarded, true);
  CHECK(moves_for(other, 5) == Moves{{PagingOperation::out, true}, {PagingOperation::in, true}});
  CHECK(moves_for(discarded, 6) == Moves{{PagingOperation::drop, false}, {PagingOperation::in, true}});
}

TEST_CASE("segment: a discarded one that is demoted goes by its page table, and is placed", "[scheduler]") {
  Segment segment({1, 1, OverCommit::demote, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 1;
  const std::uint32_t first = segment.create(one, 0);
  const std::uint32_t second = segment.create(one, 0);
  segment.content(first, false);
  for (const std::uint32_t up : {second, first}) {
    segment[up].priority += 2;
    const auto moves = bring_in(segment, up, {}, 1);
    REQUIRE(moves);
    REQUIRE(moves->size() == 2);
    CHECK((*moves)[0].operation == PagingOperation::demote);
    CHECK((*moves)[0].copied == (up == first));
    CHECK((*moves)[1].operation == (up == first ? PagingOperation::place : PagingOperation::promote));
    segment[up].priority -= 1;
  }
}

TEST_CASE("segment: what is demoted is mapped once before it is used, and unmapped before it comes in", "[scheduler]") {
  const auto use = GENERATE(ApertureUse::mapped, ApertureUse::on_use);
  const bool maps = use == ApertureUse::on_use;
  Segment segment({1, 1, OverCommit::demote, EvictionPolicy::lru, use});
  Allocation one;
  one.bytes = 1;
  const std::uint32_t first = segment.create(one, 0);
  const std::uint32_t second = segment.create(one, 0);
  const auto moves_for = [&](std::uint32_t wanted) {
    std::vector<PagingOperation> operations;
    const std::vector<PagingMove> moves = bring_in(segment, wanted, {}, 1).value();
    for (const PagingMove& move : moves) operations.push_back(move.operation);
    return operations;
  };
  using Moves = std::vector<PagingOperation>;
  CHECK(moves_for(second) == (maps ? Moves{PagingOperation::map} : Moves{}));
  CHECK(moves_for(second).empty());
  ++segment[second].priority;
  CHECK(moves_for(second) == (maps ? Moves{PagingOperation::demote, PagingOperation::unmap, PagingOperation::promote}
                                   : Moves{PagingOperation::demote, PagingOperation::promote}));
  CHECK(moves_for(first).empty());  // the move that demoted it has mapped it
}

TEST_CASE("segment: those that go on in place are demoted, also where others have to be in video memory",
          "[scheduler]") {
  Segment segment({1, 1, OverCommit::page, EvictionPolicy::lru, ApertureUse::on_use});
  Allocation one;
  one.bytes = 1;
  const std::uint32_t first = segment.create(one, 0);
  const std::uint32_t second = segment.create(one, 0);
  const auto moves = bring_in(segment, second, {}, 1, {first});
  REQUIRE(moves);
  REQUIRE(moves->size() == 2);
  CHECK((*moves)[0].operation == PagingOperation::demote);
  std::vector<PagingMove> more;
  segment.use_in_place(first, more);
  CHECK(more.empty());
  CHECK(segment[first].where == Residence::demoted);
}

TEST_CASE("segment: what is demoted and in use is used where it is, or waited for (rule 9)", "[scheduler]") {
  const OverCommit over_commit = GENERATE(OverCommit::demote, OverCommit::page);
  Segment segment({2, 1, over_commit, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 1;
  one.evicted = true;
  const std::uint32_t used = segment.create(one, 0);
  segment.demote(used);
  segment[used].in_use = true;
  const auto moves = bring_in(segment, used, {}, 1);
  CHECK(moves.has_value() == (over_commit == OverCommit::demote));
  CHECK(segment[used].where == Residence::demoted);
  segment[used].in_use = false;
  CHECK(bring_in(segment, used, {}, 2)->front().operation == PagingOperation::promote);
}

TEST_CASE("segment: from the first demotion on pages are small, and that is a conversion once (rule 34)",
          "[scheduler]") {
  Segment::Rules rules{1, 1, OverCommit::demote, EvictionPolicy::lru};
  rules.small_pages_outside = true;
  Segment segment(rules);
  Allocation one;
  one.bytes = 1;
  one.priority = 1;
  const std::uint32_t low = segment.create(one, 0);
  one.priority = 2;
  const std::uint32_t high = segment.create(one, 0);
  CHECK(segment[high].small_pages);  // it found no room
  const auto swapped = bring_in(segment, high, {}, 1);
  REQUIRE(swapped);
  REQUIRE(swapped->size() == 2);
  CHECK((*swapped)[0].converts);
  CHECK((*swapped)[0].small_pages);
  CHECK((*swapped)[1].small_pages);
  segment[low].priority = 3;
  const auto back = bring_in(segment, low, {}, 2);
  REQUIRE(back);
  CHECK_FALSE((*back)[0].converts);  // it had small pages
  CHECK((*back)[0].small_pages);
  CHECK((*back)[1].small_pages);
}

TEST_CASE("segment: a purge leaves nothing, and content where there is a copy (rule 35)", "[scheduler]") {
  Segment segment({8, 1, OverCommit::demote, EvictionPolicy::lru});
  Allocation one;
  one.bytes = 2;
  const std::uint32_t dirty = segment.create(one, 0);
  one.dirty = false;
  const std::uint32_t clean = segment.create(one, 0);
  one.fills = true;
  const std::uint32_t filled = segment.create(one, 0);
  one.bytes = 4;
  one.fills = false;
  const std::uint32_t demoted = segment.create(one, 0);
  segment.create_context(context_bit | 3, 1, 0);
  REQUIRE(bring_in(segment, context_bit | 3, {}, 1));
  CHECK(segment.purge({}) == 7);
  CHECK(segment.resident_bytes() == 0);
  CHECK(segment[demoted].where == Residence::demoted);
  const auto arrival = [&](std::uint32_t index) { return bring_in(segment, index, {}, 2)->back().operation; };
  CHECK(arrival(dirty) == PagingOperation::place);
  CHECK(arrival(clean) == PagingOperation::in);
  CHECK(arrival(filled) == PagingOperation::fill);
  CHECK(arrival(context_bit | 3) == PagingOperation::init);
}
