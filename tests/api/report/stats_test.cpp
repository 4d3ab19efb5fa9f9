// SPDX-License-Identifier: Apache-2.0
#include "api/report/stats.hpp"

#include "scheduler/fences/fence_unit.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

using Intervals = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::uint64_t brute_force_union(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::uint64_t length = 0;
  std::uint64_t covered_until = 0;
  for (const auto& [start, end] : intervals) {
    if (end > covered_until) length += end - std::max(start, covered_until);
    covered_until = std::max(covered_until, end);
  }
  return length;
}

PacketRecord packet_of(LogName context, PacketType type, std::uint64_t fence_ps, std::uint64_t queue_ps,
                       std::uint64_t running_ps) {
  PacketRecord packet{};
  packet.context = context;
  packet.type = type;
  packet.submitted_ps = packet.head_ps = 1000;
  packet.ready_ps = packet.hardware_ps = 1000 + fence_ps;
  packet.started_ps = 1000 + queue_ps;
  packet.finished_ps = packet.completed_ps = packet.started_ps + running_ps;
  return packet;
}

}  // namespace

TEST_CASE("interval union: any intervals in any order have the length brute force finds", "[sim]") {
  std::mt19937_64 random(1);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t range = std::uint64_t{1} << (4 + below(60));  // up to numbers of three words
    const std::uint64_t longest = std::max<std::uint64_t>(1, range >> below(12));
    Intervals intervals;
    for (std::uint64_t i = below(60); i > 0; --i) {
      const std::uint64_t start = below(range);
      intervals.emplace_back(start, start + below(longest));
    }
    switch (round % 3) {
      case 0:  // as a log writes them
        std::sort(intervals.begin(), intervals.end(), [](auto& a, auto& b) { return a.second < b.second; });
        break;
      case 1: std::sort(intervals.rbegin(), intervals.rend()); break;
      default: break;
    }
    IntervalUnion total;
    Intervals seen;
    for (const auto& interval : intervals) {
      total.add(interval.first, interval.second);
      seen.push_back(interval);
      REQUIRE(total.length() == brute_force_union(seen));
    }
  }
}

TEST_CASE("statistics: a track is busy while at least one of its packets runs", "[sim]") {
  EventLog log;
  StatsSink stats;
  log.attach(stats);
  const LogName tracks[] = {log.name("adapter.compute0"), log.name("adapter.copy0")};
  std::mt19937_64 random(2);
  Intervals expected[2];
  std::uint64_t now = 0;
  log.span({tracks[1], SpanKind::packet, {}, 0, 0, 1});
  expected[1].emplace_back(0, 0);
  for (int i = 0; i < 5000; ++i) {
    now += random() % 3000;
    const std::size_t track = random() % 2;
    const std::uint64_t start = now - std::min(now, random() % 5000);
    const bool is_packet = random() % 4 != 0;
    log.span({tracks[track], is_packet ? SpanKind::packet : SpanKind::command, {}, start, now, 1});
    if (is_packet) expected[track].emplace_back(start, now);
  }
  const std::vector<TrackStats> result = stats.tracks();
  REQUIRE(result.size() == 2);
  for (const TrackStats& track : result) {
    const Intervals& intervals = expected[track.track == "adapter.copy0" ? 1 : 0];
    CHECK(track.busy_ps == brute_force_union(intervals));
    CHECK(track.packet_spans == intervals.size());
  }
  CHECK(result[0].track == "adapter.copy0");  // seen first
}

TEST_CASE("statistics: percentiles of the time in queue are nearest ranks", "[sim]") {
  for (const std::uint64_t count : {1, 2, 9, 10, 11, 100, 101, 199}) {
    EventLog log;
    StatsSink stats;
    log.attach(stats);
    std::vector<std::uint64_t> times;
    std::mt19937_64 random(count);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      times.push_back(random() % 1'000'000);
      sum += times.back();
      log.packet(packet_of(log.name("adapter.app.compute"), PacketType::render, 0, times.back(), 1));
    }
    const Distribution queue = stats.contexts().at(0).queue;
    // The definition: the smallest time such that at least percent of the packets waited no longer.
    const auto percentile = [&](std::uint64_t percent) {
      std::uint64_t best = ~std::uint64_t{0};
      for (const std::uint64_t candidate : times) {
        const auto reached =
            std::count_if(times.begin(), times.end(), [&](std::uint64_t time) { return time <= candidate; });
        if (static_cast<std::uint64_t>(reached) * 100 >= percent * count) best = std::min(best, candidate);
      }
      return best;
    };
    CHECK(queue.p50_ps == percentile(50));
    CHECK(queue.p90_ps == percentile(90));
    CHECK(queue.p99_ps == percentile(99));
    CHECK(queue.max_ps == percentile(100));
    CHECK(queue.mean_ps == sum / count);
  }
}

TEST_CASE("statistics: contexts, fences and totals add up in order of first appearance", "[sim]") {
  EventLog log;
  StatsSink stats;
  log.attach(stats);
  const LogName late = log.name("adapter.b");
  const LogName early = log.name("adapter.a");
  log.packet(packet_of(early, PacketType::wait, 500, 500, 0));
  PacketRecord preempted = packet_of(early, PacketType::render, 20, 30, 400);
  preempted.preemptions = 3;
  preempted.preempted_ps = 150;
  log.packet(preempted);
  log.packet(packet_of(early, PacketType::render, 0, 51, 100));
  log.packet(packet_of(late, PacketType::signal, 0, 0, 0));
  log.counter({log.name("adapter.a.fence"), CounterKind::fence_value, 5, 10});
  log.counter({log.name("adapter.a.fence"), CounterKind::bytes_per_s, 5, 99});
  log.counter({log.name("adapter.b.fence"), CounterKind::fence_value, 6, 1});
  log.counter({log.name("adapter.a.fence"), CounterKind::fence_value, 7, 11});
  log.finish(12345);

  const auto contexts = stats.contexts();
  REQUIRE(contexts.size() == 2);
  CHECK(contexts[0].context == "adapter.a");
  CHECK(contexts[0].render_packets == 2);
  CHECK(contexts[0].queue.mean_ps == 40);  // of 30 and 51, rounded down
  CHECK(contexts[0].queue.p50_ps == 30);
  CHECK(contexts[0].queue.max_ps == 51);
  CHECK(contexts[0].running_ps == 350);
  CHECK(contexts[0].preempted_ps == 150);
  CHECK(contexts[0].fence_ps == 520);
  CHECK(contexts[0].preemptions == 3);
  CHECK(contexts[1].context == "adapter.b");
  CHECK(contexts[1].render_packets == 0);
  CHECK(contexts[1].queue.max_ps == 0);
  const auto fences = stats.fences();
  REQUIRE(fences.size() == 2);
  CHECK(fences[0].fence == "adapter.a.fence");
  CHECK(fences[0].last_value == 11);
  CHECK(fences[0].signals == 2);
  CHECK(fences[1].signals == 1);
  CHECK(stats.totals().packets == 4);
  CHECK(stats.totals().end_ps == 12345);
}

TEST_CASE("statistics: the mean of very long waits does not overflow", "[sim]") {
  EventLog log;
  StatsSink stats;
  log.attach(stats);
  const std::uint64_t wait = std::uint64_t{1} << 63;
  for (int i = 0; i < 3; ++i) log.packet(packet_of(log.name("a"), PacketType::render, 0, wait, 0));
  CHECK(stats.contexts().at(0).queue.mean_ps == wait);
}
