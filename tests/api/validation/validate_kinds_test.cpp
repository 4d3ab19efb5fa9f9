// SPDX-License-Identifier: Apache-2.0
// `fenceline validate` on every kind of measured file, and on directories.
#include "api/validation/kinds/kinds.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path hardware = source_directory() / "bench/hardware";

json validated(const Shell& shell, const std::string& path) {
  const Output output = shell.fenceline({"validate", "--json", path});
  INFO(output.err);
  REQUIRE(output.code == 0);
  CHECK(output.err.empty());
  return parse_json(output.out, "validate");
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

void check_case(const json& one) {
  std::set<std::string> keys = {"error_pct",   "file", "kind",        "mean_op_error_pct",
                                "measured_us", "name", "simulated_us"};
  if (one.contains("limit_pct")) keys.insert({"limit_pct", "pass"});
  if (one.contains("published")) keys.insert({"published", "simulated", "source"});
  const bool mode = one.contains("measured_share_pct");
  if (mode) keys.insert({"measured_share_pct", "simulated_share_pct", "share_limit_points"});
  CHECK(keys_of(one) == keys);
  const double measured = one["measured_us"];
  double error = (one["simulated_us"].get<double>() - measured) / measured * 100;
  if (one.contains("published")) {  // the error is that of the figure in its own unit
    const double published = one["published"];
    error = (one["simulated"].get<double>() - published) / published * 100;
  }
  CHECK(one["error_pct"].get<double>() == Approx(error));
  bool within = std::abs(error) <= one.value("limit_pct", 0.0);
  if (mode) {
    const double share = one["simulated_share_pct"].get<double>() - one["measured_share_pct"].get<double>();
    within = within && std::abs(share) <= one["share_limit_points"].get<double>();
  }
  if (one.contains("pass")) CHECK(one["pass"].get<bool>() == within);
}

/// One short launch and one kernel's waves: quick, and the first has no chance to be exact.
json small_file(double launch_us = 1.5) {
  return {{"launch", {{"empty_1block_period_us", launch_us}}},
          {"block_waves", {{{"grid", 264}, {"threads", 1024}, {"cycles", 40000}, {"us", 20.4}}}}};
}

}  // namespace

TEST_CASE("fenceline validate: any rows of any key are known by the key, under any file name", "[cli][validation]") {
  const Shell shell;
  std::set<std::string> seen;
  for (const char* name :
       {"graphics.json", "microbenchmarks.json", "graphics_workloads.json", "workloads.json", "time_slicing.json",
        "context_preemption.json", "l2.json", "fill_overlap.json", "../published/rtx_4090/rtx_4090.json"}) {
    const json whole = load_json(hardware / "h200" / name);
    for (const auto& [key, rows] : whole.items()) {
      if (key == "device" || key == "quantiles") continue;
      INFO(name << ", " << key);
      json part = {{key, rows}};
      if (whole.contains("quantiles")) part["quantiles"] = whole["quantiles"];
      if (rows.is_array() && rows.size() > 2) part[key].erase(part[key].begin() + 2, part[key].end());
      shell.write("data", part.dump());
      const json document = validated(shell, "data");
      CHECK(keys_of(document) == std::set<std::string>{"cases", "kinds", "skipped", "summary"});
      CHECK(document["cases"].size() >= 2);
      for (const json& one : document["cases"]) {
        check_case(one);
        CHECK(one["kind"] == key);
        CHECK(one["file"] == "data");
      }
      REQUIRE(document["kinds"].size() == 1);
      const json& kind = document["kinds"][0];
      CHECK(kind["kind"] == key);
      CHECK(kind["cases"] == document["cases"].size());
      CHECK(kind.contains("pass") != kind["informative"].get<bool>());
      CHECK(document["skipped"].empty());
      seen.insert(key);
    }
  }
  for (const MeasuredKind& kind : measured_kinds()) {
    const std::string key = kind.key;
    const bool of_traces = key == "traceEvents" || key == "decode_alone_us" || key == "train_alone_us" ||
                           key == "two_processes" || key == "kernel_time" || key == "torch_jobs" ||
                           key == "torch_pairs";
    if (!of_traces) CHECK(seen.count(key) == 1);
  }
}

