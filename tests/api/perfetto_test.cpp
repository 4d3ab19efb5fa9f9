// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/perfetto.hpp"

#include "tests/support/protocol_script.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
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

namespace {

/// The text of trace.json after `write` wrote to the log.
template <class Write>
std::string text_of(EventLog& log, Write write) {
  return finished_output_of<PerfettoSink>(log, 0, write);
}

template <class Write>
json events_of(EventLog& log, Write write) {
  const json trace = json::parse(text_of(log, write));
  CHECK(trace.at("displayTimeUnit") == "ns");
  return trace.at("traceEvents");
}

std::vector<json> with_phase(const json& events, const std::string& phase) {
  std::vector<json> result;
  std::copy_if(events.begin(), events.end(), std::back_inserter(result),
               [&](const json& event) { return event.at("ph") == phase; });
  return result;
}

/// Names by tid ("thread_name") or pid ("process_name").
std::map<int, std::string> names(const json& events, const std::string& kind, const std::string& key) {
  std::map<int, std::string> result;
  for (const json& event : with_phase(events, "M")) {
    if (event.at("name") != kind) continue;
    CHECK(result.emplace(event.at(key), event.at("args").at("name")).second);
  }
  return result;
}

/// Nanoseconds as Perfetto reads them: llround(double * 1000).
std::int64_t perfetto_ns(const json& microseconds) { return std::llround(microseconds.get<double>() * 1000.0); }

/// Perfetto's rule for complete events: per thread, sorted by start and longest first, a slice that starts inside an
/// open one must not outlast it, or it is dropped (SliceTracker::MaybeCloseStack).
std::size_t dropped_by_perfetto(const json& events) {
  std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
  for (const json& event : with_phase(events, "X")) {
    threads[event.at("tid")].emplace_back(perfetto_ns(event.at("ts")), -perfetto_ns(event.at("dur")));
  }
  std::size_t dropped = 0;
  for (auto& [thread, slices] : threads) {
    std::stable_sort(slices.begin(), slices.end());
    std::vector<std::int64_t> open;
    for (const auto& [start, minus_duration] : slices) {
      const std::int64_t end = start - minus_duration;
      while (!open.empty() && open.back() <= start) open.pop_back();
      if (!open.empty() && open.back() < end) {
        ++dropped;
      } else {
        open.push_back(end);
      }
    }
  }
  return dropped;
}

}  // namespace

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

TEST_CASE("perfetto: a preempted packet runs in pieces, and its node shows the request", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.3d0");
  PacketRecord packet{};
  packet.id = 5;
  packet.context = log.name("adapter.scheduler.app");
  packet.preemptions = 2;
  packet.started_ps = 1'000'000;
  packet.finished_ps = packet.completed_ps = 9'000'000;
  packet.preempted_ps = 5'000'000;
  const auto write = [&](bool with_spans) {
    return events_of(log, [&] {
      for (const auto& [start, end] :
           {std::pair{1'000'000, 2'000'000}, {4'000'000, 5'000'000}, {8'000'000, 9'000'000}}) {
        if (with_spans) log.span({node, SpanKind::packet, {}, std::uint64_t(start), std::uint64_t(end), 5});
      }
      log.preemption({node,
                      0,
                      3,
                      1'500'000,
                      2'000'000,
                      2'250'000,
                      4096,
                      1,
                      2'250'000,
                      100'000,
                      {4000, 90, 6, 0},
                      log.name("shader_boundary"),
                      log.name("pixel_boundary")});
      log.packet(packet);
    });
  };
  const auto slices_of = [](const json& events, const std::string& category) {
    std::vector<std::tuple<std::string, double, double>> slices;
    std::vector<std::size_t> open;
    for (const json& event : events) {
      if (event.at("ph") != "b" && event.at("ph") != "e") continue;
      if (event.at("cat") != category) continue;
      if (event.at("ph") == "b") {
        open.push_back(slices.size());
        slices.emplace_back(event.at("name"), event.at("ts"), 0);
      } else {
        std::get<2>(slices[open.back()]) = event.at("ts");
        open.pop_back();
      }
    }
    return slices;
  };
  using Slices = std::vector<std::tuple<std::string, double, double>>;
  const json events = write(true);
  CHECK(slices_of(events, "packet") == Slices{{"adapter.scheduler.app", 0, 9},
                                              {"node", 0, 1},
                                              {"running", 1, 2},
                                              {"preempted", 2, 4},
                                              {"running", 4, 5},
                                              {"preempted", 5, 8},
                                              {"running", 8, 9}});
  CHECK(slices_of(events, "preemption") == Slices{{"adapter.3d0 preemption", 1.5, 2.25},
                                                  {"waits for a restore", 1.5, 1.6},
                                                  {"drain", 1.6, 2},
                                                  {"save", 2, 2.25}});
  const json request = with_phase(events, "b").at(0);
  CHECK(request.at("args") == json({{"hardware_queue", 0},
                                    {"preemption_fence_id", 3},
                                    {"packets", 1},
                                    {"level_asked", "shader_boundary"},
                                    {"level_reached", "pixel_boundary"},
                                    {"saved_bytes", 4096},
                                    {"context_bytes", 4000},
                                    {"register_bytes", 90},
                                    {"shared_bytes", 6},
                                    {"thread_bytes", 0}}));
  // Without the pieces the sums are shown.
  CHECK(slices_of(write(false), "packet") ==
        Slices{{"adapter.scheduler.app", 0, 9}, {"node", 0, 1}, {"running", 1, 4}, {"preempted", 4, 9}});
}

