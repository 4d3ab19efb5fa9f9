// SPDX-License-Identifier: Apache-2.0
// What shaders declare against the root signature.
#include "tests/d3d12/pipelines/linked_pipeline.hpp"

using namespace fenceline::testing;
using namespace fenceline::testing::linkage;

namespace {

constexpr std::uint32_t one_index = 1U << 20;
constexpr std::uint32_t two_indices = 2U << 20;
constexpr std::uint32_t three_indices = 3U << 20;

/// Declarations of a constant buffer, a texture, a sampler and a UAV, as shader model 5.0 writes them.
std::vector<std::uint32_t> declarations_5_0(std::uint32_t buffer, std::uint32_t texture, std::uint32_t sampler,
                                            std::uint32_t uav) {
  return {4U << 24 | 89, two_indices, buffer,        4,         4U << 24 | 88, one_index,
          texture,       0x5555,      3U << 24 | 90, one_index, sampler,       4U << 24 | 156,
          one_index,     uav,         0x5555};
}

/// A texture array of shader model 5.1.
std::vector<std::uint32_t> declarations_5_1(std::uint32_t first, std::uint32_t last, std::uint32_t space) {
  return {7U << 24 | 88, three_indices, 0, first, last, 0x5555, space};
}

std::string pixel_code(std::uint32_t minor, std::vector<std::uint32_t> declarations) {
  declarations.push_back(1U << 24 | 62);
  return dxbc({{"ISGN", signature({})},
               {"OSGN", signature(targets())},
               {"SHEX", program(program_version(pixel_kind, 5, minor), declarations)}});
}

D3D12_DESCRIPTOR_RANGE range(D3D12_DESCRIPTOR_RANGE_TYPE type, UINT first, UINT count, UINT space = 0) {
  return {type, count, first, space, D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND};
}

D3D12_ROOT_PARAMETER table(const D3D12_DESCRIPTOR_RANGE& of, D3D12_SHADER_VISIBILITY visibility) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameter.DescriptorTable = {1, &of};
  parameter.ShaderVisibility = visibility;
  return parameter;
}

}  // namespace

