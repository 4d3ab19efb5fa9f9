// SPDX-License-Identifier: Apache-2.0
#include "api/report/preemption_stats.hpp"

#include "api/report/preemption_sink.hpp"
#include "api/report/stats.hpp"
#include "tests/support/protocol_script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("preemption statistics: requests add up for each node and for all", "[sim]") {
  EventLog log;
  StatsSink stats;
  PreemptionSink sink;
  log.attach(stats);
  log.attach(sink);
  const LogName nodes[] = {log.name("adapter.3d0"), log.name("adapter.compute0")};
  std::mt19937_64 random(1);
  std::vector<PreemptionRecord> records[3];  // the last ones: of both
  for (int i = 0; i < 500; ++i) {
    const std::size_t node = random() % 3 == 0 ? 1 : 0;
    PreemptionRecord record{};
    record.node = nodes[node];
    record.requested_ps = random() % 1'000'000'000;
    record.stopped_ps = record.requested_ps + random() % 1'000'000;
    record.free_ps = record.stopped_ps + random() % 1'000;
    record.saved_bytes = random() % 4096;
    record.packets = static_cast<std::uint32_t>(random() % 3);
    record.preemption_fence_id = static_cast<std::uint64_t>(i);
    log.request({record.node, 0, record.preemption_fence_id, record.requested_ps});
    log.preemption(record);
    records[node].push_back(record);
    records[2].push_back(record);
  }
  const auto check = [](const PreemptionStats& found, const std::vector<PreemptionRecord>& expected) {
    std::uint64_t stopped = 0;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t latency = 0;
    std::uint64_t drain = 0;
    std::uint64_t save = 0;
    std::uint64_t longest = 0;
    for (const PreemptionRecord& record : expected) {
      stopped += record.packets > 0 ? 1 : 0;
      packets += record.packets;
      bytes += record.saved_bytes;
      latency += record.free_ps - record.requested_ps;
      drain += record.stopped_ps - record.requested_ps;
      save += record.free_ps - record.stopped_ps;
      longest = std::max(longest, record.free_ps - record.requested_ps);
    }
    CHECK(found.requests == expected.size());
    CHECK(found.stopped == stopped);
    CHECK(found.packets == packets);
    CHECK(found.saved_bytes == bytes);
    CHECK(found.latency.mean_ps == latency / expected.size());  // for nobody in particular: from the request
    CHECK(found.from_request.mean_ps == latency / expected.size());
    CHECK(found.drain.mean_ps == drain / expected.size());
    CHECK(found.save.mean_ps == save / expected.size());
    CHECK(found.latency.max_ps == longest);
    CHECK(found.latency.p50_ps <= found.latency.p99_ps);
  };
  const auto found = sink.nodes(stats);
  REQUIRE(found.size() == 2);
  for (const PreemptionStats& node : found) check(node, records[node.node == "adapter.3d0" ? 0 : 1]);
  check(sink.total(stats), records[2]);
  CHECK(sink.total(stats).node.empty());
}

TEST_CASE("preemption statistics: latency begins when the packet is ready, the part from the request beside it",
          "[sim]") {
  EventLog log;
  StatsSink stats;
  PreemptionSink sink;
  log.attach(stats);
  log.attach(sink);
  ProtocolScript script(log);
  const auto ps = ProtocolScript::ps;
  play_game_and_compositor(script);  // ready at 100, asked at 150, stopped at 170, free at 175
  SECTION("one request") {
    const PreemptionStats total = sink.total(stats);
    CHECK(total.requests == 1);
    CHECK(total.latency.max_ps == ps(75));
    CHECK(total.from_request.max_ps == ps(25));
    CHECK(total.drain.max_ps == ps(20));
    CHECK(total.save.max_ps == ps(5));
    CHECK(total.saved_bytes == 1234);
    CHECK(total.saved.registers == 200);
    CHECK(total.saved.total() == 1234);
  }
  SECTION("one more whose packet never starts counts as well") {
    script.arrive(3, "game", 5, 400);
    script.queued(4, "compositor", 400);
    script.ready(4, "compositor", 400);
    script.request(6, PreemptionReason::higher_rank, 3, 4, 410);
    script.ran(3, 400, 412, true);
    script.preempted(6, 4, 1, 412, 415, 415, {}, 1);
    const PreemptionStats total = sink.total(stats);
    CHECK(total.requests == 2);
    CHECK(total.stopped == 2);
    CHECK(total.latency.mean_ps == ps((75 + 15) / 2.0));
    CHECK(total.from_request.mean_ps == ps((25 + 5) / 2.0));
    CHECK(total.drain.p50_ps == ps(1));  // 412 - 410 without the restore's 1
    CHECK(sink.nodes(stats).size() == 1);
  }
}

TEST_CASE("preemption statistics: lost is the time with state on the move and no packet running", "[sim]") {
  EventLog log;
  StatsSink stats;
  PreemptionSink sink;
  log.attach(stats);
  log.attach(sink);
  const LogName compute = log.name("adapter.compute0");
  const LogName graphics = log.name("adapter.3d0");
  const auto span = [&](LogName track, SpanKind kind, std::uint64_t start_ps, std::uint64_t end_ps) {
    log.span({track, kind, {}, start_ps, end_ps, 1});
  };
  span(graphics, SpanKind::packet, 0, 100);
  span(graphics, SpanKind::save, 100, 130);
  span(graphics, SpanKind::packet, 130, 170);
  // Two hardware queues: one saves while the other runs until 60.
  span(compute, SpanKind::packet, 0, 50);
  span(compute, SpanKind::packet, 10, 60);
  span(compute, SpanKind::save, 50, 80);
  span(compute, SpanKind::restore, 70, 90);
  span(compute, SpanKind::command, 60, 90);  // of no account
  const auto found = sink.nodes(stats);
  REQUIRE(found.size() == 2);
  CHECK(found[0].node == "adapter.3d0");
  CHECK(found[0].requests == 0);
  CHECK(found[0].latency.max_ps == 0);
  CHECK(found[0].lost_ps == 30);
  CHECK(found[0].engine_ps == 170);
  CHECK(found[1].lost_ps == 30);
  CHECK(found[1].engine_ps == 90);
  CHECK(sink.total(stats).lost_ps == 60);
  CHECK(sink.total(stats).engine_ps == 260);
}
