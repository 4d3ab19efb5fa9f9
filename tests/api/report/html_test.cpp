// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html.hpp"

#include "api/report/html/html_text.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// The text of report.html after `write` wrote to the log.
template <class Write>
std::string page_of(EventLog& log, std::uint64_t end_ps, Write write,
                    HtmlHeading heading = {"frame", "h200", "1", {}}) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "report.html");
  StatsSink stats;
  HtmlSink sink(file, stats, std::move(heading));
  log.attach(stats);
  log.attach(sink);
  write();
  log.finish(end_ps);
  log.detach(sink);
  log.detach(stats);
  file.close();
  return contents_of(directory / "report.html");
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

/// Checks that tags nest and attributes are quoted; returns how many elements stand inside an svg, itself included.
std::size_t svg_elements_of(const std::string& html) {
  const std::set<std::string> empty = {"meta", "input", "!DOCTYPE"};
  std::vector<std::string> open;
  std::size_t elements = 0;
  std::size_t svgs = 0;
  for (std::size_t at = 0; at < html.size();) {
    const char c = html[at];
    if (c == '>') throw std::runtime_error("> outside a tag at " + html.substr(at > 80 ? at - 80 : 0, 160));
    if (c == '&') {
      const std::string entity = html.substr(at, html.find(';', at) - at + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" && entity != "&#39;") {
        throw std::runtime_error("entity " + entity);
      }
    }
    if (c != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    for (bool quoted = false; quoted || html.at(end) != '>'; ++end) {
      if (html.at(end) == '"') quoted = !quoted;
      if (html.at(end) == '<') throw std::runtime_error("< in a tag: " + html.substr(at, 120));
    }
    std::string tag = html.substr(at + 1, end - at - 1);
    at = end + 1;
    const bool closes = tag[0] == '/';
    const bool closed = tag.back() == '/';
    const std::string name = tag.substr(closes ? 1 : 0, tag.find_first_of(" /", 1) - (closes ? 1 : 0));
    if (closes) {
      if (open.empty() || open.back() != name) throw std::runtime_error("unexpected </" + name + ">");
      open.pop_back();
      svgs -= name == "svg" ? 1 : 0;
      continue;
    }
    svgs += name == "svg" ? 1 : 0;
    elements += svgs > 0 ? 1 : 0;
    if (closed || empty.count(name) == 1) continue;
    open.push_back(name);
    if (name == "style") at = html.find("</style>", at);
  }
  if (!open.empty()) throw std::runtime_error("not closed: " + open.back());
  return elements;
}

struct Names {
  LogName engine;
  LogName context;
  LogName label;
};

/// A packet with its span, queued for 1 us, then waiting on a fence and for the engine for 2 us each.
void write_packet(EventLog& log, const Names& names, std::uint64_t id, std::uint64_t start_ps, std::uint64_t end_ps) {
  PacketRecord packet{};
  packet.id = id;
  packet.context = names.context;
  packet.node = names.engine;
  packet.label = names.label;
  packet.submitted_ps = start_ps - std::min(start_ps, 5 * us);
  packet.head_ps = start_ps - std::min(start_ps, 4 * us);
  packet.ready_ps = packet.hardware_ps = start_ps - std::min(start_ps, 2 * us);
  packet.started_ps = start_ps;
  packet.finished_ps = packet.completed_ps = end_ps;
  log.span({names.engine, SpanKind::packet, names.label, start_ps, end_ps, id});
  log.packet(packet);
}

void write_task(EventLog& log, TaskRecord::What what, LogName worker, std::uint64_t number, std::uint64_t started_ps,
                std::uint64_t at_ps) {
  log.task({what, worker, log.name("scene & co"), number, 0, false, at_ps, started_ps, 0});
}

}  // namespace

TEST_CASE("html: a run without packets is a page that says so", "[sim]") {
  EventLog log;
  const std::string html = page_of(log, 0, [] {});
  CHECK(svg_elements_of(html) == 0);
  CHECK_THAT(html, Contains("Nothing took time in this run."));
}

