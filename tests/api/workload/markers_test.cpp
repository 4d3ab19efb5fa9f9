// SPDX-License-Identifier: Apache-2.0
// PIX's events and markers in workloads: they take no time, and files of a run show them.
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// A frame of two lists in a region of its queue; the first has regions in regions, and a bundle with one.
const char* const frame = R"({"name": "w", "machine": "tiny",
  "compute_pipelines": [{"name": "p", "group_cycles": 1000}],
  "fences": [{"name": "f"}],
  "command_lists": [
    {"name": "b", "type": "bundle", "commands": [
      {"type": "begin_event", "name": "in bundle"}, {"type": "dispatch", "pipeline": "p", "x": 2},
      {"type": "dispatch", "pipeline": "p", "x": 2}, {"type": "end_event"}]},
    {"name": "l", "type": "direct", "commands": [
      {"type": "begin_event", "name": "shadows", "color": 4278255360},
      {"type": "begin_event", "name": "near"}, {"type": "dispatch", "pipeline": "p", "x": 8}, {"type": "end_event"},
      {"type": "barrier"},
      {"type": "begin_event", "name": "far"}, {"type": "dispatch", "pipeline": "p", "x": 4},
      {"type": "set_marker", "name": "half"}, {"type": "barrier"}, {"type": "clear", "bytes": 4096},
      {"type": "end_event"}, {"type": "end_event"},
      {"type": "barrier"}, {"type": "begin_event", "name": "lighting"}, {"type": "execute_bundle", "bundle": "b"},
      {"type": "end_event"}]},
    {"name": "m", "type": "direct", "commands": [{"type": "clear", "bytes": 8192}]}],
  "queues": [{"name": "q", "type": "direct", "timeline": [
    {"type": "set_marker", "name": "start"},
    {"type": "begin_event", "name": "frame", "color": 3},
    {"type": "execute", "lists": ["l", "m"]}, {"type": "signal", "fence": "f", "value": 1},
    {"type": "set_marker", "name": "drawn"},
    {"type": "end_event"}, {"type": "execute", "lists": ["m"]},
    {"type": "begin_event", "name": "of nothing"}, {"type": "end_event"}]}]})";

json without_markers(json value) {
  if (!value.is_structured()) return value;
  json result = value.is_array() ? json::array() : json::object();
  for (auto& [key, one] : value.items()) {
    const std::string type = one.is_object() ? one.value("type", "") : "";
    if (type == "begin_event" || type == "end_event" || type == "set_marker") continue;
    if (value.is_array()) {
      result.push_back(without_markers(one));
    } else {
      result[key] = without_markers(one);
    }
  }
  return result;
}

using Rows = std::vector<std::vector<std::string>>;
/// Of a CSV without quotes.
Rows rows_in(const std::string& text) {
  Rows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> row;
    std::size_t at = 0;
    for (std::size_t comma; (comma = line.find(',', at)) != std::string::npos; at = comma + 1) {
      row.push_back(line.substr(at, comma - at));
    }
    row.push_back(line.substr(at));
    rows.push_back(row);
  }
  return rows;
}
Rows rows_of(const Shell& shell, const std::string& out, const char* file) {
  return rows_in(contents_of(shell.work() / out / file));
}
/// markers.csv by path: kind, whose, packet, count, start and end.
std::map<std::string, std::vector<std::string>> regions_of(const Shell& shell, const std::string& out) {
  std::map<std::string, std::vector<std::string>> regions;
  for (const auto& row : rows_of(shell, out, "markers.csv")) {
    regions[row[5]] = {row[0], row[1], row[3], row[8], row[9], row[10], row[7]};
  }
  return regions;
}

std::string error_of(const std::string& lists, const std::string& timeline = "") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny", "compute_pipelines": [{"name": "p", "group_cycles": 10}],
    "command_lists": [)" + lists +
                            R"(], "queues": [{"name": "q", "type": "direct", "timeline": [)" + timeline + "]}]}");
  const Output output = shell.fenceline({"run", "w.json", "--out", "out"});
  CHECK(output.code == 2);
  return output.err;
}

}  // namespace

