// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

Output run(const Shell& shell, const Arguments& more) {
  Arguments arguments = {"run", "--out", "run"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return shell.fenceline(arguments);
}

json statistics(const Shell& shell) { return load_json(shell.work() / "run/report.json")["statistics"]; }

/// A run's files. What has no effect is told of what the user wrote down, and only of the files that were named.
std::map<std::string, std::string> run_files(const Shell& shell, const Arguments& more) {
  const Output output = run(shell, more);
  auto files = files_in(shell.work() / "run");
  json report = parse_json(files.at("report.json"), "report.json");
  report.erase("no_effect");
  report["workload"].erase("machine");  // a file, seen from another place
  files["report.json"] = dump_json(report);
  files["exit code"] = std::to_string(output.code);
  return files;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("fenceline run: every shipped workload runs on a single queue, and twice", "[cli][replay]") {
  const Shell shell;
  for (const auto& entry : std::filesystem::directory_iterator(source_directory() / "configs/workloads")) {
    const std::string workload = entry.path().string();
    INFO(workload);
    Arguments on_one = {workload, "--single-queue", "--check-invariants"};
    // On one queue nobody tells the frames of pgo_benchmark to stop, all 1,020 are played: with a sanitizer, a minute.
    const bool is_cut = sanitized && entry.path().stem() == "pgo_benchmark";
    if (is_cut) on_one.insert(on_one.end(), {"--until", "2s"});
    const Output single = run(shell, on_one);
    CHECK(single.err.empty() != is_cut);
    CHECK(single.code == 0);
    CHECK(load_json(shell.work() / "run/report.json")["workload"]["queues"].size() == 1);
    const Output twice = run(shell, {workload, "--loop", "2", "--check-invariants"});
    CHECK(twice.err.empty());
    CHECK(twice.code == 0);
    const json all = statistics(shell);
    const json& passes = all["passes"];
    CHECK(passes["count"] == 2);
    const auto first = passes["times_ps"][0].get<std::uint64_t>();
    const auto second = passes["times_ps"][1].get<std::uint64_t>();
    CHECK(first + second == all["end_ps"]);
    CHECK(passes["min_ps"] == std::min(first, second));
    CHECK(passes["max_ps"] == std::max(first, second));
    CHECK(passes["mean_ps"] == (first + second) / 2);
    CHECK_THAT(twice.out, Contains("\npasses       2: min "));
  }
}

TEST_CASE("fenceline run: a loop of one pass, and a range of everything, are the plain run", "[cli][replay]") {
  const Shell shell;
  for (const std::string name : {"pipelined_compute_graphics", "flip_storm"}) {
    const std::string workload = shipped_workload(name).string();
    const auto plain = run_files(shell, {workload});
    CHECK(run_files(shell, {workload, "--loop", "1"}) == plain);
    CHECK(run_files(shell, {workload, "--from", "frame:0"}) == plain);
    CHECK(run_files(shell, {workload, "--fast-forward", "submit:0"}).at("packets.csv") == plain.at("packets.csv"));
  }
}

TEST_CASE("fenceline trim: what it writes plays as a run with --from and --to", "[cli][replay]") {
  const Shell shell;
  const std::map<std::string, std::vector<std::string>> ranges = {
      {"pipelined_compute_graphics", {"submit:21", "submit:55"}},
      {"ring_buffer", {"submit:7", "submit:30"}},
      {"multi_engine", {"submit:1", "submit:4"}},
      {"flip_storm", {"frame:10", "frame:40"}},
      {"vr_timewarp", {"submit:5", "submit:12"}},
      {"game_and_compositor", {"submit:3", "submit:9"}},
      {"two_linked_adapters", {"frame:2", "frame:6"}},
      {"train_and_decode", {"submit:2", "submit:20"}},
      {"oversubscribed_vram", {"submit:3", "submit:9"}},
  };
  for (const auto& [name, range] : ranges) {
    INFO(name);
    const std::string workload = shipped_workload(name).string();
    const auto expected = run_files(shell, {workload, "--from", range[0], "--to", range[1]});
    CHECK(expected.at("exit code") == "0");
    REQUIRE(shell.fenceline({"trim", workload, "-o", "t.json", "--from", range[0], "--to", range[1]}).code == 0);
    CHECK(run_files(shell, {"t.json"}) == expected);
    CHECK(shell.fenceline({"check", "t.json"}).code == 0);
    REQUIRE(shell.fenceline({"pack", workload, "-o", "w.capture"}).code == 0);
    REQUIRE(shell.fenceline({"trim", "w.capture", "-o", "t.capture", "--from", range[0], "--to", range[1]}).code == 0);
    CHECK(run_files(shell, {"t.capture"}) == expected);
    const json info = parse_json(shell.fenceline({"info", "t.capture", "--json"}).out, "info");
    CHECK(info["kind"] == "capture");
    CHECK(info["capture"]["machine"] == load_json(workload).value("machine", "h200"));
    // Again, and on a single queue.
    CHECK(run_files(shell, {workload, "--from", range[0], "--to", range[1], "--single-queue", "--loop", "2"}) ==
          run_files(shell, {"t.capture", "--single-queue", "--loop", "2"}));
  }
}

TEST_CASE("fenceline trim: a machine's file is found from the new place, and code is not needed", "[cli][replay]") {
  const Shell shell;
  std::filesystem::create_directories(shell.work() / "a");
  std::filesystem::create_directories(shell.work() / "b/c");
  json workload = small_workload();
  workload["machine"] = "m.json";
  std::filesystem::copy_file(source_directory() / "configs/machines/tiny.json", shell.work() / "a/m.json");
  shell.write("a/w.json", workload.dump());
  REQUIRE(shell.fenceline({"trim", "a/w.json", "-o", "b/c/t.json", "--from", "submit:1"}).code == 0);
  CHECK(load_json(shell.work() / "b/c/t.json")["machine"] == "../../a/m.json");
  CHECK(run(shell, {"b/c/t.json"}).code == 0);
}

TEST_CASE("fenceline run: points that are none, or are in the wrong order, are told", "[cli][replay]") {
  const Shell shell;
  const std::string workload = shipped_workload("ring_buffer").string();
  const auto refusal = [&](const Arguments& more) {
    Arguments arguments = {"run", workload};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Output output = shell.fenceline(arguments);
    CHECK(output.code == 2);
    return output.err;
  };
  for (const std::string option : {"--from", "--to", "--fast-forward"}) {
    for (const std::string text : {"3", "frames:3", "frame:", "frame:-1", "frame:3x", "submit:99999999999999999999"}) {
      CHECK(refusal({option, text}) ==
            fmt::format("{}: /: expected frame:N or submit:N, such as frame:3, found \"{}\"\n", option, text));
    }
    CHECK(refusal({option, "submit:49"}) ==
          fmt::format("{}: /: expected a point from submit:0 to submit:48, found submit:49\n", option));
  }
  CHECK(refusal({"--from", "frame:1"}) == "--from: /: expected a point from frame:0 to frame:0, found frame:1\n");
  CHECK(refusal({"--from", "submit:9", "--to", "submit:9"}) ==
        "--to: /: expected a point behind submit:9, found submit:9\n");
  CHECK(refusal({"--to", "submit:0"}) == "--to: /: expected a point behind the beginning, found submit:0\n");
  CHECK(refusal({"--from", "submit:48"}) == "--from: /: expected a point with work behind it, found submit:48\n");
  CHECK_THAT(refusal({"--loop", "0"}), Contains("--loop"));
  CHECK_THAT(refusal({"--loop", "1000001"}), Contains("--loop"));
  CHECK(shell.fenceline({"trim", workload, "-o", "t.json", "--from", "submit:49"}).code == 2);
  CHECK(!std::filesystem::exists(shell.work() / "t.json"));
  CHECK(shell.fenceline({"trim", "-", "-o", "t.json"}).code == 2);
}

TEST_CASE("fenceline info: it says how many submits and frames there are to count", "[cli][replay]") {
  const Shell shell;
  for (const auto& [name, submits, frames] :
       {std::tuple("ring_buffer", 48, 0), std::tuple("pipelined_compute_graphics", 118, 0)}) {
    const json info = parse_json(shell.fenceline({"info", shipped_workload(name).string(), "--json"}).out, "info");
    CHECK(info["submits"] == submits);
    CHECK(info["frames"] == frames);
  }
}

TEST_CASE("fenceline run: with --fast-forward the run is the same, and told from the point on", "[cli][replay]") {
  const Shell shell;
  const std::string workload = shipped_workload("pipelined_compute_graphics").string();
  REQUIRE(run(shell, {workload}).code == 0);
  const json whole = statistics(shell);
  const auto all_rows = lines_in(contents_of(shell.work() / "run/packets.csv"));
  const Output output = run(shell, {workload, "--fast-forward", "submit:60"});
  REQUIRE(output.code == 0);
  CHECK_THAT(output.out, Contains("\nfast forward to submit:60, at "));
  const json part = statistics(shell);
  CHECK(part["end_ps"] == whole["end_ps"]);
  CHECK(part["fast_forward"]["point"] == "submit:60");
  const auto at_ps = part["fast_forward"]["at_ps"].get<std::uint64_t>();
  CHECK(at_ps > 0);
  CHECK(at_ps < part["end_ps"]);
  // The last rows, as they were.
  const auto rows = lines_in(contents_of(shell.work() / "run/packets.csv"));
  REQUIRE(rows.size() > 1);
  REQUIRE(rows.size() < all_rows.size());
  CHECK(std::equal(rows.begin() + 1, rows.end(), all_rows.end() - static_cast<std::ptrdiff_t>(rows.size() - 1)));
  CHECK(part["packets"] == rows.size() - 1);
  std::uint64_t lists = 0;
  for (const json& queue : part["queues"]) lists += queue["render_packets"].get<std::uint64_t>();
  std::uint64_t all_lists = 0;
  for (const json& queue : whole["queues"]) all_lists += queue["render_packets"].get<std::uint64_t>();
  CHECK(lists <= all_lists - 60);
  CHECK(lists >= all_lists - 63);  // others may run ahead
  // It is never reached where the work ends before.
  const Output never = run(shell, {workload, "--fast-forward", "submit:118", "--limit-us", "100"});
  CHECK(never.code == 1);
  CHECK_THAT(never.err, Contains("the run ended before submit:118"));
}

TEST_CASE("fenceline run: with --fast-forward each row of a table is one of the whole run, the last ones of packets",
          "[cli][replay]") {
  const Shell shell;
  for (const std::string name : {"background_compute", "four_bands", "flip_storm", "hang_and_recover", "six_hangs",
                                 "two_linked_adapters", "paging_pressure", "multi_engine"}) {
    const std::string workload = shipped_workload(name).string();
    REQUIRE(run(shell, {workload}).code == 0);
    const auto whole = files_in(shell.work() / "run");
    const json info = parse_json(shell.fenceline({"info", workload, "--json"}).out, "info");
    const auto submits = info["submits"].get<std::uint64_t>();
    for (const std::uint64_t submit : {std::uint64_t{1}, submits / 3, submits / 2, submits - 1}) {
      INFO(name << ", submit:" << submit);
      REQUIRE(run(shell, {workload, "--fast-forward", "submit:" + std::to_string(submit)}).code == 0);
      for (const auto& [file, text] : files_in(shell.work() / "run")) {
        if (file.find(".csv") == std::string::npos) continue;
        const auto all = lines_in(whole.at(file));
        const auto rows = lines_in(text);
        for (const std::string& row : rows) CHECK(std::find(all.begin(), all.end(), row) != all.end());
        if (file != "packets.csv") continue;
        REQUIRE(rows.size() <= all.size());
        CHECK(std::equal(rows.begin() + 1, rows.end(), all.end() - static_cast<std::ptrdiff_t>(rows.size() - 1)));
      }
    }
  }
}

TEST_CASE("fenceline: a capture in which one number was changed by hand replays with the changed effect",
          "[cli][replay]") {
  const Shell shell;
  json workload = small_workload();
  workload["queues"].erase(2);  // copies, then a grid of 8 groups three times
  workload.erase("cpus");
  workload.erase("deadlines");
  shell.write("w.json", workload.dump());
  REQUIRE(shell.fenceline({"pack", "w.json", "--machine", "tiny", "-o", "w.capture"}).code == 0);
  REQUIRE(run(shell, {"w.capture"}).code == 0);
  const auto before = statistics(shell)["end_ps"].get<std::uint64_t>();
  REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "u.json", "--machine-out", "m.json"}).code == 0);
  json edited = load_json(shell.work() / "u.json");
  edited["compute_pipelines"][0]["group_cycles"] = 5000;  // it was 1000: three dispatches of 5 us instead of 1 us
  shell.write("u.json", edited.dump());
  REQUIRE(shell.fenceline({"pack", "u.json", "--machine", "m.json", "-o", "e.capture"}).code == 0);
  REQUIRE(run(shell, {"e.capture"}).code == 0);
  CHECK(statistics(shell)["end_ps"].get<std::uint64_t>() == before + 3 * 4'000'000);
}
