// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/shader_bytecode.hpp"

#include "api/d3d12/root/root_signature_blob.hpp"
#include "tests/d3d12/pipelines/parsed_bytecode.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

constexpr std::uint32_t thread_group_token = 4U << 24 | 155;
constexpr std::uint32_t ret_token = 1U << 24 | 62;

bool refused(const std::string& bytes) {
  const auto parsed = parse_shader_bytecode(bytes);
  const auto* error = std::get_if<DxbcError>(&parsed);
  return error != nullptr && !error->expected.empty() && !error->found.empty() && error->offset <= bytes.size();
}

std::string signed_container(const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string bytes = dxbc(parts);
  const DxbcHash hash = dxbc_hash(bytes);
  for (std::size_t i = 0; i < hash.size(); ++i) put_number(bytes, 4 + 4 * i, hash[i]);
  return bytes;
}

std::string dxil(std::uint32_t kind) { return program(program_version(kind, 6, 5), {0x4C495844, 0x105, 16, 4, 0}); }

}  // namespace

TEST_CASE("shader bytecode: the kind and the shader model stand in the program", "[d3d12]") {
  const std::pair<std::uint32_t, ShaderKind> kinds[] = {{0, ShaderKind::pixel},    {1, ShaderKind::vertex},
                                                        {2, ShaderKind::geometry}, {3, ShaderKind::hull},
                                                        {4, ShaderKind::domain},   {5, ShaderKind::compute}};
  for (const auto& [number, kind] : kinds) {
    const ShaderBytecode shader =
        parsed_bytecode(dxbc({{"SHEX", program(program_version(number, 5, 1), {ret_token})}}));
    CHECK(shader.kind == kind);
    CHECK(shader.major_version == 5);
    CHECK(shader.minor_version == 1);
    CHECK_FALSE(shader.is_dxil);
  }
  CHECK(parsed_bytecode(dxbc({{"SHDR", program(program_version(1, 4, 0), {ret_token})}})).major_version == 4);
  CHECK(refused(dxbc({{"SHEX", program(program_version(6, 5, 0), {ret_token})}})));
  const ShaderBytecode mesh = parsed_bytecode(dxbc({{"DXIL", dxil(13)}}));
  CHECK(mesh.kind == ShaderKind::mesh);
  CHECK(mesh.major_version == 6);
  CHECK(mesh.is_dxil);
  CHECK(std::string(name_of(ShaderKind::amplification)) == "amplification");
  CHECK(refused(dxbc({{"DXIL", dxil(16)}})));
  CHECK(refused(dxbc({{"ISGN", signature({})}})));
}

TEST_CASE("shader bytecode: signatures of all forms", "[d3d12]") {
  const std::vector<Element> in = {{"POSITION", 0, 0, 3, 0, 0x0707}, {"TEXCOORD", 2, 0, 3, 1, 0x0103}};
  const std::vector<Element> out = {{"SV_Position", 0, 1, 3, 0, 0x000F}};
  const ShaderBytecode old = parsed_bytecode(dxbc({{"ISGN", signature(in)},
                                                   {"OSGN", signature(out)},
                                                   {"PCSG", signature({{"SV_TessFactor", 1, 11, 3, 0, 1}})},
                                                   {"SHEX", program(program_version(1, 5, 0), {ret_token})}}));
  REQUIRE(old.inputs.size() == 2);
  CHECK(old.inputs[0].name == "POSITION");
  CHECK(old.inputs[1].name == "TEXCOORD");
  CHECK(old.inputs[1].index == 2);
  CHECK(old.inputs[1].reg == 1);
  CHECK(old.inputs[1].mask == 3);
  CHECK(old.inputs[1].used_mask == 1);
  CHECK(old.outputs.at(0).system_value == 1);
  CHECK(old.outputs.at(0).component_type == 3);
  CHECK(old.patch_constants.at(0).name == "SV_TessFactor");

  const ShaderBytecode streams =
      parsed_bytecode(dxbc({{"OSG5", signature(out, 1)}, {"SHEX", program(program_version(2, 5, 0), {ret_token})}}));
  CHECK(streams.outputs.at(0).stream == 1);
  CHECK(streams.outputs.at(0).name == "SV_Position");
  const ShaderBytecode newest = parsed_bytecode(dxbc({{"ISG1", signature(in, 1, 1)},
                                                      {"OSG1", signature(out, 1, 1)},
                                                      {"PSG1", signature(out, 1, 1)},
                                                      {"DXIL", dxil(1)}}));
  CHECK(newest.inputs.at(1).name == "TEXCOORD");
  CHECK(newest.outputs.size() == 1);
  CHECK(newest.patch_constants.size() == 1);
}