TEST_CASE("html: a packet is a bar on its engine and its queue, with its times", "[sim]") {
  EventLog log;
  const std::string html =
      page_of(log, 100'000'000,
              [&] {
                write_packet(log, {log.name("adapter.copy0"), log.name("adapter.scheduler.app"), log.name("upload")}, 7,
                             20'000'000, 70'000'000);
                log.counter({log.name("adapter.fences.done"), CounterKind::fence_value, 70'000'000, 3});
              },
              {"frame", "h200", "1", {"adapter.scheduler.", "adapter.fences.", "adapter."}});
  svg_elements_of(html);
  CHECK_THAT(html, Contains("<h1>frame on h200</h1>"));
  const std::string tip =
      "upload\npacket 7 of app on copy0\nstart 20.000 \u00b5s\nend 70.000 \u00b5s\nqueued 1.000 \u00b5s\n"
      "fence 2.000 \u00b5s\nnode 2.000 \u00b5s\nrunning 50.000 \u00b5s</title>";
  CHECK(count_of(html, tip) == 2);
  CHECK(count_of(html, "<rect class=\"bar q0\" x=\"20.0000%\"") == 2);
  CHECK(count_of(html, "width=\"50.0000%\"") == 4);
  CHECK(count_of(html, "class=\"bar fence\" x=\"16.0000%\"") == 1);
  CHECK(count_of(html, "class=\"bar node\" x=\"18.0000%\"") == 1);
  CHECK_THAT(html, Contains("<td>copy0</td><td>1</td><td>50.000</td><td>50.000</td><td>50.00</td>"));
  CHECK_THAT(html, Contains("<td>done</td><td>3</td><td>1</td>"));
}

TEST_CASE("html: any names give valid HTML that runs nothing", "[sim]") {
  EventLog log;
  const std::string evil = "\"></title><script>alert(1)</script>&'\xff\x01\n\xe2\x80\xae";
  const std::string html = page_of(
      log, 100'000'000,
      [&] {
        write_packet(log, {log.name(evil + "e"), log.name(evil + "q"), log.name(evil)}, 1, 20'000'000, 70'000'000);
        log.counter({log.name(evil), CounterKind::fence_value, 70'000'000, 3});
        log.message({Severity::warning, log.name(evil), 5, evil});
        log.packet({});
      },
      {evil, evil, evil, {}});
  svg_elements_of(html);
  CHECK(count_of(html, "<script") == 0);
  CHECK(count_of(html, "http:") + count_of(html, "https:") == 0);
  CHECK(count_of(html, "\x01") == 0);
  CHECK(count_of(html, "\xff") == 0);
}

TEST_CASE("html: a name of any length takes little room", "[sim]") {
  CHECK(html_text(std::string(1'000'000, '<')).size() == 120 * 4 + 3);
  CHECK(html_text("\xc3\xa9\xc3") == "\xc3\xa9\xef\xbf\xbd");
}

