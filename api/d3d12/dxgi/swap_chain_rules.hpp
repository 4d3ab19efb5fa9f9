// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/formats/resource_desc.hpp"

namespace fenceline::d3d12 {

/// What a swap chain is for.
enum class SwapChainTarget : std::uint8_t { window, composition };

/// The buffers that a description asks for are those of a D3D12 swap chain. Sources: DXGI_SWAP_CHAIN_DESC1,
/// IDXGIFactory2's functions, "For best performance, use DXGI flip model"; Wine's dxgi tests, which run on Windows.
Verdict check_swap_chain(const DXGI_SWAP_CHAIN_DESC1& desc, SwapChainTarget target);
/// IDXGISwapChain::Present of a swap chain with those flags.
Verdict check_present(UINT interval, UINT flags, UINT swap_chain_flags);
/// IDXGISwapChain::ResizeBuffers of a swap chain that was created with those flags, to a description of which nothing
/// is left open.
Verdict check_resize(UINT creation_flags, const DXGI_SWAP_CHAIN_DESC1& to);
/// The buffers as resources.
D3D12_RESOURCE_DESC1 buffer_desc(const DXGI_SWAP_CHAIN_DESC1& desc);

}  // namespace fenceline::d3d12
