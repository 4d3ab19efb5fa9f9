// SPDX-License-Identifier: Apache-2.0
// What the analysis of hazards is made of: regions of bytes, what fences tell, and what is kept of accesses.
#include "api/d3d12/hazards/queue_order.hpp"

#include "api/d3d12/bytes/byte_region.hpp"
#include "api/d3d12/hazards/access_history.hpp"
#include "api/d3d12/hazards/fence_history.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using namespace fenceline::d3d12;

namespace {

std::set<std::uint64_t> bytes_of(const ByteRegion& region) {
  std::set<std::uint64_t> bytes;
  for (std::uint64_t slice = 0; slice < region.slices; ++slice) {
    for (std::uint64_t row = 0; row < region.rows; ++row) {
      for (std::uint64_t i = 0; i < region.row_bytes; ++i) {
        bytes.insert(region.begin + slice * region.slice_pitch + row * region.row_pitch + i);
      }
    }
  }
  return bytes;
}

QueueClock clock_of(std::vector<std::uint64_t> executions) {
  QueueClock clock;
  for (std::size_t queue = 0; queue < executions.size(); ++queue) clock.set(queue, executions[queue]);
  return clock;
}

bool same(const QueueClock& a, const QueueClock& b) { return a.covers(b) && b.covers(a); }

}  // namespace

TEST_CASE("byte regions: they overlap where some byte is in both, rows, slices and gaps included", "[d3d12][hazards]") {
  std::mt19937 random(1);
  const auto below = [&](std::uint64_t count) {
    return std::uniform_int_distribution<std::uint64_t>(0, count - 1)(random);
  };
  const auto region = [&] {
    TexelGrid grid;
    grid.block_width = below(2) == 0 ? 1 : 4;
    grid.block_height = grid.block_width;
    grid.element_bytes = static_cast<std::uint32_t>(1 + below(4));
    const std::uint64_t columns = 1 + below(5);
    const std::uint64_t rows = 1 + below(4);
    grid.row_pitch = columns * grid.element_bytes + below(3) * below(6);
    grid.slice_pitch = rows * grid.row_pitch + below(2) * below(20);
    grid.offset = below(30);
    const auto side = [&](std::uint64_t blocks, std::uint32_t block) {
      const auto from = static_cast<UINT>(below(blocks));
      const auto to = static_cast<UINT>(from + 1 + below(blocks - from));
      return std::pair{from * block, to * block};
    };
    const auto [left, right] = side(columns, grid.block_width);
    const auto [top, bottom] = side(rows, grid.block_height);
    const auto [front, back] = side(3, 1);
    const D3D12_BOX box{left, top, front, right, bottom, back};
    const ByteRegion made = region_of(grid, box, 7);
    std::set<std::uint64_t> expected;
    for (UINT z = front; z < back; ++z) {
      for (UINT y = top / grid.block_height; y < bottom / grid.block_height; ++y) {
        for (UINT x = left / grid.block_width; x < right / grid.block_width; ++x) {
          for (std::uint32_t i = 0; i < grid.element_bytes; ++i) {
            expected.insert(7 + grid.offset + z * grid.slice_pitch + y * grid.row_pitch + x * grid.element_bytes + i);
          }
        }
      }
    }
    CHECK(bytes_of(made) == expected);
    CHECK(made.begin == *expected.begin());
    CHECK(made.end() == *expected.rbegin() + 1);
    if (made.contiguous()) CHECK(expected.size() == made.end() - made.begin);
    return made;
  };
  for (int i = 0; i < 3000; ++i) {
    const ByteRegion a = region();
    const ByteRegion b = region();
    const auto of_a = bytes_of(a);
    const auto of_b = bytes_of(b);
    const bool common = std::any_of(of_a.begin(), of_a.end(), [&](std::uint64_t byte) { return of_b.count(byte) > 0; });
    CHECK(overlap(a, b) == common);
    CHECK(overlap(b, a) == common);
  }
  CHECK(!overlap(region_of(0, 0), region_of(0, 10)));
}

TEST_CASE("fence history: a value tells of the signal since which the fence has not been below it",
          "[d3d12][hazards]") {
  std::mt19937 random(2);
  const auto below = [&](std::uint64_t count) {
    return std::uniform_int_distribution<std::uint64_t>(0, count - 1)(random);
  };
  for (int program = 0; program < 300; ++program) {
    const std::uint64_t initial = below(6);
    FenceHistory history(initial);
    std::vector<std::uint64_t> values{initial};
    QueueClock all;
    for (std::uint64_t signal = 1; signal <= 20; ++signal) {
      const std::uint64_t value = below(10);
      const QueueClock clock = clock_of({signal});
      history.signal(value, clock);
      values.push_back(value);
      all.join(clock);
      for (std::uint64_t asked = 0; asked < 11; ++asked) {
        std::size_t first = values.size();  // since when it is there
        while (first > 0 && values[first - 1] >= asked) --first;
        const bool reached = first < values.size();
        const QueueClock expected = !reached ? all : clock_of({first});
        CHECK(same(history.reached(asked), expected));
      }
      CHECK(same(history.last(), clock));
      CHECK(history.value() == value);
    }
  }
}

