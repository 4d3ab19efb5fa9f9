// SPDX-License-Identifier: Apache-2.0
// What compiled HLSL tells of itself: signatures, bindings, groups, primitives, patches.
#include "tests/hlsl/compile.hpp"

#include <array>
#include <directx/d3d12.h>
#include <tuple>

using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

std::vector<std::string> bindings_of(const ShaderBytecode& shader) {
  REQUIRE(shader.declarations.bindings);
  std::vector<std::string> lines;
  for (const ShaderBinding& one : *shader.declarations.bindings) {
    const std::string last = one.last == ShaderBinding::unbounded ? "..." : std::to_string(one.last);
    lines.push_back(std::string(1, "tubs"[one.kind]) + std::to_string(one.first) + "-" + last + " in " +
                    std::to_string(one.space));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("HLSL: each profile makes code of its stage", "[hlsl]") {
  const std::tuple<const char*, ShaderKind, const char*> cases[] = {
      {"vs_6_0", ShaderKind::vertex, "float4 main(float4 p : POSITION) : SV_Position { return p; }"},
      {"ps_5_1", ShaderKind::pixel, "float4 main() : SV_Target { return 1; }"},
      {"cs_6_5", ShaderKind::compute, "[numthreads(1, 1, 1)] void main() {}"},
      {"gs_5_0", ShaderKind::geometry,
       "struct V { float4 p : SV_Position; };\n[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { "
       "s.Append(v[0]); }"},
      {"vs_4_0", ShaderKind::vertex, "float4 main(uint i : SV_VertexID) : SV_Position { return i; }"},
      {"ps_6_x", ShaderKind::pixel, "float4 main() : SV_Target { return 1; }"}};
  for (const auto& [profile, kind, text] : cases) {
    CAPTURE(profile);
    const ShaderBytecode shader = shader_of(profile, text);
    CHECK(shader.kind == kind);
    CHECK(shader.is_signed);
    CHECK(shader.stat.has_value());
  }
}

TEST_CASE("HLSL: signatures have all that is declared, used or not, in its order", "[hlsl]") {
  const std::string text = R"(
struct Vertex { float3 position : POSITION; float2 uv : TEXCOORD; uint color[2] : COLOR3; uint id : SV_VertexID; };
struct Pixel { float4 position : SV_Position; float3 normal : NORMAL; float fog : FOG; nointerpolation float4 tint : TINT;
               float2 uv : TEXCOORD0; };
Pixel VSMain(Vertex v) { Pixel p = (Pixel)0; p.position = float4(v.position, 1); return p; }
float4 PSMain(Pixel p, bool front : SV_IsFrontFace) : SV_Target1 { return p.uv.x; }
float4 PSNone(Pixel p) : SV_Target { return 0; }
)";
  const ShaderBytecode vertex = shader_of("vs_6_0", text, "VSMain");
  CHECK(lines_of(vertex.inputs) ==
        Lines{"POSITION0 0.xyz", "TEXCOORD0 1.xy", "COLOR3 2.x", "COLOR4 3.x", "SV_VERTEXID0 4.x"});
  CHECK(vertex.inputs[2].component_type == D3D_REGISTER_COMPONENT_UINT32);
  CHECK(vertex.inputs[4].system_value == D3D_NAME_VERTEX_ID);
  // The fog finds room behind the normal; the tint is not interpolated, the coordinates are, behind nobody.
  const Lines between = {"SV_POSITION0 0.xyzw", "NORMAL0 1.xyz", "FOG0 1.w", "TINT0 2.xyzw", "TEXCOORD0 3.xy"};
  CHECK(lines_of(vertex.outputs) == between);
  CHECK(vertex.outputs[0].system_value == D3D_NAME_POSITION);
  const ShaderBytecode pixel = shader_of("ps_6_0", text, "PSMain");
  Lines with_face = between;
  with_face.push_back("SV_ISFRONTFACE0 4.x");
  CHECK(lines_of(pixel.inputs) == with_face);
  CHECK(lines_of(pixel.outputs) == Lines{"SV_TARGET1 1.xyzw"});
  CHECK(lines_of(shader_of("ps_6_0", text, "PSNone").inputs) == between);
}

TEST_CASE("HLSL: a pixel shader that lists the first of what comes in has it in the same registers", "[hlsl]") {
  const std::string vertex = R"(
struct V { float4 p : SV_Position; float a : A; float3 b : B; float2 c : C; };
V main(float4 p : POSITION) { V v; v.p = p; v.a = 1; v.b = 2; v.c = 3; return v; })";
  const Lines all = lines_of(shader_of("vs_6_0", vertex).outputs);
  REQUIRE(all == Lines{"SV_POSITION0 0.xyzw", "A0 1.x", "B0 1.yzw", "C0 2.xy"});
  const char* const declared[] = {"float4 p : SV_Position", "float a : A", "float3 b : B", "float2 c : C"};
  std::string parameters;
  for (std::size_t count = 0; count < 4; ++count) {
    parameters += (count == 0 ? "" : ", ") + std::string(declared[count]);
    const ShaderBytecode pixel = shader_of("ps_6_0", "float4 main(" + parameters + ") : SV_Target { return 0; }");
    CHECK(lines_of(pixel.inputs) == Lines(all.begin(), all.begin() + static_cast<long>(count) + 1));
  }
}

