// SPDX-License-Identifier: Apache-2.0
// Runs that are played again from what they left, and runs that end early.
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

std::map<std::string, std::string> files_of(const Shell& shell, const std::string& run) {
  return files_in(shell.work() / run);
}

}  // namespace

TEST_CASE("fenceline run: a run's report plays it again with the same bytes", "[cli]") {
  const Shell shell;
  // What a workload, options and a seed may add to a run beside the workload's own file.
  const std::vector<std::vector<std::string>> runs = {
      {"multi_engine"},
      {"multi_engine", "--set", "/shader_array/graphics_sms=8", "--set", "/scheduler/bands/normal/quantum_us=500"},
      {"game_and_compositor", "--seed", "7", "--set", "/workload/queues/compositor/priority=normal"},
      {"game_and_compositor", "--until", "20ms"},
      {"game_and_compositor", "--from", "submit:2", "--to", "submit:9"},
      {"multi_engine", "--loop", "3", "--single-queue"},
      {"ring_buffer", "--fast-forward", "submit:40", "--machine", "rtx_4090"},
  };
  for (std::vector<std::string> run : runs) {
    INFO(fmt::format("{} {}", run[0], run.size() > 1 ? run[1] : ""));
    run[0] = shipped_workload(run[0]).string();
    run.insert(run.begin(), "run");
    run.insert(run.end(), {"--out", "first"});
    REQUIRE(shell.fenceline(run).code == 0);
    REQUIRE(shell.fenceline({"run", "first/report.json", "--out", "second"}).code == 0);
    CHECK((files_of(shell, "first") == files_of(shell, "second")));
  }
}

TEST_CASE("fenceline run: a run's directory plays beside it, and changes of it are another run", "[cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", "runs/frame"}).code == 0);
  REQUIRE(shell.fenceline({"run", "runs/frame"}).code == 0);
  CHECK((files_of(shell, "runs/frame") == files_of(shell, "runs/frame_again")));
  REQUIRE(shell.fenceline({"run", "runs/frame/report.json", "--set", "/shader_array/graphics_sms=8", "--out", "set"})
              .code == 0);
  REQUIRE(shell
              .fenceline({"run", shipped_workload("multi_engine").string(), "--set", "/shader_array/graphics_sms=8",
                          "--out", "plain"})
              .code == 0);
  const json set = load_json(shell.work() / "set/report.json");
  const json plain = load_json(shell.work() / "plain/report.json");
  CHECK(set["statistics"] == plain["statistics"]);
  CHECK(set["machine"] == plain["machine"]);
  // What has no effect is what this run was given.
  const Output silent =
      shell.fenceline({"run", "runs/frame", "--set", "/scheduler/bands/normal/quantum_us=500", "--out", "silent"});
  CHECK_THAT(silent.out, Contains("no effect    --set: /scheduler/bands/normal/quantum_us: "));
  CHECK(load_json(shell.work() / "silent/report.json")["no_effect"].size() == 1);
  const Output on_another = shell.fenceline({"run", "runs/frame", "--machine", "rtx_4090", "--json"});
  CHECK(parse_json(on_another.out, "report.json")["machine_name"] == "rtx_4090");
}

TEST_CASE("fenceline: what takes workloads takes a run's report", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "small.json", "--out", "run"}).code == 0);
  const Output checked = shell.fenceline({"check", "run/report.json"});
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, StartsWith("run/report.json: ok, report of a run of workload \"small\" on machine \"h200\""));
  CHECK_THAT(shell.fenceline({"check", "run"}).out, StartsWith("run: ok, report of a run of workload \"small\""));
  CHECK(shell.fenceline({"check", "."}).code == 2);
  CHECK(shell.fenceline({"pack", "run/report.json", "-o", "x.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "x.capture", "--out", "packed"}).code == 0);
  const auto statistics = [&](const std::string& run) {
    return load_json(shell.work() / run / "report.json")["statistics"];
  };
  CHECK(statistics("run") == statistics("packed"));
}

TEST_CASE("fenceline run: a report that cannot be played is told why", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "small.json", "--repeat", "2", "--out", "repeated"}).code == 0);
  const Output repeated = shell.fenceline({"run", "repeated"});
  CHECK(repeated.code == 2);
  CHECK_THAT(repeated.err, StartsWith("repeated/report.json: /repeat: expected report.json of one run, found "));
  REQUIRE(shell.fenceline({"run", "small.json", "--out", "run"}).code == 0);
  const json report = load_json(shell.work() / "run/report.json");
  const auto refused = [&](const json& changed) {
    shell.write("r.json", changed.dump());
    const Output output = shell.fenceline({"run", "r.json", "--out", "out"});
    CHECK(output.code == 2);
    CHECK_FALSE(std::filesystem::exists(shell.work() / "out"));
    return output.err;
  };
  json program = report;
  program.erase("workload");
  CHECK_THAT(refused(program), StartsWith("r.json: /: expected report.json of a run of a workload, with the key "));
  json wrong = report;
  wrong["run"] = {{"passes", 0}, {"until", 1}};
  CHECK_THAT(refused(wrong), Contains("r.json: /run/passes: ") && Contains("r.json: /run/until: "));
  wrong = report;
  wrong["workload"]["queues"][0]["type"] = "coppy";
  CHECK_THAT(refused(wrong), StartsWith("r.json, workload: /queues/0/type: ") && Contains("did you mean \"copy\"?"));
  wrong = report;
  wrong["machine"]["engines"] = 3;
  CHECK_THAT(refused(wrong), StartsWith("r.json, machine: /engines: expected an array, found 3"));
  wrong = report;
  wrong["machine"]["shader_cache"]["directory"] = "/tmp/elsewhere";
  CHECK_THAT(refused(wrong), StartsWith("r.json, machine: /shader_cache/directory: expected nothing"));
  wrong = report;
  wrong["no_effect"] = {{{"file", 1}}};
  CHECK_THAT(refused(wrong), Contains("r.json: /no_effect/0/file: expected a string, found 1"));
}

