// SPDX-License-Identifier: Apache-2.0
// Code for programs without a compiler: what its container says, that pipeline states take it, what it costs.
#include "api/d3d12/shader.hpp"

#include "api/d3d12/pipelines/pipeline_cost.hpp"
#include "api/d3d12/shaders/shader_bytecode.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/mesh_desc.hpp"
#include "tests/d3d12/pipelines/parsed_bytecode.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <random>
#include <stdexcept>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

/// The message with which a description is refused.
std::string refusal(PipelineStage stage, const ShaderDesc& desc) {
  try {
    shader(stage, desc);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

const std::vector<ShaderElement> varyings = {{"SV_Position"}, {"TEXCOORD", 2}, {"TEXCOORD1", 3}};

std::string position_shader(PipelineStage stage, ShaderDesc desc = {}) {
  if (stage != PipelineStage::mesh) desc.inputs = varyings;
  desc.outputs = varyings;
  return shader(stage, desc);
}

std::string pixel_shader() { return shader(PipelineStage::pixel, {.inputs = varyings, .outputs = {{"SV_Target"}}}); }

ComPtr<ID3D12PipelineState> compute_state(App& app, const std::string& code, ID3D12RootSignature* root) {
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = bytecode(code);
  desc.pRootSignature = root;
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace

TEST_CASE("shader: every stage's container is signed, of its kind, and says its cost", "[d3d12]") {
  const std::pair<PipelineStage, ShaderKind> stages[] = {
      {PipelineStage::vertex, ShaderKind::vertex}, {PipelineStage::hull, ShaderKind::hull},
      {PipelineStage::domain, ShaderKind::domain}, {PipelineStage::geometry, ShaderKind::geometry},
      {PipelineStage::pixel, ShaderKind::pixel},   {PipelineStage::compute, ShaderKind::compute},
      {PipelineStage::mesh, ShaderKind::mesh},     {PipelineStage::amplification, ShaderKind::amplification}};
  const ShaderDesc descs[] = {
      {},
      {.alu_instructions = 1000, .sfu_instructions = 7, .texture_samples = 3, .shared_accesses = 2, .registers = 41},
      {.alu_instructions = 327'680, .code_instructions = 36},
      {.alu_instructions = 999'999'999, .sfu_instructions = 1, .texture_samples = 1'000'000'000, .registers = 255}};
  for (const auto& [stage, kind] : stages) {
    for (const ShaderDesc& desc : descs) {
      CAPTURE(name_of(stage), desc.alu_instructions);
      const std::string code = shader(stage, desc);
      const ShaderBytecode read = parsed_bytecode(code);
      CHECK(read.kind == kind);
      CHECK(read.is_signed);
      CHECK(read.has_inputs);
      CHECK(read.has_outputs);
      REQUIRE(read.stat);
      CHECK(read.stat->cost.alu_instructions == desc.alu_instructions);
      CHECK(read.stat->cost.sfu_instructions == desc.sfu_instructions);
      CHECK(read.stat->cost.texture_samples == desc.texture_samples);
      CHECK(read.stat->cost.shared_accesses == desc.shared_accesses);
      CHECK(read.stat->registers == desc.registers);
      CHECK(read.stat->cost.code_instructions == desc.code_instructions);
      CHECK(code == shader(stage, desc));
    }
  }
}

TEST_CASE("shader: who knows only STAT finds all instructions there", "[d3d12]") {
  const std::string code = shader(
      PipelineStage::pixel, {.alu_instructions = 90, .sfu_instructions = 10, .texture_samples = 4, .registers = 17});
  const auto container = std::get<DxbcContainer>(parse_dxbc(code));
  const DxbcPart* const stat = container.part("STAT");
  REQUIRE(stat != nullptr);
  CHECK(dxbc_number(stat->bytes, 4 * 0) == 90 + 10 + 4);  // instructions
  CHECK(dxbc_number(stat->bytes, 4 * 1) == 5);            // temporaries of 4 components: 17 registers
  CHECK(dxbc_number(stat->bytes, 4 * 4) == 90 + 10);      // of the float ones, where compilers count transcendentals
  CHECK(dxbc_number(stat->bytes, 4 * 14) == 4);           // texture instructions
}

TEST_CASE("shader: elements lie in registers in their order, or where they are put", "[d3d12]") {
  const ShaderBytecode plain = parsed_bytecode(position_shader(PipelineStage::vertex));
  REQUIRE(plain.outputs.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(plain.outputs[i].reg == i);
  CHECK(plain.outputs[0].system_value == D3D_NAME_POSITION);
  CHECK(plain.outputs[1].name == "TEXCOORD");
  CHECK(plain.outputs[1].mask == 0b0011);
  CHECK(plain.outputs[2].index == 1);
  CHECK(plain.outputs[2].mask == 0b0111);

  const ShaderBytecode placed =
      parsed_bytecode(shader(PipelineStage::geometry, {.outputs = {{"A", 1, D3D_REGISTER_COMPONENT_UINT32, 5, 3},
                                                                   {"B7", 2},
                                                                   {"C", 3, D3D_REGISTER_COMPONENT_SINT32, 5}}}));
  CHECK(placed.outputs[0].mask == 0b1000);
  CHECK(placed.outputs[0].component_type == D3D_REGISTER_COMPONENT_UINT32);
  CHECK(placed.outputs[1].index == 7);
  CHECK(placed.outputs[1].reg == 6);
  CHECK(placed.outputs[2].reg == 5);

  const ShaderBytecode targets =
      parsed_bytecode(shader(PipelineStage::pixel, {.outputs = {{"SV_Target3"}, {"SV_Depth", 1}, {"SV_Target"}}}));
  CHECK(targets.outputs[0].reg == 3);
  CHECK(targets.outputs[0].system_value == D3D_NAME_TARGET);
  CHECK(targets.outputs[1].reg == ~0U);
  CHECK(targets.outputs[2].reg == 0);
}

TEST_CASE("shader: bindings and the group come back as they were given", "[d3d12]") {
  const std::vector<ShaderBinding> bindings = {{D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 0, 1, 1},
                                               {D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 0, ShaderBinding::unbounded},
                                               {D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 0, 3, 6},
                                               {D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER, 9, 4, 4}};
  for (const auto stage : {PipelineStage::pixel, PipelineStage::compute, PipelineStage::mesh}) {
    const ShaderBytecode read = parsed_bytecode(shader(stage, {.group = {8, 4, 2}, .bindings = bindings}));
    REQUIRE(read.declarations.bindings);
    REQUIRE(read.declarations.bindings->size() == bindings.size());
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      const ShaderBinding& one = (*read.declarations.bindings)[i];
      CHECK(std::tie(one.kind, one.space, one.first, one.last) ==
            std::tie(bindings[i].kind, bindings[i].space, bindings[i].first, bindings[i].last));
    }
    CHECK(read.declarations.threads.has_value() == (stage != PipelineStage::pixel));
    if (read.declarations.threads) CHECK(*read.declarations.threads == std::array<std::uint32_t, 3>{8, 4, 2});
  }
}

TEST_CASE("shader: pipeline states take it without a message", "[d3d12]") {
  DebuggedApp app;
  const std::string pixel = pixel_shader();

  SECTION("vertices and pixels") {
    Pipeline pipeline(app);
    const std::string vertex = shader(PipelineStage::vertex, {.inputs = {{"POSITION"}}, .outputs = varyings});
    pipeline.desc.VS = bytecode(vertex);
    pipeline.desc.PS = bytecode(pixel);
    CHECK(pipeline.create(app) == S_OK);
  }
  SECTION("geometry between them, of each topology") {
    const std::pair<D3D12_PRIMITIVE_TOPOLOGY_TYPE, D3D_PRIMITIVE> topologies[] = {
        {D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT, D3D_PRIMITIVE_POINT},
        {D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE, D3D_PRIMITIVE_LINE_ADJ},
        {D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE, D3D_PRIMITIVE_TRIANGLE}};
    for (const auto& [type, primitive] : topologies) {
      Pipeline pipeline(app);
      const std::string vertex = shader(PipelineStage::vertex, {.inputs = {{"POSITION"}}, .outputs = varyings});
      const std::string geometry = position_shader(PipelineStage::geometry, {.input_primitive = primitive});
      pipeline.desc.VS = bytecode(vertex);
      pipeline.desc.GS = bytecode(geometry);
      pipeline.desc.PS = bytecode(pixel);
      pipeline.desc.PrimitiveTopologyType = type;
      CHECK(pipeline.create(app) == S_OK);
    }
  }
  SECTION("patches of each domain") {
    const std::vector<ShaderElement> factors = {
        {"SV_TessFactor", 1}, {"SV_TessFactor1", 1}, {"SV_InsideTessFactor", 1}};
    for (const auto domain :
         {D3D_TESSELLATOR_DOMAIN_ISOLINE, D3D_TESSELLATOR_DOMAIN_TRI, D3D_TESSELLATOR_DOMAIN_QUAD}) {
      Pipeline pipeline(app);
      const ShaderDesc patches{
          .patch_constants = factors, .input_control_points = 4, .output_control_points = 4, .domain = domain};
      const std::string vertex = shader(PipelineStage::vertex, {.inputs = {{"POSITION"}}, .outputs = varyings});
      const std::string hull = position_shader(PipelineStage::hull, patches);
      const std::string evaluation = position_shader(PipelineStage::domain, patches);
      pipeline.desc.VS = bytecode(vertex);
      pipeline.desc.HS = bytecode(hull);
      pipeline.desc.DS = bytecode(evaluation);
      pipeline.desc.PS = bytecode(pixel);
      pipeline.desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
      CHECK(pipeline.create(app) == S_OK);
    }
  }
  SECTION("a mesh shader, with made pixels and with a compiler's") {
    const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
    const std::string mesh = position_shader(PipelineStage::mesh, {.group = {128, 1, 1}, .most_primitives = 126});
    const std::string amplification = shader(PipelineStage::amplification, {.group = {32, 1, 1}});
    const std::string compiled = dxil_code(pixel_kind, {element("SV_Position", 0, 0)}, {element("SV_Target", 0, 0)});
    ComPtr<ID3D12Device2> device;
    REQUIRE(app.device.As(&device) == S_OK);
    for (const std::string& pixels : {pixel, compiled}) {
      auto desc = mesh_desc(root.Get(), mesh, pixels);
      desc.AS = bytecode(amplification);
      ComPtr<ID3D12PipelineState> made;
      CHECK(create_mesh_pipeline(device.Get(), desc, made) == S_OK);
    }
  }
  SECTION("threads") {
    const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
    for (const auto group : {std::array<std::uint32_t, 3>{1, 1, 1}, {16, 16, 4}, {1024, 1, 1}}) {
      compute_state(app, shader(PipelineStage::compute, {.group = group}), root.Get());
    }
  }
  CHECK(app.said_ids().empty());
}

TEST_CASE("shader: the root signature has to bind what it declares", "[d3d12]") {
  DebuggedApp app;
  const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
  const std::string code = shader(PipelineStage::compute, {.bindings = {{D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 0, 2, 2}}});
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = bytecode(code);
  desc.pRootSignature = root.Get();
  ComPtr<ID3D12PipelineState> made;
  CHECK(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH});
}

TEST_CASE("shader: a dispatch of twice the instructions takes twice as long", "[d3d12]") {
  App app;
  const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
  const auto ticks = [&](const ShaderDesc& desc) {
    const auto state = compute_state(app, shader(PipelineStage::compute, desc), root.Get());
    Recorder recorder(app, D3D12_COMMAND_LIST_TYPE_COMPUTE);
    const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
    const auto back = app.buffer(2 * sizeof(UINT64), D3D12_HEAP_TYPE_READBACK);
    recorder.list->SetComputeRootSignature(root.Get());
    recorder.list->SetPipelineState(state.Get());
    recorder.list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    recorder.list->Dispatch(64, 1, 1);
    recorder.list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
    recorder.list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
    recorder.run();
    const auto stamps = read<UINT64>(back.Get(), 2);
    return static_cast<double>(stamps[1] - stamps[0]);
  };
  // Long enough that launches and the ends of groups are less than a hundredth.
  for (const std::uint32_t count : {100'000U, 250'000U, 1'000'000U}) {
    CAPTURE(count);
    CHECK(ticks({.alu_instructions = 2 * count}) / ticks({.alu_instructions = count}) == Approx(2).epsilon(0.02));
    CHECK(ticks({.sfu_instructions = 2 * count}) / ticks({.sfu_instructions = count}) == Approx(2).epsilon(0.02));
    CHECK(ticks({.sfu_instructions = count}) > ticks({.alu_instructions = count}));
  }
}

TEST_CASE("shader: what cannot be is refused with field, expectation and finding", "[d3d12]") {
  const auto compute = PipelineStage::compute;
  const auto vertex = PipelineStage::vertex;
  CHECK(refusal(compute, {.group = {0, 1, 1}}) == "shader: group[0]: expected 1 to 1024, found 0");
  CHECK(refusal(compute, {.group = {1, 1, 65}}) == "shader: group[2]: expected 1 to 64, found 65");
  CHECK(refusal(compute, {.group = {1024, 2, 1}}) == "shader: threads of the group: expected 1 to 1024, found 2048");
  CHECK(refusal(PipelineStage::mesh, {.group = {129, 1, 1}}) == "shader: group[0]: expected 1 to 128, found 129");
  CHECK(refusal(compute, {.alu_instructions = 600'000'000, .sfu_instructions = 600'000'000}) ==
        "shader: alu_instructions and sfu_instructions: expected 0 to 1000000000, found 1200000000");
  CHECK(refusal(compute, {.code_instructions = 1'000'000'001}) ==
        "shader: code_instructions: expected 0 to 1000000000, found 1000000001");
  CHECK(refusal(vertex, {.registers = 256}) == "shader: registers: expected 1 to 255, found 256");
  CHECK(refusal(compute, {.inputs = {{"POSITION"}}}) ==
        "shader: inputs: expected none of a shader of the compute stage, found 1");
  CHECK(refusal(vertex, {.inputs = {{"POSITION"}, {"UV", 5}}}) ==
        "shader: inputs[1].components: expected 1 to 4, found 5");
  CHECK(refusal(vertex, {.outputs = {{"7"}}}) ==
        "shader: outputs[0].semantic: expected letters, digits and _, at most 64, and an index of at most 9 digits, "
        "found \"7\"");
  CHECK(refusal(vertex, {.outputs = {{""}}}) != "taken");
  CHECK(refusal(vertex, {.outputs = {{"A B"}}}) != "taken");
  CHECK(refusal(vertex, {.outputs = {{"A"}, {"a0"}}}) ==
        "shader: outputs[1]: expected a semantic of its own, found a0 again, as in outputs[0]");
  CHECK(refusal(vertex, {.outputs = {{"A"}, {"B", 1, D3D_REGISTER_COMPONENT_FLOAT32, 0}}}) ==
        "shader: outputs[1]: expected components of its own, found register 0 of outputs[0]");
  CHECK(refusal(vertex, {.outputs = {{"A", 4, D3D_REGISTER_COMPONENT_FLOAT32, 32}}}) ==
        "shader: outputs[0].reg: expected 0 to 31, found 32");
  CHECK(refusal(PipelineStage::pixel, {.outputs = {{"COLOR"}}}) ==
        "shader: outputs[0].semantic: expected a pixel shader's output, found COLOR");
  CHECK(refusal(PipelineStage::pixel, {.outputs = {{"SV_Target8"}}}) != "taken");
  CHECK(refusal(vertex, {.bindings = {{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 0, 3, 2}}}) ==
        "shader: bindings[0].last: expected 3 to 4294967295, found 2");
  CHECK(refusal(vertex, {.bindings = {{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 0, 0, 4},
                                      {D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 0, 4, 5}}}) ==
        "shader: bindings[1]: expected registers of its own, found registers of bindings[0]");
  CHECK(refusal(PipelineStage::geometry, {.most_vertices = 1025}) ==
        "shader: most_vertices: expected 1 to 1024, found 1025");
  CHECK(refusal(PipelineStage::hull, {.output_control_points = 33}) ==
        "shader: output_control_points: expected 1 to 32, found 33");
  CHECK(refusal(static_cast<PipelineStage>(8), {}) == "shader: stage: expected a pipeline stage, found 8");
}

TEST_CASE("shader: random descriptions come back as they were given", "[d3d12]") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  for (int round = 0; round < 500; ++round) {
    const auto stage = static_cast<PipelineStage>(below(pipeline_stages));
    ShaderDesc desc{.alu_instructions = below(500'000'000),
                    .sfu_instructions = below(500'000'000),
                    .texture_samples = below(1'000'000),
                    .registers = 1 + below(255),
                    .group = {1 + below(8), 1 + below(4), 1 + below(4)}};
    const bool grouped = stage == PipelineStage::compute || stage == PipelineStage::amplification;
    if (!grouped && stage != PipelineStage::pixel) {
      for (std::uint32_t i = below(12); i > 0; --i) desc.outputs.push_back({"V" + std::to_string(i), 1 + below(4)});
    }
    for (std::uint32_t i = below(6); i > 0; --i) {
      const std::uint32_t first = 100 * i + below(50);
      desc.bindings.push_back({static_cast<D3D12_DESCRIPTOR_RANGE_TYPE>(below(4)), below(3), first, first + below(50)});
    }
    const ShaderBytecode read = parsed_bytecode(shader(stage, desc));
    CAPTURE(round, name_of(stage));
    REQUIRE(read.is_signed);
    REQUIRE(read.stat->cost.alu_instructions == desc.alu_instructions);
    REQUIRE(read.stat->registers == desc.registers);
    REQUIRE(read.outputs.size() == desc.outputs.size());
    for (std::size_t i = 0; i < read.outputs.size(); ++i) {
      REQUIRE(read.outputs[i].name + std::to_string(read.outputs[i].index) == desc.outputs[i].semantic);
      REQUIRE(read.outputs[i].reg == i);
      REQUIRE(read.outputs[i].mask == (1U << desc.outputs[i].components) - 1);
    }
    REQUIRE(read.declarations.bindings->size() == desc.bindings.size());
    for (std::size_t i = 0; i < desc.bindings.size(); ++i) {
      REQUIRE((*read.declarations.bindings)[i].last == desc.bindings[i].last);
    }
  }
}
