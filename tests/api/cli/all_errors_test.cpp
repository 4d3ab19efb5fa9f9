// SPDX-License-Identifier: Apache-2.0
// That one check tells all that is wrong with a file: no error hides one of another place, and none is told twice.
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

using Places = std::vector<std::string>;

/// Where `fenceline check` says that something is wrong, in alphabetical order: each line's pointer; of another file
/// than the one that is checked, the whole place.
Places wrong_in(const Shell& shell, const std::string& file) {
  const Output output = shell.fenceline({"check", file});
  CHECK(output.code == 2);
  INFO(output.err);
  Places places;
  std::istringstream lines(output.err);
  for (std::string line; std::getline(lines, line);) {
    std::string place = line.substr(0, line.find(": expected "));
    const std::string own = file + ": ";
    places.push_back(place.rfind(own, 0) == 0 ? place.substr(own.size()) : place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

Places wrong_in(const json& document) {
  const Shell shell;
  shell.write("x.json", document.dump());
  return wrong_in(shell, "x.json");
}

Places sorted(Places places) {
  std::sort(places.begin(), places.end());
  return places;
}

/// A workload on tiny with a fence "f", a pipeline "pipe", a direct list "l" and a buffer "b".
json sound() {
  return json::parse(R"({
    "name": "x", "machine": "tiny", "fences": [{"name": "f"}],
    "compute_pipelines": [{"name": "pipe", "threads": 64, "group_cycles": 5}],
    "resources": [{"type": "buffer", "name": "b", "bytes": 4096}],
    "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "pipe", "x": 1}]}],
    "queues": [{"name": "q", "type": "direct", "timeline": [{"type": "execute", "lists": ["l"]}]}]})");
}

}  // namespace

TEST_CASE("check: names of nothing, names twice and lists of another type are told together", "[cli]") {
  const json workload = json::parse(R"({
    "name": "x", "machine": "tiny", "fences": [{"name": "f"}, {"name": "f"}],
    "compute_pipelines": [{"name": "pipe", "threads": 64, "group_cycles": 5}],
    "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "pip", "x": 1}]}],
    "queues": [{"name": "a", "type": "direct", "process": "nope",
                "timeline": [{"type": "execute", "lists": ["ll"]}, {"type": "wait", "fence": "g", "value": 1}]},
               {"name": "a", "type": "copy", "timeline": [{"type": "execute", "lists": ["l"]}]}],
    "deadlines": [{"name": "d", "fence": "zz", "value": 1, "us": 5},
                  {"name": "e", "fence": "f", "value": 1, "beat": "vsnc"}],
    "beats": [{"name": "vsync", "us": 0, "us_step": 1, "count": 2}]})");
  // "process" is free text where the workload lists no processes.
  CHECK(wrong_in(workload) == sorted({"/fences/1/name", "/command_lists/0/commands/0/pipeline",
                                      "/queues/0/timeline/0/lists/0", "/queues/0/timeline/1/fence", "/queues/1/name",
                                      "/queues/1/timeline/0/lists/0", "/deadlines/0/fence", "/deadlines/1/beat"}));
}

TEST_CASE("check: what a doubled name stands for is not guessed", "[cli]") {
  json workload = sound();
  // One of them the queue could take, and one of them is no buffer: which one is meant, nobody knows.
  workload["command_lists"].push_back({{"name", "l"}, {"type", "copy"}, {"commands", json::array()}});
  workload["resources"].push_back(
      {{"type", "texture"}, {"name", "b"}, {"width", 4}, {"height", 4}, {"bytes_per_texel", 4}});
  workload["command_lists"].push_back(
      {{"name", "copying"},
       {"type", "direct"},
       {"commands", json::array({{{"type", "copy_buffer"}, {"source", "b"}, {"destination", "b"}}})}});
  workload["queues"].push_back({{"name", "c"},
                                {"type", "copy"},
                                {"timeline", json::array({{{"type", "execute"}, {"lists", json::array({"l"})}}})}});
  CHECK(wrong_in(workload) == sorted({"/command_lists/1/name", "/resources/1/name"}));
}

