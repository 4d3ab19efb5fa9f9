// SPDX-License-Identifier: Apache-2.0
// What D3D12 takes of blending in a description of a graphics pipeline state, what it refuses, and as what.
#include "tests/d3d12/pipelines/pipeline_rule.hpp"

using namespace fenceline::testing;

namespace {

D3D12_RENDER_TARGET_BLEND_DESC& target(Pipeline& pipeline, std::size_t i = 0) {
  return pipeline.desc.BlendState.RenderTarget[i];
}

void blend(Pipeline& pipeline, std::size_t i = 0) {
  target(pipeline, i) = {TRUE,
                         FALSE,
                         D3D12_BLEND_SRC_COLOR,
                         D3D12_BLEND_DEST_COLOR,
                         D3D12_BLEND_OP_ADD,
                         D3D12_BLEND_SRC_ALPHA,
                         D3D12_BLEND_DEST_ALPHA,
                         D3D12_BLEND_OP_ADD,
                         D3D12_LOGIC_OP_CLEAR,
                         D3D12_COLOR_WRITE_ENABLE_ALL};
}

void second_source(Pipeline& pipeline) {
  blend(pipeline);
  target(pipeline).DestBlend = D3D12_BLEND_SRC1_COLOR;
  target(pipeline).DestBlendAlpha = D3D12_BLEND_SRC1_ALPHA;
  pipeline.pixel = code(pixel_kind, {}, {element("SV_Target", 0, 0), element("SV_Target", 1, 1)});
  pipeline.desc.PS = bytecode(pipeline.pixel);
}

}  // namespace

TEST_CASE("pipeline rules: blending", "[d3d12]") {
  constexpr int logic = D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDLOGICOPS;
  constexpr int not_blended = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING;
  constexpr int no_logic = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_LOGIC_OPS;
  static const std::string integers = code(pixel_kind, {}, {element("SV_TARGET", 0, 0, 4, uint_type)});
  static const std::string nothing = code(pixel_kind, {}, {});
  const auto integer_target = [](Pipeline& p) {
    render_to(p, {DXGI_FORMAT_R32_UINT});
    p.desc.PS = bytecode(integers);
  };
  check_rules({
      {"a target that blends", 0, [](Pipeline& p) { blend(p); }},
      {"zeros where nothing blends", 0, [](Pipeline& p) { target(p) = {}; }},
      {"and a logic operation", logic,
       [](Pipeline& p) {
         blend(p);
         target(p).LogicOpEnable = TRUE;
       }},
      {"logic operations of independent targets", logic,
       [&](Pipeline& p) {
         integer_target(p);
         target(p).LogicOpEnable = TRUE;
         p.desc.BlendState.IndependentBlendEnable = TRUE;
       }},
      {"a logic operation on integers", 0,
       [&](Pipeline& p) {
         integer_target(p);
         target(p).LogicOpEnable = TRUE;
         target(p).LogicOp = D3D12_LOGIC_OP_XOR;
       }},
      {"logic operation 16", logic,
       [&](Pipeline& p) {
         integer_target(p);
         target(p).LogicOpEnable = TRUE;
         target(p).LogicOp = enum_of<D3D12_LOGIC_OP>(16);
       }},
      {"a logic operation on a format without", no_logic, [](Pipeline& p) { target(p).LogicOpEnable = TRUE; }},
      {"integers", not_blended,
       [&](Pipeline& p) {
         integer_target(p);
         blend(p);
       }},
      {"integers with no write mask", not_blended,
       [&](Pipeline& p) {
         integer_target(p);
         blend(p);
         target(p).RenderTargetWriteMask = 0;
       }},
      {"integers that nobody writes", 0,
       [&](Pipeline& p) {
         integer_target(p);
         blend(p);
         p.desc.PS = bytecode(nothing);
       }},
      {"no factor", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLEND,
       [](Pipeline& p) { blend(p), target(p).SrcBlend = enum_of<D3D12_BLEND>(0); }},
      {"factor 12", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDDESTBLEND,
       [](Pipeline& p) { blend(p), target(p).DestBlend = enum_of<D3D12_BLEND>(12); }},
      {"a color for alpha", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLENDALPHA,
       [](Pipeline& p) { blend(p), target(p).SrcBlendAlpha = D3D12_BLEND_SRC_COLOR; }},
      {"a second color for alpha", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDDESTBLENDALPHA,
       [](Pipeline& p) { blend(p), target(p).DestBlendAlpha = D3D12_BLEND_INV_SRC1_COLOR; }},
      {"a constant for alpha", 0, [](Pipeline& p) { blend(p), target(p).SrcBlendAlpha = D3D12_BLEND_BLEND_FACTOR; }},
      {"operation 6", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDBLENDOP,
       [](Pipeline& p) { blend(p), target(p).BlendOp = enum_of<D3D12_BLEND_OP>(6); }},
      {"operation 0 of alpha", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDBLENDOPALPHA,
       [](Pipeline& p) { blend(p), target(p).BlendOpAlpha = enum_of<D3D12_BLEND_OP>(0); }},
      {"a write mask of 5 bits", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK,
       [](Pipeline& p) { target(p).RenderTargetWriteMask = 0x1F; }},
      {"a bad state that no target has", 0,
       [](Pipeline& p) {
         blend(p, 1);
         target(p, 1).SrcBlend = enum_of<D3D12_BLEND>(99);
       }},
      {"a bad state of an independent target", D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLEND,
       [](Pipeline& p) {
         blend(p, 1);
         target(p, 1).SrcBlend = enum_of<D3D12_BLEND>(99);
         p.desc.BlendState.IndependentBlendEnable = TRUE;
       }},
  });
}

TEST_CASE("pipeline rules: a second source blends into target 0 alone, by vkd3d-proton's table", "[d3d12]") {
  constexpr int only_one =
      D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0;
  constexpr auto color = DXGI_FORMAT_R8G8B8A8_UNORM;
  constexpr auto none = DXGI_FORMAT_UNKNOWN;
  static const std::string three =
      code(pixel_kind, {}, {element("SV_Target", 0, 0), element("SV_Target", 1, 1), element("SV_Target", 2, 2)});
  const auto with = [](const std::vector<DXGI_FORMAT>& formats, bool independent = false) {
    return [=](Pipeline& p) {
      second_source(p);
      render_to(p, formats);
      p.desc.BlendState.IndependentBlendEnable = independent;
    };
  };
  check_rules({
      {"one", 0, with({color})},
      {"two", only_one, with({color, color})},
      {"two, of which one is not written", only_one, with({color, color}, true)},
      {"one and an unknown one", 0, with({color, none})},
      {"one and two unknown ones", 0, with({color, none, none})},
      {"a third one that the shader does not write", 0, with({color, none, color})},
      {"a third one that it writes", only_one,
       [&](Pipeline& p) {
         with({color, none, color})(p);
         p.desc.PS = bytecode(three);
       }},
      {"a third output without a target", 0,
       [&](Pipeline& p) {
         with({color})(p);
         p.desc.PS = bytecode(three);
       }},
      {"independent", 0, with({color}, true)},
      {"independent, and another blends", only_one,
       [&](Pipeline& p) {
         with({color}, true)(p);
         blend(p, 1);
       }},
  });
}