TEST_CASE("markers: they take no time, wherever they stand", "[workload]") {
  const Shell shell;
  shell.write("with.json", frame);
  shell.write("without.json", without_markers(json::parse(frame)).dump());
  REQUIRE(shell.fenceline({"run", "with.json", "--out", "with"}).code == 0);
  REQUIRE(shell.fenceline({"run", "without.json", "--out", "without"}).code == 0);
  Rows with = rows_of(shell, "with", "packets.csv");
  Rows without = rows_of(shell, "without", "packets.csv");
  std::vector<std::string> paths;
  for (auto& row : with) {
    paths.push_back(row.back());
    row.pop_back();
  }
  for (auto& row : without) row.pop_back();
  CHECK(with == without);
  CHECK(paths == std::vector<std::string>{"markers", "frame/shadows + lighting", "frame", "frame", ""});
}

TEST_CASE("markers.csv: regions last from their first command's start until what is before their end is complete",
          "[workload]") {
  const Shell shell;
  shell.write("w.json", frame);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out", "--trace"}).code == 0);
  auto regions = regions_of(shell, "out");
  // By name the spans of the first packet's commands.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dispatches;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> clears;
  const json events = json::parse(contents_of(shell.work() / "out/trace.json"))["traceEvents"];
  for (const json& event : events) {
    if (event.value("cat", "") != "command" || event["args"]["id"] != 1) continue;
    auto& all = event["name"] == "p" ? dispatches : clears;
    if (event["name"] == "p" || event["name"] == "Clear")
      all.emplace_back(event["args"]["start_ps"], event["args"]["end_ps"]);
  }
  REQUIRE(dispatches.size() == 4);
  REQUIRE(clears.size() == 1);
  std::sort(dispatches.begin(), dispatches.end());
  const auto us = [](std::uint64_t ps) {
    std::string digits = std::to_string(ps % 1'000'000);
    return std::to_string(ps / 1'000'000) + "." + std::string(6 - digits.size(), '0') + digits;
  };
  using Row = std::vector<std::string>;
  CHECK(regions.size() == 10);  // with the header
  CHECK(regions["frame/shadows/near"] ==
        Row{"region", "list", "1", "1", us(dispatches[0].first), us(dispatches[0].second), ""});
  CHECK(regions["frame/shadows/far"] ==
        Row{"region", "list", "1", "3", us(dispatches[1].first), us(clears[0].second), ""});
  CHECK(regions["frame/shadows"] ==
        Row{"region", "list", "1", "5", us(dispatches[0].first), us(clears[0].second), "0xff00ff00"});
  CHECK(regions["frame/shadows/far/half"][0] == "marker");
  CHECK(regions["frame/lighting/in bundle"] == Row{"region", "list", "1", "2", us(dispatches[2].first),
                                                   us(std::max(dispatches[2].second, dispatches[3].second)), ""});
  CHECK(regions["frame/lighting"][4] == us(dispatches[2].first));
  const Rows packets = rows_of(shell, "out", "packets.csv");
  CHECK(regions["frame"] == Row{"region", "queue", "", "2", packets[1][12], packets[2][13], "0x00000003"});
  CHECK(regions["start"] == Row{"marker", "queue", "", "", "0.000000", "0.000000", ""});
  // Behind the signal.
  CHECK(regions["frame/drawn"][4] == packets[3][13]);
  CHECK(regions.count("of nothing") == 0);
}