TEST_CASE("fenceline validate: every end of l2_us is within 10 %, of the H100 by its public numbers",
          "[cli][validation]") {
  const Shell shell;
  const std::vector<std::string> h100 = {"/memory/vram/gb_per_s=3307", "/memory/device_copy_gb_per_s=2891",
                                         "/memory/l2_hit_bytes=35000000", "/memory/l2_miss_bytes=43300000"};
  for (const auto& [file, sets] :
       {std::pair("h200/l2.json", std::vector<std::string>{}), std::pair("h100/l2.json", h100)}) {
    std::vector<std::string> arguments = {"validate", "--check", "--json", (hardware / file).string()};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const Output output = shell.fenceline(arguments);
    INFO(file << ": " << output.err);
    CHECK(output.code == 0);
    const json document = parse_json(output.out, "validate");
    CHECK(document["cases"].size() == 26 + 13);  // a row for each of 26, a second end where another kernel runs
    for (const json& one : document["cases"]) {
      INFO(one["name"]);
      CHECK(one["limit_pct"] == 10);
      CHECK(one["pass"].get<bool>());
    }
  }
}

TEST_CASE("fenceline validate: a row of l2_us names the time of what runs beside, and no other", "[cli][validation]") {
  const Shell shell;
  const auto refused = [&](const json& row) {
    shell.write("data", json{{"l2_us", {row}}}.dump());
    return shell.fenceline({"validate", "data"});
  };
  json row = {{"beside", "a streaming read"}, {"blocks", 4}, {"set_mb", 1}, {"bytes_per_block", 4096}, {"us", 3}};
  Output output = refused(row);
  CHECK(output.code == 2);
  CHECK_THAT(output.err, Contains("data: /l2_us/0/other_us: expected the time of the kernel beside"));
  row["beside"] = "nothing, all SMs";
  row["other_us"] = 4;
  output = refused(row);
  CHECK(output.code == 2);
  CHECK_THAT(output.err, Contains("/l2_us/0/other_us: expected no time"));
  row["beside"] = "something";
  CHECK_THAT(refused(row).err, Contains("/l2_us/0/beside"));
}

TEST_CASE("fenceline validate: a trace's steps, and measured steps beside it, are played", "[cli][validation]") {
  const Shell shell;
  const fs::path decode = hardware / "h200/torch_decode.kineto.json";
  const json steps = validated(shell, decode.string());
  CHECK(steps["cases"].size() == 4);
  for (const json& one : steps["cases"]) {
    check_case(one);
    CHECK(one["kind"] == "traceEvents");
  }
  // The trace is found by its steps' time, whatever it is called; without one the rows are skipped.
  const json mix = load_json(hardware / "h200/torch_mix.json");
  shell.write("mix.json", mix.dump());
  const json alone = validated(shell, "mix.json");
  CHECK(alone["cases"].empty());
  CHECK(alone["skipped"].size() == 3);
  fs::copy_file(decode, shell.work() / "other.json");
  const json beside = validated(shell, "mix.json");
  REQUIRE(beside["cases"].size() == 1);
  CHECK(beside["cases"][0]["kind"] == "decode_alone_us");
  CHECK(beside["cases"][0]["measured_us"] == mix["decode_alone_us"]["p50"]);
  CHECK(std::abs(beside["cases"][0]["error_pct"].get<double>()) < 2);
}

