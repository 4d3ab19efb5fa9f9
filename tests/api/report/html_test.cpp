// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html.hpp"

#include "api/contents/base64.hpp"
#include "api/report/html/html_text.hpp"
#include "api/report/html/packed_text.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// The text of timeline.html after `write` wrote to the log.
template <class Write>
std::string page_of(EventLog& log, std::uint64_t end_ps, Write write,
                    HtmlHeading heading = {"frame", "h200", "1", {}}) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "timeline.html");
  StatsSink stats;
  HtmlSink sink(file, stats, std::move(heading));
  log.attach(stats);
  log.attach(sink);
  write();
  log.finish(end_ps);
  log.detach(sink);
  log.detach(stats);
  file.close();
  return contents_of(directory / "timeline.html");
}

std::string inflated(const std::vector<std::byte>& packed) {
  std::string text(64 * 1024 * 1024, '\0');
  uLongf size = text.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(text.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                     packed.size()) == Z_OK);
  text.resize(size);
  return text;
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

/// Checks that tags nest and attributes are quoted.
void check_tags(const std::string& html) {
  const std::set<std::string> empty = {"meta", "input", "!DOCTYPE"};
  std::vector<std::string> open;
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
      continue;
    }
    if (closed || empty.count(name) == 1) continue;
    open.push_back(name);
    if (name == "style" || name == "script") at = html.find("</" + name + ">", at);
  }
  if (!open.empty()) throw std::runtime_error("not closed: " + open.back());
}

