// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/queues/swap_chain_frames.hpp"

#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/event_source.hpp"
#include "api/d3d12/host/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

SwapChainFrames::SwapChainFrames(DeviceCore& device, const std::string& name) : device_(device), name_(name) {}

void SwapChainFrames::open(std::uint32_t buffers, OutputId output) {
  chain_ = device_.machine().create_swap_chain(name_, this, {output});
  fence_ = device_.machine().frame_fence(chain_);
  buffers_.resize(buffers);
  self_ = shared_from_this();
  await_next();
}

void SwapChainFrames::close() {
  const std::shared_ptr<SwapChainFrames> alive = shared_from_this();
  closed_ = true;
  semaphore_ = nullptr;
  device_.machine().close_swap_chain(chain_);  // the fence tells a last time
}

void SwapChainFrames::replace_buffers(std::uint32_t count) {
  buffers_.assign(count, {});
  current_ = 0;
  ++generation_;
}

std::uint64_t SwapChainFrames::on_screen() const {
  // The fence of a removed device is further than any frame.
  return std::min(device_.machine().completed_value(fence_), presented_);
}

void SwapChainFrames::present(ContextId queue, const Frame& how, std::shared_ptr<ResourceStates> states) {
  Frame frame = how;
  frame.buffer = current_;
  ++presented_;
  if (states != nullptr) states_[presented_] = std::move(states);
  device_.machine().present(queue, chain_, frame);
  buffers_[current_].frame = presented_;
  current_ = (current_ + 1) % static_cast<std::uint32_t>(buffers_.size());
}

bool SwapChainFrames::before_write(ContextId queue, const BackBuffer& written) {
  if (closed_ || written.generation != generation_) return true;
  if (written.index != current_) return false;
  Buffer& buffer = buffers_[written.index];
  if (buffer.frame == 0) return true;
  // It leaves the screen, or its place in the queue for it, when the next one is there.
  const std::uint64_t next = buffer.frame + 1;
  std::uint64_t& waited_for = buffer.waited_for[queue];
  if (waited_for >= next || device_.machine().completed_value(fence_) >= next) return true;
  waited_for = next;
  device_.machine().wait(queue, fence_, next);
  return true;
}

void SwapChainFrames::frame_reached(const Frame& frame) {
  const auto found = states_.find(frame.number);
  if (found == states_.end()) return;
  const D3D12_RESOURCE_STATES state = found->second->state_of(0);
  states_.erase(found);
  if (state == D3D12_RESOURCE_STATE_PRESENT) return;
  device_.message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE,
                  fmt::format("IDXGISwapChain::Present: buffer {} of {} is in state {:#x}, not in PRESENT (0)",
                              frame.buffer, name_, static_cast<unsigned>(state)));
}

void SwapChainFrames::await_next() {
  if (device_.machine().on_fence(fence_, known_ + 1, *this, 0)) self_.reset();
}

void SwapChainFrames::fence_reached(std::uint64_t, Signaller) {
  const std::shared_ptr<SwapChainFrames> alive = std::exchange(self_, nullptr);
  if (closed_) return;
  const std::uint64_t now = on_screen();
  if (semaphore_ != nullptr) release_semaphore(semaphore_, now - known_);
  Machine& machine = device_.machine();
  if (semaphore_ != nullptr && machine.listener() != nullptr) {
    note_source(semaphore_, {&machine, {{fence_, known_ + 1}}, machine.now_ps()});
  }
  known_ = now;
  Host::instance().notify();
  if (device_.removed()) return;
  self_ = alive;
  await_next();
}

}  // namespace fenceline::d3d12
