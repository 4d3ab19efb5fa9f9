// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, render passes: clears at their beginning, resolves at their end, and targets in between.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline::d3d12 {
namespace {

bool clears(const D3D12_RENDER_PASS_BEGINNING_ACCESS& access) {
  return access.Type == D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR;
}

bool is_whole(const D3D12_RECT& rect) { return rect.left == 0 && rect.top == 0 && rect.right == 0 && rect.bottom == 0; }

/// The state in which a pass draws to it, which stays at its end.
D3D12_RESOURCE_STATES drawn_to(const Resource* resource) {
  const bool depth = resource != nullptr && (resource->desc().Flags & D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL) != 0;
  return depth ? D3D12_RESOURCE_STATE_DEPTH_WRITE : D3D12_RESOURCE_STATE_RENDER_TARGET;
}

}  // namespace

void GraphicsCommandList::clear_pass(const Targets& views, const D3D12_RENDER_PASS_RENDER_TARGET_DESC* targets,
                                     const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC* depth_stencil) {
  const char* const method = "BeginRenderPass";
  for (std::size_t i = 0; i < views.colors.size(); ++i) {
    const D3D12_RENDER_PASS_BEGINNING_ACCESS& access = targets[i].BeginningAccess;
    if (clears(access)) clear_color(views.colors[i], access.Clear.ClearValue.Color, 0, nullptr, method);
  }
  if (depth_stencil == nullptr) return;
  UINT flags = 0;
  if (clears(depth_stencil->DepthBeginningAccess)) flags |= D3D12_CLEAR_FLAG_DEPTH;
  if (clears(depth_stencil->StencilBeginningAccess)) flags |= D3D12_CLEAR_FLAG_STENCIL;
  if (flags == 0) return;
  clear_depth(views.depth_stencil, static_cast<D3D12_CLEAR_FLAGS>(flags),
              depth_stencil->DepthBeginningAccess.Clear.ClearValue.DepthStencil.Depth,
              depth_stencil->StencilBeginningAccess.Clear.ClearValue.DepthStencil.Stencil, 0, nullptr, method);
}

void GraphicsCommandList::add_pass_resolves(const D3D12_RENDER_PASS_ENDING_ACCESS& access) {
  if (access.Type != D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE) return;
  const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_PARAMETERS& resolve = access.Resolve;
  if (resolve.SubresourceCount > 0 && resolve.pSubresourceParameters == nullptr) {
    return invalid("BeginRenderPass", "expected the subresources of a resolve, found null");
  }
  for (UINT i = 0; i < resolve.SubresourceCount; ++i) {
    pass_.resolves.push_back({Held<Resource>(com_cast<Resource>(resolve.pDstResource)),
                              Held<Resource>(com_cast<Resource>(resolve.pSrcResource)),
                              resolve.pSubresourceParameters[i], resolve.Format, resolve.ResolveMode});
  }
}

void GraphicsCommandList::BeginRenderPass(UINT count, const D3D12_RENDER_PASS_RENDER_TARGET_DESC* targets,
                                          const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC* depth_stencil,
                                          D3D12_RENDER_PASS_FLAGS flags) {
  const char* const method = "BeginRenderPass";
  if (!begin(direct_only, method)) return;
  if (in_render_pass_) {
    return error(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES, method,
                 "the render pass before has not ended");
  }
  if (count > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT) {
    return invalid(method, fmt::format("expected at most 8 render targets, found {}", count));
  }
  if (count > 0 && targets == nullptr) return invalid(method, "expected render targets, found null");
  std::vector<D3D12_CPU_DESCRIPTOR_HANDLE> colors;
  for (UINT i = 0; i < count; ++i) colors.push_back(targets[i].cpuDescriptor);
  const auto views = targets_at(colors, depth_stencil != nullptr ? &depth_stencil->cpuDescriptor : nullptr, method);
  if (!views) return;
  in_render_pass_ = true;
  pass_ = {};
  pass_.suspends = (flags & D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS) != 0;
  const bool resumes = (flags & D3D12_RENDER_PASS_FLAG_RESUMING_PASS) != 0;
  for (const TargetView& color : views->colors) pass_.targets.add(color);
  pass_.targets.add(views->depth_stencil);
  const std::optional<PassTargets> suspended = std::exchange(suspended_, std::nullopt);
  if (suspended && (!resumes || *suspended != pass_.targets)) {
    error(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_MISMATCHING_SUSPEND_RESUME, method,
          resumes ? "the pass that was suspended has other targets" : "the pass before is suspended and not resumed");
  }
  if (!resumes) clear_pass(*views, targets, depth_stencil);
  if (!pass_.suspends) {
    for (UINT i = 0; i < count; ++i) add_pass_resolves(targets[i].EndingAccess);
    if (depth_stencil != nullptr) {
      add_pass_resolves(depth_stencil->DepthEndingAccess);
      add_pass_resolves(depth_stencil->StencilEndingAccess);
    }
  }
  set_targets(*views);
}

void GraphicsCommandList::EndRenderPass() {
  const char* const method = "EndRenderPass";
  if (!begin(direct_only, method)) return;
  if (!in_render_pass_) {
    return error(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_END_WITHOUT_BEGIN, method, "no render pass has begun");
  }
  in_render_pass_ = false;
  if (pass_.suspends) suspended_ = pass_.targets;
  for (const RenderPass::Resolve& one : pass_.resolves) {
    const Resource* const from = one.from.get();
    const ResolveSide source{from, one.part.SrcSubresource, 0, 0, drawn_to(from)};
    const ResolveSide destination{one.to.get(), one.part.DstSubresource, one.part.DstX, one.part.DstY};
    resolve_region(destination, source, is_whole(one.part.SrcRect) ? nullptr : &one.part.SrcRect, one.format, one.mode,
                   method);
  }
  set_targets({});
}

}  // namespace fenceline::d3d12
