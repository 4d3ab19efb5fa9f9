// SPDX-License-Identifier: Apache-2.0
// Machine files that are like another one.
#include "api/machine_document.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <variant>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::Equals;
using nlohmann::json;

namespace {

MachineConfig machine_of(const json& said) { return MachineDocument(said, "my.json", "").read({}); }

std::string refusal(const json& said) {
  try {
    machine_of(said);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("like: what a machine does not say is as in the one that it is like", "[configs]") {
  MachineConfig expected = builtin_machine("h200");
  expected.name = "like h200";
  CHECK(dump_config(machine_of({{"like", "h200"}})) == dump_config(expected));
  expected.name = "mine";
  expected.memory.vram.gb_per_s = 1;
  expected.submission_paths.at("cuda_stream").compute.launch_ns = 7;
  expected.shader_array.shared_splits_kib = {0, 228};
  CHECK(dump_config(machine_of({{"like", "h200"},
                                {"name", "mine"},
                                {"memory", {{"vram", {{"gb_per_s", 1}}}}},
                                {"submission_paths", {{"cuda_stream", {{"compute", {{"launch_ns", 7}}}}}}},
                                {"shader_array", {{"shared_splits_kib", {0, 228}}}}})) == dump_config(expected));
}

TEST_CASE("like: engines change by the names of their nodes, or all of them by a list", "[configs]") {
  const json by_name = {{"like", "h200"},
                        {"engines", {{"compute0", {{"clock_mhz", 99}}}, {"copy2", {{"clock_mhz", 7}}}}}};
  const MachineConfig changed = machine_of(by_name);
  MachineConfig expected = builtin_machine("h200");
  expected.name = "like h200";
  std::get<ComputeEngineConfig>(expected.engines.at(1)).clock_mhz = 99;
  std::get<CopyEngineConfig>(expected.engines.at(4)).clock_mhz = 7;
  CHECK(dump_config(changed) == dump_config(expected));

  const MachineConfig few = machine_of({{"like", "h200"}, {"engines", json::array({{{"type", "compute"}}})}});
  CHECK(few.engines.size() == 1);
}

TEST_CASE("like: another path to submit work joins those that there are", "[configs]") {
  const MachineConfig more = machine_of({{"like", "tiny"}, {"submission_paths", {{"fast", json::object()}}}});
  CHECK(more.submission_paths.size() == builtin_machine("tiny").submission_paths.size() + 1);
}

TEST_CASE("like: what is wrong is told where the user wrote it", "[configs]") {
  CHECK_THAT(refusal({{"like", 5}}),
             Equals("my.json: /like: expected the name of a built-in machine, or a file's, found 5"));
  CHECK_THAT(refusal({{"like", "h20"}}),
             Contains("my.json: /like: expected one of") && Contains("did you mean \"h200\""));
  CHECK_THAT(refusal({{"like", "h200"}, {"memori", 1}}), Contains("my.json: /memori: ") && Contains("unknown key"));
  CHECK_THAT(refusal({{"like", "h200"}, {"memory", {{"vram", {{"gb_per_s", "fast"}}}}}}),
             Contains("my.json: /memory/vram/gb_per_s: expected a number"));
  CHECK_THAT(refusal({{"like", "h200"}, {"memory", nullptr}}),
             Contains("my.json: /memory: expected an object, found null"));
  CHECK_THAT(
      refusal({{"like", "h200"}, {"engines", {{"copy3", json::object()}}}}),
      Contains("my.json: /engines/copy3: expected a node of \"h200\", 3d0, compute0, copy0, copy1, copy2, or a list"));
  CHECK_THAT(refusal({{"like", "h200"}, {"engines", {{"copy0", 1}}}}),
             Contains("my.json: /engines/copy0: expected an object"));
  CHECK_THAT(refusal({{"like", "h200"}, {"engines", {{"copy0", {{"type", "3d"}}}}}}),
             Contains("my.json: /engines/copy0/type: expected \"copy\""));
  CHECK_THAT(refusal({{"like", "h200"}, {"engines", {{"copy1", {{"clok", 1}}}}}}),
             Contains("my.json: /engines/copy1/clok: "));
  CHECK_THAT(refusal({{"like", "h200"}, {"engines", 5}}), Contains("my.json: /engines: expected an array"));
  CHECK_THAT(refusal({{"like", "h200"}, {"default_path", "magic"}}), Contains("my.json: /default_path: "));
}

TEST_CASE("like: what a change makes wrong elsewhere is told as of the machine that it is like", "[configs]") {
  const std::string refused =
      refusal({{"like", "h200"}, {"video_memory", {{"dedicated_mib", 1}, {"device_context_kib", 2048}}}});
  CHECK_THAT(refused, Contains("my.json, like h200: /engines/0/context_state/allocation_kib: "));
}

TEST_CASE("like: one level, and files beside the file", "[configs]") {
  const Shell shell;
  shell.write("machines/base.json", R"({"like": "tiny", "name": "base"})");
  shell.write("machines/own.json", R"({"name": "own", "memory": {"vram": {"gb_per_s": 12}}})");
  shell.write("machines/two.json", R"({"like": "base.json"})");
  shell.write("machines/one.json", R"({"like": "own.json", "host": {"call_us": 2}})");
  const auto two = shell.fenceline({"check", "machines/two.json"});
  CHECK(two.code == 2);
  CHECK_THAT(two.err,
             Contains("machines/two.json: /like: expected a machine that is itself like none, found \"base.json\""));
  const auto one = shell.fenceline({"check", "machines/one.json", "--expanded"});
  CHECK(one.code == 0);
  CHECK_THAT(one.out, Contains("machine \"like own\", like own.json") && Contains("\n/host/call_us: 2 instead of 1\n"));
  const json expanded = json::parse(one.out.substr(one.out.find("\n{")));
  CHECK(expanded["memory"]["vram"]["gb_per_s"] == 12);
  CHECK_FALSE(expanded.contains("like"));
  shell.write("bad.json", R"({"name": "bad", "host": {"call_us": "x"}})");
  shell.write("like_bad.json", R"({"like": "./bad.json"})");
  CHECK_THAT(shell.fenceline({"check", "like_bad.json"}).err, Contains("bad.json: /host/call_us: expected a number"));
}

TEST_CASE("like: report.json has the machine expanded, and it plays again to the same bytes", "[configs]") {
  const Shell shell;
  shell.write("my.json", R"({"like": "h200", "name": "my", "memory": {"vram": {"gb_per_s": 2000}}})");
  const std::string workload = shipped_workload("multi_engine").string();
  REQUIRE(shell.fenceline({"run", workload, "--machine", "my.json", "--out", "one"}).code == 0);
  const json report = load_json(shell.work() / "one/report.json");
  const json& machine = report.at("machine");
  CHECK(machine.at("memory").at("vram").at("gb_per_s") == 2000);
  CHECK_FALSE(machine.contains("like"));
  shell.write("expanded.json", machine.dump());
  REQUIRE(shell.fenceline({"run", workload, "--machine", "expanded.json", "--out", "two"}).code == 0);
  json again = load_json(shell.work() / "two/report.json");
  again["no_effect"] = report["no_effect"];  // of all values that the file names
  CHECK((again == report));
}

TEST_CASE("like: check names what cannot matter of what the file says, not of what it is like", "[configs]") {
  const Shell shell;
  shell.write("my.json", R"({"like": "tiny", "display": {"width": 640}})");
  const auto checked = shell.fenceline({"check", "my.json"});
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, Contains("/display/width: 640 instead of"));
}
