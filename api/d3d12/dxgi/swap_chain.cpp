// SPDX-License-Identifier: Apache-2.0
// SwapChain, its life and its frames.
#include "api/d3d12/dxgi/swap_chain.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/core/device_capture.hpp"
#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/event_source.hpp"
#include "api/d3d12/host/gpu_clock.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/work_listener.hpp"
#include "scheduler/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fenceline::d3d12 {
namespace {

/// Frames on their way to the screen at which Present blocks: DXGI's default of SetMaximumFrameLatency.
constexpr std::uint64_t most_queued = 3;
constexpr UINT most_latency = 16;

/// Windows with a swap chain: the flip model has one each. With the host's lock.
std::set<HWND>& windows_in_use() {
  static auto* const windows = new std::set<HWND>;  // swap chains may outlive static objects
  return *windows;
}

}  // namespace

SwapChain::SwapChain(IDXGIFactory7& factory, CommandQueue& queue, const SwapChainPlace& place,
                     const DXGI_SWAP_CHAIN_DESC1& desc)
    : factory_(factory),
      device_(queue.device()),
      target_(place.target),
      window_(place.window),
      restrict_to_(place.restrict_to),
      flags_(desc.Flags),
      desc_(desc),
      frames_(std::make_shared<SwapChainFrames>(device_, fmt::format("swapchain{}", device_.next_swap_chain_number()))),
      queues_(desc.BufferCount, &queue),
      source_width_(desc.Width),
      source_height_(desc.Height) {
  if (place.fullscreen != nullptr) fullscreen_ = *place.fullscreen;
  fullscreen_.Windowed = TRUE;
  factory_.AddRef();
  queue.AddRef();
  if (restrict_to_ != nullptr) restrict_to_->AddRef();
}

HRESULT SwapChain::open() {
  std::vector<Held<Resource>> buffers = make_buffers(desc_, 0);
  if (buffers.empty()) return E_OUTOFMEMORY;
  const Host::Lock lock = device_.enter(device_.costs().call_ps);
  if (device_.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (!composed() && !windows_in_use().insert(window_).second) return E_ACCESSDENIED;
  open_ = true;
  buffers_ = std::move(buffers);
  frames_->open(desc_.BufferCount, output());
  if (waitable()) semaphore_ = create_semaphore(latency_);
  frames_->set_semaphore(semaphore_);
  return S_OK;
}

void SwapChain::on_last_release() {
  if (open_) {
    const Host::Lock lock = Host::instance().lock();
    frames_->close();
    if (semaphore_ != nullptr) close_event(semaphore_);
    if (!composed()) windows_in_use().erase(window_);
  }
  for (CommandQueue* queue : std::set<CommandQueue*>(queues_.begin(), queues_.end())) queue->Release();
  if (restrict_to_ != nullptr) restrict_to_->Release();
  factory_.Release();
}

HRESULT SwapChain::refuse(const char* method, const Verdict& verdict) {
  device_.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UNKNOWN,
                  fmt::format("IDXGISwapChain::{}: {}", method, verdict.message));
  return verdict.result;
}

HRESULT SwapChain::Present1(UINT interval, UINT flags, const DXGI_PRESENT_PARAMETERS*) {
  return Present(interval, flags);  // rectangles save copies that no display of ours makes
}

HRESULT SwapChain::Present(UINT interval, UINT flags) {
  const Verdict verdict = check_present(interval, flags, flags_);
  if (!verdict.ok()) return refuse("Present", verdict);
  if ((flags & DXGI_PRESENT_DO_NOT_SEQUENCE) != 0) {
    not_modelled("IDXGISwapChain::Present with DXGI_PRESENT_DO_NOT_SEQUENCE");
    return DXGI_ERROR_INVALID_CALL;
  }
  const auto has_place = [this] { return waitable() || frames_->queued() < most_queued; };
  for (std::uint64_t cost_ps = device_.costs().call_ps;; cost_ps = 0) {
    Host::Lock lock = device_.enter(cost_ps);
    if (device_.removed()) return DXGI_ERROR_DEVICE_REMOVED;
    if ((flags & DXGI_PRESENT_TEST) != 0) return S_OK;
    if (has_place()) {
      Frame frame;
      frame.interval = interval;
      frame.tearing = (flags & DXGI_PRESENT_ALLOW_TEARING) != 0;
      frame.restart = (flags & DXGI_PRESENT_RESTART) != 0;
      const std::uint32_t current = frames_->current();
      frames_->present(queues_[current]->queue(), frame, buffers_[current]->states());
      DeviceCapture::presented();
      Host::instance().notify();
      return S_OK;
    }
    if ((flags & DXGI_PRESENT_DO_NOT_WAIT) != 0) return DXGI_ERROR_WAS_STILL_DRAWING;
    // The frame whose turn on screen makes room.
    const EventSource awaited{&device_.machine(), {{frames_->fence(), frames_->presented() + 1 - most_queued}}, 0};
    const std::uint64_t since_ps = device_.machine().now_ps();
    if (WorkListener* const listener = device_.machine().listener()) {
      listener->cpu_awaits(awaited.reached.front().first, awaited.reached.front().second);
    }
    const auto outcome = Host::instance().wait(
        lock, [&] { return has_place() || device_.removed(); }, Host::never, Host::instance().wake_ps(),
        [] { return "one of three frames of a swap chain to get to the screen"; });
    if (outcome == Host::Outcome::deadlock) return E_FAIL;
    tell_waited(awaited, since_ps);
  }
}

