// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A workload of one PCIe copy.
std::string one_copy(const std::string& machine = "") {
  json workload = {{"name", "one copy"},
                   {"resources",
                    {{{"type", "buffer"}, {"name", "up"}, {"heap", "upload"}, {"bytes", 1 << 30}},
                     {{"type", "buffer"}, {"name", "down"}, {"bytes", 1 << 30}}}},
                   {"command_lists",
                    {{{"name", "list"},
                      {"type", "copy"},
                      {"commands", {{{"type", "copy_buffer"}, {"source", "up"}, {"destination", "down"}}}}}}},
                   {"queues",
                    {{{"name", "copy"},
                      {"type", "copy"},
                      {"timeline", json::array({{{"type", "execute"}, {"lists", {"list"}}}})}}}}};
  if (!machine.empty()) workload["machine"] = machine;
  return workload.dump(1);
}

/// The report of a run.
json report_of(const Shell& shell, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const Output output = shell.fenceline(arguments);
  REQUIRE(output.code == 0);
  CHECK(output.err.empty());
  return parse_json(output.out, "report.json");
}
std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}
double end_us(const json& report) { return report["statistics"]["end_ps"].get<double>() / 1e6; }

}  // namespace

TEST_CASE("fenceline: it prints help and version, and refuses what it does not know with exit code 2", "[cli]") {
  const Shell shell;
  const Output help = shell.fenceline({"--help"});
  CHECK(help.code == 0);
  for (const char* verb : {"run", "check", "schema", "validate", "cache"}) {
    CHECK_THAT(help.out, Contains(verb));
    const Output of_verb = shell.fenceline({verb, "--help"});
    CHECK(of_verb.code == 0);
    CHECK(of_verb.err.empty());
    CHECK_THAT(of_verb.out, Contains("Usage:"));
  }
  CHECK_THAT(help.out, Contains("Exit codes: 0 done, 1 the model failed") && Contains("--set"));
  const Output run_help = shell.fenceline({"run", "--help"});
  for (const char* option : {"--machine", "--set", "--out", "--trace", "--json"}) {
    CHECK_THAT(run_help.out, Contains(option));
  }
  CHECK_THAT(shell.fenceline({"validate", "--help"}).out, Contains("--ops") && Contains("--json"));
  const Output version = shell.fenceline({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("fenceline ") && Contains("."));

  const std::vector<std::vector<std::string>> wrong = {
      {}, {"fly"}, {"run"}, {"check"}, {"validate"}, {"schema"}, {"schema", "gpu"}, {"run", "a.json", "--fast"}};
  for (const auto& arguments : wrong) {
    const Output output = shell.fenceline(arguments);
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    CHECK(!output.err.empty());
  }
  CHECK(files_in(shell.work()).empty());
}

TEST_CASE("fenceline: a number that cannot be is told in a short line", "[cli]") {
  const Shell shell;
  const Output seed = shell.fenceline({"run", "any.json", "--seed", "-1"});
  CHECK(seed.code == 2);
  CHECK_THAT(seed.err, Contains("--seed") && Contains("-1"));
  CHECK(seed.err.size() < 200);
  const Output at = shell.fenceline({"explain", "any", "--deadline", "vsync", "--at", "-5"});
  CHECK(at.code == 2);
  CHECK_THAT(at.err, Contains("--at: expected microseconds from 0 to 9e12, found \"-5\""));
  CHECK(at.err.size() < 200);
}

TEST_CASE("fenceline run: a run directory whose files can all be read, and a summary that says where", "[cli]") {
  const Shell shell;
  const Output output = shell.fenceline({"run", shipped_workload("multi_engine").string()});
  CHECK(output.code == 0);
  CHECK(output.err.empty());
  CHECK(lines_of(output.out) <= 40);
  CHECK_THAT(output.out, Contains("makespan") && Contains("copy0") && Contains("3d0") && Contains("compute0"));
  CHECK_THAT(output.out, Contains("runs/multi_engine") && Contains("ui.perfetto.dev") && Contains("busy %"));
  CHECK_THAT(output.out, Contains("fence ") && Contains("301") && Contains("final draw"));
  const auto files = files_in(shell.work() / "runs/multi_engine");
  CHECK(files.size() == 10);

  const json report = parse_json(files.at("report.json"), "report.json");
  CHECK(report["statistics"]["completed"] == true);
  CHECK(report["statistics"]["packets"] == 13);
  CHECK(report["machine_name"] == "h200");
  CHECK(report["machine"]["shader_array"]["sms"] == 132);
  CHECK(report["workload"]["queues"].size() == 3);
  CHECK(report["statistics"]["fences"][2] ==
        json({{"fence", "compute"}, {"value", 301}, {"signals", 1}, {"interrupts", 1}}));

  const json trace = parse_json(files.at("trace.json"), "trace.json");
  CHECK(trace["traceEvents"].size() > 20);

  const auto rows = rows_of(files.at("packets.csv"));
  REQUIRE(rows.size() == 1 + 13);
  for (const auto& row : rows) CHECK(row.size() == rows[0].size());
  CHECK(rows[0][0] == "id");
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  for (std::size_t i = 1; i < rows.size(); ++i) {
    // The reasons tile the packet's life. Half a unit of the last digit printed, for seven roundings.
    double reasons = 0;
    for (const char* reason : {"queued_us", "fence_us", "node_us", "running_us", "preempted_us", "completing_us"}) {
      reasons += std::stod(rows[i][column(reason)]);
    }
    const double life = std::stod(rows[i][column("completed_us")]) - std::stod(rows[i][column("submitted_us")]);
    CHECK(reasons == Approx(life).margin(3.5e-6));
  }
}

TEST_CASE("fenceline run: the summary stays within 40 lines with 60 queues, fences and deadlines", "[cli]") {
  const Shell shell;
  json workload = small_workload();
  workload["queues"] = json::array();
  workload["fences"] = json::array();
  workload["cpus"] = json::array();
  workload["deadlines"] = json::array();
  for (int i = 0; i < 60; ++i) {
    const char* const types[] = {"copy", "compute", "direct"};
    const char* const lists[] = {"copies", "grid", "draws"};
    const std::string number = std::to_string(i);
    workload["fences"].push_back({{"name", "a fence with a name that is long, " + number}});
    workload["deadlines"].push_back(
        {{"name", "deadline " + number}, {"fence", workload["fences"][i]["name"]}, {"value", 1}, {"us", i}});
    workload["queues"].push_back({{"name", "a queue with a name that is long, " + number},
                                  {"type", types[i % 3]},
                                  {"timeline",
                                   {{{"type", "execute"}, {"lists", {lists[i % 3]}}},
                                    {{"type", "signal"}, {"fence", workload["fences"][i]["name"]}, {"value", 1}}}}});
  }
  shell.write("wide.json", workload.dump());
  const Output output = shell.fenceline({"run", "wide.json"});
  CHECK(output.code == 0);
  CHECK(lines_of(output.out) <= 40);
  CHECK_THAT(output.out, Contains("more queues") && Contains("more fences") && Contains("more deadlines"));
  const json report = load_json(shell.work() / "runs/wide/report.json");
  CHECK(report["statistics"]["queues"].size() == 60);
  CHECK(report["statistics"]["fences"].size() == 60);
  CHECK(report["statistics"]["deadlines"].size() == 60);
}

TEST_CASE("fenceline run: the machine is the one given, else the workload's, else the built-in h200", "[cli]") {
  const Shell shell;
  const auto machine = [&](const std::string& name, double gb_per_s) {
    shell.write(
        name, json{{"name", name}, {"memory", {{"pcie_to_device", {{"gb_per_s", gb_per_s}, {"sharing", "in_order"}}}}}}
                  .dump());
  };
  machine("machines/slow.json", 1);
  machine("fast.json", 100);
  shell.write("plain.json", one_copy());
  shell.write("workloads/own.json", one_copy("../machines/slow.json"));
  CHECK(report_of(shell, {"plain.json"})["machine_name"] == "h200");
  CHECK(report_of(shell, {"workloads/own.json"})["machine_name"] == "machines/slow.json");
  CHECK(report_of(shell, {"workloads/own.json", "--machine", "fast.json"})["machine_name"] == "fast.json");
  CHECK(report_of(shell, {"workloads/own.json", "--machine", "h200"})["machine_name"] == "h200");
  // 1 GiB at 1 and 100 GB/s; the fixed costs of one copy are below 20 us.
  CHECK(end_us(report_of(shell, {"workloads/own.json"})) == Approx(1073741.8).margin(20));
  CHECK(end_us(report_of(shell, {"plain.json", "--machine", "fast.json"})) == Approx(10737.4).margin(20));
}

TEST_CASE("fenceline run: --set changes the result as one would expect", "[cli]") {
  const Shell shell;
  shell.write("copy.json", one_copy());
  const json plain = report_of(shell, {"copy.json"});
  const double rate = plain["machine"]["memory"]["pcie_to_device"]["gb_per_s"];
  const std::string half = "/memory/pcie_to_device/gb_per_s=" + std::to_string(rate / 2);
  // The copy's fixed costs, below 20 us of 20 ms, do not double.
  CHECK(end_us(report_of(shell, {"copy.json", "--set", half})) == Approx(2 * end_us(plain)).margin(20));
  const json less = report_of(shell, {"copy.json", "--set", "/workload/resources/0/bytes=" + std::to_string(1 << 29)});
  CHECK(2 * end_us(less) == Approx(end_us(plain)).margin(20));
  CHECK(less["workload"]["resources"][0]["bytes"] == 1 << 29);
  // Several, before and after the file, the last one of a value counts, and text needs no quotes.
  const json several = report_of(shell, {"--set", half, "copy.json", "--set", "/name=mine", "--set",
                                         "/memory/pcie_to_device/gb_per_s=" + std::to_string(rate)});
  CHECK(several["machine_name"] == "mine");
  CHECK(several["statistics"] == plain["statistics"]);
}

TEST_CASE("fenceline run: a workload may have CPU threads and no queue", "[cli]") {
  const Shell shell;
  shell.write("w.json",
              R"({"name": "w", "queues": [], "cpus": [{"name": "c", "timeline": [{"type": "work", "us": 7}]}]})");
  CHECK(end_us(report_of(shell, {"w.json"})) == 7);
}

TEST_CASE("fenceline run: --trace adds waves and channel rates and changes nothing else", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("multi_engine").string();
  CHECK(shell.fenceline({"run", workload, "--out", "plain"}).code == 0);
  CHECK(shell.fenceline({"run", workload, "--out", "detailed", "--trace"}).code == 0);
  const auto plain = files_in(shell.work() / "plain");
  const auto detailed = files_in(shell.work() / "detailed");
  CHECK(detailed.at("trace.json").size() > plain.at("trace.json").size());
  CHECK(parse_json(detailed.at("trace.json"), "trace.json")["traceEvents"].size() >
        parse_json(plain.at("trace.json"), "trace.json")["traceEvents"].size());
  CHECK((detailed.at("packets.csv") == plain.at("packets.csv")));
  CHECK((detailed.at("report.json") == plain.at("report.json")));
}

TEST_CASE("fenceline run: --json prints the report and nothing else", "[cli]") {
  const Shell shell;
  const Output output = shell.fenceline({"run", shipped_workload("ring_buffer").string(), "--json", "--out", "out"});
  CHECK(output.code == 0);
  CHECK(output.err.empty());
  CHECK((output.out == contents_of(shell.work() / "out/report.json")));
}

TEST_CASE("fenceline run: --check-invariants changes nothing in a run that keeps them", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("multi_engine").string();
  CHECK(shell.fenceline({"run", workload, "--out", "plain"}).code == 0);
  CHECK(shell.fenceline({"run", workload, "--out", "checked", "--check-invariants"}).code == 0);
  for (const char* file : {"report.json", "trace.json", "packets.csv", "preemptions.csv", "log.txt"}) {
    CHECK((contents_of(shell.work() / "plain" / file) == contents_of(shell.work() / "checked" / file)));
  }
}

TEST_CASE("fenceline run: FENCELINE_CHECK_INVARIANTS is 0, 1 or nothing, anything else an error", "[cli]") {
  const Shell shell;
  shell.write("copy.json", one_copy());
  const auto run = [&](const std::string& value) {
    return shell.fenceline({"run", "copy.json", "--machine", "tiny", "--json"},
                           "FENCELINE_CHECK_INVARIANTS=" + value + " ");
  };
  for (const char* value : {"", "0", "1"}) CHECK(run(value).code == 0);
  const auto before = files_in(shell.work());
  for (const std::string value : {"garbage", "2", "01", "true", "-"}) {
    const Output output = run(value);
    CHECK(output.code == 2);
    CHECK(output.err == "FENCELINE_CHECK_INVARIANTS: /: expected \"0\" or \"1\", found \"" + value + "\"\n");
    CHECK(output.out.empty());
  }
  CHECK(files_in(shell.work()) == before);
}

TEST_CASE("fenceline run: an earlier run is replaced, anything else in the way is refused", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  CHECK(shell.fenceline({"run", "small.json", "--out", "out"}).code == 0);
  CHECK(shell.fenceline({"run", "small.json", "--out", "out"}).code == 0);
  shell.write("thesis/chapter.tex", "years");
  for (const char* target : {"thesis", ".", "small.json", "/dev/null/out"}) {
    const Output output = shell.fenceline({"run", "small.json", "--out", target});
    INFO(output.err);
    CHECK(output.code == 1);
    CHECK(output.out.empty());
    CHECK(lines_of(output.err) == 1);
    CHECK_THAT(output.err, StartsWith("fenceline: "));
  }
  CHECK(contents_of(shell.work() / "thesis/chapter.tex") == "years");
  CHECK(contents_of(shell.work() / "small.json") == small_workload_text);
  CHECK(files_in(shell.work()).size() == 12);  // workload, chapter, six of the run
}

TEST_CASE("fenceline run: a file system that takes no more is an error and leaves nothing half", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("pipelined_compute_graphics").string();
  // Files may not grow beyond 8 KiB: what a full disk does, without a disk.
  const Output full = shell.fenceline({"run", workload, "--out", "out"}, "ulimit -f 16; ");
  INFO(full.err);
  CHECK(full.code == 1);
  CHECK(full.out.empty());
  CHECK(lines_of(full.err) == 1);
  CHECK_THAT(full.err, Contains("cannot write"));
  CHECK(files_in(shell.work()).empty());
}

TEST_CASE("fenceline: standard output on a full disk is an error", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  const std::string program = Shell::quoted(fenceline_binary());
  const std::vector<std::string> commands = {"run small.json", "run small.json --json", "check small.json",
                                             "schema machine"};
  for (const std::string& command : commands) {
    const Output output = shell.run(fmt::format("{} {} >/dev/full", program, command));
    INFO(command);
    CHECK(output.code == 1);
    CHECK(lines_of(output.err) == 1);
  }
}

TEST_CASE("fenceline check: it looks at every file, says what each is, and exits 2 if one is wrong", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  shell.write("wrong.json", R"({"name": "x"})");
  shell.write("machine.json", R"({"name": "mine", "engines": [{"type": "copy"}]})");
  const Output good = shell.fenceline({"check", "small.json", "machine.json", measured_workloads_file.string()});
  CHECK(good.code == 0);
  CHECK(good.err.empty());
  // What has no effect is told below its file (tests/knobs/silent_knobs_test.cpp).
  CHECK(lines_with(good.out, ": ok, ") == 3);
  CHECK_THAT(good.out, Contains("small.json: ok, workload \"small\" on machine \"h200\", 3 queues, 3 command lists"));
  CHECK_THAT(good.out, Contains("machine.json: ok, machine \"mine\", 1 engines, preemption graphics "
                                "none, compute none"));
  CHECK_THAT(good.out, Contains("workloads.json: ok, measured file, 30 cases"));
  const Output bad = shell.fenceline({"check", "wrong.json", "small.json", "missing.json"});
  CHECK(bad.code == 2);
  CHECK(lines_with(bad.out, ": ok, ") == 1);
  CHECK(lines_of(bad.err) == 2);
  CHECK_THAT(bad.err, Contains("wrong.json: /: expected the required key \"queues\", found no such key"));
  const Output machine = shell.fenceline({"check", "small.json", "--machine", "machine.json"});
  CHECK(machine.code == 2);
  CHECK_THAT(machine.err, Contains("no node for compute queues"));
  CHECK(files_in(shell.work()).size() == 3);
}

TEST_CASE("fenceline schema: it prints or writes the schemas of configs/schema", "[cli]") {
  const Shell shell;
  const fs::path schemas = source_directory() / "configs/schema";
  for (const std::string kind : {"machine", "workload"}) {
    const Output output = shell.fenceline({"schema", kind});
    CHECK(output.code == 0);
    CHECK((output.out == contents_of(schemas / (kind + ".schema.json"))));
  }
  fs::create_directory(shell.work() / "written");
  const Output written = shell.fenceline({"schema", "--write", "written"});
  CHECK(written.code == 0);
  CHECK(written.err.empty());
  CHECK((files_in(shell.work() / "written") == files_in(schemas)));
  const Output nowhere = shell.fenceline({"schema", "--write", "/dev/null/nowhere"});
  CHECK(nowhere.code == 1);
  CHECK(lines_of(nowhere.err) == 1);
}

TEST_CASE("fenceline: --set takes names of elements in place of indices, and says the same of them", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  const auto run = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> arguments = {"run", workload, "--outputs", "report", "--out", "run"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    return shell.fenceline(arguments);
  };
  const Output by_name = run({"/workload/queues/compositor/in_process_priority=1", "/engines/3d/clock_mhz=1800",
                              "/engines/copy1/clock_mhz=1500"});
  const Output by_index =
      run({"/workload/queues/1/in_process_priority=1", "/engines/0/clock_mhz=1800", "/engines/3/clock_mhz=1500"});
  CHECK(by_name.code == 0);
  CHECK(by_name.err == by_index.err);
  CHECK(by_name.out == by_index.out);
  const Output wrong = run({"/workload/queues/compositer/in_process_priority=1"});
  CHECK(wrong.code == 2);
  CHECK(
      wrong.err ==
      "--set: /workload/queues/compositer: expected \"game\", \"compositor\" or an index up to 2, found \"compositer\" "
      "(did you mean \"compositor\"?)\n");
}
