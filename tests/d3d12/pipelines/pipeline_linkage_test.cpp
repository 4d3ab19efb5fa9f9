// SPDX-License-Identifier: Apache-2.0
// Shaders against each other and against the topology. The tables are what vkd3d-proton's
// test_shader_io_mismatch and test_gs_topology_mismatch found on Windows, with signatures as the compiler packs them.
#include "tests/d3d12/pipelines/linked_pipeline.hpp"
#include "tests/d3d12/pipelines/mesh_desc.hpp"

using namespace fenceline::testing;
using namespace fenceline::testing::linkage;

namespace {

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
    const auto desc = mesh_desc(root.Get(), mesh, pixels);
    ComPtr<ID3D12PipelineState> made;
    app.said_ids();
    CHECK(create_mesh_pipeline(device.Get(), desc, made) == (id == 0 ? S_OK : E_INVALIDARG));
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
