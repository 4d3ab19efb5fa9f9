// SPDX-License-Identifier: Apache-2.0
// Pipeline states of compiled HLSL, each stage on its own: taken without a message.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/hlsl/compile.hpp"

using namespace fenceline::testing;

namespace {

const std::string scene = R"(
cbuffer Constants : register(b0) { float4x4 world; };
Texture2D color : register(t0);
SamplerState samp : register(s0);
struct V { float4 position : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD0; nointerpolation uint id : ID;
           float fog : FOG; };
V VSMain(float4 position : POSITION) { V v = (V)0; v.position = mul(position, world); return v; }
V VSNoConstants(float4 position : POSITION) { V v = (V)0; v.position = position; return v; }
float4 PSMain(V v) : SV_Target { return color.Sample(samp, v.uv); }
float4 PSPlain(V v, uint primitive : SV_PrimitiveID) : SV_Target { return v.fog; }
float4 PSPrefix(float4 position : SV_Position, float3 normal : NORMAL) : SV_Target { return 1; }
[maxvertexcount(3)] void GSMain(triangle V v[3], inout TriangleStream<V> s) { s.Append(v[0]); }
struct C { float edge[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
C Patch(InputPatch<V, 3> v) { C c = (C)0; return c; }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("Patch")]
V HSMain(InputPatch<V, 3> v, uint i : SV_OutputControlPointID) { return v[i]; }
[domain("tri")] V DSMain(C c, float3 at : SV_DomainLocation, const OutputPatch<V, 3> v) { return v[0]; }
)";

struct Compiled : Pipeline {
  Compiled(App& app, const std::string& vs, const std::string& ps) : Pipeline(app) {
    vertex = compiled("vs_6_0", scene, vs);
    pixel = compiled("ps_6_0", scene, ps);
    desc.VS = bytecode(vertex);
    desc.PS = bytecode(pixel);
  }
};

}  // namespace

TEST_CASE("HLSL pipelines: stages that share a struct fit, whichever of it they use", "[hlsl]") {
  DebuggedApp app;
  for (const char* const pixel : {"PSPlain", "PSPrefix"}) {
    CAPTURE(pixel);
    const Compiled plain(app, "VSNoConstants", pixel);
    CHECK(plain.create(app) == S_OK);
  }
  const std::string geometry = compiled("gs_6_0", scene, "GSMain");
  // Behind a geometry shader nobody makes primitive ids.
  Compiled with_geometry(app, "VSNoConstants", "PSPrefix");
  with_geometry.desc.GS = bytecode(geometry);
  CHECK(with_geometry.create(app) == S_OK);

  Compiled patches(app, "VSNoConstants", "PSPlain");
  const std::string hull = compiled("hs_6_0", scene, "HSMain");
  const std::string evaluation = compiled("ds_6_0", scene, "DSMain");
  patches.desc.HS = bytecode(hull);
  patches.desc.DS = bytecode(evaluation);
  patches.desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
  CHECK(patches.create(app) == S_OK);
  CHECK(app.said_ids().empty());
}

TEST_CASE("HLSL pipelines: the root signature has to bind what a stage accesses, and no more", "[hlsl]") {
  DebuggedApp app;
  Compiled bound(app, "VSMain", "PSMain");
  CHECK(bound.create(app) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VS_ROOT_SIGNATURE_MISMATCH});

  const D3D12_DESCRIPTOR_RANGE textures{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0, 0, 0};
  D3D12_ROOT_PARAMETER parameters[2]{};
  parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV;
  parameters[0].ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX;
  parameters[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameters[1].DescriptorTable = {1, &textures};
  parameters[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
  D3D12_STATIC_SAMPLER_DESC sampler{};
  sampler.Filter = D3D12_FILTER_MIN_MAG_MIP_LINEAR;
  sampler.AddressU = sampler.AddressV = sampler.AddressW = D3D12_TEXTURE_ADDRESS_MODE_WRAP;
  sampler.MaxAnisotropy = 1;
  sampler.ComparisonFunc = D3D12_COMPARISON_FUNC_NEVER;
  sampler.ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
  const auto root =
      root_signature(app, D3D12_ROOT_SIGNATURE_DESC{2, parameters, 1, &sampler,
                                                    D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT});
  bound.desc.pRootSignature = root.Get();
  CHECK(bound.create(app) == S_OK);
  CHECK(app.said_ids().empty());
}

TEST_CASE("HLSL pipelines: a vertex shader takes what the input layout has", "[hlsl]") {
  DebuggedApp app;
  Compiled plain(app, "VSNoConstants", "PSPrefix");
  plain.input.SemanticName = "Position";  // whatever its case
  CHECK(plain.create(app) == S_OK);
  plain.input.SemanticName = "NORMAL";
  CHECK(plain.create(app) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_MISSINGELEMENT});
}