TEST_CASE("fenceline validate: rows that cannot be played are listed with a reason, never given a figure", "[cli]") {
  const Shell shell;
  shell.write("mix.json", load_json(hardware / "h200/torch_mix.json").dump());
  const json document = validated(shell, "mix.json");
  CHECK(document["cases"].empty());
  CHECK(document["kinds"].empty());
  REQUIRE(document["skipped"].size() == 3);
  CHECK(keys_of(document["skipped"][0]) == std::set<std::string>{"file", "kind", "reason", "rows"});
  CHECK(document["summary"]["mean_abs_error_pct"] == 0);
  const Output table = shell.fenceline({"validate", "mix.json"});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, Contains("no Kineto trace") && Contains("0 cases"));
}

TEST_CASE("fenceline validate: two processes take the shortest and the longest trace beside the row", "[cli]") {
  const Shell shell;
  shell.write("mix.json", json{{"two_processes", load_json(hardware / "h200/torch_mix.json")["two_processes"]}}.dump());
  for (const char* trace : {"torch_decode.kineto.json", "torch_train.kineto.json"}) {
    fs::copy_file(hardware / "h200" / trace, shell.work() / trace);
  }
  const json document = validated(shell, "mix.json");
  REQUIRE(document["cases"].size() == 1);
  check_case(document["cases"][0]);
  CHECK(std::abs(document["cases"][0]["error_pct"].get<double>()) < 7);
}

namespace {

/// Two jobs and a pair of the measured ones, with their traces beside the file.
json torch_file(const Shell& shell) {
  const json all = load_json(hardware / "h100_torch/torch_mixes.json");
  json file = {{"torch_jobs", json::array()}, {"torch_pairs", json::array({all["torch_pairs"][0]})}};
  fs::create_directories(shell.work() / "traces");
  for (const json& job : all["torch_jobs"]) {
    if (job["job"] != "decode" && job["job"] != "train") continue;
    file["torch_jobs"].push_back(job);
    fs::copy_file(hardware / "h100_torch" / job["trace_file"].get<std::string>(),
                  shell.work() / job["trace_file"].get<std::string>());
  }
  return file;
}

}  // namespace

TEST_CASE("fenceline validate: two jobs of one process are played once for both of their steps", "[cli][validation]") {
  const Shell shell;
  json file = torch_file(shell);
  REQUIRE(file["torch_jobs"].size() == 2);
  file["torch_pairs"].push_back(file["torch_pairs"][0]);
  file["torch_pairs"][1]["kept_out"] = true;
  shell.write("mixes.json", file.dump());
  const Output output = shell.fenceline({"validate", "--json", "mixes.json", "--machine", "h100_measured"});
  INFO(output.err);
  REQUIRE(output.code == 0);
  const json document = parse_json(output.out, "validate");
  std::vector<std::string> kinds;
  for (const json& kind : document["kinds"]) kinds.push_back(kind["kind"]);
  CHECK(kinds == std::vector<std::string>{"torch_jobs", "torch_pairs", "torch_pairs, kept out"});
  REQUIRE(document["cases"].size() == 2 + 2 + 2);
  for (const json& one : document["cases"]) {
    check_case(one);
    CHECK(std::abs(one["error_pct"].get<double>()) < 7);
  }
  CHECK(document["cases"][2]["name"] == "decode beside train, decode");
  CHECK(document["cases"][3]["name"] == "decode beside train, train");
  CHECK(document["cases"][2]["simulated_us"] == document["cases"][4]["simulated_us"]);
}

TEST_CASE("fenceline validate: a pair of jobs that nobody measured, and a trace that is not there, are told",
          "[cli][validation]") {
  const Shell shell;
  const json file = torch_file(shell);
  const auto refused = [&](const char* pointer, const json& value) {
    json changed = file;
    changed[json::json_pointer(pointer)] = value;
    shell.write("mixes.json", changed.dump());
    const Output output = shell.fenceline({"validate", "mixes.json"});
    CAPTURE(pointer, output.err);
    CHECK(output.code == 2);
    CHECK_THAT(output.err, Contains(pointer));
    return output.err;
  };
  CHECK_THAT(refused("/torch_pairs/0/asked", "decoder"), Contains("expected one of the jobs of torch_jobs"));
  CHECK_THAT(refused("/torch_pairs/0/kept", ""), Contains("expected one of the jobs of torch_jobs"));
  CHECK_THAT(refused("/torch_jobs/0/trace_file", "nothing.json"), Contains("expected a Kineto trace beside this file"));
  CHECK_THAT(refused("/torch_jobs/0/trace_file", std::string(5000, 'x')), Contains("expected a Kineto trace"));
  CHECK_THAT(refused("/torch_pairs/0/priority", "higher"), Contains("high"));
}

