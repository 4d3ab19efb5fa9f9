// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/resources/target_view.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fenceline::d3d12 {

/// May that method of a command list be called between BeginRenderPass and EndRenderPass? Source: DirectX-Specs,
/// RenderPasses.
bool allowed_in_pass(std::string_view method);

/// What a render pass draws to, in whatever order.
class PassTargets {
 public:
  void add(const TargetView& view);
  bool operator==(const PassTargets& other) const { return views_ == other.views_; }
  bool operator!=(const PassTargets& other) const { return !(*this == other); }

 private:
  std::vector<std::vector<std::uint64_t>> views_;  // sorted
};

/// A render pass that has begun.
struct RenderPass {
  /// At its end, as given at its beginning.
  struct Resolve {
    Held<Resource> to;
    Held<Resource> from;
    D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS part;
    DXGI_FORMAT format;
    D3D12_RESOLVE_MODE mode;
  };
  bool suspends = false;
  PassTargets targets;
  std::vector<Resolve> resolves;
};

}  // namespace fenceline::d3d12
