// SPDX-License-Identifier: Apache-2.0
// What D3D12 takes in a description of a graphics or compute pipeline state, what it refuses, and as what.
#include "tests/d3d12/pipelines/pipeline_rule.hpp"

using namespace fenceline::testing;

namespace {

using Desc = D3D12_GRAPHICS_PIPELINE_STATE_DESC;

void depth(Pipeline& pipeline) {
  pipeline.desc.DSVFormat = DXGI_FORMAT_D24_UNORM_S8_UINT;
  const D3D12_DEPTH_STENCILOP_DESC keep{D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP,
                                        D3D12_COMPARISON_FUNC_ALWAYS};
  pipeline.desc.DepthStencilState = {
      TRUE, D3D12_DEPTH_WRITE_MASK_ALL, D3D12_COMPARISON_FUNC_LESS, TRUE, 0xFF, 0xFF, keep, keep};
}

}  // namespace

TEST_CASE("pipeline rules: shaders stand in their stages", "[d3d12]") {
  static const std::string geometry = code(geometry_kind, {}, {element("SV_Position", 0, 0)});
  static const std::string hull = code(hull_kind, {}, {});
  static const std::string domain = code(domain_kind, {}, {element("SV_Position", 0, 0)});
  static const std::string compute = code(compute_kind, {}, {});
  static const std::string broken = "not a container";
  static const std::string dxil = dxil_code(pixel_kind, {}, {element("SV_Target", 0, 0)});
  static const std::string newer =
      dxbc({{"DXIL", program(program_version(vertex_kind, 6, 6), {0x4C495844, 0x106, 16, 4, 0})}});
  check_rules({
      {"as it is", 0, [](Pipeline&) {}},
      {"no vertex shader", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET,
       [](Pipeline& p) { p.desc.VS = {}; }},
      {"a vertex shader of no bytes", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET,
       [](Pipeline& p) { p.desc.VS.BytecodeLength = 0; }},
      {"no pixel shader", 0, [](Pipeline& p) { p.desc.PS = {}; }},
      {"a vertex shader as pixel shader", D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERTYPE,
       [](Pipeline& p) { p.desc.PS = p.desc.VS; }},
      {"a pixel shader as vertex shader", D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERTYPE,
       [](Pipeline& p) { p.desc.VS = p.desc.PS; }},
      {"a compute shader as geometry shader", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADER_INVALIDSHADERTYPE,
       [](Pipeline& p) { p.desc.GS = bytecode(compute); }},
      {"no container as vertex shader", D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERBYTECODE,
       [](Pipeline& p) { p.desc.VS = bytecode(broken); }},
      {"no container as hull shader", D3D12_MESSAGE_ID_CREATEHULLSHADER_INVALIDSHADERBYTECODE,
       [](Pipeline& p) { p.desc.HS = bytecode(broken); }},
      {"no container as domain shader", D3D12_MESSAGE_ID_CREATEDOMAINSHADER_INVALIDSHADERBYTECODE,
       [](Pipeline& p) { p.desc.DS = bytecode(broken); }},
      {"hull without domain shader", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_XOR_DS_MISMATCH,
       [](Pipeline& p) { p.desc.HS = bytecode(hull); }},
      {"domain without hull shader", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_XOR_DS_MISMATCH,
       [](Pipeline& p) { p.desc.DS = bytecode(domain); }},
      {"a geometry shader", 0, [](Pipeline& p) { p.desc.GS = bytecode(geometry); }},
      {"DXBC and DXIL", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_MODEL_MISMATCH,
       [](Pipeline& p) { p.desc.PS = bytecode(dxil); }},
      {"a shader model that the device has not", D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERTYPE,
       [](Pipeline& p) { p.desc.VS = bytecode(newer); }},
  });
}