TEST_CASE("markers: trace.json and log.txt have them with their queue", "[workload]") {
  const Shell shell;
  shell.write("w.json", frame);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out"}).code == 0);
  std::map<std::string, json> slices;
  std::size_t instants = 0;
  const json events = json::parse(contents_of(shell.work() / "out/trace.json"))["traceEvents"];
  std::map<std::pair<int, int>, std::string> threads;
  for (const json& event : events) {
    if (event["name"] == "thread_name") threads[{event["pid"], event["tid"]}] = event["args"]["name"];
  }
  for (const json& event : events) {
    if (event.value("cat", "") == "region") slices[event["args"]["path"]] = event;
    instants += event.value("cat", "") == "marker" ? 1 : 0;
  }
  REQUIRE(slices.size() == 6);
  CHECK(instants == 3);
  CHECK(slices["frame"]["args"]["color"] == "0x00000003");
  CHECK(slices["frame/shadows/near"]["name"] == "near");
  CHECK(slices["frame/shadows/near"]["args"]["list"] == "l");
  CHECK(slices["frame/shadows/near"]["args"]["id"] == 1);
  for (const auto& [path, slice] : slices) {
    INFO(path);
    CHECK(threads[{slice["pid"], slice["tid"]}] == "adapter.scheduler.q");
  }
  const std::string log = contents_of(shell.work() / "out/log.txt");
  CHECK(log.find("adapter.scheduler.q: BeginEvent \"frame\"\n") != std::string::npos);
  CHECK(log.find("adapter.scheduler.q: SetMarker \"half\" of packet 1, before command 3\n") != std::string::npos);
}

TEST_CASE("markers: an event of a list ends in it", "[workload]") {
  const std::string begun = error_of(R"({"name": "l", "type": "direct", "commands": [
    {"type": "begin_event", "name": "a"}, {"type": "begin_event", "name": "b"}, {"type": "end_event"}]})");
  CHECK(
      begun.find("/command_lists/0/commands/0: expected an event that the list ends, found \"a\", which it does not") !=
      std::string::npos);
  const std::string ended = error_of(R"({"name": "l", "type": "direct", "commands": [
    {"type": "begin_event", "name": "a"}, {"type": "end_event"}, {"type": "end_event"}]})");
  CHECK(
      ended.find("/command_lists/0/commands/2: expected a begin_event before it in the list that has not ended, found "
                 "none") != std::string::npos);
  // The bundle by itself may; the list that executes it may not.
  const std::string bundle = error_of(R"({"name": "b", "type": "bundle", "commands": [
    {"type": "begin_event", "name": "a"}]}, {"name": "l", "type": "direct", "commands": [
    {"type": "execute_bundle", "bundle": "b"}]})");
  CHECK(bundle.find("/command_lists/0/commands/0: expected an event that the list ends") != std::string::npos);
  const std::string nameless = error_of(R"({"name": "l", "type": "copy", "commands": [{"type": "set_marker"}]})");
  CHECK(nameless.find("/command_lists/0/commands/0") != std::string::npos);
  CHECK(nameless.find("name") != std::string::npos);
}

TEST_CASE("markers: an end without a beginning on a queue is told, and nothing else", "[workload]") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny", "queues": [{"name": "q", "type": "copy", "timeline": [
    {"type": "begin_event", "name": "a"}, {"type": "end_event"}, {"type": "end_event"}]}]})");
  const Output output = shell.fenceline({"run", "w.json", "--out", "out"});
  CHECK(output.code == 0);
  CHECK(contents_of(shell.work() / "out/log.txt")
            .find("[W      0.000000 us] adapter.scheduler.q: /queues/0/timeline/2: expected a begin_event before it on "
                  "the queue that has "
                  "not ended, found none: nothing ends") != std::string::npos);
}

TEST_CASE("markers: they stand between places at which a list may be split", "[workload]") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny", "compute_pipelines": [{"name": "p", "group_cycles": 1000}],
    "command_lists": [{"name": "l", "type": "direct", "split_offsets": [1, 2, 3, 4, 5], "commands": [
      {"type": "begin_event", "name": "a"}, {"type": "dispatch", "pipeline": "p", "x": 4}, {"type": "end_event"},
      {"type": "begin_event", "name": "b"}, {"type": "dispatch", "pipeline": "p", "x": 4}, {"type": "end_event"}]}],
    "queues": [{"name": "q", "type": "direct", "timeline": [{"type": "execute", "lists": ["l"]}]}]})");
  const Output output = shell.fenceline({"run", "w.json", "--out", "out", "--set", "/scheduler/dma_buffer_kib=1",
                                         "--set", "/scheduler/dma_command_bytes=1024"});
  INFO(output.err);
  REQUIRE(output.code == 0);
  const auto regions = regions_of(shell, "out");
  CHECK(regions.at("a")[3] == "1");
  CHECK(regions.at("b")[3] == "1");
  CHECK(rows_of(shell, "out", "packets.csv")[1][22] == "2");
}

