// SPDX-License-Identifier: Apache-2.0
// Pipeline states that a workload creates: what counts of their code, and where their caches may be.
#include "api/driver_version.hpp"
#include "api/pgo/specialised.hpp"
#include "api/workload/created_pipelines.hpp"
#include "shadercache/implicit/implicit_caches.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

using nlohmann::json;

/// A thread creates ten of a compute pipeline.
json workload_of(const json& pipeline) {
  json made = {{"name", "made"}};
  made.update(pipeline);
  const json step = {{"type", "create_pipeline_states"}, {"process", "game"}, {"pipeline", "made"}, {"count", 10}};
  return {{"name", "creation"},
          {"compute_pipelines", {made}},
          {"processes", {{{"name", "game"}}}},
          {"queues", json::array()},
          {"cpus", {{{"name", "game"}, {"timeline", {step}}}}}};
}

/// CPU time of one, microseconds, on the h200.
double creation_us(const Shell& shell, const json& pipeline) {
  shell.write("w.json", workload_of(pipeline).dump());
  const Output output = shell.fenceline({"run", "w.json", "--json"});
  REQUIRE(output.code == 0);
  const json report = parse_json(output.out, "report.json");
  return report["statistics"]["pipeline_creation"][0]["cpu_ps"].get<double>() / 1e7;
}

}  // namespace