TEST_CASE("pipeline rules: a root signature is given or comes in a shader", "[d3d12]") {
  DebuggedApp app;
  Pipeline pipeline(app);
  pipeline.desc.pRootSignature = nullptr;
  CHECK(pipeline.create(app) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE});
  constexpr std::uint32_t ret_token = 1U << 24 | 62;
  const std::string rooted = dxbc({{"SHEX", program(program_version(pixel_kind, 5, 0), {ret_token})},
                                   {"RTS0", numbers({2, 0, 24, 0, 24, 1})}});  // with an input layout
  pipeline.desc.PS = bytecode(rooted);
  CHECK(pipeline.create(app) == S_OK);
  CHECK(app.said_ids().empty());

  D3D12_COMPUTE_PIPELINE_STATE_DESC compute{};
  const std::string shader = code(compute_kind, {}, {});
  compute.CS = bytecode(shader);
  ComPtr<ID3D12PipelineState> made;
  CHECK(app.device->CreateComputePipelineState(&compute, IID_PPV_ARGS(&made)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE});
  compute.pRootSignature = pipeline.root.Get();
  CHECK(app.device->CreateComputePipelineState(&compute, IID_PPV_ARGS(&made)) == S_OK);
  compute.CS = {};
  CHECK(app.device->CreateComputePipelineState(&compute, IID_PPV_ARGS(&made)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER});
  compute.CS = pipeline.desc.VS;
  CHECK(app.device->CreateComputePipelineState(&compute, IID_PPV_ARGS(&made)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER});
}

TEST_CASE("pipeline rules: vertices and stream output need the root signature's flags", "[d3d12]") {
  DebuggedApp app;
  const auto none = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE);
  const D3D12_SO_DECLARATION_ENTRY entry{0, "SV_Position", 0, 0, 4, 0};
  const UINT stride = 16;
  const std::string no_input = code(vertex_kind, {element("SV_VertexID", 0, 0)}, {element("SV_Position", 0, 0)});
  constexpr int missing = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE_FLAGS;
  Pipeline pipeline(app);
  pipeline.desc.pRootSignature = none.Get();
  CHECK(pipeline.create(app) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{missing});
  pipeline.desc.VS = bytecode(no_input);
  pipeline.desc.InputLayout = {};
  CHECK(pipeline.create(app) == S_OK);
  pipeline.desc.StreamOutput = {&entry, 1, &stride, 1, 0};
  CHECK(pipeline.create(app) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{missing});
}

TEST_CASE("pipeline rules: formats that cannot be rendered to are told of and taken", "[d3d12]") {
  DebuggedApp app;
  for (const auto format : {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_BC1_UNORM, DXGI_FORMAT_D32_FLOAT}) {
    Pipeline pipeline(app);
    render_to(pipeline, {format});
    CHECK(pipeline.create(app) == S_OK);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDFORMAT});
  }
}

TEST_CASE("pipeline rules: render targets", "[d3d12]") {
  constexpr int beyond = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_RTV_FORMAT_NOT_UNKNOWN;
  constexpr int samples = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC;
  constexpr int format = D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDFORMAT;
  check_rules({
      {"9", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT,
       [](Pipeline& p) { p.desc.NumRenderTargets = 9; }},
      {"a format beyond the count", beyond, [](Pipeline& p) { p.desc.RTVFormats[1] = DXGI_FORMAT_R8G8B8A8_UNORM; }},
      {"a format and no count", beyond, [](Pipeline& p) { p.desc.NumRenderTargets = 0; }},
      {"none", 0, [](Pipeline& p) { render_to(p, {}), p.desc.RTVFormats[0] = DXGI_FORMAT_UNKNOWN; }},
      {"unknown ones", 0,
       [](Pipeline& p) {
         render_to(p, {DXGI_FORMAT_UNKNOWN, DXGI_FORMAT_UNKNOWN});
       }},
      {"8", 0, [](Pipeline& p) { render_to(p, std::vector<DXGI_FORMAT>(8, DXGI_FORMAT_R32G32B32A32_FLOAT)); }},
      {"no format at all", format, [](Pipeline& p) { render_to(p, {enum_of<DXGI_FORMAT>(5000)}); }},
      {"no samples", samples, [](Pipeline& p) { p.desc.SampleDesc.Count = 0; }},
      {"3 samples", samples, [](Pipeline& p) { p.desc.SampleDesc.Count = 3; }},
      {"4 samples", 0, [](Pipeline& p) { p.desc.SampleDesc.Count = 4; }},
      {"64 samples", samples, [](Pipeline& p) { p.desc.SampleDesc.Count = 64; }},
      {"a quality that is not there", samples,
       [](Pipeline& p) {
         p.desc.SampleDesc = {4, 7};
       }},
      {"the standard pattern", 0,
       [](Pipeline& p) {
         p.desc.SampleDesc = {4, DXGI_STANDARD_MULTISAMPLE_QUALITY_PATTERN};
       }},
      {"3 samples of depth alone", samples,
       [](Pipeline& p) {
         render_to(p, {});
         p.desc.RTVFormats[0] = DXGI_FORMAT_UNKNOWN;
         depth(p);
         p.desc.SampleDesc.Count = 3;
       }},
  });
}

