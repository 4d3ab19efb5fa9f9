// SPDX-License-Identifier: Apache-2.0
// Memory that is given out again: zero, and never to two at a time.
#include "api/d3d12/bytes/block_pool.hpp"

#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/crew.hpp"
#include "tests/support/units.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t kib = 1 << 10;

bool is_zero(const std::byte* block, std::uint64_t bytes) {
  return std::all_of(block, block + bytes, [](std::byte one) { return one == std::byte{0}; });
}

}  // namespace

TEST_CASE("block pool: sizes are multiples of 64 KiB, at most a quarter more than was asked for", "[d3d12]") {
  CHECK(block_size(1) == 64 * kib);
  CHECK(block_size(64 * kib) == 64 * kib);
  CHECK(block_size(64 * kib + 1) == 128 * kib);
  CHECK(block_size(512 * kib) == 512 * kib);
  CHECK(block_size(512 * kib + 1) == 640 * kib);  // from here on in steps of 128 KiB
  CHECK(block_size(4 * mib) == 4 * mib);
  CHECK(block_size(4 * mib + 5) == 4 * mib + 5);  // not kept
  for (std::uint64_t bytes = 64 * kib; bytes <= BlockPool::largest_kept; bytes += 12'345) {
    CAPTURE(bytes);
    CHECK(block_size(bytes) >= bytes);
    CHECK(block_size(bytes) % (64 * kib) == 0);
    CHECK(block_size(bytes) - bytes <= std::max(bytes / 4, 64 * kib));
    CHECK(block_size(block_size(bytes)) == block_size(bytes));
  }
}

TEST_CASE("block pool: what comes back is given out again, as zeros however much is asked for", "[d3d12]") {
  const std::uint64_t first = GENERATE(64 * kib, 100 * kib, 900 * kib, 4 * mib);
  BlockPool pool;
  std::byte* const block = pool.take(first);
  REQUIRE(block != nullptr);
  CHECK(is_zero(block, first));
  std::memset(block, 0xA5, first);
  pool.give_back(block, first);
  const std::uint64_t more = block_size(first);  // as large as what was mapped
  std::byte* const again = pool.take(more);
  CHECK(again == block);
  CHECK(is_zero(again, more));
  std::byte* const other = pool.take(more);
  CHECK(other != again);
  pool.give_back(again, more);
  pool.give_back(other, more);
  CHECK(pool.take(std::numeric_limits<std::uint64_t>::max() / 2) == nullptr);
}

TEST_CASE("block pool: no more is kept than it may be, and large blocks not at all", "[d3d12]") {
  BlockPool pool;
  std::vector<std::byte*> blocks;
  const std::size_t count = BlockPool::most_kept / (4 * mib);
  for (std::size_t i = 0; i < count + 3; ++i) blocks.push_back(pool.take(4 * mib));
  for (std::byte* block : blocks) pool.give_back(block, 4 * mib);
  // The first ones are kept; they come back last first.
  for (std::size_t i = count; i-- > 0;) CHECK(pool.take(4 * mib) == blocks[i]);
  std::byte* const large = pool.take(4 * mib + 1);
  std::memset(large, 1, 4 * mib + 1);
  pool.give_back(large, 4 * mib + 1);
  std::byte* const next = pool.take(4 * mib + 1);
  CHECK(is_zero(next, 4 * mib + 1));
}

TEST_CASE("block pool: threads never have one block at a time", "[d3d12]") {
  const std::size_t threads = GENERATE(2, 4);
  BlockPool pool;
  std::atomic<int> wrong{0};
  Crew::run(threads, [&](std::size_t self) {
    std::mt19937 random(static_cast<unsigned>(self));
    struct Mine {
      std::byte* block;
      std::uint64_t bytes;
    };
    std::vector<Mine> mine;
    const auto mark = static_cast<std::byte>(self + 1);
    for (int i = 0; i < 1500; ++i) {
      if (mine.size() < 8 && random() % 3 != 0) {
        const std::uint64_t bytes = 1 + random() % (300 * kib);
        std::byte* const block = pool.take(bytes);
        if (block == nullptr || block[0] != std::byte{0} || block[bytes - 1] != std::byte{0}) ++wrong;
        block[0] = block[bytes - 1] = mark;
        mine.push_back({block, bytes});
      } else if (!mine.empty()) {
        const Mine one = mine[random() % mine.size()];
        mine.erase(std::find_if(mine.begin(), mine.end(), [&](const Mine& it) { return it.block == one.block; }));
        if (one.block[0] != mark || one.block[one.bytes - 1] != mark) ++wrong;
        pool.give_back(one.block, one.bytes);
      }
    }
    for (const Mine& one : mine) pool.give_back(one.block, one.bytes);
  });
  CHECK(wrong == 0);
}

TEST_CASE("resources: committed ones are zero, also where another one's bytes were", "[d3d12]") {
  App app;
  const UINT64 bytes = GENERATE(256, 70000, 1 << 20);
  for (int i = 0; i < 5; ++i) {
    const auto buffer = app.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
    CHECK(read<std::uint8_t>(buffer.Get(), bytes) == std::vector<std::uint8_t>(bytes));
    write(buffer.Get(), std::vector<std::uint8_t>(bytes, 0x5A));
  }
}