TEST_CASE("HLSL: matrices, parameters that go in and out, semantics of whole structs", "[hlsl]") {
  const ShaderBytecode shader = shader_of("vs_6_0", R"(
struct Inner { float4 a; float2 b; };
struct Outer { Inner inner : FOO3; float4x4 world : WORLD; };
float4 main(Outer o, inout float3 both : BOTH, out float2 only : ONLY) : SV_Position { only = 1; return o.inner.a; })");
  CHECK(lines_of(shader.inputs) == Lines{"FOO3 0.xyzw", "FOO4 1.xy", "WORLD0 2.xyzw", "WORLD1 3.xyzw", "WORLD2 4.xyzw",
                                         "WORLD3 5.xyzw", "BOTH0 6.xyz"});
  CHECK(lines_of(shader.outputs) == Lines{"BOTH0 0.xyz", "ONLY0 1.xy", "SV_POSITION0 2.xyzw"});
}

TEST_CASE("HLSL: depth and coverage are in no register", "[hlsl]") {
  const ShaderBytecode shader = shader_of("ps_6_0", R"(
struct Out { float4 b : SV_Target2; float4 a : SV_Target0; float d : SV_Depth; };
Out main(uint coverage : SV_Coverage) { Out o = (Out)0; o.a = coverage; return o; })");
  CHECK(lines_of(shader.outputs) == Lines{"SV_TARGET2 2.xyzw", "SV_TARGET0 0.xyzw", "SV_DEPTH0 -.x"});
  CHECK(lines_of(shader.inputs) == Lines{"SV_COVERAGE0 -.x"});
}

TEST_CASE("HLSL: static variables of a constant buffer are the shader's own", "[hlsl]") {
  const char* const text = R"(
cbuffer own { static float scale = 2; };
cbuffer bound { float4 colour; };
cbuffer also_own { static float4 corners[2] = { float4(1, 2, 3, 4), float4(5, 6, 7, 8) }; };
float4 ps(uint i : I) : SV_Target { return colour * corners[i] * scale; })";
  CHECK(bindings_of(shader_of("ps_6_0", text, "ps")) == Lines{"b0-0 in 0"});
}

TEST_CASE("HLSL: bindings are the registers that are accessed", "[hlsl]") {
  const std::string text = R"(
cbuffer Scene : register(b1) { float4 tint; };
struct Material { float4 color; };
ConstantBuffer<Material> material : register(b0, space3);
Texture2D first : register(t4);
Texture2D rest[] : register(t0, space1);
Texture2D some[3] : register(t8);
Texture2D never : register(t99);
SamplerState samp : register(s2);
StructuredBuffer<float4> values : register(t5);
ByteAddressBuffer raw : register(t6);
Buffer<float4> typed : register(t7);
RWStructuredBuffer<float4> results : register(u0);
RWTexture2D<float4> image : register(u3, space2);
RWByteAddressBuffer bytes : register(u1);
[numthreads(8, 8, 1)]
void ALL(uint3 id : SV_DispatchThreadID) {
  float4 sum = tint + material.color + first.Load(id) + rest[id.z].Load(id) + some[id.z].Load(id);
  sum += first.SampleLevel(samp, 0.5, 0) + values[id.x] + raw.Load(4 * id.x) + typed[id.x];
  results[id.x] = sum;
  image[id.xy] = sum;
  bytes.Store(id.x * 4, id.y);
}
[numthreads(1, 1, 1)] void ONE() { results[0] = values[1]; }
[numthreads(1, 1, 1)] void NONE() {}
)";
  CHECK(bindings_of(shader_of("cs_6_0", text, "ALL")) == Lines{"b0-0 in 3", "b1-1 in 0", "s2-2 in 0", "t0-... in 1",
                                                               "t4-4 in 0", "t5-5 in 0", "t6-6 in 0", "t7-7 in 0",
                                                               "t8-10 in 0", "u0-0 in 0", "u1-1 in 0", "u3-3 in 2"});
  CHECK(bindings_of(shader_of("cs_6_0", text, "ONE")) == Lines{"t5-5 in 0", "u0-0 in 0"});
  CHECK(bindings_of(shader_of("cs_6_0", text, "NONE")).empty());
}