TEST_CASE("html: the page of a large run stays small and says that bars are merged", "[sim]") {
  EventLog log;
  constexpr std::uint64_t engines = 20;
  constexpr std::uint64_t queues = 50;
  std::vector<Names> names;
  for (std::uint64_t i = 0; i < queues; ++i) {
    names.push_back({log.name("adapter.engine" + std::to_string(i % engines)),
                     log.name("adapter.scheduler.queue" + std::to_string(i)), log.name("list")});
  }
  std::mt19937_64 random(4);
  std::uint64_t now = 10'000'000;
  const auto write = [&] {
    for (std::uint64_t id = 1; id <= 100'000; ++id) {
      const std::uint64_t length = random() % 8 == 0 ? random() % 1'000'000'000 : random() % 1'000'000;
      now += length / 40 + 1;
      write_packet(log, names[random() % queues], id, now - std::min(now, length), now);
      if (id % 3 != 0) continue;
      PacketRecord signal{};
      signal.context = names[id % queues].context;
      signal.type = PacketType::signal;
      signal.submitted_ps = signal.head_ps = signal.ready_ps = signal.hardware_ps = signal.started_ps = now;
      signal.finished_ps = signal.completed_ps = now;
      log.packet(signal);
    }
  };
  const std::string html = page_of(log, 200'000'000'000, write);
  const std::size_t elements = svg_elements_of(html);
  CHECK(elements < 4000);
  CHECK(elements > 3000);  // and is worth looking at
  CHECK(html.size() < 4'000'000);
  CHECK_THAT(html, Contains("are too many or too short to draw one by one"));
  CHECK_THAT(html, Contains("+ 4 engines not drawn"));
  CHECK_THAT(html, Contains("+ 18 queues not drawn"));
}

TEST_CASE("html: a preempted packet has a bar for each time it ran", "[sim]") {
  EventLog log;
  const Names names{log.name("adapter.3d0"), log.name("app"), log.name("draw")};
  const std::string html = page_of(log, 100'000'000, [&] {
    log.span({names.engine, SpanKind::packet, names.label, 0, 10'000'000, 1});
    write_packet(log, names, 1, 50'000'000, 60'000'000);
  });
  CHECK(count_of(html, "<rect class=\"bar q0\"") == 4);
  CHECK(count_of(html, "end 10.000 \u00b5s") == 2);
  CHECK(count_of(html, "class=\"bar preempted\" x=\"10.0000%\"") == 1);  // until it went on
  CHECK(count_of(html, "width=\"40.0000%\"") == 1);
  CHECK_THAT(html, Contains("</i>preempted</span>"));
}

TEST_CASE("html: a background task is a bar in the row of its worker, below engines and queues", "[sim]") {
  EventLog log;
  const LogName worker = log.name("adapter.background.worker0");
  const LogName other = log.name("adapter.background.worker1");
  const std::string html = page_of(
      log, 100'000'000,
      [&] {
        write_packet(log, {log.name("adapter.copy0"), log.name("app"), log.name("upload")}, 7, 20'000'000, 70'000'000);
        write_task(log, TaskRecord::What::started, worker, 3, 10'000'000, 10'000'000);
        write_task(log, TaskRecord::What::started, other, 4, 40'000'000, 40'000'000);
        write_task(log, TaskRecord::What::cancelled, log.name("adapter.background"), 5, 50'000'000, 50'000'000);
        write_task(log, TaskRecord::What::finished, worker, 3, 10'000'000, 60'000'000);
      },
      {"frame", "h200", "1", {"adapter.background.", "adapter."}});
  svg_elements_of(html);
  CHECK(count_of(html, "class=\"bar task\"") == 2);
  CHECK(count_of(html, "<rect class=\"bar task\" x=\"10.0000%\"") == 1);
  CHECK_THAT(html, Contains("<title>background task 3: scene &amp; co\non worker0\nstart 10.000 \u00b5s\n"
                            "duration 50.000 \u00b5s</title>"));
  CHECK_THAT(html, Contains("<title>background task 4: scene &amp; co\non worker1\nstart 40.000 \u00b5s\n"
                            "duration 60.000 \u00b5s, not finished</title>"));
  CHECK_THAT(html, Contains("<i class=\"task\"></i>background task</span>") && Contains("\n.task { fill:"));
  const std::size_t heading = html.find(">Background</h3>");
  CHECK(html.find(">app</span></div>") < heading);
  CHECK(heading < html.find(">worker0</span></div>"));
  CHECK(html.find(">worker0</span></div>") < html.find(">worker1</span></div>"));
}

TEST_CASE("html: without background tasks nothing speaks of them", "[sim]") {
  EventLog log;
  const std::string html = page_of(log, 100'000'000, [&] {
    write_packet(log, {log.name("adapter.copy0"), log.name("app"), log.name("upload")}, 7, 20'000'000, 70'000'000);
    write_task(log, TaskRecord::What::cancelled, log.name("adapter.background"), 5, 50'000'000, 50'000'000);
  });
  CHECK(count_of(html, "task") + count_of(html, "Background") == 0);
}

TEST_CASE("html: any number of background tasks and workers makes a small page", "[sim]") {
  EventLog log;
  constexpr std::uint64_t workers = 30;
  std::vector<LogName> tracks;
  for (std::uint64_t i = 0; i < workers; ++i) tracks.push_back(log.name("worker" + std::to_string(i)));
  const std::string html = page_of(log, 200'000'000'000, [&] {
    for (std::uint64_t id = 1; id <= 10'000; ++id) {
      const std::uint64_t length = id * 79'190'017 % 500'000'000;
      const std::uint64_t start = id * 19'000'000;
      write_task(log, TaskRecord::What::started, tracks[id % workers], id, start, start);
      write_task(log, TaskRecord::What::finished, tracks[id % workers], id, start, start + length);
    }
  });
  CHECK(svg_elements_of(html) < 4000);
  CHECK(html.size() < 4'000'000);
  CHECK_THAT(html, Contains("are too many or too short to draw one by one") && Contains("\nbackground tasks: "));
  CHECK_THAT(html, Contains("+ 14 workers not drawn"));
  CHECK(count_of(html, "class=\"bar task\"") > 500);
}

