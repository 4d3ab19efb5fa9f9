// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/render_pass.hpp"

#include <algorithm>
#include <array>

namespace fenceline::d3d12 {

bool allowed_in_pass(std::string_view method) {
  constexpr std::array<std::string_view, 19> others = {
      "AtomicCopyBufferUINT",
      "AtomicCopyBufferUINT64",
      "ClearDepthStencilView",
      "ClearRenderTargetView",
      "ClearState",
      "ClearUnorderedAccessViewFloat",
      "ClearUnorderedAccessViewUint",
      "CopyBufferRegion",
      "CopyResource",
      "CopyTextureRegion",
      "CopyTiles",
      "DiscardResource",
      "Dispatch",
      "OMSetRenderTargets",
      "ResolveQueryData",
      "ResolveSubresource",
      "ResolveSubresourceRegion",
      "SetDescriptorHeaps",
      "SetProtectedResourceSession",
  };
  return std::find(others.begin(), others.end(), method) == others.end();
}

void PassTargets::add(const TargetView& view) {
  if (!view.resource) return;
  const std::vector<std::uint64_t> key = {reinterpret_cast<std::uintptr_t>(view.resource.get()), view.mip,
                                          view.first_slice, view.slices, static_cast<std::uint64_t>(view.format)};
  views_.insert(std::upper_bound(views_.begin(), views_.end(), key), key);
}

}  // namespace fenceline::d3d12