TEST_CASE("pipeline rules: rasterizer, depth and stencil", "[d3d12]") {
  constexpr auto shared = D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON;
  check_rules({
      {"no fill mode", D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFILLMODE,
       [](Pipeline& p) { p.desc.RasterizerState.FillMode = enum_of<D3D12_FILL_MODE>(0); }},
      {"no cull mode", D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDCULLMODE,
       [](Pipeline& p) { p.desc.RasterizerState.CullMode = enum_of<D3D12_CULL_MODE>(0); }},
      {"lines", 0, [](Pipeline& p) { p.desc.RasterizerState.FillMode = D3D12_FILL_MODE_WIREFRAME; }},
      {"conservative", 0, [=](Pipeline& p) { p.desc.RasterizerState.ConservativeRaster = shared; }},
      {"conservative 2", D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
       [](Pipeline& p) {
         p.desc.RasterizerState.ConservativeRaster = enum_of<D3D12_CONSERVATIVE_RASTERIZATION_MODE>(2);
       }},
      {"3 forced samples", D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT,
       [](Pipeline& p) { p.desc.RasterizerState.ForcedSampleCount = 3; }},
      {"4 forced samples", 0, [](Pipeline& p) { p.desc.RasterizerState.ForcedSampleCount = 4; }},
      {"4 forced samples and depth", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_FORCED_SAMPLE_COUNT,
       [](Pipeline& p) {
         depth(p);
         p.desc.RasterizerState.ForcedSampleCount = 4;
       }},
      {"depth and stencil", 0, [](Pipeline& p) { depth(p); }},
      {"depth without a format", 0,
       [](Pipeline& p) {
         depth(p);
         p.desc.DSVFormat = DXGI_FORMAT_UNKNOWN;
       }},
      {"no depth function", D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC,
       [](Pipeline& p) { depth(p), p.desc.DepthStencilState.DepthFunc = enum_of<D3D12_COMPARISON_FUNC>(0); }},
      {"no depth function, and no depth", 0,
       [](Pipeline& p) {
         depth(p);
         p.desc.DepthStencilState.DepthEnable = FALSE;
         p.desc.DepthStencilState.DepthFunc = enum_of<D3D12_COMPARISON_FUNC>(0);
       }},
      {"depth write mask 2", D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK,
       [](Pipeline& p) { depth(p), p.desc.DepthStencilState.DepthWriteMask = enum_of<D3D12_DEPTH_WRITE_MASK>(2); }},
      {"no stencil operation", D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILZFAILOP,
       [](Pipeline& p) {
         depth(p), p.desc.DepthStencilState.FrontFace.StencilDepthFailOp = enum_of<D3D12_STENCIL_OP>(0);
       }},
      {"stencil function 9", D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFUNC,
       [](Pipeline& p) {
         depth(p), p.desc.DepthStencilState.BackFace.StencilFunc = enum_of<D3D12_COMPARISON_FUNC>(9);
       }},
  });
}

TEST_CASE("pipeline rules: other numbers", "[d3d12]") {
  check_rules({
      {"flags", D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS,
       [](Pipeline& p) { p.desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG; }},
      {"node 1", 0, [](Pipeline& p) { p.desc.NodeMask = 1; }},
      {"node 2", D3D12_MESSAGE_ID_NODE_MASK_MISMATCH, [](Pipeline& p) { p.desc.NodeMask = 2; }},
      {"topology 5", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_PRIMITIVETOPOLOGY,
       [](Pipeline& p) { p.desc.PrimitiveTopologyType = enum_of<D3D12_PRIMITIVE_TOPOLOGY_TYPE>(5); }},
      {"no topology", 0, [](Pipeline& p) { p.desc.PrimitiveTopologyType = {}; }},
      {"strip cut", 0, [](Pipeline& p) { p.desc.IBStripCutValue = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFFFFFF; }},
      {"strip cut 3", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_INDEX_BUFFER_PROPERTIES,
       [](Pipeline& p) { p.desc.IBStripCutValue = enum_of<D3D12_INDEX_BUFFER_STRIP_CUT_VALUE>(3); }},
  });
}

