// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_output_rules.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/format_support.hpp"
#include "api/d3d12/shaders/pipeline_linkage.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using MaybeProblem = std::optional<PipelineProblem>;

template <class... Args>
PipelineProblem problem(D3D12_MESSAGE_ID id, fmt::format_string<Args...> format, Args&&... args) {
  return {id, fmt::format(format, std::forward<Args>(args)...)};
}

bool within(int value, int first, int last) { return value >= first && value <= last; }

UINT target_count(const PipelineDesc& desc) { return desc.targets.NumRenderTargets; }

/// The target's own state, or that of all.
const D3D12_RENDER_TARGET_BLEND_DESC& blend_of(const PipelineDesc& desc, UINT target) {
  return desc.blend.RenderTarget[desc.blend.IndependentBlendEnable ? target : 0];
}

}  // namespace

MaybeProblem check_rasterizer(const PipelineDesc& desc) {
  const D3D12_RASTERIZER_DESC& state = desc.rasterizer;
  if (!within(state.FillMode, D3D12_FILL_MODE_WIREFRAME, D3D12_FILL_MODE_SOLID)) {
    return problem(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFILLMODE,
                   "expected a fill mode of WIREFRAME (2) or SOLID (3), found {}", static_cast<int>(state.FillMode));
  }
  if (!within(state.CullMode, D3D12_CULL_MODE_NONE, D3D12_CULL_MODE_BACK)) {
    return problem(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDCULLMODE,
                   "expected a cull mode of NONE (1) to BACK (3), found {}", static_cast<int>(state.CullMode));
  }
  if (!within(state.ConservativeRaster, D3D12_CONSERVATIVE_RASTERIZATION_MODE_OFF,
              D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON)) {
    return problem(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
                   "expected a conservative rasterization mode of 0 or 1, found {}",
                   static_cast<int>(state.ConservativeRaster));
  }
  const UINT forced = state.ForcedSampleCount;
  if (forced > 16 || (forced & (forced - 1)) != 0) {
    return problem(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT,
                   "expected a forced sample count of 0, 1, 2, 4, 8 or 16, found {}", forced);
  }
  const bool depth =
      (desc.depth_stencil.DepthEnable || desc.depth_stencil.StencilEnable) && desc.depth_format != DXGI_FORMAT_UNKNOWN;
  if (forced > 1 && (depth || (target_count(desc) > 0 && desc.sample.Count > 1))) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_FORCED_SAMPLE_COUNT,
                   "a forced sample count of {} goes with targets of one sample and without depth and stencil", forced);
  }
  return {};
}

namespace {

bool is_comparison(D3D12_COMPARISON_FUNC function) {
  return within(function, D3D12_COMPARISON_FUNC_NEVER, D3D12_COMPARISON_FUNC_ALWAYS);
}

struct FaceIds {
  D3D12_MESSAGE_ID fail;
  D3D12_MESSAGE_ID depth_fail;
  D3D12_MESSAGE_ID pass;
  D3D12_MESSAGE_ID function;
};
constexpr FaceIds front_ids{D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFAILOP,
                            D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILZFAILOP,
                            D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILPASSOP,
                            D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFUNC};
constexpr FaceIds back_ids{D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFAILOP,
                           D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILZFAILOP,
                           D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILPASSOP,
                           D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFUNC};

MaybeProblem check_face(const D3D12_DEPTH_STENCILOP_DESC1& face, const char* name, const FaceIds& ids) {
  const std::pair<D3D12_STENCIL_OP, D3D12_MESSAGE_ID> operations[] = {
      {face.StencilFailOp, ids.fail}, {face.StencilDepthFailOp, ids.depth_fail}, {face.StencilPassOp, ids.pass}};
  for (const auto& [operation, id] : operations) {
    if (within(operation, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR)) continue;
    return problem(id, "{} face: expected a stencil operation from 1 to 8, found {}", name,
                   static_cast<int>(operation));
  }
  if (is_comparison(face.StencilFunc)) return {};
  return problem(ids.function, "{} face: expected a stencil function from 1 to 8, found {}", name,
                 static_cast<int>(face.StencilFunc));
}

}  // namespace

