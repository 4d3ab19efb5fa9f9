// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/host/host.hpp"
#include "scheduler/display/display.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

namespace fenceline::testing {

constexpr UINT waitable_flag = DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT;

inline DXGI_SWAP_CHAIN_DESC1 swap_chain_desc(UINT buffers = 2, UINT flags = 0,
                                             DXGI_SWAP_EFFECT effect = DXGI_SWAP_EFFECT_FLIP_DISCARD) {
  DXGI_SWAP_CHAIN_DESC1 desc{};
  desc.Width = 640;
  desc.Height = 480;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc = {1, 0};
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = buffers;
  desc.SwapEffect = effect;
  desc.Flags = flags;
  return desc;
}

inline ComPtr<IDXGIFactory7> dxgi_factory() {
  ComPtr<IDXGIFactory7> made;
  REQUIRE(CreateDXGIFactory2(0, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

inline ComPtr<IDXGISwapChain4> swap_chain_of(IDXGIFactory2* factory, ID3D12CommandQueue* queue,
                                             const DXGI_SWAP_CHAIN_DESC1& desc) {
  ComPtr<IDXGISwapChain1> made;
  REQUIRE(factory->CreateSwapChainForComposition(queue, &desc, nullptr, &made) == S_OK);
  ComPtr<IDXGISwapChain4> newest;
  REQUIRE(made.As(&newest) == S_OK);
  return newest;
}

/// A program that renders frames into a swap chain, each of so many microseconds of GPU work.
struct Game : App {
  explicit Game(const DXGI_SWAP_CHAIN_DESC1& desc, double work_us = 0)
      : queue(App::queue(D3D12_COMMAND_LIST_TYPE_DIRECT)),
        factory(dxgi_factory()),
        chain(swap_chain_of(factory.Get(), queue.Get(), desc)) {
    const D3D12_DESCRIPTOR_HEAP_DESC heap{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 16, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    REQUIRE(device->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&views)) == S_OK);
    take_buffers();
    set_work(work_us);
    begin_refresh();
  }
  /// One group of 64 threads runs so many instructions: on `tiny` 4 ns each.
  void set_work(double work_us) {
    pipeline.Reset();
    if (work_us == 0) return;
    const std::string code = shader_of(5, static_cast<std::uint32_t>(work_us * 1000 / 4));
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.CS = {code.data(), code.size()};
    REQUIRE(device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
  }
  void take_buffers() {
    DXGI_SWAP_CHAIN_DESC1 desc{};
    REQUIRE(chain->GetDesc1(&desc) == S_OK);
    buffers.resize(desc.BufferCount);
    for (UINT i = 0; i < desc.BufferCount; ++i) {
      REQUIRE(chain->GetBuffer(i, IID_PPV_ARGS(&buffers[i])) == S_OK);
      device->CreateRenderTargetView(buffers[i].Get(), nullptr, view(i));
    }
  }
  D3D12_CPU_DESCRIPTOR_HANDLE view(UINT buffer) const {
    const UINT increment = device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    return {views->GetCPUDescriptorHandleForHeapStart().ptr + std::size_t{buffer} * increment};
  }
  /// A list that works and clears the buffer, in the states that it should be in.
  ComPtr<ID3D12GraphicsCommandList> frame_list(UINT buffer) {
    allocators.push_back(allocator(D3D12_COMMAND_LIST_TYPE_DIRECT));
    auto made = list(allocators.back().Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Transition = {buffers[buffer].Get(), 0, D3D12_RESOURCE_STATE_PRESENT, D3D12_RESOURCE_STATE_RENDER_TARGET};
    made->ResourceBarrier(1, &barrier);
    const auto target = view(buffer);
    made->OMSetRenderTargets(1, &target, FALSE, nullptr);
    if (pipeline.Get() != nullptr) {
      made->SetPipelineState(pipeline.Get());
      made->Dispatch(1, 1, 1);
    }
    std::swap(barrier.Transition.StateBefore, barrier.Transition.StateAfter);
    made->ResourceBarrier(1, &barrier);
    REQUIRE(made->Close() == S_OK);
    return made;
  }
  void execute(ID3D12GraphicsCommandList* one) {
    lists.emplace_back(one);
    ID3D12CommandList* const all[] = {one};
    queue->ExecuteCommandLists(1, all);
  }
  void render() { execute(frame_list(chain->GetCurrentBackBufferIndex()).Get()); }
  void frame(UINT interval = 1, UINT flags = 0) {
    render();
    REQUIRE(chain->Present(interval, flags) == S_OK);
  }
  void finish() {
    const auto done = fence();
    REQUIRE(queue->Signal(done.Get(), 1) == S_OK);
    REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
  }
  /// Until so many frames have been on screen.
  void show(std::uint64_t frames) {
    for (int i = 0; i < 10'000 && display().presented(id()).shown < frames; ++i) {
      Sleep(1);
      poll();
    }
    REQUIRE(display().presented(id()).shown >= frames);
  }

  /// The machine gets to the thread's time.
  void poll() {
    DXGI_FRAME_STATISTICS statistics{};
    chain->GetFrameStatistics(&statistics);
  }
  /// At the next vertical blank: tests of one process follow one another in time.
  void begin_refresh() {
    const auto& clock = display().vblanks();
    const std::uint64_t now_ps = d3d12::Host::clock_ps();
    start = clock.last_at(now_ps) + 1;
    d3d12::Host::spend(clock.time_of(start) - now_ps);
    poll();
  }
  /// Of the vertical blank so many after that.
  std::uint64_t vblank_ps(std::uint64_t number) { return display().vblanks().time_of(start + number); }

  Machine& machine() { return d3d12::com_cast<d3d12::Device>(static_cast<ID3D12Device11*>(device.Get()))->machine(); }
  const Display& display() { return machine().display(); }
  static SwapChainId id() { return SwapChainId{0}; }
  /// From each frame on screen to the next, in vertical blanks.
  std::vector<std::uint64_t> steps() {
    const auto shown = display().presented(id()).shown_at_ps;
    const auto& clock = display().vblanks();
    std::vector<std::uint64_t> result;
    for (std::size_t i = 1; i < shown.size(); ++i) {
      CHECK(clock.time_of(clock.last_at(shown[i])) == shown[i]);
      result.push_back(clock.last_at(shown[i]) - clock.last_at(shown[i - 1]));
    }
    return result;
  }

  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<IDXGIFactory7> factory;
  ComPtr<IDXGISwapChain4> chain;
  ComPtr<ID3D12DescriptorHeap> views;
  std::vector<ComPtr<ID3D12Resource>> buffers;
  ComPtr<ID3D12PipelineState> pipeline;
  std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
  std::uint64_t start = 0;  ///< vertical blank at which the game began
};

}  // namespace fenceline::testing
