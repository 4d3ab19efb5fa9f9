// SPDX-License-Identifier: Apache-2.0
// Shaders against each other, against the topology and against the root signature. The tables are what vkd3d-proton's
// test_shader_io_mismatch and test_gs_topology_mismatch found on Windows, with signatures as the compiler packs them.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipeline_builder.hpp"

#include <directx/d3dx12.h>

using namespace fenceline::testing;

namespace {

using Elements = std::vector<Element>;

const Element position = element("SV_Position", 0, 0);
const Element three = element("ARG", 0, 1, 3);
const Element two = element("ARG", 1, 2, 2);
const Element integers = element("ARG", 2, 3, 4, uint_type);
/// What every stage of the tables puts out.
const Elements reference = {position, three, two, integers};

Element primitive_id(std::uint32_t reg) { return element("SV_PrimitiveID", 0, reg, 1, uint_type); }

Elements targets() {
  return {element("SV_Target", 0, 0), element("SV_Target", 1, 1, 2), element("SV_Target", 2, 2, 4, uint_type)};
}

constexpr int not_found = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND;
constexpr int other_register = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX;
constexpr int other_mask = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERMASK;
constexpr int other_type = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_COMPONENTTYPE;
constexpr int other_precision = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_MINPRECISION;
constexpr int other_patch = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_HS_DS_SIGNATURE_MISMATCH;
constexpr int mesh_mismatch = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_NOT_PS_MISMATCH;

/// Inputs of a stage, and the id with which they are refused behind the reference outputs; 0: they are taken.
struct Row {
  const char* what;
  Elements inputs;
  int id;
};

const std::vector<Row>& pixel_rows() {
  static const std::vector<Row> rows = {
      {"the same", reference, 0},
      {"fewer components", {position, three, two, element("ARG", 2, 3, 1, uint_type)}, 0},
      {"another name", {position, three, two, element("FROG", 0, 3, 4, uint_type)}, not_found},
      {"one left out in the middle", {position, three, element("ARG", 2, 2, 4, uint_type)}, other_register},
      {"more components", {position, three, element("ARG", 1, 2, 3), integers}, other_mask},
      {"another index", {position, element("ARG", 0, 1, 2), element("ARG", 3, 1, 1), two, integers}, not_found},
      {"packed otherwise", {position, three, {"ARG", 1, 0, float_type, 1, 8, 0, 0}}, other_register},
      {"a front face", {position, three, element("SV_IsFrontFace", 0, 2, 1, uint_type)}, 0},
      {"other types", {position, three, element("ARG", 1, 2, 2, sint_type), element("ARG", 2, 3)}, other_type},
      {"other case", {position, element("aRg", 0, 1, 3), two, integers}, 0},
      {"nothing", {}, 0},
  };
  return rows;
}

struct Linked : Pipeline {
  explicit Linked(App& app) : Pipeline(app) {
    vertices(code(vertex_kind, {element("POSITION", 0, 0)}, reference));
    pixels(code(pixel_kind, reference, targets()));
    desc.NumRenderTargets = 3;
    desc.RTVFormats[0] = DXGI_FORMAT_R32G32B32A32_FLOAT;
    desc.RTVFormats[1] = DXGI_FORMAT_R32G32_FLOAT;
    desc.RTVFormats[2] = DXGI_FORMAT_R32G32B32A32_UINT;
  }
  void vertices(std::string bytes) { set(vertex, desc.VS, std::move(bytes)); }
  void pixels(std::string bytes) { set(pixel, desc.PS, std::move(bytes)); }
  void geometries(std::string bytes) { set(geometry_, desc.GS, std::move(bytes)); }
  void patches(std::string hull_bytes, std::string domain_bytes) {
    set(hull_, desc.HS, std::move(hull_bytes));
    set(domain_, desc.DS, std::move(domain_bytes));
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
  }
  void warn(DebuggedApp& app, int id) {
    app.said_ids();
    CHECK(create(app) == S_OK);
    CHECK(app.said_ids() == Ids{id});
  }
  void expect(DebuggedApp& app, int id) {
    app.said_ids();
    CHECK(create(app) == (id == 0 ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (id == 0 ? Ids{} : Ids{id}));
  }

 private:
  static void set(std::string& kept, D3D12_SHADER_BYTECODE& in, std::string bytes) {
    kept = std::move(bytes);
    in = bytecode(kept);
  }
  std::string geometry_;
  std::string hull_;
  std::string domain_;
};

const Elements factors = {element("SV_TessFactor", 0, 0, 1), element("SV_TessFactor", 1, 1, 1),
                          element("SV_TessFactor", 2, 2, 1), element("SV_InsideTessFactor", 0, 3, 1)};

std::uint32_t declaration(std::uint32_t opcode, std::uint32_t value) { return 1U << 24 | value << 11 | opcode; }
std::uint32_t input_primitive(std::uint32_t primitive) { return declaration(93, primitive); }
std::uint32_t input_points(std::uint32_t count) { return declaration(147, count); }
std::uint32_t output_points(std::uint32_t count) { return declaration(148, count); }
std::uint32_t tessellator_domain(std::uint32_t domain) { return declaration(149, domain); }
std::uint32_t tessellator_output(std::uint32_t primitive) { return declaration(151, primitive); }

}  // namespace

TEST_CASE("pipeline linkage: into the pixel shader, from each stage before it", "[d3d12]") {
  DebuggedApp app;
  for (const Row& row : pixel_rows()) {
    CAPTURE(row.what);
    const std::string pixels = code(pixel_kind, row.inputs, targets());
    Linked from_vertices(app);
    from_vertices.pixels(pixels);
    from_vertices.expect(app, row.id);
    Linked from_geometries(app);
    from_geometries.geometries(code(geometry_kind, reference, reference));
    from_geometries.pixels(pixels);
    from_geometries.expect(app, row.id);
    Linked from_domain(app);
    from_domain.patches(code(hull_kind, reference, reference, {}, factors),
                        code(domain_kind, reference, reference, {}, factors));
    from_domain.pixels(pixels);
    from_domain.expect(app, row.id);
  }
}

TEST_CASE("pipeline linkage: into hull and geometry shaders", "[d3d12]") {
  DebuggedApp app;
  const std::vector<Row> rows = {
      {"fewer elements", {position, three, two}, 0},
      {"fewer components", {position, three, two, element("ARG", 2, 3, 2, uint_type)}, 0},
      {"another order", {position, three, element("ARG", 2, 2, 4, uint_type), element("ARG", 1, 3, 2)}, other_register},
      {"more components", {position, three, element("ARG", 1, 2, 3)}, other_mask},
      {"a signed type", {position, three, two, element("ARG", 2, 3, 4, sint_type)}, other_type},
      {"no system value", {element("POSITION", 0, 0), three, two, integers}, not_found},
      {"an array",
       {position, three, two, element("ARG", 2, 3, 1, uint_type), element("ARG", 3, 4, 1, uint_type)},
       not_found},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Linked into_hull(app);
    into_hull.patches(code(hull_kind, row.inputs, reference, {}, factors),
                      code(domain_kind, reference, reference, {}, factors));
    into_hull.expect(app, row.id);
    Linked into_geometry(app);
    into_geometry.geometries(code(geometry_kind, row.inputs, reference));
    into_geometry.expect(app, row.id);
  }
}

TEST_CASE("pipeline linkage: hull and domain shader say the same", "[d3d12]") {
  DebuggedApp app;
  Elements more = factors;
  more.push_back(element("ARG", 0, 4, 3));
  Elements narrower = factors;
  narrower.push_back(element("ARG", 0, 4, 2));
  Elements fewer = factors;
  fewer.pop_back();
  const auto expect = [&](const Elements& out, const Elements& in, const Elements& patch_out, const Elements& patch_in,
                          int id) {
    Linked linked(app);
    linked.patches(code(hull_kind, reference, out, {}, patch_out), code(domain_kind, in, reference, {}, patch_in));
    linked.expect(app, id);
  };
  expect(reference, reference, factors, factors, 0);
  expect({position}, {position}, more, more, 0);
  expect({position}, reference, more, factors, other_patch);
  expect(reference, {position}, factors, more, other_patch);
  expect(reference, {position, three, two, element("ARG", 2, 3, 2, uint_type)}, factors, factors, other_patch);
  expect(reference, {position, three, two}, factors, factors, other_patch);
  expect({position}, {position}, more, narrower, other_patch);
  expect({position}, {position}, more, factors, other_patch);
  expect(reference, reference, factors, fewer, other_patch);
}

TEST_CASE("pipeline linkage: primitive ids are made for pixel shaders, unless a geometry shader makes primitives",
          "[d3d12]") {
  DebuggedApp app;
  const Elements third = {position, three, primitive_id(2)};
  const Elements alone = {primitive_id(0)};
  const Elements middle = {position, three, primitive_id(2), element("ARG", 1, 3, 2),
                           element("ARG", 2, 4, 4, uint_type)};
  const Elements last = {position, three, two, integers, primitive_id(4)};
  struct Case {
    Elements inputs;
    int from_vertices;
    int from_plain_geometries;
    int from_geometries_with_ids;
  };
  const Case cases[] = {{third, 0, not_found, 0},
                        {alone, 0, not_found, other_register},
                        {middle, other_register, not_found, 0},
                        {last, 0, not_found, other_register}};
  for (const Case& one : cases) {
    const std::string pixels = code(pixel_kind, one.inputs, targets());
    Linked linked(app);
    linked.pixels(pixels);
    linked.expect(app, one.from_vertices);
    linked.geometries(code(geometry_kind, reference, reference));
    linked.expect(app, one.from_plain_geometries);
    linked.geometries(code(geometry_kind, reference, middle));
    linked.expect(app, one.from_geometries_with_ids);
  }
}

TEST_CASE("pipeline linkage: minimum precision, which the newer signatures say", "[d3d12]") {
  DebuggedApp app;
  Elements low = reference;
  low[2].min_precision = 1;  // D3D_MIN_PRECISION_FLOAT_16
  const Elements none = {};
  const std::string precise = dxil_code(vertex_kind, none, reference);
  const std::string imprecise = dxil_code(vertex_kind, none, low);
  const auto expect = [&](const std::string& from, const Elements& into, int id) {
    Linked linked(app);
    linked.vertices(from);
    linked.pixels(dxil_code(pixel_kind, into, targets()));
    linked.expect(app, id);
  };
  expect(precise, reference, 0);
  expect(imprecise, low, 0);
  expect(precise, low, other_precision);
  expect(imprecise, reference, other_precision);
}

TEST_CASE("pipeline linkage: what is not rasterized, and other streams, do not come to the pixel shader", "[d3d12]") {
  DebuggedApp app;
  const D3D12_SO_DECLARATION_ENTRY entry{0, "SV_Position", 0, 0, 4, 0};
  const UINT stride = 16;
  Linked linked(app);
  linked.pixels(code(pixel_kind, {element("FROG", 0, 1)}, targets()));
  linked.desc.StreamOutput = {&entry, 1, &stride, 1, 0};
  linked.expect(app, not_found);
  linked.desc.StreamOutput.RasterizedStream = D3D12_SO_NO_RASTERIZED_STREAM;
  linked.expect(app, 0);
}

TEST_CASE("pipeline linkage: what is rasterized has a position", "[d3d12]") {
  DebuggedApp app;
  constexpr int no_position = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_POSITION_NOT_PRESENT;
  Linked linked(app);
  linked.vertices(code(vertex_kind, {}, {element("ARG", 0, 0)}));
  linked.pixels(code(pixel_kind, {}, targets()));
  linked.expect(app, no_position);
  linked.desc.PS = {};
  linked.expect(app, 0);
  linked.desc.DSVFormat = DXGI_FORMAT_D32_FLOAT;
  linked.desc.DepthStencilState.DepthEnable = TRUE;
  linked.desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
  linked.expect(app, no_position);
  linked.desc.StreamOutput.RasterizedStream = D3D12_SO_NO_RASTERIZED_STREAM;
  linked.expect(app, 0);
}

TEST_CASE("pipeline linkage: code without signatures is not held against anything", "[d3d12]") {
  DebuggedApp app;
  constexpr std::uint32_t ret_token = 1U << 24 | 62;
  Linked linked(app);
  linked.vertices(dxbc({{"SHEX", program(program_version(vertex_kind, 5, 0), {ret_token})}}));
  linked.expect(app, 0);
  linked.vertices(code(vertex_kind, {}, {position}));
  linked.pixels(dxbc({{"SHEX", program(program_version(pixel_kind, 5, 0), {ret_token})}}));
  linked.expect(app, 0);
}

TEST_CASE("pipeline linkage: a geometry shader takes the primitives that come in", "[d3d12]") {
  DebuggedApp app;
  struct Geometry {
    D3D12_PRIMITIVE_TOPOLOGY_TYPE topology;
    std::uint32_t primitive;
    bool adjacency;
  };
  const Geometry geometries[] = {
      {D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT, D3D_PRIMITIVE_POINT, false},
      {D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE, D3D_PRIMITIVE_LINE, false},
      {D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE, D3D_PRIMITIVE_LINE_ADJ, true},
      {D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE, D3D_PRIMITIVE_TRIANGLE, false},
      {D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE, D3D_PRIMITIVE_TRIANGLE_ADJ, true},
  };
  constexpr int mismatch = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_GS_INPUT_PRIMITIVE_MISMATCH;
  for (const Geometry& geometry : geometries) {
    const std::string shader = code(geometry_kind, reference, reference, {input_primitive(geometry.primitive)});
    for (const auto topology : {D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT, D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE,
                                D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE}) {
      CAPTURE(geometry.primitive, topology);
      Linked linked(app);
      linked.geometries(shader);
      linked.desc.PrimitiveTopologyType = topology;
      linked.expect(app, geometry.topology == topology ? 0 : mismatch);
      const std::uint32_t tessellated = topology == D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT  ? 1
                                        : topology == D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE ? 2
                                                                                         : 3;
      linked.patches(code(hull_kind, reference, reference, {tessellator_output(tessellated)}, factors),
                     code(domain_kind, reference, reference, {}, factors));
      linked.expect(app, geometry.topology == topology && !geometry.adjacency ? 0 : mismatch);
    }
  }
}

TEST_CASE("pipeline linkage: hull and domain shader agree on control points and domain", "[d3d12]") {
  DebuggedApp app;
  const auto expect = [&](std::uint32_t out, std::uint32_t in, std::uint32_t of_hull, std::uint32_t of_domain, int id) {
    Linked linked(app);
    linked.patches(code(hull_kind, reference, reference, {output_points(out), tessellator_domain(of_hull)}, factors),
                   code(domain_kind, reference, reference, {input_points(in), tessellator_domain(of_domain)}, factors));
    linked.expect(app, id);
  };
  expect(3, 3, 2, 2, 0);
  expect(3, 4, 2, 2, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_DS_CONTROL_POINT_COUNT_MISMATCH);
  expect(3, 3, 2, 3, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_DS_TESSELLATOR_DOMAIN_MISMATCH);
  Linked linked(app);
  linked.patches(code(hull_kind, reference, reference, {}, factors),
                 code(domain_kind, reference, reference, {}, factors));
  linked.desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
  linked.warn(app, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HULL_SHADER_INPUT_TOPOLOGY_MISMATCH);
}

TEST_CASE("pipeline linkage: a geometry shader without a position is told of and taken", "[d3d12]") {
  DebuggedApp app;
  Linked linked(app);
  linked.vertices(code(vertex_kind, {}, {element("ARG", 0, 0)}));
  linked.geometries(code(geometry_kind, {}, {element("ARG", 0, 0)}));
  linked.pixels(code(pixel_kind, {}, targets()));
  linked.warn(app, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_POSITION_NOT_PRESENT);
}

TEST_CASE("pipeline linkage: mesh shaders put out elements in any register, with as many components", "[d3d12]") {
  DebuggedApp app;
  const Elements of_vertices = {position, three, element("ARG", 2, 2, 4, uint_type)};
  const Elements of_primitives = {element("ARG", 1, 0, 2)};
  const std::string plain = dxil_code(mesh_kind, {}, of_vertices, of_primitives);
  Elements with_ids = of_primitives;
  with_ids.push_back(primitive_id(1));
  const std::string ids = dxil_code(mesh_kind, {}, of_vertices, with_ids);
  const auto root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const auto expect = [&](const std::string& mesh, const Elements& inputs, int id) {
    const std::string pixels = dxil_code(pixel_kind, inputs, {element("SV_Target", 0, 0)});
    D3DX12_MESH_SHADER_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root.Get();
    desc.MS = bytecode(mesh);
    desc.PS = bytecode(pixels);
    desc.BlendState = CD3DX12_BLEND_DESC(CD3DX12_DEFAULT());
    desc.RasterizerState = CD3DX12_RASTERIZER_DESC(CD3DX12_DEFAULT());
    desc.SampleMask = ~0U;
    desc.SampleDesc.Count = 1;
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
    CD3DX12_PIPELINE_MESH_STATE_STREAM stream(desc);
    const D3D12_PIPELINE_STATE_STREAM_DESC stream_desc{sizeof stream, &stream};
    ComPtr<ID3D12PipelineState> made;
    app.said_ids();
    CHECK(device->CreatePipelineState(&stream_desc, IID_PPV_ARGS(&made)) == (id == 0 ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (id == 0 ? Ids{} : Ids{id}));
  };
  expect(plain, reference, 0);
  expect(plain, {position, three, two, element("ARG", 2, 3, 1, uint_type)}, mesh_mismatch);
  expect(plain, {position, three, two, element("FROG", 0, 3, 4, uint_type)}, not_found);
  expect(plain, {position, three, element("ARG", 2, 2, 4, uint_type)}, 0);
  expect(plain, {position, three, element("ARG", 1, 2, 3), integers}, mesh_mismatch);
  expect(plain, {position, three, element("SV_IsFrontFace", 0, 2, 1, uint_type)}, 0);
  expect(plain, {position, three, element("ARG", 1, 2, 2, sint_type)}, other_type);
  expect(plain, {position, three, primitive_id(2)}, not_found);
  for (const std::uint32_t reg : {0, 2, 4}) expect(ids, {primitive_id(reg)}, 0);
}

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