TEST_CASE("html: tables of others stand at the end, whatever is in their cells", "[sim]") {
  EventLog log;
  HtmlHeading heading{"frame", "h200", "1", {}};
  heading.tables = [] {
    return std::vector<HtmlTable>{{"Deadlines", {"name", "<missed>"}, {{"a & b", "3"}, {"\"", "0"}}, "Of <all>."}};
  };
  const std::string html = page_of(
      log, 5, [] {}, heading);
  svg_elements_of(html);
  CHECK_THAT(html, Contains("<h2>Deadlines</h2>") && Contains("&lt;missed&gt;</th>") && Contains("Of &lt;all&gt;."));
  CHECK_THAT(html, Contains("<tr><td>a &amp; b</td><td>3</td></tr>"));
}

TEST_CASE("html: warnings are shown, the first twenty", "[sim]") {
  EventLog log;
  const std::string html = page_of(log, 5, [&] {
    for (int i = 0; i < 30; ++i) log.message({Severity::warning, log.name("adapter"), 5, "stuck"});
    log.message({Severity::info, log.name("adapter"), 5, "fine"});
  });
  CHECK(count_of(html, "adapter: stuck") == 20);
  CHECK_THAT(html, Contains("10 more warnings in log.txt"));
  CHECK(count_of(html, "fine") == 0);
}

TEST_CASE("time columns: covered time is exact whatever the intervals", "[sim]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    TimeColumns columns;
    const std::uint64_t range = std::uint64_t{1} << (1 + random() % 62);
    std::uint64_t expected = 0;
    const std::uint64_t count = 1 + random() % 40;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t start = random() % range;
      const std::uint64_t end = std::min(range, start + random() % (range / 32 + 1));
      columns.add(start, end);
      expected += end - start;
    }
    std::uint64_t covered = 0;
    std::uint64_t starts = 0;
    for (const TimeColumns::Column& column : columns.columns()) {
      covered += column.covered_ps;
      starts += column.starts;
    }
    CHECK(covered == expected);
    CHECK(starts == count);
    CHECK(columns.width_ps() <= range);
  }
}

TEST_CASE("bar lane: the longest bars stay, the others keep their time", "[sim]") {
  BarLane lane;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t length = i * 7919 % 10'007;
    lane.add({i * 20'000, i * 20'000 + length, 0, {}});
    total += length;
  }
  CHECK(lane.bars().size() == BarLane::most_bars);
  lane.shrink(100, 9'950);
  CHECK(lane.bars().size() < 100);
  CHECK(lane.bars().size() + lane.merged() == 10'000);
  std::uint64_t covered = 0;
  for (const TimeColumns::Column& column : lane.columns()[0].columns()) covered += column.covered_ps;
  for (std::size_t i = 0; i < lane.bars().size(); ++i) {
    const Bar& bar = lane.bars()[i];
    covered += bar.end_ps - bar.start_ps;
    CHECK(bar.end_ps - bar.start_ps >= 9'950);
    if (i > 0) CHECK(bar.start_ps > lane.bars()[i - 1].start_ps);
  }
  CHECK(covered == total);
}

TEST_CASE("html text: numbers are read with commas, units and the right rounding", "[sim]") {
  CHECK(microseconds(1'234'567'890'499) == "1,234,567.890");
  CHECK(microseconds(~std::uint64_t{0}) == "18,446,744,073,709.552");
  CHECK(percent(1, 3, 4) == "33.3333");
  CHECK(percent(2, 3, 2) == "66.67");
  CHECK(percent(~std::uint64_t{0}, ~std::uint64_t{0}, 4) == "100.0000");
  CHECK(percent(5, 0, 1) == "0.0");
  CHECK(time_text(2'500'000'000, {1'000'000'000, "ms"}) == "2.5 ms");
  CHECK(time_text(1'000'000'001, {1'000'000'000, "ms"}) == "1.000000001 ms");
  CHECK(time_text(0, unit_for(3)) == "0 ps");
}