MaybeProblem check_depth_stencil(const PipelineDesc& desc) {
  const D3D12_DEPTH_STENCIL_DESC2& state = desc.depth_stencil;
  if (state.DepthEnable) {
    if (!within(state.DepthWriteMask, D3D12_DEPTH_WRITE_MASK_ZERO, D3D12_DEPTH_WRITE_MASK_ALL)) {
      return problem(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK,
                     "expected a depth write mask of 0 or 1, found {}", static_cast<int>(state.DepthWriteMask));
    }
    if (!is_comparison(state.DepthFunc)) {
      return problem(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC,
                     "expected a depth function from 1 to 8, found {}", static_cast<int>(state.DepthFunc));
    }
  }
  if (state.StencilEnable) {
    if (auto wrong = check_face(state.FrontFace, "front", front_ids)) return wrong;
    if (auto wrong = check_face(state.BackFace, "back", back_ids)) return wrong;
    if (state.FrontFace.StencilReadMask != state.BackFace.StencilReadMask ||
        state.FrontFace.StencilWriteMask != state.BackFace.StencilWriteMask) {
      return problem(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INDEPENDENT_MASKS_UNSUPPORTED,
                     "expected one stencil mask for both faces: the device has no independent ones");
    }
  }
  if (state.DepthBoundsTestEnable) {
    return problem(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_DEPTHBOUNDSTEST_UNSUPPORTED,
                   "the device has no depth bounds test");
  }
  return {};
}

namespace {

MaybeProblem check_samples(const PipelineDesc& desc, DXGI_FORMAT format) {
  const UINT levels = multisample_quality_levels(format, desc.sample.Count);
  const bool pattern = desc.sample.Quality == DXGI_STANDARD_MULTISAMPLE_QUALITY_PATTERN ||
                       desc.sample.Quality == DXGI_CENTER_MULTISAMPLE_QUALITY_PATTERN;
  if (levels > 0 && (pattern || desc.sample.Quality < levels)) return {};
  return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC,
                 "format {} has {} quality levels of {} samples, found level {}", static_cast<int>(format), levels,
                 desc.sample.Count, desc.sample.Quality);
}

}  // namespace

namespace {

bool renders_to(DXGI_FORMAT format) {
  return (format_support(format).support1 & D3D12_FORMAT_SUPPORT1_RENDER_TARGET) != 0;
}

}  // namespace

MaybeProblem check_targets(const PipelineDesc& desc) {
  const UINT count = target_count(desc);
  if (count > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT,
                   "expected at most 8 render targets, found {}", count);
  }
  for (UINT i = count; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; ++i) {
    if (desc.targets.RTFormats[i] == DXGI_FORMAT_UNKNOWN) continue;
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_RTV_FORMAT_NOT_UNKNOWN,
                   "render target {} of {}: expected format UNKNOWN, found {}", i, count,
                   static_cast<int>(desc.targets.RTFormats[i]));
  }
  if (desc.sample.Count == 0 || desc.sample.Count > D3D12_MAX_MULTISAMPLE_SAMPLE_COUNT) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC,
                   "expected 1 to 32 samples, found {}", desc.sample.Count);
  }
  for (UINT i = 0; i < count; ++i) {
    const DXGI_FORMAT format = desc.targets.RTFormats[i];
    if (format == DXGI_FORMAT_UNKNOWN) continue;
    if (find_format(format) == nullptr) {
      return problem(D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDFORMAT,
                     "render target {}: expected a format, found {}", i, static_cast<int>(format));
    }
    if (!renders_to(format)) continue;  // drivers take it: output_warning tells
    if (auto wrong = check_samples(desc, format)) return wrong;
  }
  const Format* const depth = find_format(desc.depth_format);
  if (depth == nullptr || !is_depth(*depth)) return {};
  return check_samples(desc, desc.depth_format);
}