TEST_CASE("check: each kind of name may be there twice, and is told", "[cli]") {
  json workload = sound();
  for (const char* kind : {"fences", "compute_pipelines", "resources", "command_lists", "queues"}) {
    workload[kind].push_back(workload[kind][0]);
  }
  workload["processes"] = json::array({{{"name", "p"}}, {{"name", "p"}}, {{"name", "p"}}});
  workload["cpus"] =
      json::array({{{"name", "t"}, {"timeline", json::array()}}, {{"name", "t"}, {"timeline", json::array()}}});
  const json beat = {{"name", "v"}, {"us", 1}, {"us_step", 1}, {"count", 1}};
  workload["beats"] = json::array({beat, beat});
  const json deadline = {{"name", "d"}, {"fence", "f"}, {"value", 1}, {"beat", "v"}};
  workload["deadlines"] = json::array({deadline, deadline});
  CHECK(wrong_in(workload) == sorted({"/fences/1/name", "/compute_pipelines/1/name", "/resources/1/name",
                                      "/command_lists/1/name", "/queues/1/name", "/processes/1/name",
                                      "/processes/2/name", "/cpus/1/name", "/beats/1/name", "/deadlines/1/name"}));
}

TEST_CASE("check: all names that one command, step or deadline has are looked up", "[cli]") {
  json workload = sound();
  json& commands = workload["command_lists"][0]["commands"];
  commands.push_back({{"type", "copy_buffer"}, {"source", "no"}, {"destination", "none"}});
  commands.push_back({{"type", "resolve"}, {"source", "no"}, {"destination", "b"}});
  commands.push_back({{"type", "copy_texture"}, {"source", "no"}, {"destination", "none"}});
  workload["cpus"] = json::parse(R"([{"name": "t", "timeline": [
    {"type": "execute", "queue": "no", "lists": ["l", "no", "none"]},
    {"type": "queue_signal", "queue": "no", "fence": "none", "value": 1},
    {"type": "make_resident", "process": "no", "resources": ["no", "b", "none"], "fence": "none", "value": 1},
    {"type": "repeat", "count": 2, "steps": [{"type": "queue_wait", "queue": "no", "fence": "none", "value": 1}]}]}])");
  CHECK(wrong_in(workload) ==
        sorted({"/command_lists/0/commands/1/source", "/command_lists/0/commands/1/destination",
                "/command_lists/0/commands/2/source", "/command_lists/0/commands/2/destination",
                "/command_lists/0/commands/3/source", "/command_lists/0/commands/3/destination",
                "/cpus/0/timeline/0/queue", "/cpus/0/timeline/0/lists/1", "/cpus/0/timeline/0/lists/2",
                "/cpus/0/timeline/1/queue", "/cpus/0/timeline/1/fence", "/cpus/0/timeline/2/process",
                "/cpus/0/timeline/2/resources/0", "/cpus/0/timeline/2/resources/2", "/cpus/0/timeline/2/fence",
                "/cpus/0/timeline/3/steps/0/queue", "/cpus/0/timeline/3/steps/0/fence"}));
}

TEST_CASE("check: a command that a list may not have is told behind a command with another fault", "[cli]") {
  json workload = sound();
  workload["command_lists"][0]["type"] = "copy";
  workload["queues"][0]["type"] = "copy";
  json& commands = workload["command_lists"][0]["commands"];
  commands = json::array({{{"type", "copy_buffer"}, {"source", "no"}, {"destination", "b"}},
                          {{"type", "dispatch"}, {"pipeline", "pipe"}, {"x", 1}}});
  CHECK(wrong_in(workload) == sorted({"/command_lists/0/commands/0/source", "/command_lists/0/commands/1"}));
}

TEST_CASE("check: each wait that nothing ends is told, and what the machine cannot run beside it", "[cli]") {
  json workload = sound();
  workload["queues"][0]["timeline"].push_back({{"type", "wait"}, {"fence", "f"}, {"value", 3}});
  workload["queues"].push_back({{"name", "r"},
                                {"type", "direct"},
                                {"timeline", json::array({{{"type", "wait"}, {"fence", "f"}, {"value", 2}}})}});
  workload["queues"].push_back({{"name", "s"}, {"type", "direct"}, {"output", "nowhere"}, {"timeline", json::array()}});
  workload["queues"].push_back({{"name", "u"}, {"type", "direct"}, {"path", "nope"}, {"timeline", json::array()}});
  CHECK(wrong_in(workload) ==
        sorted({"/queues/0/timeline/1", "/queues/1/timeline/0", "/queues/2/output", "/queues/3"}));
}

