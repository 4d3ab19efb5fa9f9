// SPDX-License-Identifier: Apache-2.0
#include "api/report/markers/marker_regions.hpp"

#include "api/report/events/markers_sink.hpp"
#include "tests/support/sample_packet.hpp"
#include "tests/support/sink_output.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// What a queue is given and what becomes of it.
struct Script {
  explicit Script(EventLog& of) : log(of), queue(of.name("adapter.scheduler.q")), node(of.name("adapter.3d0")) {}
  void mark(MarkerKind kind, const char* name, std::uint64_t packet = 0, std::uint64_t command = 0) {
    log.marker({queue, kind, log.name(name), 0, at, packet, command, packet == 0 ? LogName{} : log.name("l")});
  }
  void give(std::uint64_t packet, PacketType type = PacketType::render) {
    QueuedRecord queued{};
    queued.context = queue;
    queued.node = node;
    queued.packet = packet;
    queued.type = type;
    log.queued(queued);
  }
  void command(std::uint64_t packet, std::size_t index, std::uint64_t start, std::uint64_t end, bool stopped = false) {
    log.span({node, SpanKind::command, log.name("c"), start * us, end * us, packet, stopped, index});
  }
  void complete(std::uint64_t packet, std::uint64_t start, std::uint64_t end,
                PacketStatus status = PacketStatus::completed) {
    PacketRecord record = sample_packet(log);
    record.id = packet;
    record.context = queue;
    record.started_ps = start * us;
    record.finished_ps = end * us;
    record.completed_ps = (end + 1) * us;
    record.status = status;
    log.packet(record);
  }
  static constexpr std::uint64_t us = 1'000'000;
  EventLog& log;
  LogName queue;
  LogName node;
  std::uint64_t at = 0;
};

const std::string head = "marker,of,context,packet,list,path,name,color,count,start_us,end_us,duration_us\n";

}  // namespace

TEST_CASE("markers.csv: a region that was stopped lasts from its first piece to its last", "[sim]") {
  EventLog log;
  const std::string csv = output_of<MarkersSink>(log, [&] {
    Script script(log);
    script.give(1);
    script.mark(MarkerKind::begin, "a", 1, 0);
    script.mark(MarkerKind::begin, "b", 1, 1);
    script.mark(MarkerKind::set, "m", 1, 2);
    script.mark(MarkerKind::end, "", 1, 2);
    script.mark(MarkerKind::end, "", 1, 3);
    script.command(1, 0, 10, 20);
    script.command(1, 1, 20, 25, true);
    script.command(1, 1, 40, 45);
    script.command(1, 2, 41, 50);
    script.command(1, 3, 50, 60);
    script.complete(1, 10, 60);
  });
  CHECK(csv == head +
                   "marker,list,adapter.scheduler.q,1,l,a/b/m,m,,,41.000000,41.000000,0.000000\n"
                   "region,list,adapter.scheduler.q,1,l,a/b,b,,1,20.000000,45.000000,25.000000\n"
                   "region,list,adapter.scheduler.q,1,l,a,a,,3,10.000000,50.000000,40.000000\n");
}

TEST_CASE("markers.csv: a queue's region is told once its last list is complete, whenever it ends", "[sim]") {
  EventLog log;
  const std::string csv = finished_output_of<MarkersSink>(log, 0, [&] {
    Script script(log);
    script.mark(MarkerKind::begin, "outer");
    script.give(1);
    script.mark(MarkerKind::begin, "inner");
    script.give(2);
    script.mark(MarkerKind::end, "");
    script.give(3, PacketType::signal);
    script.mark(MarkerKind::set, "behind the signal");
    script.complete(1, 10, 20);
    script.complete(2, 20, 35);
    script.complete(3, 35, 36);
    script.mark(MarkerKind::end, "");
    script.mark(MarkerKind::end, "");  // of nothing
    script.mark(MarkerKind::begin, "thrown away");
    script.give(4);
    script.mark(MarkerKind::end, "");
    script.complete(4, 0, 0, PacketStatus::discarded);
    script.mark(MarkerKind::begin, "open");
    script.give(5);
    script.complete(5, 50, 60);
  });
  const std::string of_queue = ",queue,adapter.scheduler.q,,,";
  CHECK(csv == head + "region" + of_queue + "outer/inner,inner,,1,20.000000,35.000000,15.000000\nmarker" + of_queue +
                   "outer/behind the signal,behind the signal,,,36.000000,36.000000,0.000000\nregion" + of_queue +
                   "outer,outer,,2,10.000000,35.000000,25.000000\nregion" + of_queue +
                   "open,open,,1,50.000000,60.000000,10.000000\n");
}

TEST_CASE("marker paths: of many regions of a list the first three are named", "[sim]") {
  EventLog log;
  MarkerPaths paths;
  const auto mark = [&](MarkerKind kind, const char* name) {
    paths.marker(log, {LogName{}, kind, log.name(name), 0, 0, 7, 0, LogName{}});
  };
  for (const char* const name : {"a", "b", "c", "d", "e"}) {
    mark(MarkerKind::begin, name);
    mark(MarkerKind::begin, "inside");
    mark(MarkerKind::end, "");
    mark(MarkerKind::end, "");
  }
  CHECK(paths.of(7) == "a + b + c + ...");
  paths.forget(7);
  CHECK(paths.of(7) == "");
}

TEST_CASE("markers.csv: what a reset kept a list from reaching has no row, and what it was in ends with it", "[sim]") {
  EventLog log;
  const std::string csv = output_of<MarkersSink>(log, [&] {
    Script script(log);
    script.give(1);
    script.mark(MarkerKind::begin, "reached", 1, 0);
    script.mark(MarkerKind::end, "", 1, 1);
    script.mark(MarkerKind::begin, "hangs", 1, 1);
    script.mark(MarkerKind::set, "before it", 1, 1);
    script.mark(MarkerKind::set, "behind it", 1, 2);
    script.mark(MarkerKind::end, "", 1, 2);
    script.mark(MarkerKind::begin, "never", 1, 2);
    script.mark(MarkerKind::end, "", 1, 3);
    script.command(1, 0, 5, 10);
    script.complete(1, 5, 400, PacketStatus::timed_out);
  });
  CHECK(csv == head +
                   "region,list,adapter.scheduler.q,1,l,reached,reached,,1,5.000000,10.000000,5.000000\n"
                   "marker,list,adapter.scheduler.q,1,l,hangs/before it,before it,,,10.000000,10.000000,0.000000\n"
                   "region,list,adapter.scheduler.q,1,l,hangs,hangs,,0,10.000000,400.000000,390.000000\n");
}

TEST_CASE("markers.csv: regions deeper than 64 are left out, and cost no more than their number", "[sim]") {
  EventLog log;
  const std::uint64_t deep = 100'000;
  const std::string csv = output_of<MarkersSink>(log, [&] {
    Script script(log);
    for (std::uint64_t i = 0; i < deep; ++i) script.mark(MarkerKind::begin, "q");
    script.give(1);
    for (std::uint64_t i = 0; i < deep; ++i) script.mark(MarkerKind::begin, "l", 1, 0);
    for (std::uint64_t i = 0; i < deep; ++i) script.mark(MarkerKind::end, "", 1, 1);
    script.command(1, 0, 5, 10);
    script.complete(1, 5, 10);
    for (std::uint64_t i = 0; i < deep; ++i) script.mark(MarkerKind::end, "");
  });
  CHECK(static_cast<std::uint64_t>(std::count(csv.begin(), csv.end(), '\n')) == 1 + 64 + 64);
}