TEST_CASE("shader bytecode: signatures that leave their part are refused", "[d3d12]") {
  const auto with = [](const std::string& part) {
    return dxbc({{"ISGN", part}, {"SHEX", program(program_version(1, 5, 0), {ret_token})}});
  };
  const std::string good = signature({{"A", 0}});
  CHECK_FALSE(refused(with(good)));
  CHECK(refused(with("")));
  std::string bad = good;
  put_number(bad, 0, 2);
  CHECK(refused(with(bad)));
  bad = good;
  put_number(bad, 0, 0xFFFFFFFF);
  CHECK(refused(with(bad)));
  bad = good;
  put_number(bad, 4, 0xFFFFFFF8);
  CHECK(refused(with(bad)));
  bad = good;
  put_number(bad, 8, 0xFFFFFFF8);
  CHECK(refused(with(bad)));
  bad = good;
  put_number(bad, 8, static_cast<std::uint32_t>(good.size()));
  CHECK(refused(with(bad)));
  bad = good.substr(0, good.size() - 4) + "AAAA";
  CHECK(refused(with(bad)));
}

TEST_CASE("shader bytecode: the threads of a group", "[d3d12]") {
  const auto compute = program_version(5, 5, 0);
  const ShaderBytecode walked = parsed_bytecode(
      dxbc({{"SHEX", program(compute, {1U << 24 | 106, 53, 4, 7, 7, thread_group_token, 8, 4, 2, ret_token})}}));
  REQUIRE(walked.declarations.threads);
  CHECK(*walked.declarations.threads == std::array<std::uint32_t, 3>{8, 4, 2});
  CHECK_FALSE(parsed_bytecode(dxbc({{"SHEX", program(compute, {ret_token})}})).declarations.threads);
  CHECK_FALSE(parsed_bytecode(dxbc({{"SHEX", program(program_version(0, 5, 0), {ret_token})}})).declarations.threads);
  CHECK(refused(dxbc({{"SHEX", program(compute, {106})}})));             // no length
  CHECK(refused(dxbc({{"SHEX", program(compute, {9U << 24 | 106})}})));  // beyond the end
  CHECK(refused(dxbc({{"SHEX", program(compute, {53})}})));
  CHECK(refused(dxbc({{"SHEX", program(compute, {53, 0})}})));
  CHECK(refused(dxbc({{"SHEX", program(compute, {3U << 24 | 155, 1, 1})}})));
  const ShaderBytecode told = parsed_bytecode(dxbc({{"DXIL", dxil(5)}, {"PSV0", pipeline_state(64, 1, 1)}}));
  REQUIRE(told.declarations.threads);
  CHECK((*told.declarations.threads)[0] == 64);
  CHECK_FALSE(parsed_bytecode(dxbc({{"DXIL", dxil(0)}, {"PSV0", pipeline_state(64, 1, 1)}})).declarations.threads);
  CHECK_FALSE(
      parsed_bytecode(dxbc({{"DXIL", dxil(5)}, {"PSV0", numbers({24, 0, 0, 0, 0, 0, 0})}})).declarations.threads);
  CHECK(refused(dxbc({{"DXIL", dxil(5)}, {"PSV0", numbers({48, 0})}})));
  CHECK(refused(dxbc({{"DXIL", dxil(5)}, {"PSV0", "ab"}})));
}

TEST_CASE("shader bytecode: runtime data counts resources and functions", "[d3d12]") {
  const ShaderBytecode shader = parsed_bytecode(dxbc({{"DXIL", dxil(6)}, {"RDAT", runtime_data(3, 2)}}));
  REQUIRE(shader.runtime_data);
  CHECK(shader.kind == ShaderKind::library);
  CHECK(shader.runtime_data->resources == 3);
  CHECK(shader.runtime_data->functions == 2);
  CHECK(refused(dxbc({{"DXIL", dxil(6)}, {"RDAT", "1234"}})));
  CHECK(refused(dxbc({{"DXIL", dxil(6)}, {"RDAT", numbers({0x10, 9})}})));
  CHECK(refused(dxbc({{"DXIL", dxil(6)}, {"RDAT", numbers({0x10, 1, 400})}})));
  CHECK(refused(dxbc({{"DXIL", dxil(6)}, {"RDAT", numbers({0x10, 1, 12, 3, 8, 1000, 32})}})));
  CHECK(refused(dxbc({{"DXIL", dxil(6)}, {"RDAT", numbers({0x10, 1, 12, 3, 8, 1000, 0})}})));
}

