// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_lists.hpp"

#include "tests/support/kineto_sample.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Ops = std::vector<std::uint32_t>;

KinetoSchedule schedule_of(const Trace& trace) { return schedule_of(read_trace(trace.document().dump())); }

}  // namespace

TEST_CASE("kineto lists: a graph replay is a list, a launch of its own another", "[kineto]") {
  Trace trace;
  trace.kernel(7, 14, 2, 5);  // out of order in the file
  trace.kernel(7, 10, 2, 5);
  trace.kernel(7, 12.1, 1.8, 5);
  trace.kernel(7, 17, 2, 6);
  trace.kernel(7, 19.1, 2, 7);
  const KinetoSchedule schedule = schedule_of(trace);
  REQUIRE(schedule.streams.size() == 1);
  REQUIRE(schedule.lists.size() == 3);
  CHECK(schedule.lists[0].ops == Ops{1, 2, 0});
  CHECK(schedule.lists[0].first);
  CHECK(schedule.lists[0].idle_ns == 0);
  CHECK(schedule.lists[1].ops == Ops{3});
  CHECK(schedule.lists[1].idle_ns == 1000);
  CHECK(schedule.lists[2].ops == Ops{4});
}

TEST_CASE("kineto lists: without correlations short gaps make a list", "[kineto]") {
  Trace trace;
  trace.kernel(7, 10, 2);
  trace.kernel(7, 12.9, 2);
  trace.kernel(7, 16, 2);
  const KinetoSchedule schedule = schedule_of(trace);
  REQUIRE(schedule.lists.size() == 2);
  CHECK(schedule.lists[0].ops == Ops{0, 1});
}

TEST_CASE("kineto lists: stated dependencies cut lists and order them", "[kineto]") {
  Trace trace;
  trace.kernel(7, 10, 5, 100);
  trace.kernel(7, 15.1, 5, 100);
  trace.kernel(7, 20.2, 5, 110);  // launched after the event was recorded by call 105
  trace.stream_wait(9, 107, 7, 105);
  trace.kernel(9, 5, 1, 101);   // launched before the wait
  trace.kernel(9, 26, 5, 120);  // waits for the graph only
  trace.kernel(9, 40, 5, 121);
  const KinetoSchedule schedule = schedule_of(trace);
  CHECK(schedule.stated == 1);
  CHECK(schedule.inferred == 0);
  REQUIRE(schedule.lists.size() == 5);
  CHECK(schedule.lists[1].ops == Ops{0, 1});
  CHECK(schedule.lists[3].ops == Ops{4});
  CHECK(schedule.lists[3].waits == Ops{1});
  CHECK(schedule.lists[3].idle_ns == 26000 - 20100);
}

TEST_CASE("kineto lists: a stated dependency inside a graph cuts it", "[kineto]") {
  Trace trace;
  trace.kernel(7, 10, 5, 100);
  trace.stream_wait(9, 101, 7, 101);
  trace.kernel(9, 16, 5, 102);
  trace.kernel(9, 21.2, 5, 102);
  trace.stream_wait(7, 104, 9, 103);
  trace.kernel(7, 30, 5, 105);
  const KinetoSchedule schedule = schedule_of(trace);
  CHECK(schedule.stated == 2);
  REQUIRE(schedule.lists.size() == 3);
  CHECK(schedule.lists[1].waits == Ops{0});
  CHECK(schedule.lists[2].waits == Ops{1});
}

TEST_CASE("kineto lists: a stated dependency that the times contradict is dropped", "[kineto]") {
  Trace trace;
  trace.kernel(7, 10, 50, 100);
  trace.stream_wait(9, 101, 7, 101);
  trace.kernel(9, 16, 5, 102);
  CHECK(schedule_of(trace).stated == 0);
}

TEST_CASE("kineto lists: a stream that goes on when another ended is taken to have waited for it", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 10, 1);
  trace.kernel(9, 15, 10, 2);   // 5 us after stream 7, its first: waits
  trace.kernel(7, 26, 10, 3);   // 1 us after stream 9, idle since 10: waits
  trace.kernel(7, 37, 10, 4);   // follows on in its stream
  trace.kernel(9, 38, 10, 5);   // stream 7 goes on, but an event may have been recorded before: waits
  trace.kernel(9, 100, 10, 6);  // long after everything
  const KinetoSchedule schedule = schedule_of(trace);
  CHECK(schedule.inferred == 3);
  REQUIRE(schedule.lists.size() == 6);
  CHECK(schedule.lists[1].waits == Ops{0});
  CHECK(schedule.lists[2].waits == Ops{1});
  CHECK(schedule.lists[4].waits == Ops{2});
  for (const std::size_t free : {0, 3, 5}) CHECK(schedule.lists[free].waits.empty());
}

TEST_CASE("kineto lists: nothing is taken to wait in the middle of a graph", "[kineto]") {
  Trace trace;
  for (int i = 0; i < 10; ++i) trace.kernel(7, 10.2 * i, 10, 1);
  trace.kernel(9, 35, 10, 2);
  const KinetoSchedule schedule = schedule_of(trace);
  CHECK(schedule.inferred == 0);
  CHECK(schedule.lists.size() == 2);
}

TEST_CASE("kineto lists: nothing waits for 20 us inside a graph", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 10, 1);
  trace.kernel(7, 29.9, 10, 1);  // 19.9 later
  trace.kernel(7, 59.9, 10, 1);  // 20 later
  const KinetoSchedule schedule = schedule_of(trace);
  REQUIRE(schedule.lists.size() == 2);
  CHECK(schedule.lists[0].ops == Ops{0, 1});
  CHECK(schedule.lists[1].ops == Ops{2});
  CHECK(schedule.lists[1].idle_ns == 20'000);
}

TEST_CASE("kineto lists: an operation that overlaps its predecessor has the stream when that one ends", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 40, 1);
  trace.kernel(7, 27, 15, 1);
  trace.kernel(7, 30, 2, 1);
  const KinetoTrace read = read_trace(trace.document().dump());
  CHECK(own_starts(read, schedule_of(read)) == std::vector<std::int64_t>{0, 40000, 32000});
}

TEST_CASE("kineto lists: operations without length do not wait for each other in circles", "[kineto]") {
  Trace trace;
  for (int i = 0; i < 20; ++i)
    trace.kernel(static_cast<std::uint64_t>(7 + i % 3), 5, 0, static_cast<std::uint64_t>(i + 1));
  const KinetoSchedule schedule = schedule_of(trace);
  for (std::uint32_t i = 0; i < schedule.lists.size(); ++i) {
    for (const std::uint32_t waited : schedule.lists[i].waits) CHECK(waited < i);
  }
}
