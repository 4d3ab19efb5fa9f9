// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/perfetto.hpp"

#include "tests/api/report/trace_events.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

TEST_CASE("perfetto: tracks are named by path under the module they belong to", "[sim]") {
  EventLog log;
  const json events = events_of(log, [&] {
    for (const char* path :
         {"adapter.copy0", "adapter.app.compute", "host", "adapter.copy1", "adapter.app.compute.q"}) {
      log.span({log.name(path), SpanKind::packet, log.name("x"), 0, 1000, 1});
    }
  });
  const auto threads = names(events, "thread_name", "tid");
  const auto processes = names(events, "process_name", "pid");
  std::vector<std::pair<std::string, std::string>> found;
  for (const json& event : with_phase(events, "X")) {
    found.emplace_back(processes.at(event.at("pid")), threads.at(event.at("tid")));
  }
  CHECK(found == std::vector<std::pair<std::string, std::string>>{{"adapter", "adapter.copy0"},
                                                                  {"adapter.app", "adapter.app.compute"},
                                                                  {"host", "host"},
                                                                  {"adapter", "adapter.copy1"},
                                                                  {"adapter.app", "adapter.app.compute.q"}});
  CHECK(processes.size() == 3);
  int last = -1;
  for (const json& event : with_phase(events, "M")) {
    if (event.at("name") != "thread_sort_index") continue;
    CHECK(event.at("args").at("sort_index") > last);
    last = event.at("args").at("sort_index");
  }
}

TEST_CASE("perfetto: a span has its time to the nanosecond and its exact picoseconds", "[sim]") {
  EventLog log;
  const std::string text = text_of(log, [&] {
    log.span({log.name("adapter.copy0"), SpanKind::packet, log.name("upload"), 12'345'678, 99'000'000'000'499, 7});
  });
  CHECK_THAT(text, Catch::Contains("\"ts\":12.346000,\"dur\":98999987.654000,"
                                   "\"args\":{\"id\":7,\"start_ps\":12345678,\"end_ps\":99000000000499}"));
  const json span = with_phase(json::parse(text).at("traceEvents"), "X").at(0);
  CHECK(span.at("cat") == "packet");
  CHECK(span.at("name") == "upload");
}

TEST_CASE("perfetto: instants and counters are exact", "[sim]") {
  EventLog log;
  const std::uint64_t big = ~std::uint64_t{0};
  const std::string text = text_of(log, [&] {
    log.instant({log.name("adapter.copy0"), log.name("interrupt"), 12'345'678, big});
    log.counter({log.name("adapter.app.fence"), CounterKind::fence_value, 12'345'679, big});
  });
  CHECK_THAT(text, Catch::Contains("\"ts\":12.345678,\"args\":{\"value\":18446744073709551615}"));
  CHECK_THAT(text, Catch::Contains("\"ts\":12.345679,\"args\":{\"value\":18446744073709551615}"));
  const json events = json::parse(text).at("traceEvents");
  const json instant = with_phase(events, "i").at(0);
  CHECK(instant.at("s") == "t");
  CHECK(instant.at("name") == "interrupt");
  const json counter = with_phase(events, "C").at(0);
  CHECK(counter.at("name") == "adapter.app.fence");
  CHECK(names(events, "process_name", "pid").at(counter.at("pid")) == "adapter.app");
}

