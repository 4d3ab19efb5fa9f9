// SPDX-License-Identifier: Apache-2.0
// What paging costs: docs/residency.md, rule 18.
#include "scheduler/residency/paging_buffer.hpp"

#include "api/machine.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

using namespace fenceline;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Until a copy queue of the machine "tiny" has run all of them.
std::uint64_t play_ps(std::vector<CommandStream> buffers) {
  Machine machine(builtin_machine("tiny"));
  QueueConfig queue;
  queue.name = "paging";
  queue.type = QueueType::copy;
  const ContextId context = machine.create_queue(queue);
  for (CommandStream& one : buffers) {
    machine.execute(context, std::make_shared<const CommandStream>(std::move(one)));
  }
  REQUIRE(machine.run());
  return machine.now_ps();
}

}  // namespace

TEST_CASE("paging buffer: a move in is transfers of a window at most and then the page table", "[scheduler]") {
  const PagingBufferRules rules{65536, mebibyte, 64};
  const auto operations = paging_operations({PagingOperation::in, 0, 5 * mebibyte / 2, true}, rules);
  REQUIRE(operations.size() == 4);
  for (const std::size_t i : {0, 1}) CHECK(operations[i].bytes == mebibyte);
  CHECK(operations[2].bytes == mebibyte / 2);
  CHECK(operations[3].bytes == 40 * 8);
  for (const CopyBuffer& one : operations) CHECK(one.route == CopyRoute::host_to_device);
}

TEST_CASE("paging buffer: a move out is the page table and then transfers, a clean one the table alone",
          "[scheduler]") {
  const PagingBufferRules rules{4096, mebibyte, 64};
  const auto dirty = paging_operations({PagingOperation::out, 0, mebibyte, true}, rules);
  REQUIRE(dirty.size() == 2);
  CHECK(dirty[0].bytes == 256 * 8);
  CHECK(dirty[0].route == CopyRoute::host_to_device);
  CHECK(dirty[1].bytes == mebibyte);
  CHECK(dirty[1].route == CopyRoute::device_to_host);
  for (const PagingOperation operation : {PagingOperation::drop, PagingOperation::demote}) {
    CHECK(paging_operations({operation, 0, mebibyte, false}, rules).size() == 1);
  }
}

TEST_CASE("paging buffer: what is made in video memory is one copy inside it and then the page table", "[scheduler]") {
  for (const PagingOperation operation : {PagingOperation::init, PagingOperation::fill}) {
    const auto made = paging_operations({operation, 0, 5 * mebibyte / 2, true}, {65536, mebibyte, 64});
    REQUIRE(made.size() == 2);
    CHECK(made[0].bytes == 5 * mebibyte / 2);
    CHECK(made[0].route == CopyRoute::device_to_device);
    CHECK(made[1].bytes == 40 * 8);
    CHECK(made[1].route == CopyRoute::host_to_device);
  }
}

TEST_CASE("paging buffer: what is placed, mapped or unmapped is the page table alone", "[scheduler]") {
  for (const PagingOperation operation : {PagingOperation::place, PagingOperation::map, PagingOperation::unmap}) {
    const auto changed = paging_operations({operation, 0, mebibyte, false}, {65536, mebibyte, 64});
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].bytes == 16 * 8);
    CHECK(changed[0].route == CopyRoute::host_to_device);
  }
}

TEST_CASE("paging buffer: what is too much for one is in further passes", "[scheduler]") {
  const std::vector<PagingMove> moves = {{PagingOperation::out, 0, 3 * mebibyte, true},
                                         {PagingOperation::in, 1, mebibyte, true}};
  const auto buffers = paging_buffers(moves, {65536, mebibyte, 4});  // 4 and 2 operations
  REQUIRE(buffers.size() == 2);
  CHECK(buffers[0].commands.size() == 4 + 3);
  CHECK(buffers[1].commands.size() == 2 + 1);
  CHECK(paging_buffers({}, {}).empty());
}

TEST_CASE("paging buffer: operations take what their copies do one after another", "[scheduler]") {
  const bool dirty = GENERATE(false, true);
  const std::vector<PagingMove> moves = {
      {dirty ? PagingOperation::out : PagingOperation::drop, 0, 16 * mebibyte, dirty},
      {PagingOperation::in, 1, 16 * mebibyte, true}};
  const std::uint64_t copied = (dirty ? 2 : 1) * 16 * mebibyte;
  const std::uint64_t tables = 2 * (16 * mebibyte / 65536) * 8;
  // PCIe of 10 GB/s in both directions: a byte in 100 ps. Each operation is rounded up by less than a nanosecond.
  const std::uint64_t expected_ps = (copied + tables) * 100;
  for (const std::uint32_t operations : {1u, 3u, 64u}) {
    const std::uint64_t took_ps = play_ps(paging_buffers(moves, {65536, mebibyte, operations}));
    CHECK(took_ps >= expected_ps);
    CHECK(took_ps <= expected_ps + 40'000);
  }
}
