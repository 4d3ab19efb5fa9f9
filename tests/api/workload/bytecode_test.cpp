// SPDX-License-Identifier: Apache-2.0
// Pipelines whose cost comes from their bytecode.
#include "api/workload/load/workload_file.hpp"
#include "sim/config_error.hpp"
#include "tests/support/dxbc_builder.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// Code with so many float instructions, texture samples and temporaries.
std::string code(std::uint32_t alu, std::uint32_t samples, std::uint32_t temporaries) {
  std::vector<std::uint32_t> counts(37);
  counts[0] = alu + samples;
  counts[1] = temporaries;
  counts[4] = alu;
  counts[14] = samples;
  return dxbc({{"SHEX", "code"}, {"STAT", numbers(counts)}});
}

class BytecodeFiles {
 public:
  BytecodeFiles() {
    write("compute.dxbc", code(120, 4, 10));
    write("vertex.dxbc", code(30, 0, 5));
    write("pixel.dxbc", code(60, 3, 9));
    write("large.dxbc", code(1, 0, 100));
    write("dxil.dxbc", dxbc({{"DXIL", "module"}, {"STAT", "copy"}}));
  }
  void write(const std::string& name, const std::string& bytes) { write_file(directory_ / name, bytes); }

  /// The small workload with these keys added to its pipelines.
  Workload load(const json& compute, const json& graphics, const std::vector<std::string>& sets = {}) {
    json document = small_workload();
    document["compute_pipelines"][0].update(compute);
    document["graphics_pipelines"][0].update(graphics);
    write("w.json", document.dump());
    return load_workload(directory_ / "w.json", "", sets).workload;
  }
  void check_refused(const json& compute, const json& graphics, const std::string& pointer, const std::string& expected,
                     const std::string& found, const std::vector<std::string>& sets = {}) {
    try {
      load(compute, graphics, sets);
      FAIL_CHECK("was loaded; expected an error at " << pointer);
    } catch (const ConfigError& error) {
      CHECK(error.pointer() == pointer);
      CHECK_THAT(error.expected(), Catch::Contains(expected));
      CHECK_THAT(error.found(), Catch::Contains(found));
    }
  }