TEST_CASE("fenceline validate: times of a pair that cannot be are played for as long as others", "[cli][validation]") {
  const Shell shell;
  json file = torch_file(shell);
  file["torch_pairs"][0]["kept"] = file["torch_pairs"][0]["asked"];  // which takes the least time to play
  file["torch_pairs"][0]["asked_us"]["p50"] = 1e12;
  file["torch_pairs"][0]["kept_us"]["p50"] = 1e-6;
  shell.write("mixes.json", file.dump());
  const Output output = shell.fenceline({"validate", "--json", "mixes.json", "--machine", "h100_measured"});
  INFO(output.err);
  CHECK(output.code == 0);
  const json document = parse_json(output.out, "validate");
  CHECK(document["cases"].size() > 0);
  for (const json& one : document["cases"]) CHECK(one["simulated_us"].get<double>() < 1e5);
}

TEST_CASE("fenceline validate: a table of latencies by kernel time is played on its GPU", "[cli][validation]") {
  const Shell shell;
  shell.write("part.dat", "kernel_time avg p50 p90 p99\n900 754.712 768.724 1107.714 1149.455\n");
  const Output output = shell.fenceline({"validate", "--json", "part.dat", "--machine", "quadro_gv100"});
  REQUIRE(output.code == 0);
  const json document = parse_json(output.out, "validate");
  REQUIRE(document["cases"].size() == 4);
  for (const json& one : document["cases"]) {
    check_case(one);
    CHECK(one["kind"] == "kernel_time");
    CHECK(std::abs(one["error_pct"].get<double>()) < 12);
  }
}

TEST_CASE("fenceline validate: a directory gives one table with a line for each kind", "[cli][validation]") {
  const Shell shell;
  fs::create_directories(shell.work() / "data/deep");
  shell.write("data/b.json", small_file().dump());
  shell.write("data/deep/a.json", json{{"launch", {{"host_to_device_to_host_us", 6.4}}}}.dump());
  shell.write("data/mix.json", json{{"two_processes", {{"p50", 5000}}}}.dump());
  shell.write("data/README.md", "not measured");
  const json document = validated(shell, "data");
  std::vector<std::string> kinds;
  for (const json& kind : document["kinds"]) {
    kinds.push_back(kind["file"].get<std::string>() + " " + kind["kind"].get<std::string>());
  }
  CHECK(kinds == std::vector<std::string>{"data/b.json block_waves", "data/b.json launch", "data/deep/a.json launch"});
  CHECK(document["skipped"][0]["file"] == "data/mix.json");

  const Output table = shell.fenceline({"validate", "data"});
  CHECK(table.code == 0);
  CHECK(lines_of(table.out) == 7);  // heading, three kinds, one skipped, two of summary
  CHECK_THAT(table.out,
             Contains("block_waves") && Contains("3 cases on h200") && Contains("each 2 %") && Contains("pass"));
  CHECK((shell.fenceline({"validate", "data"}).out == table.out));
  const Output rows = shell.fenceline({"validate", "--rows", "data"});
  CHECK(lines_of(rows.out) == lines_of(table.out) + 3 * 4);  // each kind: file, heading, its row, an empty line
  // Files and directories may be mixed; they keep their order.
  const Output two = shell.fenceline({"validate", "data/deep", "data/b.json"});
  CHECK(two.out.find("\na ") < two.out.find("\nb "));
  CHECK(lines_of(two.out) == 6);
}

