// SPDX-License-Identifier: Apache-2.0
// trace.json as a person opens it: few tracks, arrows of fences, depths of queues, deadlines, little to load.
#include "api/report/deadline_row.hpp"
#include "api/report/perfetto/command_batches.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "tests/api/report/trace_events.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// The events of a trace of a run without --trace.
template <class Write>
json plain_events_of(EventLog& log, Write write, std::vector<DeadlineRow> deadlines = {}) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "trace.json");
  PerfettoSink sink(file, [&] { return deadlines; });
  log.attach(sink, EventLog::Detail::commands);
  write();
  log.finish(0);
  log.detach(sink);
  file.close();
  return json::parse(contents_of(directory / "trace.json")).at("traceEvents");
}

/// Name, commands, start and end of slices on engines.
using Slices = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>>;
Slices slices_of(const json& events) {
  Slices slices;
  for (const json& event : with_phase(events, "X")) {
    const json& args = event.at("args");
    slices.emplace_back(event.at("name"), args.value("commands", std::uint64_t{1}), args.at("start_ps"),
                        args.at("end_ps"));
  }
  return slices;
}

/// An arrow binds to the slice of its thread that encloses its time: each that begins has one.
void check_arrows_begin_in_slices(const json& events) {
  std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;  // start, then the latest end so far
  for (const json& event : with_phase(events, "X")) {
    const std::int64_t start = perfetto_ns(event.at("ts"));
    threads[event.at("tid")].emplace_back(start, start + perfetto_ns(event.at("dur")));
  }
  for (auto& [thread, slices] : threads) {
    std::sort(slices.begin(), slices.end());
    for (std::size_t i = 1; i < slices.size(); ++i) {
      slices[i].second = std::max(slices[i].second, slices[i - 1].second);
    }
  }
  for (const json& event : with_phase(events, "s")) {
    const auto& slices = threads[event.at("tid")];
    const std::int64_t at = perfetto_ns(event.at("ts"));
    const auto behind = std::upper_bound(slices.begin(), slices.end(), at,
                                         [](std::int64_t time, const auto& slice) { return time < slice.first; });
    INFO(event.dump());
    REQUIRE(behind != slices.begin());
    REQUIRE(std::prev(behind)->second >= at);
  }
}

/// Holds events against the "Trace Event Format" as far as it is used: what each phase must have, that pieces nest,
/// that arrows have both ends, that all that is named has its name.
void check_format(const json& events) {
  std::set<std::pair<int, int>> threads;
  std::set<int> processes;
  std::map<std::string, std::vector<std::string>> open;  // asynchronous slices by id
  std::map<std::pair<std::string, int>, double> arrows;  // when they begin
  const auto has_time = [](const json& event, const char* key) {
    return event.at(key).is_number() && event.at(key).get<double>() >= 0;
  };
  for (const json& event : with_phase(events, "M")) {
    const std::string name = event.at("name");
    if (name == "thread_name") threads.emplace(event.at("pid"), event.at("tid"));
    if (name == "process_name") processes.insert(event.at("pid").get<int>());
    const bool index = name == "thread_sort_index" || name == "process_sort_index";
    REQUIRE((name == "thread_name" || name == "process_name" || index));
    REQUIRE((index ? event.at("args").at("sort_index").is_number() : event.at("args").at("name").is_string()));
  }
  for (const json& event : with_phase(events, "s")) {
    REQUIRE(arrows.emplace(std::pair<std::string, int>(event.at("cat"), event.at("id")), event.at("ts")).second);
  }
  for (const json& event : events) {
    INFO(event.dump());
    const std::string phase = event.at("ph");
    if (phase == "M") continue;
    REQUIRE(event.at("name").is_string());
    REQUIRE(has_time(event, "ts"));
    REQUIRE(processes.count(event.at("pid")) == 1);
    if (phase != "C") REQUIRE(threads.count({event.at("pid"), event.at("tid")}) == 1);
    if (phase == "X") {
      REQUIRE(has_time(event, "dur"));
    } else if (phase == "i") {
      REQUIRE(event.at("s") == "t");
    } else if (phase == "C") {
      REQUIRE(!event.at("args").empty());
      for (const json& value : event.at("args")) REQUIRE(value.is_number());
    } else if (phase == "b") {
      open[event.at("cat").get<std::string>() + event.at("id2").at("local").get<std::string>()].push_back(
          event.at("name"));
    } else if (phase == "e") {
      auto& stack = open[event.at("cat").get<std::string>() + event.at("id2").at("local").get<std::string>()];
      REQUIRE(!stack.empty());
      REQUIRE(stack.back() == event.at("name"));
      stack.pop_back();
    } else {
      REQUIRE((phase == "s" || phase == "t" || phase == "f"));
      const auto begin = arrows.find({event.at("cat"), event.at("id")});
      REQUIRE(begin != arrows.end());
      REQUIRE(begin->second <= event.at("ts").get<double>());
    }
  }
  for (const auto& [id, stack] : open) REQUIRE(stack.empty());
  check_arrows_begin_in_slices(events);
  CHECK(dropped_by_perfetto(events) == 0);
}