TEST_CASE("perfetto: a node's protocol has an instant for each step, with what it says", "[sim]") {
  EventLog log;
  const json events = events_of(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  const auto threads = names(events, "thread_name", "tid");
  std::vector<std::tuple<std::string, std::string, double>> found;
  for (const json& event : with_phase(events, "i")) {
    CHECK(threads.at(event.at("tid")) == "adapter.3d0 protocol");
    found.emplace_back(event.at("cat"), event.at("name"), event.at("ts"));
  }
  using Found = std::vector<std::tuple<std::string, std::string, double>>;
  CHECK(found == Found{{"submission", "submission", 0},
                       {"attempt", "MissRemainingPreemptionQuantum", 100},
                       {"attempt", "Success", 150},
                       {"request", "request: higher_rank", 150},
                       {"interrupt", "dma_preempted", 175},
                       {"submission", "submission", 180},
                       {"submission", "submission", 180},
                       {"interrupt", "dma_completed", 204},
                       {"interrupt", "dma_completed", 301}});
  const auto instants = with_phase(events, "i");
  const std::string game = "adapter.scheduler.game";
  const std::string compositor = "adapter.scheduler.compositor";
  CHECK(instants[1].at("args") == json({{"running_packet", 1},
                                        {"running_packet_context", game},
                                        {"waiting_packet", 2},
                                        {"waiting_packet_context", compositor},
                                        {"hardware_queue", 0}}));
  CHECK(instants[3].at("args") == json({{"hardware_queue", 0},
                                        {"preemption_fence_id", 2},
                                        {"victim_packet", 1},
                                        {"victim_packet_context", game},
                                        {"beneficiary_packet", 2},
                                        {"beneficiary_packet_context", compositor},
                                        {"ready_ps", 100'000'000},
                                        {"level_limit", "pixel_boundary"}}));
  CHECK(instants[4].at("args") ==
        json({{"hardware_queue", 0}, {"PreemptionFenceId", 2}, {"LastCompletedFenceId", 0}, {"dpc_ps", 180'000'000}}));
  CHECK(instants[6].at("args") == json({{"packet", 1},
                                        {"packet_context", game},
                                        {"hardware_queue", 0},
                                        {"submission_fence_id", 4},
                                        {"submission_fence_id_before", 1},
                                        {"times_back", 1}}));
  CHECK(dropped_by_perfetto(events) == 0);
}

TEST_CASE("perfetto: an arrow leads from a request to what stopped and to who starts", "[sim]") {
  EventLog log;
  const json events = events_of(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  const auto threads = names(events, "thread_name", "tid");
  const auto end = [&](const std::string& phase) {
    const auto found = with_phase(events, phase);
    REQUIRE(found.size() == 1);
    CHECK(found[0].at("id") == 1);
    return std::pair<std::string, double>(threads.at(found[0].at("tid")), found[0].at("ts"));
  };
  CHECK(end("s") == std::pair<std::string, double>("adapter.3d0 protocol", 150));
  CHECK(end("t") == std::pair<std::string, double>("adapter.3d0", 170));
  CHECK(end("f") == std::pair<std::string, double>("adapter.3d0", 183));
}

TEST_CASE("perfetto: a context's rank and a list switch say whose they are", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.compute0");
  const LogName context = log.name("adapter.scheduler.app");
  const json events = events_of(log, [&] {
    log.context({context, node, log.name("process app"), 3, 31, -7, 1'000'000, 2'000'000, 3'000'000, 4'000'000,
                 5'000'000, 6'000'000});
    log.interrupt({node, 1, InterruptType::hwcontextlist_switch_completed, 3, 0, 1'000'000, 2'000'000, context});
  });
  const auto threads = names(events, "thread_name", "tid");
  const auto instants = with_phase(events, "i");
  REQUIRE(instants.size() == 2);
  CHECK(threads.at(instants[0].at("tid")) == "adapter.compute0 protocol");
  CHECK(instants[0].at("args") == json({{"context", "adapter.scheduler.app"},
                                        {"process", "process app"},
                                        {"band", 3},
                                        {"level", 31},
                                        {"in_process", -7},
                                        {"quantum_ps", 1'000'000},
                                        {"grace_ps", 2'000'000},
                                        {"grace_same_priority_ps", 3'000'000},
                                        {"process_quantum_ps", 5'000'000},
                                        {"process_grace_ps", 6'000'000}}));
  CHECK(threads.at(instants[1].at("tid")) == "adapter.compute0 protocol");
  CHECK(instants[1].at("args") == json({{"hardware_queue", 1},
                                        {"ContextSwitchFence", 3},
                                        {"context", "adapter.scheduler.app"},
                                        {"dpc_ps", 2'000'000}}));
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
