// SPDX-License-Identifier: Apache-2.0
#include "api/compare/document_difference.hpp"
#include "api/compare/usual_rows.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

/// Runs the shipped game with a compositor, where the engine stops at pixels (`fine`), or as it is.
void play(const Shell& shell, const std::string& out, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> arguments = {"run", shipped_workload("game_and_compositor").string(), "--out", out};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  REQUIRE(shell.fenceline(arguments).code == 0);
}

const std::string fine = "/engines/3d/graphics_preemption/granularity=pixel_boundary";

json compared(const Shell& shell, const std::string& one, const std::string& other) {
  const Output output = shell.fenceline({"compare", one, other, "--json"});
  REQUIRE(output.code == 0);
  CHECK(output.err.empty());
  return parse_json(output.out, "compare");
}

}  // namespace

TEST_CASE("differences: elements are those of the same name, else at the same place", "[cli]") {
  const auto pointers = [](const char* one, const char* other) {
    std::vector<std::string> all;
    for (const ValueDifference& difference : differences(parse_json(one, "a"), parse_json(other, "b"))) {
      all.push_back(difference.pointer);
    }
    return all;
  };
  using Pointers = std::vector<std::string>;
  CHECK(pointers(R"({"a": 1})", R"({"a": 1.0})").empty());
  CHECK(pointers(R"({"a": 1, "b": {"c": 2}})", R"({"b": {"c": 3}})") == Pointers{"/a", "/b/c"});
  CHECK(pointers(R"([{"queue": "x", "v": 1}, {"queue": "y", "v": 2}])",
                 R"([{"queue": "y", "v": 2}, {"queue": "x", "v": 3}])") == Pointers{"/x/v"});
  CHECK(pointers(R"([{"name": "x"}])", R"([{"name": "x"}, {"name": "y"}])") == Pointers{"/y"});
  CHECK(pointers(R"([{"name": "x", "v": 1}, {"name": "x", "v": 2}])",
                 R"([{"name": "x", "v": 1}, {"name": "x", "v": 3}])") == Pointers{"/1/v"});
  CHECK(pointers(R"([{"name": "x"}, {"name": "y"}])", R"([{"name": "y"}, {"name": "x"}])") == Pointers{""});
  CHECK(pointers("[1, 2]", "[1, 3]") == Pointers{""});
  CHECK(pointers(R"([{"v": 1}])", R"([{"v": 1}, {"v": 2}])") == Pointers{""});
  CHECK(pointers(R"([{"deadline": "d", "value": 2, "reached_ps": 5}])",
                 R"([{"deadline": "d", "value": 2, "reached_ps": 6}])") == Pointers{"/d value 2/reached_ps"});
  const auto one = differences(parse_json(R"({"a": 1})", "a"), parse_json("{}", "b"));
  REQUIRE(one.size() == 1);
  CHECK(one[0].one == 1);
  CHECK(one[0].other.is_null());
}