TEST_CASE("perfetto: packets are nested asynchronous slices whose reasons tile them", "[sim]") {
  EventLog log;
  std::mt19937_64 random(3);
  std::vector<PacketRecord> packets;
  const std::string text = text_of(log, [&] {
    for (std::uint64_t id = 1; id <= 200; ++id) {
      PacketRecord packet{};
      packet.id = id;
      packet.context = log.name(id % 2 == 0 ? "adapter.app.compute" : "adapter.app.copy");
      packet.label = log.name("list");
      std::uint64_t now = random() % 1'000'000'000;
      for (std::uint64_t PacketRecord::*stamp :
           {&PacketRecord::submitted_ps, &PacketRecord::head_ps, &PacketRecord::ready_ps, &PacketRecord::hardware_ps,
            &PacketRecord::started_ps, &PacketRecord::finished_ps, &PacketRecord::completed_ps}) {
        packet.*stamp = now;
        now += random() % 3 == 0 ? 0 : random() % 10'000'000;
      }
      packets.push_back(packet);
      log.packet(packet);
    }
  });
  // By packet id: the slices in file order, times in picoseconds (exact in double below 2^53).
  std::map<std::uint64_t, std::vector<std::tuple<std::string, std::string, std::uint64_t>>> slices;
  const json trace = json::parse(text);
  for (const json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (phase != "b" && phase != "e") continue;
    const auto at_ps = static_cast<std::uint64_t>(std::llround(event.at("ts").get<double>() * 1e6));
    slices[std::stoull(event.at("id2").at("local").get<std::string>())].emplace_back(phase, event.at("name"), at_ps);
  }
  REQUIRE(slices.size() == packets.size());
  for (const PacketRecord& packet : packets) {
    const auto& found = slices.at(packet.id);
    const std::string context(log.text(packet.context));
    CHECK(found.front() == std::make_tuple("b", context, packet.submitted_ps));
    CHECK(found.back() == std::make_tuple("e", context, packet.completed_ps));
    std::uint64_t now = packet.submitted_ps;
    for (std::size_t i = 1; i + 1 < found.size(); i += 2) {
      const auto& [begin, name, start] = found[i];
      const auto& [end, same_name, stop] = found[i + 1];
      CHECK(begin == "b");
      CHECK(end == "e");
      CHECK(name == same_name);
      CHECK(start == now);
      CHECK(stop > start);  // empty reasons are left out
      now = stop;
    }
    CHECK(now == packet.completed_ps);
  }
}