TEST_CASE("HLSL: what has no register gets the first free one of its kind", "[hlsl]") {
  const ShaderBytecode shader = shader_of("ps_6_0", R"(
Texture2D a; Texture2D unused; Texture2D b[2]; Texture2D c : register(t1); SamplerState s; float4 loose;
float4 main(float2 uv : UV) : SV_Target { return a.Sample(s, uv) + b[1].Sample(s, uv) + c.Sample(s, uv) + loose; })");
  CHECK(bindings_of(shader) == Lines{"b0-0 in 0", "s0-0 in 0", "t0-0 in 0", "t1-1 in 0", "t2-3 in 0"});
}

TEST_CASE("HLSL: groups, primitives and patches", "[hlsl]") {
  for (const auto& group : {std::array<std::uint32_t, 3>{1, 1, 1}, {8, 8, 2}, {1024, 1, 1}}) {
    const std::string numbers =
        std::to_string(group[0]) + "," + std::to_string(group[1]) + "," + std::to_string(group[2]);
    const ShaderBytecode compute = shader_of("cs_6_0", "[numthreads(" + numbers + ")] void main() {}");
    REQUIRE(compute.declarations.threads);
    CHECK(*compute.declarations.threads == group);
  }
  const std::tuple<const char*, int, int> primitives[] = {{"point", 1, D3D_PRIMITIVE_POINT},
                                                          {"line", 2, D3D_PRIMITIVE_LINE},
                                                          {"triangle", 3, D3D_PRIMITIVE_TRIANGLE},
                                                          {"lineadj", 4, D3D_PRIMITIVE_LINE_ADJ},
                                                          {"triangleadj", 6, D3D_PRIMITIVE_TRIANGLE_ADJ}};
  for (const auto& [name, count, primitive] : primitives) {
    CAPTURE(name);
    const ShaderBytecode geometry =
        shader_of("gs_6_0", "struct V { float4 p : SV_Position; float2 uv : UV; };\n[maxvertexcount(6)] void main(" +
                                std::string(name) + " V v[" + std::to_string(count) +
                                "], uint id : SV_PrimitiveID, inout TriangleStream<V> s) { s.Append(v[0]); }");
    CHECK(geometry.declarations.input_primitive == static_cast<std::uint32_t>(primitive));
    CHECK(lines_of(geometry.inputs) == Lines{"SV_POSITION0 0.xyzw", "UV0 1.xy"});
    CHECK(lines_of(geometry.outputs) == Lines{"SV_POSITION0 0.xyzw", "UV0 1.xy"});
  }
}

TEST_CASE("HLSL: hull and domain shader agree on factors, constants and control points", "[hlsl]") {
  const std::tuple<const char*, const char*, int, int> domains[] = {
      {"tri", "triangle_cw", 3, 1}, {"quad", "triangle_ccw", 4, 2}, {"isoline", "line", 2, 0}};
  for (const auto& [domain, output, edges, insides] : domains) {
    CAPTURE(domain);
    const std::string inside =
        insides == 0 ? "" : "float inside" + (insides == 1 ? std::string() : "[2]") + " : SV_InsideTessFactor;";
    const std::string text = "struct V { float4 p : POSITION; };\nstruct C { float edge[" + std::to_string(edges) +
                             "] : SV_TessFactor; " + inside + " float4 extra : EXTRA; };\n" + R"(
C Patch(InputPatch<V, 5> v) { C c = (C)0; return c; }
[domain(")" + domain + R"(")] [partitioning("fractional_odd")] [outputtopology(")" +
                             output + R"(")]
[outputcontrolpoints(7)] [patchconstantfunc("Patch")]
V HSMain(InputPatch<V, 5> v, uint i : SV_OutputControlPointID) { return v[i]; }
[domain(")" + domain + R"(")]
float4 DSMain(C c, float2 at : SV_DomainLocation, const OutputPatch<V, 7> v) : SV_Position { return v[0].p + at.x; }
)";
    const ShaderBytecode hull = shader_of("hs_6_0", text, "HSMain");
    const ShaderBytecode evaluation = shader_of("ds_6_0", text, "DSMain");
    CHECK(hull.declarations.input_control_points == 5);
    CHECK(hull.declarations.output_control_points == 7);
    CHECK(evaluation.declarations.input_control_points == 7);
    CHECK(hull.declarations.tessellator_domain == evaluation.declarations.tessellator_domain);
    CHECK(lines_of(hull.outputs) == Lines{"POSITION0 0.xyzw"});
    CHECK(lines_of(evaluation.inputs) == Lines{"POSITION0 0.xyzw"});
    CHECK(hull.patch_constants.size() == static_cast<std::size_t>(edges + insides + 1));
    CHECK(lines_of(hull.patch_constants) == lines_of(evaluation.patch_constants));
  }
}