TEST_CASE("fenceline validate: --check exits with 1 when a limit is missed", "[cli][validation]") {
  const Shell shell;
  shell.write("good.json", json{{"block_waves", small_file()["block_waves"]}}.dump());
  shell.write("bad.json", small_file(20).dump());
  CHECK(shell.fenceline({"validate", "good.json", "--check"}).code == 0);
  CHECK(shell.fenceline({"validate", "bad.json"}).code == 0);
  const Output bad = shell.fenceline({"validate", "bad.json", "--check"});
  CHECK(bad.code == 1);
  CHECK_THAT(bad.out, Contains("MISS") && Contains("1 of 2 kinds keep their limits"));
  const json document = validated(shell, "bad.json");
  CHECK(document["kinds"][0]["pass"] == true);
  CHECK(document["kinds"][1]["pass"] == false);
  CHECK(document["kinds"][1]["cases_over_limit"] == 1);
  // What is shown for information has no verdict.
  shell.write("info.json", json{{"empty_submit_us", {1000.0}}}.dump());
  CHECK(shell.fenceline({"validate", "info.json", "--check"}).code == 0);
}

TEST_CASE("fenceline validate: the same rows give the same bytes", "[cli][validation]") {
  const Shell shell;
  json file = load_json(hardware / "h200/graphics_workloads.json");
  file["graphics_workloads"].erase(file["graphics_workloads"].begin() + 3, file["graphics_workloads"].end());
  shell.write("frames.json", file.dump());
  const Output first = shell.fenceline({"validate", "--json", "frames.json"});
  CHECK(first.code == 0);
  CHECK((shell.fenceline({"validate", "--json", "frames.json"}).out == first.out));
}

TEST_CASE("fenceline validate: a directory without measured files, or with a wrong one, is refused", "[cli]") {
  const Shell shell;
  const auto refused = [&](const std::string& path, const std::string& message) {
    const Output output = shell.fenceline({"validate", path});
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    CHECK(lines_of(output.err) == 1);
    CHECK_THAT(output.err, StartsWith(message));
  };
  fs::create_directories(shell.work() / "data");
  refused("data", "data: /: expected a directory with measured files");
  refused("none", "none: /: expected a readable file, found no such file");
  shell.write("data/a.json", small_file().dump());
  shell.write("data/b.json", R"({"name": "w"})");
  refused("data", "data/b.json: /: expected a measured file");
  shell.write("data/b.json", R"({"launch": {"period": 1}})");
  refused("data", "data/b.json: /launch/period: expected");
  shell.write("t.dat", "kernel_time avg p50 p90 p99\n100 1 2 3\n");
  refused("t.dat", "t.dat: /kernel_time/0: expected 5 numbers, found a line of 4 words");
  shell.write("t.dat", "kernel_time avg p50 p90 p99\n100 1 2 x 4\n");
  refused("t.dat", "t.dat: /kernel_time/0/p90: expected a number, found \"x\"");
  shell.write("t.dat", "kernel_time avg p50\n100 1 2\n");
  refused("t.dat", "t.dat: ");
  // A row's translation that the machine cannot play is told at the row.
  shell.write("big.json", R"({"block_waves": [{"grid": 1, "threads": 1024, "smem": 1000000, "cycles": 1, "us": 1}]})");
  refused("big.json", "big.json: /block_waves/0: expected commands that the machine can run");
}

TEST_CASE("fenceline check: measured files of every kind are told with their number of cases", "[cli]") {
  const Shell shell;
  const Output output =
      shell.fenceline({"check", (hardware / "h200/graphics.json").string(),
                       (hardware / "h200/torch_train.kineto.json").string(), (hardware / "gv100/level2.dat").string()});
  CHECK(output.code == 0);
  CHECK(lines_of(output.out) == 3);
  CHECK_THAT(output.out, Contains("graphics.json: ok, measured file, 131 cases") &&
                             Contains("level2.dat: ok, measured file, 40 cases"));
}