TEST_CASE("fenceline run --until: it ends there, writes what was until then, and says so", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  const Output whole = shell.fenceline({"run", workload, "--out", "whole"});
  const Output cut = shell.fenceline({"run", workload, "--out", "cut", "--until", "20ms"});
  CHECK(cut.code == 0);
  CHECK_THAT(cut.out, Contains("makespan     20000.000000 us  (ended there, as asked for)"));
  CHECK_THAT(cut.err, StartsWith("ended at 20000 us: "));
  const json statistics = load_json(shell.work() / "cut/report.json")["statistics"];
  CHECK(statistics["completed"] == false);
  CHECK(statistics["end_ps"] == 20'000'000'000);
  CHECK_FALSE(statistics["unfinished"].empty());
  CHECK(files_of(shell, "cut").size() == files_of(shell, "whole").size());
  // Packets that were over by then are those of the whole run.
  const std::string packets = files_of(shell, "cut").at("packets.csv");
  const std::string all = files_of(shell, "whole").at("packets.csv");
  CHECK(lines_of(packets) > 2);
  CHECK(lines_of(packets) < lines_of(all));
  CHECK(all.compare(0, packets.size(), packets) == 0);
  for (const char* same : {"20000us", "0.02s", "2e4us", "2e7ns"}) {
    REQUIRE(shell.fenceline({"run", workload, "--out", "same", "--until", same}).code == 0);
    CHECK((files_of(shell, "same") == files_of(shell, "cut")));
  }
  // One that is over before is not cut.
  const Output later = shell.fenceline({"run", workload, "--out", "later", "--until", "1s"});
  CHECK(later.code == 0);
  CHECK(later.err.empty());
  CHECK((files_of(shell, "later") == files_of(shell, "whole")));
  CHECK(whole.code == 0);
}

TEST_CASE("fenceline run --until: what is no time is refused", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  for (const char* wrong : {"5", "us", "5m", "-1us", "0s", "1e20s", "nanus", "1 s", "1s2", ""}) {
    INFO(wrong);
    const Output output = shell.fenceline({"run", "small.json", std::string("--until=") + wrong});
    CHECK(output.code == 2);
    CHECK_FALSE(output.err.empty());
  }
  CHECK_THAT(shell.fenceline({"run", "small.json", "--until", "5"}).err,
             Contains("--until: expected a time such as 500us, 16.7ms or 1s, found \"5\""));
  CHECK(shell.fenceline({"run", "small.json", "--until", "1s", "--limit-us", "5"}).code == 2);
  CHECK(shell.fenceline({"run", "small.json", "--until", "1s", "--repeat", "2"}).code == 2);
  CHECK_FALSE(std::filesystem::exists(shell.work() / "runs"));
}

TEST_CASE("fenceline report --html: a run that is over gets the page that it would have had", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  REQUIRE(shell.fenceline({"run", workload, "--until", "20ms", "--html", "--out", "with"}).code == 0);
  REQUIRE(shell.fenceline({"run", workload, "--until", "20ms", "--trace", "--out", "without"}).code == 0);
  const auto before = files_of(shell, "without");
  const Output output = shell.fenceline({"report", "without", "--html"});
  CHECK(output.code == 0);
  CHECK(output.out == "page         without/timeline.html\n");
  auto after = files_of(shell, "without");
  CHECK((after.at("timeline.html") == files_of(shell, "with").at("timeline.html")));
  // All else is as it was, the page is the run's, and nothing stands beside it.
  after.erase("timeline.html");
  CHECK_THAT(after.at(".fenceline-run"), Contains("\ntimeline.html\n"));
  after[".fenceline-run"] = before.at(".fenceline-run");
  CHECK((after == before));
  CHECK_FALSE(std::filesystem::exists(shell.work() / "without.page"));
  CHECK(shell.fenceline({"report", "without/", "--html"}).code == 0);  // again
  CHECK(shell.fenceline({"run", workload, "--out", "without"}).code == 0);
}

TEST_CASE("fenceline report --html: what does not play as it did is refused, and left as it is", "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "small.json", "--out", "run"}).code == 0);
  json report = load_json(shell.work() / "run/report.json");
  report["statistics"]["end_ps"] = 1;
  shell.write("run/report.json", report.dump());
  const auto before = files_in(shell.work());
  const Output changed = shell.fenceline({"report", "run", "--html"});
  CHECK(changed.code == 2);
  CHECK_THAT(changed.err, StartsWith("run/report.json: /: expected what playing the run again comes to, found "));
  shell.write("plain/report.json", report.dump());
  CHECK_THAT(shell.fenceline({"report", "plain", "--html"}).err,
             StartsWith("plain: /: expected the directory of a run"));
  CHECK(shell.fenceline({"report", "missing", "--html"}).code == 2);
  CHECK(shell.fenceline({"report", "run"}).code == 2);
  CHECK(shell.fenceline({"report", "run", "--html", "--resource", "x"}).code == 2);
  std::filesystem::remove_all(shell.work() / "plain");
  CHECK((files_in(shell.work()) == before));
}
