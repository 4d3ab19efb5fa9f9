// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi/swap_chain_rules.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr UINT known_chain_flags = (DXGI_SWAP_CHAIN_FLAG_RESTRICTED_TO_ALL_HOLOGRAPHIC_DISPLAYS << 1) - 1;
/// Flags that are taken and do not change what is simulated: orientation, and modes of a full screen that there is not.
constexpr UINT taken_chain_flags = DXGI_SWAP_CHAIN_FLAG_NONPREROTATED | DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH |
                                   DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT |
                                   DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING;
constexpr UINT creation_only_flags =
    DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT | DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING;
constexpr UINT known_present_flags = DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART |
                                     DXGI_PRESENT_DO_NOT_WAIT | DXGI_PRESENT_ALLOW_TEARING;
constexpr UINT max_interval = 4;
constexpr UINT max_size = D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION;

bool is_flip_format(DXGI_FORMAT format) {
  return format == DXGI_FORMAT_R8G8B8A8_UNORM || format == DXGI_FORMAT_B8G8R8A8_UNORM ||
         format == DXGI_FORMAT_R10G10B10A2_UNORM || format == DXGI_FORMAT_R16G16B16A16_FLOAT;
}

Verdict invalid(const std::string& message) { return {DXGI_ERROR_INVALID_CALL, message}; }

Verdict check_buffers(const DXGI_SWAP_CHAIN_DESC1& desc) {
  if (desc.BufferCount < 2 || desc.BufferCount > DXGI_MAX_SWAP_CHAIN_BUFFERS) {
    return invalid(fmt::format("expected 2 to {} buffers, found {}", DXGI_MAX_SWAP_CHAIN_BUFFERS, desc.BufferCount));
  }
  if (!is_flip_format(desc.Format)) {
    return invalid(
        fmt::format("expected R8G8B8A8_UNORM (28), B8G8R8A8_UNORM (87), R10G10B10A2_UNORM (24) or "
                    "R16G16B16A16_FLOAT (10), found format {}",
                    static_cast<int>(desc.Format)));
  }
  if (desc.Width < 1 || desc.Height < 1 || desc.Width > max_size || desc.Height > max_size) {
    return invalid(
        fmt::format("expected a size from 1 to {} a side, found {} x {}", max_size, desc.Width, desc.Height));
  }
  if ((desc.Flags & ~known_chain_flags) != 0) return invalid(fmt::format("unknown flags {:#x}", desc.Flags));
  if ((desc.Flags & DXGI_SWAP_CHAIN_FLAG_GDI_COMPATIBLE) != 0) {
    return invalid("GDI_COMPATIBLE is not for the flip model");
  }
  if ((desc.Flags & ~taken_chain_flags) != 0) {
    return {DXGI_ERROR_UNSUPPORTED, fmt::format("no display can do what flags {:#x} ask for", desc.Flags)};
  }
  return {};
}

}  // namespace

Verdict check_swap_chain(const DXGI_SWAP_CHAIN_DESC1& desc, SwapChainTarget target) {
  const bool composed = target == SwapChainTarget::composition;
  if (desc.SwapEffect != DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL && desc.SwapEffect != DXGI_SWAP_EFFECT_FLIP_DISCARD) {
    return invalid(
        fmt::format("expected FLIP_SEQUENTIAL (3) or FLIP_DISCARD (4): D3D12 has no other swap effect, found {}",
                    static_cast<int>(desc.SwapEffect)));
  }
  if (desc.SampleDesc.Count != 1 || desc.SampleDesc.Quality != 0) {
    return invalid(fmt::format("the flip model has one sample of quality 0, found {} of {}", desc.SampleDesc.Count,
                               desc.SampleDesc.Quality));
  }
  if (desc.Scaling < DXGI_SCALING_STRETCH || desc.Scaling > DXGI_SCALING_ASPECT_RATIO_STRETCH ||
      (composed && desc.Scaling != DXGI_SCALING_STRETCH)) {
    return invalid(fmt::format("expected scaling {}, found {}", composed ? "STRETCH (0)" : "0 to 2",
                               static_cast<int>(desc.Scaling)));
  }
  const bool alpha = desc.AlphaMode == DXGI_ALPHA_MODE_UNSPECIFIED || desc.AlphaMode == DXGI_ALPHA_MODE_IGNORE ||
                     (composed && desc.AlphaMode == DXGI_ALPHA_MODE_PREMULTIPLIED);
  if (!alpha) {
    return invalid(fmt::format("expected alpha mode UNSPECIFIED (0) or IGNORE (3){}, found {}",
                               composed ? " or PREMULTIPLIED (1)" : "", static_cast<int>(desc.AlphaMode)));
  }
  if (desc.Stereo != FALSE) return {DXGI_ERROR_UNSUPPORTED, "no display shows stereo"};
  return check_buffers(desc);
}

Verdict check_present(UINT interval, UINT flags, UINT swap_chain_flags) {
  if (interval > max_interval) return invalid(fmt::format("expected sync interval 0 to 4, found {}", interval));
  if ((flags & ~known_present_flags) != 0) {
    return invalid(
        fmt::format("flags {:#x} are unknown, or for what the swap chain is not: stereo, restricted to an "
                    "output, with a duration",
                    flags));
  }
  if ((flags & DXGI_PRESENT_ALLOW_TEARING) == 0) return {};
  if ((swap_chain_flags & DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING) == 0) {
    return invalid("ALLOW_TEARING needs a swap chain of that flag");
  }
  if (interval > 0) return invalid(fmt::format("ALLOW_TEARING needs sync interval 0, found {}", interval));
  return {};
}

Verdict check_resize(UINT creation_flags, const DXGI_SWAP_CHAIN_DESC1& to) {
  if (((creation_flags ^ to.Flags) & creation_only_flags) != 0) {
    return invalid(fmt::format(
        "FRAME_LATENCY_WAITABLE_OBJECT and ALLOW_TEARING stay as at creation: expected {:#x}, found flags {:#x}",
        creation_flags & creation_only_flags, to.Flags));
  }
  return check_buffers(to);
}

D3D12_RESOURCE_DESC1 buffer_desc(const DXGI_SWAP_CHAIN_DESC1& desc) {
  D3D12_RESOURCE_DESC1 buffer{};
  buffer.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  buffer.Width = desc.Width;
  buffer.Height = desc.Height;
  buffer.DepthOrArraySize = 1;
  buffer.MipLevels = 1;
  buffer.Format = desc.Format;
  buffer.SampleDesc = {1, 0};
  unsigned flags = D3D12_RESOURCE_FLAG_NONE;
  if ((desc.BufferUsage & DXGI_USAGE_RENDER_TARGET_OUTPUT) != 0) flags |= D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  if ((desc.BufferUsage & DXGI_USAGE_UNORDERED_ACCESS) != 0) flags |= D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  buffer.Flags = static_cast<D3D12_RESOURCE_FLAGS>(flags);
  return buffer;
}

}  // namespace fenceline::d3d12