std::vector<std::pair<double, int>> counts_of(const json& events, const std::string& name) {
  std::vector<std::pair<double, int>> counts;
  for (const json& event : with_phase(events, "C")) {
    if (event.at("name") == name) counts.emplace_back(event.at("ts"), event.at("args").at("packets"));
  }
  return counts;
}

}  // namespace

TEST_CASE("perfetto: commands of one name that overlap or follow each other are one batch of their packet", "[sim]") {
  EventLog log;
  const LogName track = log.name("adapter.3d0");
  const LogName draw = log.name("shadow");
  const json events = plain_events_of(log, [&] {
    log.span({track, SpanKind::command, draw, 0, 10'000, 1});
    log.span({track, SpanKind::command, draw, 5'000, 12'000, 1});
    log.span({track, SpanKind::command, draw, 5'000, 12'000, 2});  // of another packet
    log.span({track, SpanKind::command, log.name("Clear"), 2'000, 13'000, 1});
    log.span({track, SpanKind::command, draw, 20'000, 30'000, 1});  // a gap, but a short one
    log.span({track, SpanKind::command, draw, 90'000, 95'000, 1});
    log.span({track, SpanKind::packet, log.name("frame"), 0, 99'000, 1});
  });
  CHECK(slices_of(events) == Slices{{"Clear", 1, 2'000, 13'000},
                                    {"shadow", 3, 0, 30'000},
                                    {"shadow", 1, 90'000, 95'000},
                                    {"frame", 1, 0, 99'000},
                                    {"shadow", 1, 5'000, 12'000}});  // its packet never ended
  check_format(events);
}

TEST_CASE("perfetto: with --trace each command stands by itself", "[sim]") {
  EventLog log;
  const LogName track = log.name("adapter.3d0");
  const json events = events_of(log, [&] {
    for (std::uint64_t i = 0; i < 5; ++i)
      log.span({track, SpanKind::command, log.name("x"), i * 1000, i * 1000 + 9, 1});
  });
  CHECK(slices_of(events).size() == 5);
}

TEST_CASE("perfetto: a packet has few batches whatever its commands are, and no command is lost", "[sim]") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    CommandBatches batches;
    std::uint64_t now = 0;
    const std::uint64_t commands = random() % 5000;
    std::vector<std::uint64_t> starts;
    for (std::uint64_t i = 0; i < commands; ++i) {
      now += random() % 1000;
      starts.push_back(now - std::min(now, random() % 3000));
      batches.add(
          {LogName{1}, SpanKind::command, LogName{static_cast<std::uint32_t>(random() % 200)}, starts.back(), now, 3});
    }
    std::uint64_t counted = 0;
    std::uint64_t last_end = 0;
    const std::vector<CommandBatch> found = batches.take(LogName{1}, 3);
    CHECK(found.size() <= CommandBatches::most);
    for (const CommandBatch& batch : found) {
      counted += batch.commands;
      CHECK(batch.span.end_ps >= last_end);
      last_end = batch.span.end_ps;
    }
    CHECK(counted == commands);
    if (commands > 0) CHECK(last_end == now);
    CHECK(batches.take(LogName{1}, 3).empty());
    CHECK(batches.take_all().empty());
  }
}

TEST_CASE("perfetto: an arrow leads from the packet before a signal to the packet behind the wait for it", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.3d0");
  const LogName fence = log.name("adapter.fences.f");
  const LogName producer = log.name("adapter.scheduler.a");
  const LogName consumer = log.name("adapter.scheduler.b");
  const auto moment = [&](LogName context, PacketType type, std::uint64_t value, std::uint64_t from, std::uint64_t to) {
    PacketRecord packet{};
    packet.context = context;
    packet.label = fence;
    packet.type = type;
    packet.fence_value = value;
    packet.submitted_ps = packet.head_ps = from;
    packet.ready_ps = packet.hardware_ps = packet.started_ps = packet.finished_ps = packet.completed_ps = to;
    log.packet(packet);
  };
  const auto render = [&](std::uint64_t id, LogName context, std::uint64_t from, std::uint64_t to) {
    log.queued({context, node, id, PacketType::render, {}, 0, 0, 0});
    log.span({node, SpanKind::packet, log.name("list"), from, to, id});
  };
  const json events = plain_events_of(log, [&] {
    render(1, producer, 1'000'000, 5'000'000);
    moment(producer, PacketType::signal, 1, 5'000'000, 5'000'000);
    moment(consumer, PacketType::wait, 1, 0, 5'000'000);
    render(2, consumer, 6'000'000, 7'000'000);
    moment(consumer, PacketType::wait, 1, 7'000'000, 7'000'000);  // did not wait
    render(3, consumer, 8'000'000, 9'000'000);
  });
  const auto begins = with_phase(events, "s");
  const auto ends = with_phase(events, "f");
  REQUIRE(begins.size() == 1);
  REQUIRE(ends.size() == 1);
  CHECK(begins[0].at("cat") == "fence");
  CHECK(begins[0].at("ts") == 4.998);  // in the slice that ends at 5
  CHECK(ends[0].at("ts") == 6);
  check_format(events);
}

TEST_CASE("perfetto: counters tell how many packets stand in each software and hardware queue", "[sim]") {
  EventLog log;
  const json events = plain_events_of(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  using Counts = std::vector<std::pair<double, int>>;
  CHECK(counts_of(events, "adapter.3d0 hardware queue 0") ==
        Counts{{0, 1}, {175, 0}, {180, 1}, {180, 2}, {204, 1}, {301, 0}});
  CHECK(counts_of(events, "adapter.scheduler.game queue") == Counts{{0, 1}, {301, 0}});
  CHECK(counts_of(events, "adapter.scheduler.compositor queue") == Counts{{100, 1}, {204, 0}});
}

TEST_CASE("perfetto: a deadline is an instant on a thread of its own", "[sim]") {
  EventLog log;
  const LogName name = log.name("vsync");
  const LogName fence = log.name("f");
  const json events = plain_events_of(log, [] {},
                                      {{name, fence, 1, 1'000'000, 900'000},
                                       {name, fence, 2, 2'000'000, 2'500'000},
                                       {name, fence, 3, 3'000'000, std::nullopt}});
  const auto threads = names(events, "thread_name", "tid");
  std::vector<std::pair<std::string, double>> found;
  for (const json& event : with_phase(events, "i")) {
    CHECK(threads.at(event.at("tid")) == "deadline vsync");
    found.emplace_back(event.at("name"), event.at("ts"));
  }
  CHECK(found == std::vector<std::pair<std::string, double>>{{"met", 1}, {"missed", 2}, {"not reached", 3}});
  CHECK(with_phase(events, "i")[1].at("args").at("reached_ps") == 2'500'000);
}

TEST_CASE("perfetto: traces of shipped workloads keep to the format and have few tracks", "[scenario]") {
  const Shell shell;
  for (const char* name : {"game_and_compositor", "background_compute", "hang_and_recover",
                           "pipelined_compute_graphics", "flip_storm", "pgo_single_frame", "two_linked_adapters"}) {
    INFO(name);
    shell.fenceline({"run", shipped_workload(name).string(), "--out", name});
    const json events = json::parse(contents_of(shell.work() / name / "trace.json")).at("traceEvents");
    check_format(events);
    std::size_t lanes = 0;
    for (const auto& [thread, text] : names(events, "thread_name", "tid")) {
      lanes += text.find(" (") != std::string::npos ? 1 : 0;
    }
    CHECK(lanes <= 8);
  }
}

TEST_CASE("perfetto: a simulated second of game_and_compositor takes a fifth of 30 MB at most", "[scenario]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("game_and_compositor").string(), "--out", "run"}).code == 0);
  const std::string trace = contents_of(shell.work() / "run" / "trace.json");
  const json report = json::parse(contents_of(shell.work() / "run" / "report.json"));
  const double seconds = report.at("statistics").at("end_ps").get<double>() / 1e12;
  CHECK(static_cast<double>(trace.size()) / seconds < 30e6 / 5);
}