namespace {

bool is_color_factor(D3D12_BLEND factor) {
  switch (factor) {
    case D3D12_BLEND_SRC_COLOR:
    case D3D12_BLEND_INV_SRC_COLOR:
    case D3D12_BLEND_DEST_COLOR:
    case D3D12_BLEND_INV_DEST_COLOR:
    case D3D12_BLEND_SRC1_COLOR:
    case D3D12_BLEND_INV_SRC1_COLOR: return true;
    default: return false;
  }
}

bool is_factor(D3D12_BLEND factor) {
  return within(factor, D3D12_BLEND_ZERO, D3D12_BLEND_SRC_ALPHA_SAT) ||
         within(factor, D3D12_BLEND_BLEND_FACTOR, D3D12_BLEND_INV_ALPHA_FACTOR);
}

bool is_second_source(D3D12_BLEND factor) { return within(factor, D3D12_BLEND_SRC1_COLOR, D3D12_BLEND_INV_SRC1_ALPHA); }

bool blends_second_source(const D3D12_RENDER_TARGET_BLEND_DESC& state) {
  return state.BlendEnable && (is_second_source(state.SrcBlend) || is_second_source(state.DestBlend) ||
                               is_second_source(state.SrcBlendAlpha) || is_second_source(state.DestBlendAlpha));
}

MaybeProblem check_factors(UINT target, const D3D12_RENDER_TARGET_BLEND_DESC& state) {
  const std::pair<D3D12_BLEND, D3D12_MESSAGE_ID> colors[] = {
      {state.SrcBlend, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLEND},
      {state.DestBlend, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDDESTBLEND}};
  for (const auto& [factor, id] : colors) {
    if (is_factor(factor)) continue;
    return problem(id, "target {}: expected a blend factor, found {}", target, static_cast<int>(factor));
  }
  const std::pair<D3D12_BLEND, D3D12_MESSAGE_ID> alphas[] = {
      {state.SrcBlendAlpha, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLENDALPHA},
      {state.DestBlendAlpha, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDDESTBLENDALPHA}};
  for (const auto& [factor, id] : alphas) {
    if (is_factor(factor) && !is_color_factor(factor)) continue;
    return problem(id, "target {}: expected a blend factor of alpha, found {}", target, static_cast<int>(factor));
  }
  const std::pair<D3D12_BLEND_OP, D3D12_MESSAGE_ID> operations[] = {
      {state.BlendOp, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDBLENDOP},
      {state.BlendOpAlpha, D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDBLENDOPALPHA}};
  for (const auto& [operation, id] : operations) {
    if (within(operation, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX)) continue;
    return problem(id, "target {}: expected a blend operation from 1 to 5, found {}", target,
                   static_cast<int>(operation));
  }
  return {};
}

MaybeProblem check_target_blend(const PipelineDesc& desc, UINT target) {
  const D3D12_RENDER_TARGET_BLEND_DESC& state = blend_of(desc, target);
  if (state.LogicOpEnable && (state.BlendEnable || desc.blend.IndependentBlendEnable)) {
    return problem(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDLOGICOPS,
                   "target {}: a logic operation goes without blending, and is the same for all targets", target);
  }
  if (state.LogicOpEnable && !within(state.LogicOp, D3D12_LOGIC_OP_CLEAR, D3D12_LOGIC_OP_OR_INVERTED)) {
    return problem(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDLOGICOPS,
                   "target {}: expected a logic operation from 0 to 15, found {}", target,
                   static_cast<int>(state.LogicOp));
  }
  if (state.BlendEnable) {
    if (auto wrong = check_factors(target, state)) return wrong;
  }
  if ((state.RenderTargetWriteMask & ~D3D12_COLOR_WRITE_ENABLE_ALL) != 0 && target < target_count(desc)) {
    return problem(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK,
                   "target {}: expected a write mask of 4 bits, found {:#x}", target, state.RenderTargetWriteMask);
  }
  return {};
}

/// Whether the pixel shader may write the target; one without a signature may write all.
bool writes(const PipelineShaders& shaders, UINT target) {
  const ShaderBytecode* const pixel = shaders[PipelineStage::pixel];
  if (pixel == nullptr) return false;
  if (!pixel->has_outputs) return true;
  for (const SignatureElement& output : pixel->outputs) {
    if (output.index == target && same_semantic(output.name, "SV_Target")) return true;
  }
  return false;
}

}  // namespace

