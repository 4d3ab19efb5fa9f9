// SPDX-License-Identifier: Apache-2.0
#include "engines/command/splitting.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace fenceline;

namespace {

CommandStream stream_of(std::size_t commands) {
  CommandStream stream;
  stream.commands.assign(commands, Barrier{});
  return stream;
}

std::vector<std::size_t> ends_of(const CommandStream& stream, std::size_t most) {
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  do {
    at = piece_end(stream, at, most);
    ends.push_back(at);
  } while (at < stream.commands.size());
  return ends;
}

using EndList = std::vector<std::size_t>;
using SlotList = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("splitting: a piece is as many commands as fit", "[engines]") {
  CHECK(ends_of(stream_of(7), 3) == EndList{3, 6, 7});
  CHECK(ends_of(stream_of(6), 3) == EndList{3, 6});
  CHECK(ends_of(stream_of(3), 3) == EndList{3});
  CHECK(ends_of(stream_of(2), 1) == EndList{1, 2});
  CHECK(ends_of(stream_of(0), 1) == EndList{0});
}

TEST_CASE("splitting: a piece ends at the last split offset that fits, else at the next one", "[engines]") {
  CommandStream stream = stream_of(10);
  stream.splits.offsets = std::vector<std::size_t>{1, 2, 7};
  CHECK(ends_of(stream, 3) == EndList{2, 7, 10});
  CHECK(ends_of(stream, 8) == EndList{7, 10});
  stream.splits.offsets->clear();
  CHECK(ends_of(stream, 3) == EndList{10});
}

TEST_CASE("splitting: neither bundles nor render passes are split", "[engines]") {
  CommandStream stream = stream_of(10);
  stream.splits.bundles = {{1, 4}, {4, 6}};
  CHECK(ends_of(stream, 2) == EndList{1, 4, 6, 8, 10});
  stream.splits.bundles.clear();
  stream.commands[2] = BeginRenderPass{0};
  stream.commands[6] = EndRenderPass{0};
  CHECK(ends_of(stream, 3) == EndList{2, 7, 10});
  CHECK_FALSE(in_render_pass(stream, 2));
  CHECK(in_render_pass(stream, 3));
  CHECK(in_render_pass(stream, 6));
  CHECK_FALSE(in_render_pass(stream, 7));
}

TEST_CASE("splitting: what is bound at a split leaks unless the next piece has an entry for its slot", "[engines]") {
  CommandStream stream = stream_of(6);
  stream.splits.patches = {{0, 5, true}, {0, 2, true}, {1, 9, true}, {1, 9, false}, {3, 2, true}};
  CHECK(leaking_slots(stream, 0, 2) == SlotList{});
  CHECK(leaking_slots(stream, 2, 4) == SlotList{5});
  CHECK(leaking_slots(stream, 2, 3) == SlotList{2, 5});
  CHECK(leaking_slots(stream, 4, 6) == SlotList{2, 5});
  stream.splits.patches.push_back({5, 5, false});
  CHECK(leaking_slots(stream, 4, 6) == SlotList{2});
}