TEST_CASE("pipeline creation: the size of the program counts, not how often its loops run", "[api]") {
  const Shell shell;
  const auto compile_us = [](double instructions) { return 10'000 + 105 * instructions; };
  CHECK(creation_us(shell, {{"alu_instructions", 200}, {"texture_samples", 3}}) == Approx(compile_us(203)));
  CHECK(creation_us(shell, {{"alu_instructions", 4090}, {"sfu_instructions", 6}}) == Approx(compile_us(4096)));
  CHECK(creation_us(shell, {{"alu_instructions", 327'680}}) == Approx(compile_us(4096)));
  CHECK(creation_us(shell, {{"alu_instructions", 327'680}, {"code_instructions", 36}}) == Approx(compile_us(36)));
  CHECK(creation_us(shell, {{"alu_instructions", 5}, {"code_instructions", 9000}}) == Approx(compile_us(9000)));
  CHECK(creation_us(shell, {{"alu_instructions", 5}, {"code_instructions", 9}, {"dxbc", true}}) ==
        Approx(compile_us(9) + 1000 + 10 * 9));
}

TEST_CASE("pipeline creation: of each shader of a graphics pipeline its own program counts", "[api]") {
  GraphicsPipeline pipeline;
  pipeline.vertex_shader.alu_instructions = 1e6;
  pipeline.pixel_shader.alu_instructions = 1e6;
  CHECK(code_instructions(pipeline) == 4096 + 4096);
  pipeline.pixel_shader.code_instructions = 50;
  CHECK(code_instructions(pipeline) == 4096 + 50);
}

TEST_CASE("pipeline creation: pipeline states are told apart by pipeline, stage, number and size", "[api]") {
  Workload workload;
  const std::string long_name(200'000, 'n');
  workload.compute_pipelines.resize(2);
  workload.compute_pipelines[0].name = long_name;
  workload.compute_pipelines[0].dxbc = true;
  workload.compute_pipelines[1].name = long_name + "/vertex";
  workload.graphics_pipelines.resize(1);
  workload.graphics_pipelines[0].name = long_name + "2";
  workload.graphics_pipelines[0].dxbc = true;
  const auto all = created_pipelines(workload);
  REQUIRE(all.size() == 3);
  const CreatedPipeline one = numbered(all[0], 1);
  CHECK(one.key == numbered(all[0], 1).key);
  CHECK(one.key != numbered(all[0], 2).key);
  CHECK(one.key != numbered(all[1], 1).key);
  CHECK(one.dxbc.at(0).key != numbered(all[0], 2).dxbc.at(0).key);
  const CreatedPipeline graphics = numbered(all[2], 1);
  CHECK(graphics.dxbc.at(0).key != graphics.dxbc.at(1).key);
  workload.compute_pipelines[0].work.shader.code_instructions = 3;
  CHECK(one.key != numbered(created_pipelines(workload)[0], 1).key);
}

TEST_CASE("pipeline creation: a machine's document does not say where a run writes; --set does", "[api]") {
  const Shell shell;
  const std::filesystem::path planted = shell.work() / "planted";
  json machine = parse_json(builtin_machine_text("tiny"), "tiny");
  machine["shader_cache"]["directory"] = planted.string();
  shell.write("m.json", machine.dump());
  shell.write("w.json", workload_of(json::object()).dump());
  json naming = workload_of(json::object());
  naming["machine"] = "m.json";
  shell.write("n.json", naming.dump());
  const std::vector<std::vector<std::string>> calls{
      {"run", "w.json", "--machine", "m.json"}, {"run", "n.json"}, {"check", "m.json"}, {"check", "n.json"}};
  for (const auto& call : calls) {
    const Output output = shell.fenceline(call);
    INFO(call[0] << " " << call[1]);
    CHECK(output.code == 2);
    CHECK_THAT(output.err,
               Catch::Contains("m.json: /shader_cache/directory: expected nothing: --set alone says where a "
                               "run writes, found \"") &&
                   Catch::Contains("planted"));
    CHECK_FALSE(std::filesystem::exists(planted));
  }
  machine["shader_cache"]["directory"] = 5;
  shell.write("m.json", machine.dump());
  CHECK_THAT(shell.fenceline({"check", "m.json"}).err, Catch::Contains("/shader_cache/directory: expected"));
  machine["shader_cache"]["directory"] = "";  // as a dump of a machine has it
  shell.write("m.json", machine.dump());
  CHECK(shell.fenceline({"check", "m.json"}).code == 0);
  CHECK(shell.fenceline({"run", "n.json", "--set", "/shader_cache/directory=" + planted.string()}).code == 0);
  CHECK(std::filesystem::exists(planted));
}

TEST_CASE("pipeline creation: a directory that cannot be used is refused before the run", "[api]") {
  const Shell shell;
  shell.write("w.json", workload_of(json::object()).dump());
  shell.write("file", "");
  for (const std::string directory : {"/proc/none", "file"}) {
    const Output output =
        shell.fenceline({"run", "w.json", "--out", "out", "--set", "/shader_cache/directory=" + directory});
    CHECK(output.code == 2);
    CHECK(lines_of(output.err) == 1);
    CHECK_THAT(output.err, Catch::Contains("--set: /shader_cache/directory: expected a directory whose caches can be "
                                           "opened, found \"" +
                                           directory + "\" ("));
    CHECK_FALSE(std::filesystem::exists(shell.work() / "out"));
  }
  // A run that creates none needs none.
  json none = workload_of(json::object());
  none["cpus"] = json::array();
  shell.write("w.json", none.dump());
  CHECK(shell.fenceline({"run", "w.json", "--set", "/shader_cache/directory=/proc/none"}).code == 0);
}

TEST_CASE("pipeline creation: a run whose updated driver finds its caches in another's use ends", "[api]") {
  const Shell shell;
  json workload = workload_of(json::object());
  json& timeline = workload["cpus"][0]["timeline"];
  timeline.push_back({{"type", "update_driver"}});
  timeline.push_back(timeline[0]);
  shell.write("w.json", workload.dump());
  const std::vector<std::string> run{"run", "w.json", "--set", "/shader_cache/directory=kept"};
  {
    ImplicitCacheConfig config;
    config.directory = (shell.work() / "kept").string();
    const MachineConfig machine = builtin_machine("h200");
    const ImplicitCaches other(config, {machine.name, driver_version(machine)}, "game");
    REQUIRE(other.refusal().empty());
    const Output output = shell.fenceline(run);
    CHECK(output.code == 2);
    CHECK_THAT(output.err,
               Catch::Contains("/shader_cache/directory: expected a directory whose caches can be opened") &&
                   Catch::Contains("another version"));
  }
  CHECK(shell.fenceline(run).code == 0);
}

TEST_CASE("pipeline creation: control of the caches is refused without developer mode", "[api]") {
  const Shell shell;
  json workload = workload_of(json::object());
  workload["cpus"][0]["timeline"].push_back(
      {{"type", "shader_cache_control"}, {"process", "game"}, {"kind", "d3d_conversions"}, {"control", "clear"}});
  shell.write("w.json", workload.dump());
  CHECK(shell.fenceline({"run", "w.json"}).code == 0);
  const Output refused = shell.fenceline({"run", "w.json", "--set", "/background_processing/developer_mode=false"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("w.json: /cpus/0/timeline/1: expected what the machine's system allows"));
}

TEST_CASE("pipeline creation: a directory says what the caches start with, start does not beside it", "[api]") {
  const Shell shell;
  shell.write("w.json", workload_of(json::object()).dump());
  const Output refused =
      shell.fenceline({"run", "w.json", "--set", "/shader_cache/directory=kept", "--set", "/shader_cache/start=warm"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("/shader_cache/directory: expected nothing beside start, found \"kept\""));
}

}  // namespace fenceline::testing
