// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>
#include <limits>

namespace fenceline::d3d12 {

/// Where pixels of draws can be: what viewport, scissor rectangle and targets have in common.
class DrawArea {
 public:
  void set_viewports(UINT count, const D3D12_VIEWPORT* viewports);
  void set_scissors(UINT count, const D3D12_RECT* rects);
  /// No target bounds draws from here on, until `clip` says one that does.
  void unclip();
  /// A target of that size is bound: draws are within the smallest one.
  void clip(LONG width, LONG height);

  /// Viewport and scissor rectangle alone. Empty without a viewport, and with several, of which shaders choose: nowhere
  /// for certain.
  D3D12_RECT scissored() const;
  /// How many pixels there are, of the first viewport; 0 without one.
  std::uint64_t pixels() const { return pixels_; }

 private:
  static constexpr LONG unbounded = std::numeric_limits<LONG>::max();

  D3D12_RECT seen() const;
  void measure();

  D3D12_RECT viewport_{};
  D3D12_RECT scissor_{};
  bool has_viewport_ = false;
  bool several_viewports_ = false;
  bool has_scissor_ = false;
  LONG targets_width_ = unbounded;  // of the smallest target that is bound
  LONG targets_height_ = unbounded;
  std::uint64_t pixels_ = 0;  // every draw asks
};

}  // namespace fenceline::d3d12