TEST_CASE("check: two that wait for each other are one error, whoever else waits for them", "[cli]") {
  json workload = sound();
  const auto queue = [](const char* name, const char* waits, const char* signals) {
    return json{{"name", name},
                {"type", "direct"},
                {"timeline", json::array({{{"type", "wait"}, {"fence", waits}, {"value", 1}},
                                          {{"type", "signal"}, {"fence", signals}, {"value", 1}}})}};
  };
  workload["fences"] = json::array({{{"name", "f"}}, {{"name", "g"}}, {{"name", "h"}}});
  workload["queues"] = json::array({queue("a", "g", "h"), queue("b", "f", "g"), queue("c", "g", "f")});
  CHECK(wrong_in(workload) == Places{"/queues/1/timeline/0"});
}

TEST_CASE("check: the machine's errors are told beside the workload's", "[cli]") {
  const Shell shell;
  json workload = sound();
  workload["machine"] = "m.json";
  workload["deadlines"] = json::array({{{"name", "d"}, {"fence", "no"}, {"value", 1}, {"us", 5}}});
  shell.write("m.json", R"({"like": "tiny", "host": {"call_us": -1}})");
  shell.write("x.json", workload.dump());
  CHECK(wrong_in(shell, "x.json") == sorted({"/deadlines/0/fence", "m.json: /host/call_us"}));
  workload["quues"] = 5;
  shell.write("x.json", workload.dump());
  CHECK(wrong_in(shell, "x.json") == sorted({"/quues", "m.json: /host/call_us"}));
}

TEST_CASE("check: a node that is not there hides nothing of a machine that is like another", "[cli]") {
  const json machine = json::parse(R"({"like": "tiny", "name": "m2", "memory": {"vram": {"gb_per_s": -1}},
    "engines": {"3d0": {"clock_mhz": 0, "graphics_preemption": {"granularity": "pixl_boundary"}},
                "copy7": {"setup_cycles": 1}, "copy0": {"type": "3d"}, "copi0": 5},
    "scheduler": {"policy": "wdmm", "bandz": {}}, "shader_cache": {"directory": "caches"}})");
  CHECK(wrong_in(machine) ==
        sorted({"/memory/vram/gb_per_s", "/engines/3d0/clock_mhz", "/engines/3d0/graphics_preemption/granularity",
                "/engines/copy7", "/engines/copy0/type", "/engines/copi0", "/scheduler/policy", "/scheduler/bandz",
                "/shader_cache/directory"}));
}

TEST_CASE("check: what does not go together in a part hides nothing of the whole", "[cli]") {
  json machine = {{"like", "tiny"},
                  {"shader_array", {{"graphics_sms", 9}}},
                  {"default_path", "nope"},
                  {"video_memory", {{"paging_node", "qq"}}},
                  {"engines", {{"3d0", {{"dependent_nodes", json::array({"zz"})}}}}}};
  CHECK(wrong_in(machine) == sorted({"/shader_array/graphics_sms", "/default_path", "/video_memory/paging_node",
                                     "/engines/3d0/dependent_nodes/0"}));
}

TEST_CASE("check: of a sweep all parts are told", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  const auto sweep_with = [](const char* axes) {
    json sweep = {{"name", "s"},
                  {"workloads", {"nofile.json", "w.json"}},
                  {"machines", {"tinyy"}},
                  {"metrics", {"makspan_us", "queue_p99_us:"}},
                  {"outputs", {"reprt"}}};
    sweep["axes"] = json::parse(axes);
    return sweep;
  };
  const Places others = {"/metrics/0", "/metrics/1", "/outputs/0", "built-in machines: /", "nofile.json: /"};
  const auto with_others = [&](Places places) {
    places.insert(places.end(), others.begin(), others.end());
    return sorted(places);
  };
  shell.write("s.json", sweep_with(R"([{"pointer": "/engines/3d/clock_mhz", "values": ["1", "2"], "from": 1, "to": 2},
    {"zip": true, "pointer": "engines", "values": ["1", "2"]}])")
                            .dump());
  CHECK(wrong_in(shell, "s.json") == with_others({"/axes/0", "/axes/1/pointer"}));
  shell.write("s.json", sweep_with(R"([{"pointer": "/engines/3d/clock_mhz", "values": ["1", "2"]},
    {"zip": true, "pointer": "engines", "values": ["1", "2"]},
    {"pointer": "/host/call_us", "from": 0, "to": 9, "factor": 2}])")
                            .dump());
  CHECK(wrong_in(shell, "s.json") == with_others({"/axes/1/pointer", "/axes/2/from"}));
  // Pointers to nothing are told where the workloads are there.
  shell.write(
      "s.json",
      R"({"name": "s", "workloads": ["w.json"], "machines": ["tiny"], "outputs": ["report", "trce"], "metrics": ["pakets"],
    "axes": [{"pointer": "/engines/3d/clock_mzh", "values": ["1"]}, {"pointer": "/hots/call_us", "values": ["1"]}]})");
  CHECK(wrong_in(shell, "s.json") ==
        sorted({"/metrics/0", "/outputs/1", "--set: /engines/0/clock_mzh", "--set: /hots"}));
}