TEST_CASE("markers: a CPU thread's cost it no time, and repeats have one each time", "[workload]") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny",
    "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "clear", "bytes": 4096}]}],
    "fences": [{"name": "f"}], "queues": [{"name": "q", "type": "direct"}],
    "cpus": [{"name": "t", "timeline": [{"type": "repeat", "count": 3, "steps": [
      {"type": "begin_event", "queue": "q", "name": "frame"}, {"type": "execute", "queue": "q", "lists": ["l"]},
      {"type": "set_marker", "queue": "q", "name": "late", "from_iteration": 2},
      {"type": "end_event", "queue": "q"}]}]}]})");
  shell.write("without.json", without_markers(json::parse(contents_of(shell.work() / "w.json"))).dump());
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out"}).code == 0);
  REQUIRE(shell.fenceline({"run", "without.json", "--out", "without"}).code == 0);
  const Rows rows = rows_of(shell, "out", "markers.csv");
  REQUIRE(rows.size() == 5);
  CHECK(rows[4][5] == "frame/late");
  const Rows packets = rows_of(shell, "out", "packets.csv");
  const Rows plain = rows_of(shell, "without", "packets.csv");
  REQUIRE(packets.size() == plain.size());
  for (std::size_t i = 1; i < plain.size(); ++i) CHECK(packets[i][14] == plain[i][14]);
}

TEST_CASE("markers: captures have them, and what is replayed has the same files", "[capture]") {
  const Shell shell;
  shell.write("w.json", frame);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out", "--capture", "w.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "w.capture", "--out", "played"}).code == 0);
  for (const char* const file : {"packets.csv", "markers.csv", "log.txt", "trace.json"}) {
    INFO(file);
    CHECK(contents_of(shell.work() / "out" / file) == contents_of(shell.work() / "played" / file));
  }
  const json info = json::parse(shell.fenceline({"info", "w.capture", "--json"}).out);
  INFO(info.dump());
  CHECK(info.dump().find("\"markers\":10") != std::string::npos);
  REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "back.json"}).code == 0);
  const json back = json::parse(contents_of(shell.work() / "back.json"));
  CHECK(back["queues"][0]["timeline"][1] == json({{"type", "begin_event"}, {"name", "frame"}, {"color", 3}}));
}

TEST_CASE("markers: a part of the work begins in the regions in which it is found", "[replay]") {
  const Shell shell;
  shell.write("w.json", frame);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out"}).code == 0);
  // Two queues' lists are one ExecuteCommandLists here: split them to have a point between.
  json work = json::parse(frame);
  json& timeline = work["queues"][0]["timeline"];
  timeline[2]["lists"] = json::array({"l"});
  timeline.insert(timeline.begin() + 3, json({{"type", "execute"}, {"lists", json::array({"m"})}}));
  shell.write("w.json", work.dump());
  REQUIRE(shell.fenceline({"trim", "w.json", "-o", "end.json", "--from", "submit:1"}).code == 0);
  const json end = json::parse(contents_of(shell.work() / "end.json"))["queues"][0]["timeline"];
  REQUIRE(end.size() > 2);
  CHECK(end[0]["type"] == "begin_event");
  CHECK(end[0]["name"] == "frame");
  CHECK(end[1]["type"] == "execute");
  // The event's end directly behind the last submission is still before the point, as a signal is.
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "part", "--from", "submit:1"}).code == 0);
  CHECK(rows_of(shell, "part", "packets.csv")[1].back() == "frame");
  CHECK(rows_of(shell, "part", "packets.csv").back().back() == "");
}