TEST_CASE("perfetto: spans of one track that overlap stand on numbered lanes", "[sim]") {
  EventLog log;
  const LogName track = log.name("adapter.compute0");
  const SpanKind command = SpanKind::command;
  const SpanKind packet = SpanKind::packet;
  const auto lanes_of = [&](const std::vector<Span>& spans) {
    const json events = events_of(log, [&] {
      for (const Span& span : spans) log.span(span);
    });
    CHECK(dropped_by_perfetto(events) == 0);
    const auto threads = names(events, "thread_name", "tid");
    std::vector<std::string> lanes;
    for (const json& event : with_phase(events, "X")) lanes.push_back(threads.at(event.at("tid")));
    return lanes;
  };
  const std::string first = "adapter.compute0";
  const std::string second = "adapter.compute0 (2)";
  const std::string third = "adapter.compute0 (3)";
  using Names = std::vector<std::string>;

  SECTION("one after the other: one lane") {
    CHECK(lanes_of({{track, packet, {}, 0, 10, 1}, {track, packet, {}, 10, 20, 2}}) == Names{first, first});
  }
  SECTION("at the same time: a lane each, and the lowest free one again") {
    CHECK(lanes_of({{track, command, {}, 0, 10'000, 1},
                    {track, command, {}, 5'000, 12'000, 2},
                    {track, command, {}, 2'000, 13'000, 3},
                    {track, command, {}, 11'000, 14'000, 4}}) == Names{first, second, third, first});
  }
  SECTION("inside one another, but of one kind: a lane each") {
    CHECK(lanes_of({{track, command, {}, 2'000, 8'000, 1}, {track, command, {}, 0, 10'000, 1}}) ==
          Names{first, second});
  }
  SECTION("a packet stands over its own commands") {
    CHECK(lanes_of({{track, command, {}, 1'000, 2'000, 1},
                    {track, command, {}, 2'000, 9'000, 1},
                    {track, packet, {}, 1'000, 9'000, 1},
                    {track, command, {}, 9'000, 9'500, 2},
                    {track, packet, {}, 9'000, 10'000, 2}}) == Names(5, first));
  }
  SECTION("two packets at once keep their commands") {
    CHECK(lanes_of({{track, command, {}, 0, 5'000, 1},
                    {track, command, {}, 3'000, 8'000, 2},
                    {track, packet, {}, 0, 9'000, 1},
                    {track, command, {}, 9'000, 10'000, 2},
                    {track, packet, {}, 3'000, 11'000, 2}}) == Names{first, second, first, second, second});
  }
}

TEST_CASE("perfetto: no span is dropped for overlap, whatever is written", "[sim]") {
  // Engines with commands and packets at picosecond times, back to back and overlapping: the rounding of both viewers
  // must not make neighbours overlap.
  EventLog log;
  std::mt19937_64 random(4);
  const LogName track = log.name("adapter.compute0");
  const SpanKind kinds[] = {SpanKind::packet, SpanKind::command, SpanKind::save, SpanKind::restore};
  for (int round = 0; round < 30; ++round) {
    const std::uint64_t scale = std::uint64_t{1} << (random() % 20);
    std::vector<Span> spans;
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t start = random() % (300 * scale);
      spans.push_back({track, kinds[random() % 4], {}, start, start + random() % (10 * scale + 1), random() % 6});
    }
    for (std::uint64_t i = 0, now = 0; i < 100; ++i) {  // back to back
      const std::uint64_t end = now + random() % (3 * scale);
      spans.push_back({track, kinds[1], {}, now, end, 9});
      now = end;
    }
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.end_ps < b.end_ps; });
    const json events = events_of(log, [&] {
      for (const Span& span : spans) log.span(span);
    });
    CHECK(dropped_by_perfetto(events) == 0);
    const auto found = with_phase(events, "X");
    REQUIRE(found.size() == spans.size());

    // The promise of Lanes, exact: spans of a lane overlap only as a packet over its own parts.
    for (std::size_t i = 0; i < spans.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (found[i].at("tid") != found[j].at("tid")) continue;
        const Span& outer = spans[i];
        const Span& inner = spans[j];
        if (inner.end_ps <= outer.start_ps || outer.end_ps <= inner.start_ps) continue;
        REQUIRE((outer.start_ps <= inner.start_ps && inner.end_ps <= outer.end_ps));
        REQUIRE((outer.id == inner.id && outer.id != 0));
      }
    }
  }
}

TEST_CASE("perfetto: any bytes in a name give valid JSON", "[sim]") {
  EventLog log;
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string bad = "\xEF\xBF\xBD";
  const std::pair<std::string, std::string> cases[] = {
      {"quote \" backslash \\ newline \n zero " + std::string(1, '\0'),
       "quote \" backslash \\ newline \n zero " + std::string(1, '\0')},
      {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"},
      {"\xC0\xAF", bad + bad},                      // overlong
      {"\xED\xA0\x80", bad + bad + bad},            // surrogate
      {"\xF4\x90\x80\x80", bad + bad + bad + bad},  // above U+10FFFF
      {"\xE2\x82", bad + bad},                      // cut short
  };
  for (const auto& [name, expected] : cases) {
    const LogName named = log.name(name);
    const json events = events_of(log, [&] { log.instant({log.name("a"), named, 0, 0}); });
    CHECK(with_phase(events, "i").at(0).at("name") == expected);
  }
  PacketRecord packet{};
  packet.context = packet.label = packet.node = log.name(all);
  CHECK_NOTHROW(events_of(log, [&] {
    log.span({log.name(all), SpanKind::packet, log.name(all), 0, 0, 0});
    log.counter({log.name(all), CounterKind::fence_value, 0, 0});
    log.packet(packet);
  }));
}

TEST_CASE("perfetto: an empty run is a valid trace", "[sim]") {
  EventLog log;
  CHECK(events_of(log, [] {}).empty());
}