TEST_CASE("fenceline compare: what changed of inputs and results, the greatest first, and what it comes to", "[cli]") {
  const Shell shell;
  play(shell, "coarse");
  play(shell, "fine", {fine});
  const json coarse = load_json(shell.work() / "coarse/report.json");
  const json finer = load_json(shell.work() / "fine/report.json");
  const json difference = compared(shell, "coarse", "fine/report.json");
  REQUIRE(difference["inputs"].size() == 1);
  CHECK(difference["inputs"][0] == json({{"pointer", "/engines/3d/graphics_preemption/granularity"},
                                         {"a", "dma_buffer_boundary"},
                                         {"b", "pixel_boundary"}}));
  // Every time that is told is the reports', and they fall.
  double last = HUGE_VAL;
  bool saw_end = false;
  for (const json& time : difference["times"]) {
    const double change = std::fabs(time["b"].get<double>() - time["a"].get<double>());
    CHECK(change > 0);
    CHECK(change <= last);
    last = change;
    if (time["pointer"] == "/end_ps") {
      saw_end = true;
      CHECK(time["a"] == coarse["statistics"]["end_ps"]);
      CHECK(time["b"] == finer["statistics"]["end_ps"]);
    }
  }
  CHECK(saw_end == (coarse["statistics"]["end_ps"] != finer["statistics"]["end_ps"]));
  const auto has = [&](const char* kind, const std::string& pointer) {
    for (const json& one : difference[kind]) {
      if (one["pointer"] == pointer) return true;
    }
    return false;
  };
  CHECK(has("times", "/queues/adapter.scheduler.compositor/time_in_queue_ps/p99"));
  CHECK(has("times", "/deadlines/vsync/worst_late_ps"));
  CHECK(has("counts", "/deadlines/vsync/missed"));
  CHECK(has("counts", "/preemption/requests"));
  CHECK(has("counts", "/engines/adapter.3d0/packets"));
  const auto missed = [](const json& report) { return report["statistics"]["deadlines"][0]["missed"].dump(); };
  const std::string verdict = difference["verdict"];
  CHECK_THAT(verdict, Contains("misses " + missed(finer) + " deadlines in place of " + missed(coarse)));
  CHECK_THAT(verdict, StartsWith("B takes as long as A; it "));

  const Output text = shell.fenceline({"compare", "coarse", "fine"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, StartsWith("A            coarse/report.json: game_and_compositor on rtx_4090\n"
                                  "B            fine/report.json: game_and_compositor on rtx_4090\n"));
  CHECK_THAT(text.out, Contains("/engines/3d/graphics_preemption/granularity: \"dma_buffer_boundary\" -> "
                                "\"pixel_boundary\"\n") &&
                           Contains("... and ") && Catch::EndsWith("verdict      " + verdict + "\n"));
  const Output all = shell.fenceline({"compare", "coarse", "fine", "--all"});
  CHECK(lines_of(all.out) > lines_of(text.out));
  CHECK_THAT(all.out, !Contains("... and "));
}

TEST_CASE("differences: what a person looks for first, and nothing twice", "[cli]") {
  const auto usual = [](const std::vector<ValueDifference>& all) {
    std::vector<std::string> pointers;
    for (const ValueDifference& row : usual_rows(all)) pointers.push_back(row.pointer);
    return pointers;
  };
  using Pointers = std::vector<std::string>;
  const std::string only = "/preemption/engines/adapter.3d0";
  CHECK(usual({{"/preemption/engine_ps", 0, 1305},
               {only + "/engine_ps", 0, 1305},
               {"/preemption/attempts/Success", 0, 5},
               {"/preemption/latency_ps/max", 10, 90},
               {"/preemption/latency_ps/p99", 10, 80},
               {only + "/latency_ps/p99", 10, 80},
               {"/preemption/latency_ps/mean", 10, 70},
               {"/preemption/latency_ps/p50", 10, 60},
               {"/queues/a/time_in_queue_ps/max", 1, 9},
               {"/queues/a/time_in_queue_ps/mean", 1, 5},
               {"/end_ps", 1, 3}}) == Pointers{"/preemption/latency_ps/p99", "/preemption/latency_ps/p50",
                                               "/queues/a/time_in_queue_ps/max", "/end_ps",
                                               "/preemption/attempts/Success"});
  // Of two engines each has its own.
  CHECK(usual({{"/preemption/requests", 2, 7}, {only + "/requests", 2, 4}, {"/preemption/engines/b/requests", 0, 3}}) ==
        Pointers{"/preemption/requests", only + "/requests", "/preemption/engines/b/requests"});
  // A part that is the whole.
  CHECK(usual({{"/preemption/saved_bytes", 0, 8},
               {"/preemption/saved_bytes_by_kind/context", 0, 8},
               {"/preemption/saved_bytes_by_kind/registers", 1, 0},
               {"/preemption/latency_ps/p99", 10, 80},
               {"/preemption/latency_from_request_ps/p99", 10, 80},
               {"/preemption/latency_ps/p50", 10, 80},
               {"/preemption/latency_from_request_ps/p50", 10, 70}}) ==
        Pointers{"/preemption/saved_bytes", "/preemption/saved_bytes_by_kind/registers", "/preemption/latency_ps/p99",
                 "/preemption/latency_ps/p50", "/preemption/latency_from_request_ps/p50"});
  CHECK(usual({{only, json(), json::object()}, {"/deadlock", json(), "a"}}) == Pointers{"/deadlock"});
}

TEST_CASE("fenceline compare: the verdict tells latencies that moved, and misses of vertical blanks", "[cli]") {
  const Shell shell;
  // Groups of 100 us; what comes at 50 us waits for a whole dispatch of 5000 us, or for its first groups.
  shell.write("two.json", R"({"name": "two", "machine": "tiny",
    "compute_pipelines": [{"name": "k", "threads": 64, "group_cycles": 100000}],
    "command_lists": [{"name": "long", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 400}]},
                      {"name": "short", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 8}]}],
    "processes": [{"name": "a"}, {"name": "b", "priority": "realtime"}],
    "queues": [{"name": "low", "type": "direct", "process": "a"}, {"name": "high", "type": "direct", "process": "b"}],
    "cpus": [{"name": "c", "timeline": [{"type": "execute", "queue": "low", "lists": ["long"]},
      {"type": "sleep_until", "us": 50}, {"type": "execute", "queue": "high", "lists": ["short"]}]}]})");
  // Frames of 10 ms, each shown at the next vertical blank; at 30 ms another process wants 14 ms.
  shell.write("frames.json", R"({"name": "frames", "machine": "tiny",
    "compute_pipelines": [{"name": "k", "threads": 64, "group_cycles": 1000}],
    "command_lists": [
      {"name": "h", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 112000}]},
      {"name": "o", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 80000}]}],
    "processes": [{"name": "oo"}, {"name": "hh"}],
    "queues": [{"name": "game", "type": "direct", "process": "oo"}, {"name": "hog", "type": "direct", "process": "hh"}],
    "cpus": [{"name": "boss", "timeline": [{"type": "repeat", "count": 5, "steps": [
        {"type": "execute", "queue": "game", "lists": ["o"]}, {"type": "present", "queue": "game"},
        {"type": "wait_vblank"}]}]},
      {"name": "h", "timeline": [{"type": "sleep_until", "us": 30000},
        {"type": "execute", "queue": "hog", "lists": ["h"]}]}]})");
  const auto run = [&](const std::string& file, const std::string& out, const std::vector<std::string>& sets) {
    std::vector<std::string> arguments = {"run", file, "--out", out};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    REQUIRE(shell.fenceline(arguments).code == 0);
  };
  const auto verdict = [&](const char* one, const char* other) {
    return compared(shell, one, other)["verdict"].get<std::string>();
  };
  const std::string groups = "/engines/3d/compute_preemption/granularity=thread_group_boundary";
  run("two.json", "whole", {"/engines/3d/compute_preemption/granularity=dispatch_boundary"});
  run("two.json", "groups", {groups});
  CHECK_THAT(verdict("whole", "groups"), StartsWith("B takes as long as A") &&
                                             Contains("; time in queue of high, p99: 4950.000 -> 50.000 us (-99.0 %)"));
  CHECK_THAT(verdict("groups", "whole"), Contains("; time in queue of high, p99: 50.000 -> 4950.000 us (+9800.0 %)"));
  // Groups of 20 us end at 60 us.
  run("two.json", "shorter", {groups, "/workload/compute_pipelines/k/group_cycles=20000"});
  CHECK_THAT(verdict("groups", "shorter"), Contains("; preemption latency, p99: 50.000 -> 10.000 us (-80.0 %)"));
  // A latency that moves by less than 1 % is not worth a word.
  run("two.json", "alike", {groups, "/workload/cpus/c/timeline/1/us=49.7"});
  CHECK_THAT(verdict("groups", "alike"), !Contains("p99"));

  run("frames.json", "late", {});
  run("frames.json", "light", {"/workload/command_lists/h/commands/0/x=8"});
  CHECK_THAT(verdict("late", "light"), StartsWith("B takes 16666.667 us less than A (") &&
                                           Contains("; it misses 0 vertical blanks in place of 1"));
}