TEST_CASE("pipeline rules: the input layout", "[d3d12]") {
  static D3D12_INPUT_ELEMENT_DESC elements[33];
  const auto two = [](const D3D12_INPUT_ELEMENT_DESC& second) {
    return [=](Pipeline& p) {
      elements[0] = p.input;
      elements[1] = second;
      p.desc.InputLayout = {elements, 2};
    };
  };
  const auto one = [](auto change) { return [=](Pipeline& p) { change(p.input); }; };
  constexpr auto vertices = D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA;
  constexpr auto instances = D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA;
  constexpr auto append = D3D12_APPEND_ALIGNED_ELEMENT;
  using Element = D3D12_INPUT_ELEMENT_DESC;
  check_rules({
      {"other case", 0, one([](Element& e) { e.SemanticName = "PoSiTiOn"; })},
      {"another semantic", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_MISSINGELEMENT,
       one([](Element& e) { e.SemanticName = "FROG"; })},
      {"another index", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_MISSINGELEMENT,
       one([](Element& e) { e.SemanticIndex = 1; })},
      {"none", D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET,
       [](Pipeline& p) { p.desc.InputLayout = {}; }},
      {"null", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_EMPTY_LAYOUT,
       [](Pipeline& p) {
         p.desc.InputLayout = {nullptr, 1};
       }},
      {"33 elements", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_TOOMANYELEMENTS,
       [](Pipeline& p) {
         p.desc.InputLayout = {elements, 33};
       }},
      {"no semantic", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_NULLSEMANTIC,
       one([](Element& e) { e.SemanticName = nullptr; })},
      {"no format", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDFORMAT,
       one([](Element& e) { e.Format = DXGI_FORMAT_UNKNOWN; })},
      {"a typeless format", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDFORMAT,
       one([](Element& e) { e.Format = DXGI_FORMAT_R32G32_TYPELESS; })},
      {"slot 32", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDSLOT, one([](Element& e) { e.InputSlot = 32; })},
      {"class 2", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDINPUTSLOTCLASS,
       one([](Element& e) { e.InputSlotClass = enum_of<D3D12_INPUT_CLASSIFICATION>(2); })},
      {"a step rate of vertices", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_STEPRATESLOTCLASSMISMATCH,
       one([](Element& e) { e.InstanceDataStepRate = 1; })},
      {"byte 2 of 4", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDALIGNMENT,
       one([](Element& e) { e.AlignedByteOffset = 2; })},
      {"appended", 0, one([](Element& e) { e.AlignedByteOffset = append; })},
      {"more than is read", 0, two({"COLOR", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 0, append, vertices, 0})},
      {"a semantic twice", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_DUPLICATESEMANTIC,
       two({"position", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 1, append, vertices, 0})},
      {"vertices and instances in one slot", D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDSLOTCLASSCHANGE,
       two({"COLOR", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 0, append, instances, 1})},
      {"vertices and instances", 0, two({"COLOR", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 1, append, instances, 1})},
  });
}