TEST_CASE("shader bytecode: counts and the embedded root signature come along", "[d3d12]") {
  std::vector<std::uint32_t> counts(37, 0);
  counts[4] = 17;
  const std::string root = serialize_root_signature(RootLayout{}).substr(44);
  const ShaderBytecode shader = parsed_bytecode(
      dxbc({{"SHEX", program(program_version(0, 5, 0), {ret_token})}, {"STAT", numbers(counts)}, {"RTS0", root}}));
  REQUIRE(shader.stat);
  CHECK(shader.stat->cost.alu_instructions == 17);
  REQUIRE(shader.root_signature);
  CHECK(shader.root_signature->parameters.empty());
  const ShaderBytecode plain = parsed_bytecode(dxbc({{"SHEX", program(program_version(0, 5, 0), {ret_token})}}));
  CHECK_FALSE(plain.stat);
  CHECK_FALSE(plain.root_signature);
  CHECK(refused(dxbc({{"SHEX", program(program_version(0, 5, 0), {ret_token})}, {"RTS0", "bad"}})));
}

TEST_CASE("shader bytecode: the hash names the code whether it is signed or not", "[d3d12]") {
  const std::vector<std::pair<std::string, std::string>> parts = {
      {"SHEX", program(program_version(0, 5, 0), {ret_token})}};
  const ShaderBytecode made = parsed_bytecode(signed_container(parts));
  const ShaderBytecode copy = parsed_bytecode(dxbc(parts));
  CHECK(made.is_signed);
  CHECK_FALSE(copy.is_signed);
  CHECK(made.hash == copy.hash);
  const ShaderBytecode other = parsed_bytecode(dxbc({{"SHEX", program(program_version(1, 5, 0), {ret_token})}}));
  CHECK(other.hash != made.hash);
}

TEST_CASE("shader bytecode fuzz: changed containers are read within their bytes or refused", "[d3d12][fuzz]") {
  std::mt19937_64 random(41);
  const std::vector<std::vector<std::pair<std::string, std::string>>> seeds = {
      {{"ISGN", signature({{"POSITION"}, {"COLOR", 1}})},
       {"OSGN", signature({{"SV_Target"}})},
       {"SHEX", program(program_version(5, 5, 0), {53, 3, 7, thread_group_token, 8, 4, 2, ret_token})},
       {"STAT", numbers(std::vector<std::uint32_t>(37, 5))}},
      {{"ISG1", signature({{"POSITION"}}, 1, 1)},
       {"PSV0", pipeline_state(8, 8, 1)},
       {"RDAT", runtime_data(2, 1)},
       {"DXIL", dxil(5)},
       {"RTS0", serialize_root_signature(RootLayout{}).substr(44)}},
  };
  std::size_t refusals = 0;
  std::size_t read = 0;
  for (int round = 0; round < 60'000; ++round) {
    auto parts = seeds[static_cast<std::size_t>(round) % seeds.size()];
    for (auto& [tag, part] : parts) {
      if (random() % 4 != 0 || part.size() < 4) continue;
      const std::uint32_t awkward[] = {0,          1,          7,   static_cast<std::uint32_t>(part.size()),
                                       0x7FFFFFFF, 0xFFFFFFF8, ~0U, static_cast<std::uint32_t>(random())};
      put_number(part, random() % (part.size() / 4) * 4, awkward[random() % std::size(awkward)]);
      if (random() % 8 == 0) part.resize(random() % part.size());
    }
    std::string text = dxbc(parts);
    if (random() % 8 == 0) text[random() % text.size()] = static_cast<char>(random());
    // In memory of exactly its size, so that the sanitizer sees a step beyond it.
    const auto memory = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), memory.get());
    const auto parsed = parse_shader_bytecode({memory.get(), text.size()});
    if (const auto* error = std::get_if<DxbcError>(&parsed)) {
      ++refusals;
      if (error->offset > text.size() || error->expected.empty() || error->found.empty()) FAIL("round " << round);
    } else {
      ++read;
    }
  }
  CHECK(refusals > 10'000);
  CHECK(read > 10'000);
}