TEST_CASE("fenceline compare: runs that are alike, or only their inputs are not, are told so", "[cli]") {
  const Shell shell;
  play(shell, "one");
  play(shell, "two");
  play(shell, "silent", {"/scheduler/bands/idle/quantum_us=123"});
  const json alike = compared(shell, "one", "two");
  for (const char* kind : {"inputs", "results", "times", "counts", "frames"}) CHECK(alike[kind].empty());
  CHECK(alike["verdict"] == "alike: the same inputs, the same results");
  const json silent = compared(shell, "one", "silent");
  CHECK(silent["inputs"].size() == 1);
  CHECK(silent["inputs"][0]["b"] == 123);
  play(shell, "slower", {"/engines/3d/clock_mhz=1000"});
  const std::string slower = compared(shell, "one", "slower")["verdict"];
  CHECK_THAT(slower, StartsWith("B takes ") && Contains(" us more than A (+"));
  CHECK_THAT(compared(shell, "slower", "one")["verdict"].get<std::string>(), Contains(" us less than A (-"));
  CHECK(silent["verdict"] == "the same results, though 1 input differs");
}

TEST_CASE("fenceline compare: an end, another workload and a run that does not complete are told", "[cli]") {
  const Shell shell;
  play(shell, "whole");
  REQUIRE(shell.fenceline({"run", shipped_workload("game_and_compositor").string(), "--until", "20ms", "--out", "cut"})
              .code == 0);
  const json cut = compared(shell, "whole", "cut");
  REQUIRE(cut["inputs"].size() == 1);
  CHECK(cut["inputs"][0]["pointer"] == "/run/until_ps");
  CHECK_THAT(cut["verdict"].get<std::string>(), StartsWith("B does not complete, A completes; B takes "));
  shell.write("small.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "small.json", "--out", "small"}).code == 0);
  const json other = compared(shell, "whole", "small");
  CHECK(other["b"]["workload_name"] == "small");
  CHECK_FALSE(other["results"].empty());
}

TEST_CASE("fenceline compare: what is no run is refused with its place", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "small.json", "--out", "run"}).code == 0);
  REQUIRE(shell.fenceline({"run", "small.json", "--repeat", "2", "--out", "repeated"}).code == 0);
  const auto refused = [&](const std::string& other) {
    const Output output = shell.fenceline({"compare", "run", other});
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    return output.err;
  };
  CHECK(refused("small.json") ==
        "small.json: /: expected report.json of a run or the directory of a run, found a workload: play it first, with "
        "fenceline run\n");
  CHECK_THAT(refused("missing"), StartsWith("missing: /: "));
  CHECK_THAT(refused("repeated"), StartsWith("repeated/report.json: /statistics: ") && Contains("several runs"));
  json broken = load_json(shell.work() / "run/report.json");
  broken["workload_name"] = 3;
  shell.write("broken.json", broken.dump());
  CHECK(refused("broken.json") == "broken.json: /workload_name: expected a string, found 3\n");
}

