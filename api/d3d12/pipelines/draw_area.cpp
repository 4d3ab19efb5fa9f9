// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/draw_area.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline::d3d12 {
namespace {

D3D12_RECT rect_of(const D3D12_VIEWPORT& viewport) {
  const auto whole = [](float value) { return static_cast<LONG>(std::lround(std::clamp(value, -32768.0F, 65536.0F))); };
  return {whole(viewport.TopLeftX), whole(viewport.TopLeftY), whole(viewport.TopLeftX + viewport.Width),
          whole(viewport.TopLeftY + viewport.Height)};
}

D3D12_RECT common(const D3D12_RECT& a, const D3D12_RECT& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

}  // namespace

void DrawArea::set_viewports(UINT count, const D3D12_VIEWPORT* viewports) {
  has_viewport_ = count > 0 && viewports != nullptr;
  several_viewports_ = count > 1;
  if (has_viewport_) viewport_ = rect_of(viewports[0]);
  measure();
}

void DrawArea::set_scissors(UINT count, const D3D12_RECT* rects) {
  has_scissor_ = count > 0 && rects != nullptr;
  if (has_scissor_) scissor_ = rects[0];
  measure();
}

void DrawArea::unclip() {
  targets_width_ = targets_height_ = unbounded;
  measure();
}

void DrawArea::clip(LONG width, LONG height) {
  targets_width_ = std::min(targets_width_, width);
  targets_height_ = std::min(targets_height_, height);
  measure();
}

/// Of the first viewport what the scissor rectangle leaves.
D3D12_RECT DrawArea::seen() const { return has_scissor_ ? common(viewport_, scissor_) : viewport_; }

D3D12_RECT DrawArea::scissored() const {
  if (!has_viewport_ || several_viewports_) return {};
  return seen();
}

void DrawArea::measure() {
  pixels_ = 0;
  if (!has_viewport_) return;
  const D3D12_RECT drawn = common(seen(), {0, 0, targets_width_, targets_height_});
  if (drawn.right <= drawn.left || drawn.bottom <= drawn.top) return;
  pixels_ = static_cast<std::uint64_t>(drawn.right - drawn.left) * static_cast<std::uint64_t>(drawn.bottom - drawn.top);
}

}  // namespace fenceline::d3d12
