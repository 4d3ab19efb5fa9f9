// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_core.hpp"
#include "api/d3d12/resources/back_buffer.hpp"
#include "api/d3d12/states/resource_states.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// The frames of a swap chain on their way to the screen, and which buffer each is in: what outlives the swap chain in
/// the lists that wrote its buffers. All functions with the host's lock, those of the listeners from inside a
/// simulation.
class SwapChainFrames final : public FrameListener,
                              public FenceWaiter,
                              public std::enable_shared_from_this<SwapChainFrames> {
 public:
  SwapChainFrames(DeviceCore& device, const std::string& name);
  /// The machine knows it from now on, until `close`.
  void open(std::uint32_t buffers, OutputId output);
  void close();

  /// There are other buffers, of which the first is next.
  void replace_buffers(std::uint32_t count);
  std::uint64_t generation() const { return generation_; }
  /// IDXGISwapChain3::GetCurrentBackBufferIndex.
  std::uint32_t current() const { return current_; }

  /// The frame in the current buffer, whose states the debug layer knows or not; the next buffer becomes the current.
  void present(ContextId queue, const Frame& how, std::shared_ptr<ResourceStates> states);
  std::uint64_t presented() const { return presented_; }
  /// Frames presented that are not on screen yet, as far as the CPU knows, nor ever will be.
  std::uint64_t queued() const { return presented_ - on_screen(); }
  SwapChainId swap_chain() const { return chain_; }
  FenceId fence() const { return fence_; }  ///< of the frame on screen

  /// A list that writes the buffer is about to be executed by the queue, which waits until the buffer's last frame has
  /// left the screen. False: it is not the current buffer.
  bool before_write(ContextId queue, const BackBuffer& buffer);

  /// Released once for each frame that has got to the screen, or never will; null: none. Not its owner.
  void set_semaphore(HANDLE semaphore) { semaphore_ = semaphore; }

 private:
  struct Buffer {
    std::uint64_t frame = 0;                        ///< its last; 0: none
    std::map<ContextId, std::uint64_t> waited_for;  ///< queues that wait already, or have: for which frame
  };
  void frame_reached(const Frame& frame) override;
  void fence_reached(std::uint64_t token, Signaller by) override;
  std::uint64_t on_screen() const;
  void await_next();

  DeviceCore& device_;
  std::string name_;
  SwapChainId chain_{};
  FenceId fence_{};
  std::vector<Buffer> buffers_;
  std::uint32_t current_ = 0;
  std::uint64_t generation_ = 0;
  std::uint64_t presented_ = 0;
  std::uint64_t known_ = 0;  // on screen, when the fence told last
  bool closed_ = false;
  HANDLE semaphore_ = nullptr;
  std::map<std::uint64_t, std::shared_ptr<ResourceStates>> states_;  // of frames that the GPU has not come to
  std::shared_ptr<SwapChainFrames> self_;                            // while the fence may tell
};

}  // namespace fenceline::d3d12