TEST_CASE("check: every key that an object has twice is told", "[cli]") {
  const Shell shell;
  shell.write("x.json",
              R"({"name": "x", "name": "y", "queues": [], "queues": [{"name": 5, "name": 6}], "fenzes": []})");
  CHECK(wrong_in(shell, "x.json") == sorted({"/name", "/queues", "/queues/0/name"}));
  shell.write("x.json", R"({"name": "x", "name": {"a": 1, "a": [{"b": 1, "b": 2}]}, "queues": [,]})");
  CHECK(wrong_in(shell, "x.json") == sorted({"/name", "/name/a", "/name/a/0/b", "/queues"}));
}

TEST_CASE("check: more than twenty errors of names are twenty and a line that says so", "[cli]") {
  json workload = sound();
  json& timeline = workload["queues"][0]["timeline"];
  for (int i = 0; i < 30; ++i) timeline.push_back({{"type", "execute"}, {"lists", json::array({"x", "y"})}});
  const Shell shell;
  shell.write("x.json", workload.dump());
  const Output output = shell.fenceline({"check", "x.json"});
  CHECK(lines_of(output.err) == 21);
  CHECK_THAT(output.err, Contains("x.json: more is wrong than these 20 places\n"));
}

TEST_CASE("check -: a workload, a capture, a machine and a sweep are read from standard input", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  shell.write("m.json", R"({"like": "tiny", "name": "mine"})");
  shell.write("s.json", R"({"name": "s", "workloads": ["w.json"], "machines": ["tiny"],
    "axes": [{"pointer": "/host/call_us", "values": ["1", "2"]}]})");
  REQUIRE(shell.fenceline({"pack", "w.json", "--out", "w.capture"}).code == 0);
  const auto checked = [&](const char* file) {
    const Output output = shell.fenceline({"check", "-"}, std::string("cat ") + file + " | ");
    INFO(output.err);
    CHECK(output.code == 0);
    return output.out;
  };
  CHECK_THAT(checked("w.json"), Catch::StartsWith("-: ok, workload "));
  CHECK_THAT(checked("w.capture"), Catch::StartsWith("-: ok, workload "));
  CHECK_THAT(checked("m.json"), Catch::StartsWith("-: ok, machine \"mine\", like tiny"));
  CHECK_THAT(checked("s.json"), Catch::StartsWith("-: ok, sweep \"s\", 2 runs"));
  shell.write("x.json", R"({"name": "x", "quues": 1, "queues": []})");
  const Output wrong = shell.fenceline({"check", "-"}, "cat x.json | ");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::StartsWith("standard input: /quues: "));
}

TEST_CASE("machine of standard input: it is read where the workload is not", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  shell.write("m.json", R"({"like": "tiny", "name": "mine"})");
  const Output checked = shell.fenceline({"check", "w.json", "--machine", "-"}, "cat m.json | ");
  CHECK_THAT(checked.out, Contains(" on machine \"mine\""));
  CHECK(shell.fenceline({"run", "w.json", "--machine", "-", "--out", "r"}, "cat m.json | ").code == 0);
  const Output both = shell.fenceline({"run", "-", "--machine", "-"}, "cat w.json | ");
  CHECK(both.code == 2);
  CHECK(both.err == "--machine: /: expected a file or a built-in machine: standard input is the workload, found -\n");
  const Output swept =
      shell.fenceline({"sweep", "w.json", "--machine", "-", "--vary", "/host/call_us=1,2"}, "cat m.json | ");
  CHECK(swept.code == 2);
  CHECK(swept.err == "--machine: /: expected a file or a built-in machine: each run reads it, found standard input\n");
}