UINT SwapChain::GetCurrentBackBufferIndex() {
  const Host::Lock lock = Host::instance().lock();
  return frames_->current();
}

HRESULT SwapChain::GetLastPresentCount(UINT* count) {
  if (count == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *count = static_cast<UINT>(frames_->presented());
  return S_OK;
}

HRESULT SwapChain::GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) {
  if (statistics == nullptr) return E_INVALIDARG;
  *statistics = {};
  const Host::Lock lock = device_.enter(device_.costs().poll_ps);
  if (device_.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  const Display& display = device_.machine().display();
  const auto& shown = display.shown(frames_->swap_chain());
  if (!shown) return DXGI_ERROR_FRAME_STATISTICS_DISJOINT;
  const Refreshes& vblanks = display.vblanks(output());
  const std::uint64_t vblank = vblanks.last_at(device_.machine().now_ps());
  statistics->PresentCount = static_cast<UINT>(shown->frame.number);
  statistics->PresentRefreshCount = static_cast<UINT>(shown->vblank);
  statistics->SyncRefreshCount = static_cast<UINT>(vblank);
  statistics->SyncQPCTime.QuadPart = static_cast<std::int64_t>(vblanks.time_of(vblank) / ps_per_counter_tick);
  return S_OK;
}

HRESULT SwapChain::SetMaximumFrameLatency(UINT frames) {
  if (!waitable()) {
    return refuse("SetMaximumFrameLatency", {DXGI_ERROR_INVALID_CALL, "the swap chain has no waitable object"});
  }
  if (frames < 1 || frames > most_latency) {
    return refuse("SetMaximumFrameLatency",
                  {DXGI_ERROR_INVALID_CALL, fmt::format("expected 1 to {} frames, found {}", most_latency, frames)});
  }
  const Host::Lock lock = device_.enter(device_.costs().call_ps);
  if (device_.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  // Fewer than before does not take back what the program may wait for already.
  if (frames > latency_) release_semaphore(semaphore_, frames - latency_);
  latency_ = frames;
  Host::instance().notify();
  return S_OK;
}

HRESULT SwapChain::GetMaximumFrameLatency(UINT* frames) {
  if (frames == nullptr || !waitable()) return DXGI_ERROR_INVALID_CALL;
  const Host::Lock lock = Host::instance().lock();
  *frames = latency_;
  return S_OK;
}

HANDLE SwapChain::GetFrameLatencyWaitableObject() {
  const Host::Lock lock = Host::instance().lock();
  if (semaphore_ == nullptr) return nullptr;
  const HANDLE duplicate = duplicate_semaphore(semaphore_);
  note_duplicate(duplicate, semaphore_);
  return duplicate;
}

void fill_size(const DeviceCore& device, SwapChainTarget target, OutputId output, DXGI_SWAP_CHAIN_DESC1& desc) {
  if (target == SwapChainTarget::composition) return;
  const OutputConfig screen = screens_of(device.machine().config().display)[static_cast<std::uint32_t>(output)];
  if (desc.Width == 0) desc.Width = screen.width;
  if (desc.Height == 0) desc.Height = screen.height;
}

HRESULT create_swap_chain(IDXGIFactory7& factory, IUnknown* queue, const SwapChainPlace& place,
                          const DXGI_SWAP_CHAIN_DESC1* desc, IDXGISwapChain1** swap_chain) {
  if (swap_chain == nullptr || queue == nullptr || desc == nullptr) return DXGI_ERROR_INVALID_CALL;
  ID3D12CommandQueue* d3d12 = nullptr;
  if (FAILED(queue->QueryInterface(__uuidof(ID3D12CommandQueue), reinterpret_cast<void**>(&d3d12)))) {
    return DXGI_ERROR_INVALID_CALL;
  }
  d3d12->Release();  // the caller has a reference
  auto& ours = *com_cast<CommandQueue>(d3d12);
  const LUID luid = ours.device().GetAdapterLuid();
  if (place.restrict_to != nullptr && !same_luid(place.restrict_to->adapter().luid, luid)) {
    ours.device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UNKNOWN,
                          "IDXGIFactory2: CreateSwapChain: expected an output of the queue's adapter");
    return DXGI_ERROR_INVALID_CALL;
  }
  DXGI_SWAP_CHAIN_DESC1 filled = *desc;
  fill_size(ours.device(), place.target, place.restrict_to != nullptr ? place.restrict_to->id() : OutputId{}, filled);
  Verdict verdict = check_swap_chain(filled, place.target);
  if (verdict.ok() && ours.GetDesc().Type != D3D12_COMMAND_LIST_TYPE_DIRECT) {
    verdict = {DXGI_ERROR_INVALID_CALL, "expected a direct queue"};
  }
  if (verdict.ok() && (ours.GetDesc().NodeMask & 1) == 0) {
    verdict = {DXGI_ERROR_INVALID_CALL, "expected a queue of the first node, which has the screen"};
  }
  if (!verdict.ok()) {
    ours.device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UNKNOWN,
                          fmt::format("IDXGIFactory2: CreateSwapChain: {}", verdict.message));
    return verdict.result;
  }
  auto* const made = new SwapChain(factory, ours, place, filled);
  HRESULT result = made->open();
  if (result == S_OK) {
    result = made->QueryInterface(__uuidof(IDXGISwapChain1), reinterpret_cast<void**>(swap_chain));
  }
  made->Release();
  return result;
}

}  // namespace fenceline::d3d12