 private:
  TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("bytecode: says what a compute pipeline leaves out; what is explicit wins", "[api]") {
  BytecodeFiles files;
  const auto pipeline = [&](const json& keys, const std::vector<std::string>& sets = {}) -> ComputePipeline {
    return files.load(keys, json::object(), sets).compute_pipelines.at(0);
  };
  const ComputePipeline all = pipeline({{"bytecode", "compute.dxbc"}});
  CHECK(all.work.shader.alu_instructions == 120);
  CHECK(all.work.shader.texture_samples == 4);
  CHECK(all.work.shader.sfu_instructions == 0);
  CHECK(all.work.shader.code_instructions == 124);
  CHECK(all.group.registers_per_thread == 40);
  CHECK(all.group.threads == 256);
  const ComputePipeline some =
      pipeline({{"bytecode", "compute.dxbc"}, {"alu_instructions", 0}, {"registers_per_thread", 64}});
  CHECK(some.work.shader.alu_instructions == 0);
  CHECK(some.work.shader.texture_samples == 4);
  CHECK(some.group.registers_per_thread == 64);
  CHECK(pipeline({{"bytecode", "large.dxbc"}}).group.registers_per_thread == 255);
  CHECK(pipeline({{"bytecode", "compute.dxbc"}}, {"/workload/compute_pipelines/0/alu_instructions=7"})
            .work.shader.alu_instructions == 7);
}

TEST_CASE("bytecode: of a graphics pipeline's two shaders", "[api]") {
  BytecodeFiles files;
  const auto pipeline = [&](const json& keys) -> GraphicsPipeline {
    return files.load(json::object(), keys).graphics_pipelines.at(0);
  };
  const GraphicsPipeline both = pipeline({{"vertex_bytecode", "vertex.dxbc"}, {"pixel_bytecode", "pixel.dxbc"}});
  CHECK(both.vertex_shader.alu_instructions == 30);
  CHECK(both.pixel_shader.alu_instructions == 60);
  CHECK(both.pixel_shader.texture_samples == 3);
  CHECK(both.registers_per_thread == 36);  // of the larger one
  const GraphicsPipeline mixed =
      pipeline({{"pixel_bytecode", "pixel.dxbc"}, {"pixel_shader", {{"texture_samples", 1}}}});
  CHECK(mixed.vertex_shader.alu_instructions == 0);
  CHECK(mixed.pixel_shader.alu_instructions == 60);
  CHECK(mixed.pixel_shader.texture_samples == 1);
  CHECK(pipeline({{"vertex_bytecode", "large.dxbc"}}).registers_per_thread == 64);
}

TEST_CASE("bytecode: made by Fenceline it tells transcendentals and accesses to shared memory, too", "[api]") {
  BytecodeFiles files;
  files.write("made.dxbc", dxbc({{"SHEX", "code"}, {"FNCL", numbers({1, 90, 11, 2, 7, 24})}}));
  const ComputePipeline made =
      files.load({{"bytecode", "made.dxbc"}, {"texture_samples", 5}}, json::object()).compute_pipelines.at(0);
  CHECK(made.work.shader.alu_instructions == 90);
  CHECK(made.work.shader.sfu_instructions == 11);
  CHECK(made.work.shader.texture_samples == 5);
  CHECK(made.work.shader.shared_accesses == 7);
  CHECK(made.work.shader.code_instructions == 0);
  files.write("loop.dxbc", dxbc({{"DXIL", "code"}, {"FNCL", numbers({2, 9000, 0, 0, 0, 24, 70})}}));
  CHECK(files.load({{"bytecode", "loop.dxbc"}}, {{"pixel_bytecode", "loop.dxbc"}})
            .graphics_pipelines.at(0)
            .pixel_shader.code_instructions == 70);
  CHECK(made.group.registers_per_thread == 24);
}

TEST_CASE("bytecode: without statistics the defaults stay", "[api]") {
  BytecodeFiles files;
  files.write("stripped.dxbc", dxbc({{"SHEX", "code"}}));
  for (const char* name : {"dxil.dxbc", "stripped.dxbc", ""}) {
    const Workload workload = files.load({{"bytecode", name}}, {{"pixel_bytecode", name}});
    const ComputePipeline& compute = workload.compute_pipelines.at(0);
    CHECK(compute.work.shader.alu_instructions == ShaderCost{}.alu_instructions);
    CHECK(compute.group.registers_per_thread == GroupFootprint{}.registers_per_thread);
    CHECK(workload.graphics_pipelines.at(0).registers_per_thread == GraphicsPipeline{}.registers_per_thread);
  }
}

TEST_CASE("bytecode: what cannot be read is told at the key, with the offset", "[api]") {
  BytecodeFiles files;
  const json none = json::object();
  const auto with = [](const char* name) { return json{{"bytecode", name}}; };
  const std::string at = "/compute_pipelines/0/bytecode";
  files.check_refused(with("missing.dxbc"), none, at, "a readable file", "\"missing.dxbc\"");
  files.check_refused(with("."), none, at, "a readable file", "\".\"");
  files.write("text.dxbc", "float4 main() : SV_Target { return 0; } // not compiled");
  files.check_refused(with("text.dxbc"), none, at, "a DXBC container at byte 0 of \"text.dxbc\"", "another tag");
  files.write("empty.dxbc", "");
  files.check_refused(with("empty.dxbc"), none, at, "at least 32 bytes at byte 0", "0 bytes");
  std::string broken = code(1, 1, 1);
  put_number(broken, 32 + 4, 100'000);  // where STAT begins
  files.write("broken.dxbc", broken);
  files.check_refused(with("broken.dxbc"), none, at, "at byte 36 of \"broken.dxbc\"", "100000");
  files.write("short.dxbc", dxbc({{"STAT", "short"}}));
  files.check_refused(none, {{"vertex_bytecode", "short.dxbc"}}, "/graphics_pipelines/0/vertex_bytecode",
                      "a STAT part of at least 116 bytes at byte 44", "5");
  files.check_refused(none, {{"pixel_bytecode", "missing.dxbc"}}, "/graphics_pipelines/0/pixel_bytecode",
                      "a readable file", "missing.dxbc");
  files.check_refused({{"bytecode", 5}}, none, at, "a string", "5");
  files.check_refused(none, none, "/workload" + at, "a key whose value can change", "\"bytecode\"",
                      {"/workload" + at + "=compute.dxbc"});
}