TEST_CASE("fenceline compare: frames that came on screen at another time, or in one run alone", "[cli]") {
  const Shell shell;
  for (const std::string clock : {"1800", "900"}) {
    REQUIRE(shell
                .fenceline({"run", shipped_workload("flip_storm").string(), "--out", clock, "--set",
                            "/engines/3d/clock_mhz=" + clock})
                .code == 0);
  }
  const json frames = compared(shell, "1800", "900")["frames"];
  REQUIRE_FALSE(frames.empty());
  double last = HUGE_VAL;
  for (const json& frame : frames) {
    CHECK_THAT(frame["pointer"].get<std::string>(),
               StartsWith("/adapter.display.game/frame ") && Contains("/on_screen_ps"));
    const bool shown = frame["a"].is_number() && frame["b"].is_number();
    const double change = shown ? std::fabs(frame["b"].get<double>() - frame["a"].get<double>()) : HUGE_VAL;
    CHECK(change > 0);
    CHECK(change <= last);
    last = change;
  }
  CHECK_THAT(shell.fenceline({"compare", "1800", "900"}).out, Contains("\nframes on screen, us "));
  // By hand: one that moved, one that is in one run alone, one that was never shown.
  const std::string report = contents_of(shell.work() / "900/report.json");
  const auto write = [&](const std::string& run, const std::string& rows) {
    shell.write(run + "/report.json", report);
    shell.write(run + "/frames.csv", "swap_chain,frame,on_screen_us\n" + rows);
  };
  write("x", "s,1,5.5\ns,2,\ns,3,7\n");
  write("y", "s,1,5.500001\ns,2,6\n");
  const json expected = {{{"pointer", "/s/frame 2/on_screen_ps"}, {"a", nullptr}, {"b", 6'000'000}},
                         {{"pointer", "/s/frame 3/on_screen_ps"}, {"a", 7'000'000}, {"b", nullptr}},
                         {{"pointer", "/s/frame 1/on_screen_ps"}, {"a", 5'500'000}, {"b", 5'500'001}}};
  CHECK(compared(shell, "x", "y")["frames"] == expected);
  CHECK_THAT(shell.fenceline({"compare", "x", "y"}).out, Contains("never           6.000\n"));
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"s,one,5\n", "y/frames.csv: /1: expected the number of a frame, found \"one\""},
      {"s,1,2\ns,1,soon\n", "y/frames.csv: /2: expected microseconds or nothing, found \"soon\""},
      {"s,1\n", "y/frames.csv: /1: expected a row of 3 cells, found 2"}};
  for (const auto& [rows, message] : wrong) {
    write("y", rows);
    CHECK(shell.fenceline({"compare", "x", "y"}).err == message + "\n");
  }
  shell.write("y/frames.csv", "frame\n");
  CHECK(shell.fenceline({"compare", "x", "y"}).code == 2);
}

