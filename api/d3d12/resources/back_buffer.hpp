// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace fenceline::d3d12 {

class SwapChainFrames;

/// That a resource is a buffer of a swap chain, for the lists that write to it: views and recordings keep it.
struct BackBuffer {
  std::shared_ptr<SwapChainFrames> frames;
  std::uint32_t index = 0;
  std::uint64_t generation = 0;  ///< ResizeBuffers makes new ones
};

}  // namespace fenceline::d3d12