TEST_CASE("pipeline root signatures: every register that a shader declares is bound, where it can see it", "[d3d12]") {
  DebuggedApp app;
  constexpr int mismatch = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH;
  constexpr auto input = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT;
  const D3D12_DESCRIPTOR_RANGE textures = range(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 3);
  D3D12_ROOT_PARAMETER parameters[3] = {};
  parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameters[0].Constants = {1, 0, 4};
  parameters[1] = table(textures, D3D12_SHADER_VISIBILITY_PIXEL);
  parameters[2].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
  parameters[2].Descriptor = {7, 0};
  D3D12_STATIC_SAMPLER_DESC sampler{};
  sampler.Filter = D3D12_FILTER_MIN_MAG_MIP_LINEAR;
  sampler.AddressU = sampler.AddressV = sampler.AddressW = D3D12_TEXTURE_ADDRESS_MODE_CLAMP;
  sampler.MaxLOD = D3D12_FLOAT32_MAX;
  sampler.ShaderRegister = 5;
  sampler.ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
  const auto expect = [&](const std::string& pixels, D3D12_ROOT_SIGNATURE_FLAGS flags, int id) {
    const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_DESC{3, parameters, 1, &sampler, flags});
    Linked linked(app);
    linked.desc.pRootSignature = root.Get();
    linked.pixels(pixels);
    linked.expect(app, id);
  };
  expect(pixel_code(0, declarations_5_0(1, 2, 5, 7)), input, 0);
  expect(pixel_code(0, declarations_5_0(1, 4, 5, 7)), input, 0);
  expect(pixel_code(0, declarations_5_0(0, 2, 5, 7)), input, mismatch);
  expect(pixel_code(0, declarations_5_0(1, 5, 5, 7)), input, mismatch);
  expect(pixel_code(0, declarations_5_0(1, 2, 4, 7)), input, mismatch);
  expect(pixel_code(0, declarations_5_0(1, 2, 5, 8)), input, mismatch);
  expect(pixel_code(0, declarations_5_0(1, 2, 5, 7)), input | D3D12_ROOT_SIGNATURE_FLAG_DENY_PIXEL_SHADER_ROOT_ACCESS,
         mismatch);
  expect(pixel_code(1, declarations_5_1(2, 4, 0)), input, 0);
  expect(pixel_code(1, declarations_5_1(2, 5, 0)), input, mismatch);
  expect(pixel_code(1, declarations_5_1(2, 4, 1)), input, mismatch);
  parameters[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX;
  expect(pixel_code(0, declarations_5_0(1, 2, 5, 7)), input, mismatch);
  parameters[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL;
  expect(pixel_code(0, declarations_5_0(1, 2, 5, 7)), input, 0);
  // A declaration that cannot be read, an operand whose index is no number: nothing is known of the shader.
  expect(pixel_code(0, {3U << 24 | 90, one_index | 1U << 22, 99}), input, 0);
}

TEST_CASE("pipeline root signatures: an array lies in one range, and in an unbounded one all", "[d3d12]") {
  DebuggedApp app;
  constexpr int mismatch = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH;
  constexpr auto input = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT;
  const auto expect = [&](const D3D12_DESCRIPTOR_RANGE& one, const D3D12_DESCRIPTOR_RANGE& other, std::uint32_t first,
                          std::uint32_t last, int id) {
    const D3D12_ROOT_PARAMETER parameters[] = {table(one, D3D12_SHADER_VISIBILITY_PIXEL),
                                               table(other, D3D12_SHADER_VISIBILITY_PIXEL)};
    const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_DESC{2, parameters, 0, nullptr, input});
    Linked linked(app);
    linked.desc.pRootSignature = root.Get();
    linked.pixels(pixel_code(1, declarations_5_1(first, last, 0)));
    linked.expect(app, id);
  };
  constexpr auto srv = D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
  expect(range(srv, 4, 4), range(srv, 0, 4), 0, 7, mismatch);  // ranges behind each other are not one
  expect(range(srv, 4, 4), range(srv, 0, 4), 0, 3, 0);
  expect(range(srv, 4, 4), range(srv, 0, 4), 5, 7, 0);
  expect(range(srv, 4, 4), range(srv, 0, 4), 3, 4, mismatch);
  expect(range(srv, 8, 4), range(srv, 0, 8), 0, 7, 0);
  expect(range(srv, 5, 4), range(srv, 0, 4), 0, 7, mismatch);
  expect(range(srv, 0, 4), range(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 4, 4), 0, 7, mismatch);
  expect(range(srv, 8, ~0U), range(srv, 0, 4), 100, ~0U, 0);
  expect(range(srv, 8, ~0U), range(srv, 0, 4), 5, ~0U, mismatch);
}

TEST_CASE("pipeline root signatures: DXIL says its registers in PSV0", "[d3d12]") {
  DebuggedApp app;
  const auto shader = [](std::uint32_t type, std::uint32_t space, std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> validation(1 + 12, 0);
    validation[0] = 48;
    validation[10] = 64;
    validation[11] = validation[12] = 1;
    for (const std::uint32_t number : {1U, 16U, type, space, first, last}) validation.push_back(number);
    return dxbc({{"PSV0", numbers(validation)},
                 {"DXIL", program(program_version(compute_kind, 6, 0), {0x4C495844, 0x100, 16, 4, 0})}});
  };
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
  parameter.Descriptor = {3, 1};
  parameter.ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;  // which compute does not heed
  const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_DESC{1, &parameter, 0, nullptr, {}});
  const auto expect = [&](const std::string& code, int id) {
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root.Get();
    desc.CS = bytecode(code);
    ComPtr<ID3D12PipelineState> made;
    app.said_ids();
    CHECK(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == (id == 0 ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (id == 0 ? Ids{} : Ids{id}));
  };
  constexpr int mismatch = D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH;
  for (const std::uint32_t uav : {6, 7, 8, 9}) expect(shader(uav, 1, 3, 3), 0);
  for (const std::uint32_t other : {1, 2, 3, 4, 5}) expect(shader(other, 1, 3, 3), mismatch);
  expect(shader(7, 0, 3, 3), mismatch);
  expect(shader(7, 1, 3, 4), mismatch);
  expect(shader(10, 1, 3, 3), 0);  // not known
  expect(shader(7, 1, 4, 3), 0);   // not as it should be
}