MaybeProblem check_blend(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const UINT states = desc.blend.IndependentBlendEnable ? D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT : 1;
  const bool second_source = blends_second_source(desc.blend.RenderTarget[0]);
  for (UINT i = 0; i < states; ++i) {
    if (auto wrong = check_target_blend(desc, i)) return wrong;
    const D3D12_RENDER_TARGET_BLEND_DESC& state = desc.blend.RenderTarget[i];
    if (i > 0 && state.BlendEnable && (second_source || blends_second_source(state))) {
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0,
                     "target {} blends beside a second source", i);
    }
  }
  for (UINT i = 0; i < target_count(desc); ++i) {
    const DXGI_FORMAT format = desc.targets.RTFormats[i];
    if (format == DXGI_FORMAT_UNKNOWN || !writes(shaders, i)) continue;
    const D3D12_RENDER_TARGET_BLEND_DESC& state = blend_of(desc, i);
    const FormatSupport support = format_support(format);
    if (i > 0 && second_source) {
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0,
                     "with a second source there is one target, found target {}", i);
    }
    if (state.BlendEnable && (support.support1 & D3D12_FORMAT_SUPPORT1_BLENDABLE) == 0) {
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING,
                     "target {}: format {} cannot be blended", i, static_cast<int>(format));
    }
    if (state.LogicOpEnable && (support.support2 & D3D12_FORMAT_SUPPORT2_OUTPUT_MERGER_LOGIC_OP) == 0) {
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_LOGIC_OPS,
                     "target {}: format {} has no logic operations", i, static_cast<int>(format));
    }
  }
  return {};
}

MaybeProblem check_numbers(const PipelineDesc& desc, std::uint32_t nodes) {
  if (desc.node_mask >> nodes != 0) {
    return problem(D3D12_MESSAGE_ID_NODE_MASK_MISMATCH, "expected a node mask of {} nodes, found {:#x}", nodes,
                   desc.node_mask);
  }
  // TOOL_DEBUG is for the software rasterizer alone.
  if (desc.flags != D3D12_PIPELINE_STATE_FLAG_NONE) {
    return problem(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS, "expected no flags, found {:#x}",
                   static_cast<unsigned>(desc.flags));
  }
  if (desc.kind == PipelineKind::compute) return {};
  if (!within(desc.topology, D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED, D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH)) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_PRIMITIVETOPOLOGY,
                   "expected a primitive topology type from 0 to 4, found {}", static_cast<int>(desc.topology));
  }
  if (!within(desc.strip_cut, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_DISABLED,
              D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFFFFFF)) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INVALID_INDEX_BUFFER_PROPERTIES,
                   "expected a strip cut value of 0 to 2, found {}", static_cast<int>(desc.strip_cut));
  }
  if (desc.view_instancing.ViewInstanceCount > 0) {
    return problem(D3D12_MESSAGE_ID_UNKNOWN, "expected no view instances, for the device has none, found {}",
                   desc.view_instancing.ViewInstanceCount);
  }
  return {};
}

MaybeProblem output_warning(const PipelineDesc& desc, const PipelineShaders& shaders) {
  for (UINT i = 0; i < target_count(desc); ++i) {
    const DXGI_FORMAT format = desc.targets.RTFormats[i];
    if (format == DXGI_FORMAT_UNKNOWN || renders_to(format)) continue;
    return problem(D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDFORMAT,
                   "render target {}: expected a format that can be rendered to, found {}", i,
                   static_cast<int>(format));
  }
  const ShaderBytecode* const pixel = shaders[PipelineStage::pixel];
  for (UINT i = 0; pixel != nullptr && i < target_count(desc); ++i) {
    const Format* const format = find_format(desc.targets.RTFormats[i]);
    if (format == nullptr || format->format == DXGI_FORMAT_UNKNOWN) continue;
    const std::uint32_t type = format->kind == ComponentKind::uint   ? D3D_REGISTER_COMPONENT_UINT32
                               : format->kind == ComponentKind::sint ? D3D_REGISTER_COMPONENT_SINT32
                                                                     : D3D_REGISTER_COMPONENT_FLOAT32;
    for (const SignatureElement& output : pixel->outputs) {
      const bool here = output.index == i && same_semantic(output.name, "SV_Target");
      if (!here || output.component_type == 0 || output.component_type > D3D_REGISTER_COMPONENT_FLOAT32) continue;
      if (output.component_type == type) continue;
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_TYPE_MISMATCH,
                     "the pixel shader puts out SV_Target{} as another type than format {}", i, format->name);
    }
  }
  const Format* const depth = find_format(desc.depth_format);
  if (desc.depth_format != DXGI_FORMAT_UNKNOWN && (depth == nullptr || !is_depth(*depth))) {
    return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_DEPTHSTENCILVIEW_NOT_SET,
                   "expected a depth format, found {}: depth and stencil are not tested",
                   static_cast<int>(desc.depth_format));
  }
  return {};
}

}  // namespace fenceline::d3d12