TEST_CASE("pipeline rules: stream output", "[d3d12]") {
  static D3D12_SO_DECLARATION_ENTRY entry;
  static UINT stride;
  const auto with = [](const D3D12_SO_DECLARATION_ENTRY& one, UINT bytes = 16) {
    return [=](Pipeline& p) {
      entry = one;
      stride = bytes;
      p.desc.StreamOutput = {&entry, 1, &stride, 1, D3D12_SO_NO_RASTERIZED_STREAM};
    };
  };
  check_rules({
      {"the position", 0, with({0, "SV_POSITION", 0, 0, 4, 0})},
      {"a gap", 0, with({0, nullptr, 0, 0, 4, 0})},
      {"what nobody puts out", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_MISSINGSEMANTIC,
       with({0, "FROG", 0, 0, 4, 0})},
      {"5 components", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDCOMPONENTCOUNT,
       with({0, "SV_POSITION", 0, 0, 5, 0})},
      {"3 components from 2 on",
       D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTARTCOMPONENTANDCOMPONENTCOUNT,
       with({0, "SV_POSITION", 0, 2, 3, 0})},
      {"slot 4", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSLOT,
       with({0, "SV_POSITION", 0, 0, 4, 4})},
      {"stream 4", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAM,
       with({4, "SV_POSITION", 0, 0, 4, 0})},
      {"a stride of 18", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSTREAMSTRIDE,
       with({0, "SV_POSITION", 0, 0, 4, 0}, 18)},
      {"a stride of 2052", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSTREAMSTRIDE,
       with({0, "SV_POSITION", 0, 0, 4, 0}, 2052)},
      {"no entries at all", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMENTRIES,
       [](Pipeline& p) { p.desc.StreamOutput.NumEntries = 1; }},
      {"5 strides", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMSTRIDES,
       [&](Pipeline& p) {
         with({0, "SV_POSITION", 0, 0, 4, 0})(p);
         p.desc.StreamOutput.NumStrides = 5;
       }},
      {"rasterized stream 4", D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAMTORASTERIZER,
       [&](Pipeline& p) {
         with({0, "SV_POSITION", 0, 0, 4, 0})(p);
         p.desc.StreamOutput.RasterizedStream = 4;
       }},
  });
}

TEST_CASE("pipeline rules: components of another type are a warning, as is a depth format that is none", "[d3d12]") {
  DebuggedApp app;
  Pipeline pipeline(app);
  pipeline.input.Format = DXGI_FORMAT_R32G32B32A32_UINT;
  CHECK(pipeline.create(app) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_TYPE_MISMATCH});
  pipeline.input.Format = DXGI_FORMAT_R32G32_FLOAT;
  pipeline.desc.RTVFormats[0] = DXGI_FORMAT_R32_UINT;
  CHECK(pipeline.create(app) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_TYPE_MISMATCH});
  pipeline.desc.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
  pipeline.desc.DSVFormat = DXGI_FORMAT_R8G8B8A8_UNORM;
  pipeline.desc.DepthStencilState.DepthEnable = TRUE;
  pipeline.desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
  CHECK(pipeline.create(app) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_DEPTHSTENCILVIEW_NOT_SET});
}

TEST_CASE("pipeline rules: depth bounds and view instances are not there, as CheckFeatureSupport says", "[d3d12]") {
  App app;
  D3D12_FEATURE_DATA_D3D12_OPTIONS2 options2{};
  D3D12_FEATURE_DATA_D3D12_OPTIONS3 options3{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS2, &options2, sizeof options2) == S_OK);
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS3, &options3, sizeof options3) == S_OK);
  CHECK_FALSE(options2.DepthBoundsTestSupported);
  CHECK(options3.ViewInstancingTier == D3D12_VIEW_INSTANCING_TIER_NOT_SUPPORTED);
  const Pipeline pipeline(app);
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  struct {
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE root_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE;
    ID3D12RootSignature* root = nullptr;
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE vs_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS;
    D3D12_SHADER_BYTECODE vs{};
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE layout_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_INPUT_LAYOUT;
    D3D12_INPUT_LAYOUT_DESC layout{};
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE depth_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1;
    D3D12_DEPTH_STENCIL_DESC1 depth{};
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE views_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VIEW_INSTANCING;
    D3D12_VIEW_INSTANCING_DESC views{};
  } stream;
  stream.root = pipeline.root.Get();
  stream.vs = pipeline.desc.VS;
  stream.layout = pipeline.desc.InputLayout;
  const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
  ComPtr<ID3D12PipelineState> made;
  CHECK(device->CreatePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  stream.depth.DepthBoundsTestEnable = TRUE;
  CHECK(device->CreatePipelineState(&desc, IID_PPV_ARGS(&made)) == E_INVALIDARG);
  stream.depth.DepthBoundsTestEnable = FALSE;
  const D3D12_VIEW_INSTANCE_LOCATION locations[2] = {};
  stream.views = {2, locations, D3D12_VIEW_INSTANCING_FLAG_NONE};
  CHECK(device->CreatePipelineState(&desc, IID_PPV_ARGS(&made)) == E_INVALIDARG);
}