TEST_CASE("fenceline compare --html: a page beside the text; runs are left as they are", "[cli]") {
  const Shell shell;
  play(shell, "coarse");
  play(shell, "fine", {fine});
  const auto files = [&] {
    std::set<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shell.work())) {
      paths.insert(entry.path().string());
    }
    return paths;
  };
  std::set<std::string> expected = files();
  expected.insert((shell.work() / "page.html").string());
  const Output output = shell.fenceline({"compare", "coarse", "fine/report.json", "--html", "page.html"});
  REQUIRE(output.code == 0);
  CHECK(output.err.empty());
  CHECK_THAT(output.out, StartsWith("A            coarse/report.json") && Contains("\nverdict      B takes as long") &&
                             Contains("\npage         page.html\n"));
  const std::string page = contents_of(shell.work() / "page.html");
  CHECK_THAT(page, StartsWith("<!DOCTYPE html>") && Contains("<iframe id=\"a\"") && Contains("<iframe id=\"b\"") &&
                       Contains("it misses 3 deadlines in place of 7"));
  CHECK(files() == expected);

  // A page that a run has is taken as it is.
  shell.write("coarse/timeline.html", "<p>its & own</p>");
  REQUIRE(shell.fenceline({"compare", "coarse", "fine", "--html", "page.html", "--json"}).code == 0);
  CHECK_THAT(contents_of(shell.work() / "page.html"), Contains("srcdoc=\"<p>its &amp; own</p>\""));

  const Output itself = shell.fenceline({"compare", "coarse", "fine", "--html", "fine/report.json"});
  CHECK(itself.code == 1);
  CHECK(itself.out.empty());
  CHECK_THAT(itself.err, Contains("it is the input"));
}