/// What the page's script reads: the lines of its data.
std::vector<std::string> data_of(const std::string& html) {
  const std::string before = "<script type=\"text/plain\" id=\"data\">";
  const std::size_t from = html.find(before) + before.size();
  const std::string base64 = html.substr(from, html.find("</script>", from) - from);
  const auto packed = bytes_of_base64(base64);
  REQUIRE(packed);
  std::istringstream text(inflated(*packed));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> lines_with(const std::vector<std::string>& lines, char kind) {
  std::vector<std::string> found;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
               [&](const std::string& line) { return line[0] == kind; });
  return found;
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

TEST_CASE("html: a run without packets is a page of its end alone", "[sim]") {
  EventLog log;
  const std::string html = page_of(log, 7, [] {});
  check_tags(html);
  const std::vector<std::string> data = data_of(html);
  REQUIRE(data.size() == 2);
  CHECK_THAT(data[0], Contains("\"types\":[\"render\",\"signal\",\"wait\",\"present\",\"paging\",") &&
                          Contains("\"steps\":[\"timeout\",\"page_fault\",") && Contains("\"prefixes\":[]"));
  CHECK(data[1] == "z7");
}

TEST_CASE("html: a packet is in the data with its span, its stamps and its names, times counted from the one before",
          "[sim]") {
  EventLog log;
  const std::string html =
      page_of(log, 100'000'000,
              [&] {
                write_packet(log, {log.name("adapter.copy0"), log.name("adapter.scheduler.app"), log.name("upload")}, 7,
                             20'000'000, 70'000'000);
                log.counter({log.name("adapter.fences.done"), CounterKind::fence_value, 70'000'000, 3});
                log.counter({log.name("adapter.vram"), CounterKind::bytes_per_s, 70'000'000, 3});
                log.span({log.name("adapter.copy0"), SpanKind::command, log.name("copy"), 1, 2, 7});
              },
              {"frame", "h200", "1", {"adapter.scheduler.", "adapter.fences.", "adapter."}});
  check_tags(html);
  CHECK_THAT(html, Contains("<h1>frame <span>on</span> h200</h1>"));
  CHECK_THAT(html, Contains("<td>copy0</td><td>1</td><td>50.000</td><td>50.000</td><td>50.00</td>"));
  CHECK_THAT(html, Contains("<td>done</td><td>3</td><td>1</td>"));
  const std::vector<std::string> data = data_of(html);
  CHECK(std::vector<std::string>(data.begin() + 1, data.end()) ==
        std::vector<std::string>{"n\"adapter.copy0\"", "n\"upload\"", "s20000000,50000000,1,0,2,7,0",
                                 "n\"adapter.scheduler.app\"",
                                 "p-5000000,1000000,3000000,3000000,5000000,55000000,55000000,7,3,1,2,0,0,0,0,0,0,1",
                                 "n\"adapter.fences.done\"", "c55000000,4,3", "z30000000"});
}

TEST_CASE("html: deadlines come at the end of the data, those not reached without a time", "[sim]") {
  EventLog log;
  HtmlHeading heading{"frame", "h200", "1", {}};
  heading.deadlines = [&] {
    const LogName name = log.name("vsync");
    const LogName fence = log.name("shown");
    return std::vector<DeadlineRow>{{name, fence, 4, 1000, 1500}, {name, fence, 5, 2000, std::nullopt}};
  };
  const std::vector<std::string> data = data_of(page_of(
      log, 3000, [] {}, heading));
  CHECK(lines_with(data, 'd') == std::vector<std::string>{"d1000,500,1,2,4", "d1000,,1,2,5"});
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
  check_tags(html);
  CHECK(count_of(html, "<script") == 3);  // the data, D3 and the page's own
  CHECK(count_of(html, "alert(1)</script>") == 0);
  CHECK(count_of(html, " src=") + count_of(html, "<link") + count_of(html, "@import") == 0);
  const std::vector<std::string> data = data_of(html);
  for (const std::string& line : data) CHECK((line[0] != 'n' || nlohmann::json::parse(line.substr(1)).is_string()));
  CHECK(count_of(html, "\x01") == 0);
  CHECK(count_of(html, "\xff") == 0);
}

TEST_CASE("html: a name of any length takes little room", "[sim]") {
  CHECK(html_text(std::string(1'000'000, '<')).size() == 120 * 4 + 3);
  CHECK(html_text("\xc3\xa9\xc3") == "\xc3\xa9\xef\xbf\xbd");
}

TEST_CASE("html: names of any length are cut, and a packet takes few bytes", "[sim]") {
  EventLog log;
  constexpr std::uint64_t packets = 100'000;
  const Names names{log.name(std::string(1'000'000, 'e')), log.name("queue"), log.name("list")};
  std::mt19937_64 random(4);
  std::uint64_t now = 10'000'000;
  const auto write = [&](std::uint64_t count) {
    for (std::uint64_t id = 1; id <= count; ++id) {
      now += random() % 1'000'000'000 + 1;
      write_packet(log, names, id, now - 1'000'000, now);
    }
  };
  const std::size_t empty = page_of(log, 1, [] {}).size();
  const std::string html = page_of(log, 200'000'000'000, [&] { write(packets); });
  CHECK(html.size() - empty < packets * 60);
  const std::vector<std::string> data = data_of(html);
  CHECK(lines_with(data, 'p').size() == packets);
  CHECK(lines_with(data, 'n')[0].size() == 303);
}

TEST_CASE("html: tasks, requests to preempt and resets are in the data", "[sim]") {
  EventLog log;
  const LogName worker = log.name("worker0");
  const LogName node = log.name("3d0");
  const std::vector<std::string> data = data_of(page_of(log, 100'000'000, [&] {
    write_task(log, TaskRecord::What::started, worker, 3, 10, 10);
    write_task(log, TaskRecord::What::finished, worker, 3, 10, 60);
    log.request({node, 0, 5, 100, PreemptionReason::quantum, 1, 2});
    PreemptionRecord answer{};
    answer.node = node;
    answer.preemption_fence_id = 5;
    answer.requested_ps = 100;
    answer.stopped_ps = 130;
    answer.free_ps = 150;
    answer.known_ps = 151;
    answer.saved_bytes = 4096;
    log.preemption(answer);
    RecoveryRecord reset{RecoveryRecord::Step::engine_reset};
    reset.at_ps = 200;
    reset.node = node;
    log.recovery(reset);
    reset.step = RecoveryRecord::Step::working;  // no row of recovery.csv
    log.recovery(reset);
  }));
  CHECK(lines_with(data, 't') == std::vector<std::string>{"t10,0,0,1,2,3,0,0,0", "t0,50,1,1,2,3,0,0,0"});
  CHECK(lines_with(data, 'r') == std::vector<std::string>{"r90,3,0,5,1,1,2"});
  CHECK(lines_with(data, 'v') == std::vector<std::string>{"v0,30,50,51,0,3,0,5,0,4096,0,0"});
  CHECK(lines_with(data, 'y') == std::vector<std::string>{"y100,4,0,3,0,0,0,0,0"});
}

TEST_CASE("packed text: any text comes out as it went in, whatever its length", "[sim]") {
  std::mt19937_64 random(6);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1'000'000}}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(random());  // hardly to be deflated
    const TemporaryDirectory directory;
    OutputFile file(directory / "text");
    PackedText packed(file);
    for (std::size_t at = 0; at < text.size(); at += 7919) packed.append(std::string_view(text).substr(at, 7919));
    packed.finish();
    file.close();
    const auto bytes = bytes_of_base64(contents_of(directory / "text"));
    REQUIRE(bytes);
    CHECK((inflated(*bytes) == text));
  }
}

TEST_CASE("html: tables of others stand at the end, whatever is in their cells", "[sim]") {
  EventLog log;
  HtmlHeading heading{"frame", "h200", "1", {}};
  heading.tables = [] {
    return std::vector<HtmlTable>{{"Deadlines", {"name", "<missed>"}, {{"a & b", "3"}, {"\"", "0"}}, "Of <all>."}};
  };
  const std::string html = page_of(
      log, 5, [] {}, heading);
  check_tags(html);
  CHECK_THAT(html, Contains("<h2>Deadlines</h2>") && Contains("&lt;missed&gt;</th>") && Contains("Of &lt;all&gt;."));
  CHECK_THAT(html, Contains("<tr><td>a &amp; b</td><td>3</td></tr>"));
}

TEST_CASE("html: warnings are shown, the first twenty", "[sim]") {
  EventLog log;
  const std::string html = page_of(log, 5, [&] {
    for (int i = 0; i < 30; ++i) log.message({Severity::warning, log.name("adapter"), 5, "stuck"});
    log.message({Severity::info, log.name("adapter"), 5, "nothing to tell"});
  });
  CHECK(count_of(html, "adapter: stuck") == 20);
  CHECK_THAT(html, Contains("10 more warnings in log.txt"));
  CHECK(count_of(html, "nothing to tell") == 0);
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