TEST_CASE("HLSL: select of HLSL 2021 chooses by component, and a function of that name stays one", "[hlsl]") {
  const char* const uses[] = {"return select(a > b, a, b);", "float4 c = select(bool4(1, 0, 1, 0), a, b); return c;",
                              "return float4(select(a.x > 1, 1, 2).xxx, select(any(a > 2), 3.0, 4.0));"};
  for (const char* const use : uses) {
    compiled("ps_6_0", "float4 main(float4 a : A, float4 b : B) : SV_Target { " + std::string(use) + " }");
  }
  compiled("ps_6_0",
           "float4 select(float4 a) { return 2 * a; }\nfloat4 main(float4 a : A) : SV_Target { return select(a); }");
  // The macro moves no line.
  const HlslResult wrong = compile_hlsl(source(
      "ps_6_0", "float4 main(float4 a : A) : SV_Target {\n  float4 b = select(a > 1, a, 2 * a);\n  return c;\n}"));
  CHECK(wrong.code.empty());
  CHECK(wrong.messages.find("shader.hlsl:3: error: 'c'") != std::string::npos);
}

TEST_CASE("HLSL: macros come from outside, and from the target", "[hlsl]") {
  HlslSource made = source("cs_6_2", R"(
#if defined(FLAG) && X == 8 && __SHADER_TARGET_MAJOR == 6 && __SHADER_TARGET_STAGE == __SHADER_STAGE_COMPUTE
[numthreads(X, TEXT)] void main() {}
#endif
)");
  made.defines = {{"FLAG", ""}, {"X", "8"}, {"TEXT", "4, 2"}};
  const HlslResult result = compile_hlsl(made);
  CHECK(result.messages.empty());
  REQUIRE_FALSE(result.code.empty());
  CHECK(*parsed(result.code).declarations.threads == std::array<std::uint32_t, 3>{8, 4, 2});
  made.defines = {{"X", "8"}};
  CHECK(compile_hlsl(made).code.empty());
}

TEST_CASE("HLSL: files are included as they are asked for", "[hlsl]") {
  HlslSource made =
      source("cs_6_0", "#include \"a/b.hlsli\"\n#include <c.hlsli>\n[numthreads(B, C, D)] void main() {}\n");
  std::vector<std::string> asked;
  made.include = [&](const std::string& header, const std::string& from, bool in_quotes) -> std::optional<HlslInclude> {
    asked.push_back(header + " from " + from + (in_quotes ? " in quotes" : ""));
    if (header == "a/b.hlsli") return HlslInclude{"a/b.hlsli", "\xEF\xBB\xBF#define B 4\n#include \"d.hlsli\"\n"};
    if (header == "d.hlsli") return HlslInclude{"a/d.hlsli", "#define D 2"};
    if (header == "c.hlsli" && !in_quotes) return HlslInclude{"c.hlsli", "#define C 8\n"};
    return std::nullopt;
  };
  const HlslResult result = compile_hlsl(made);
  CHECK(result.messages.empty());
  REQUIRE_FALSE(result.code.empty());
  CHECK(*parsed(result.code).declarations.threads == std::array<std::uint32_t, 3>{4, 8, 2});
  CHECK(asked ==
        Lines{"a/b.hlsli from shader.hlsl in quotes", "d.hlsli from a/b.hlsli in quotes", "c.hlsli from shader.hlsl"});
}

TEST_CASE("HLSL: the same text gives the same bytes, another one others", "[hlsl]") {
  const std::string texts[] = {"float4 main(float4 p : POSITION) : SV_Position { return p; }",
                               "float4 main(float4 p : POSITION) : SV_Position { return sin(p); }",
                               "float4 main(float4 p : POSITION, float2 uv : UV) : SV_Position { return p * uv.x; }"};
  std::vector<std::string> codes;
  for (const std::string& text : texts) {
    codes.push_back(compiled("vs_6_0", text));
    CHECK(codes.back() == compiled("vs_6_0", text));
    CHECK(codes.back() == compiled("vs_6_0", "\xEF\xBB\xBF" + text));
  }
  CHECK(codes[0] != codes[1]);
  CHECK(codes[1] != codes[2]);
}