TEST_CASE("markers: on one queue each list is in the regions of its own", "[replay]") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny", "fences": [{"name": "f"}, {"name": "g"}],
    "command_lists": [
      {"name": "d", "type": "direct", "commands": [{"type": "clear", "bytes": 4096}]},
      {"name": "c", "type": "compute", "commands": [{"type": "clear", "bytes": 4096}]}],
    "queues": [
      {"name": "a", "type": "direct", "timeline": [{"type": "begin_event", "name": "draws"},
        {"type": "execute", "lists": ["d"]}, {"type": "signal", "fence": "f", "value": 1},
        {"type": "wait", "fence": "g", "value": 1}, {"type": "execute", "lists": ["d"]}, {"type": "end_event"}]},
      {"name": "b", "type": "compute", "timeline": [{"type": "begin_event", "name": "async"},
        {"type": "wait", "fence": "f", "value": 1}, {"type": "set_marker", "name": "here"},
        {"type": "execute", "lists": ["c"]}, {"type": "end_event"}, {"type": "signal", "fence": "g", "value": 1}]}]})");
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out", "--single-queue"}).code == 0);
  std::vector<std::string> paths;
  for (const auto& row : rows_of(shell, "out", "packets.csv")) {
    if (row[2] == "render") paths.push_back(row[3] + " in " + row.back());
  }
  CHECK(paths == std::vector<std::string>{"d in draws", "c in async", "d in draws"});
  CHECK(regions_of(shell, "out").count("async/here") == 1);
}

TEST_CASE("markers: each pass has its regions, and a pass begins outside of all", "[replay]") {
  const Shell shell;
  json work = json::parse(frame);
  json& timeline = work["queues"][0]["timeline"];
  timeline.push_back({{"type", "begin_event"}, {"name", "open"}});
  timeline.push_back({{"type", "execute"}, {"lists", json::array({"m"})}});
  shell.write("w.json", work.dump());
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out", "--loop", "2"}).code == 0);
  std::vector<std::string> paths;
  for (const auto& row : rows_of(shell, "out", "packets.csv")) {
    if (row[2] == "render") paths.push_back(row.back());
  }
  const std::vector<std::string> pass = {"frame/shadows + lighting", "frame", "", "open"};
  std::vector<std::string> twice = pass;
  twice.insert(twice.end(), pass.begin(), pass.end());
  CHECK(paths == twice);
}

TEST_CASE("markers: what is told from a point on is in the regions that began before", "[replay]") {
  const Shell shell;
  json work = json::parse(frame);
  json& timeline = work["queues"][0]["timeline"];
  timeline[2]["lists"] = json::array({"l"});
  timeline.insert(timeline.begin() + 3, json({{"type", "execute"}, {"lists", json::array({"m"})}}));
  shell.write("w.json", work.dump());
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "all"}).code == 0);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "end", "--fast-forward", "submit:1"}).code == 0);
  Rows all = rows_of(shell, "all", "packets.csv");
  const Rows end = rows_of(shell, "end", "packets.csv");
  all.erase(all.begin() + 1);
  CHECK(all == end);
  const auto regions = regions_of(shell, "end");
  CHECK(regions.at("frame")[3] == "1");
  CHECK(regions.count("start") == 0);
}

TEST_CASE("markers: a frame's fence belongs to the frame, also behind a marker", "[replay]") {
  const Shell shell;
  shell.write("w.json", R"({"name": "w", "machine": "tiny", "fences": [{"name": "f"}],
    "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "clear", "bytes": 4096}]}],
    "queues": [{"name": "q", "type": "direct", "timeline": [
      {"type": "execute", "lists": ["l"]}, {"type": "begin_event", "name": "a"}, {"type": "set_marker", "name": "b"},
      {"type": "signal", "fence": "f", "value": 1}, {"type": "execute", "lists": ["l"]},
      {"type": "signal", "fence": "f", "value": 2}]}]})");
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "out", "--from", "submit:1"}).code == 0);
  const Rows packets = rows_of(shell, "out", "packets.csv");
  REQUIRE(packets.size() == 3);
  CHECK(packets[1][2] == "render");
  CHECK(packets[1].back() == "a");
  CHECK(packets[2][6] == "2");
}