TEST_CASE("fence history: what the CPU knows is forgotten, and nothing else", "[d3d12][hazards]") {
  FenceHistory history(0);
  for (std::uint64_t value = 1; value <= 100; ++value) history.signal(value, clock_of({value}));
  history.forget(clock_of({50}));
  CHECK(same(history.reached(50), {}));
  CHECK(same(history.reached(51), clock_of({51})));
  history.signal(20, clock_of({101}));
  history.signal(60, clock_of({102}));
  CHECK(same(history.reached(20), {}));
  CHECK(same(history.reached(21), clock_of({102})));
  // However many steps there are, a value tells of its own signal at least.
  for (std::uint64_t value = 61; value <= 2000; ++value) history.signal(value, clock_of({42 + value}));
  for (std::uint64_t value = 61; value <= 2000; ++value) CHECK(history.reached(value)[0] >= 42 + value);
  CHECK(history.reached(2000)[0] == 2042);
}

TEST_CASE("access history: as much is kept as there are regions and queues, and what everybody knows goes",
          "[d3d12][hazards]") {
  const auto memory = HeapMemory::make(1 << 16, false);
  AccessedResource buffer{AccessedResource::Kind::buffer, memory, 0, 1 << 16};
  const auto resource = std::make_shared<AccessedResource>(buffer);
  const auto access = [&](std::uint32_t queue, std::uint64_t execution, std::uint64_t begin, std::uint64_t bytes,
                          bool writes) {
    auto past = std::make_shared<PastAccess>();
    past->access.part.resource = resource;
    past->access.writes = writes;
    past->region = region_of(begin, bytes);
    past->queue = queue;
    past->execution = execution;
    return past;
  };
  AccessHistory history;
  std::size_t told = 0;
  const auto tell = [&](const PastAccess&) { ++told; };
  SECTION("a queue's own") {
    for (std::uint64_t i = 1; i <= 1000; ++i) {
      history.add(access(0, i, i % 10 * 100, 100, i % 2 == 0), clock_of({i}), tell);
    }
    CHECK(history.size() <= 20);
    history.add(access(0, 1001, 0, 1 << 16, true), clock_of({1001}), tell);
    CHECK(history.size() == 1);
    CHECK(told == 0);
  }
  SECTION("several queues without order") {
    for (std::uint64_t i = 1; i <= 1000; ++i) {
      const auto queue = static_cast<std::uint32_t>(i % 3);
      QueueClock own;
      own.set(queue, i);
      history.add(access(queue, i, 0, 256, false), own, tell);
    }
    CHECK(history.size() == 3);
    CHECK(told == 0);
    history.add(access(3, 1, 255, 1, true), clock_of({0, 0, 0, 1}), tell);
    CHECK(told == 3);
    history.forget(clock_of({999, 1000, 998}));
    CHECK(history.size() == 1);
    history.forget(clock_of({999, 1000, 998, 1}));
    CHECK(history.size() == 0);
  }
  SECTION("one that comes after another queue's") {
    history.add(access(0, 1, 0, 256, true), clock_of({1}), tell);
    history.add(access(1, 1, 0, 256, true), clock_of({1, 1}), tell);
    CHECK(history.size() == 1);
    history.add(access(2, 1, 0, 256, false), clock_of({0, 1, 1}), tell);  // knows of the second, and so of the first
    CHECK(told == 0);
  }
}

TEST_CASE("queue order: the horizon is what work that is not done yet knows, too", "[d3d12][hazards]") {
  QueueOrder order;
  order.add_fence(0);
  order.submit_execution(0, 1);
  order.submit_signal(0, 2);
  order.submit_execution(1, 3);  // knows nothing
  CHECK(order.executed(0, 1).number == 1);
  order.signalled(0, 2, 0, 1);
  CHECK(order.horizon()[0] == 0);
  order.cpu_sees_value(0);
  CHECK(order.horizon()[0] == 0);  // packet 3 is still to come
  CHECK(order.executed(1, 3).before[0] == 0);
  CHECK(order.horizon()[0] == 1);
  order.submit_execution(1, 4);
  CHECK(order.horizon()[0] == 1);
  CHECK(order.executed(1, 4).before[0] == 1);
}

TEST_CASE("queue order: who sees a frame on screen knows what was before its present", "[d3d12][hazards]") {
  QueueOrder order;
  order.add_fence(0);
  order.submit_execution(0, 1);
  order.submit_signal(0, 2);  // the present
  order.submit_execution(0, 3);
  order.submit_wait(1, 4, 0, 1);
  order.submit_execution(1, 5);
  order.executed(0, 1);
  order.executed(0, 3);
  order.presented(0, 2, 0);
  order.cpu_signals(0, 1);
  CHECK(order.executed(1, 5).before[0] == 1);
  order.submit_execution(2, 6);
  CHECK(order.executed(2, 6).before[0] == 1);
}
