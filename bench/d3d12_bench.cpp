// SPDX-License-Identifier: Apache-2.0
// What the D3D12 face itself costs: recording, submitting, fences. On machine `tiny`, whose simulation is not counted
// in the first, and is small in the others.
#include "api/d3d12/d3d12.hpp"
#include "bench/cpu_time.hpp"
#include "bench/d3d12_app.hpp"
#include "bench/heap.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>
#include <wrl/client.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace fenceline;
using Microsoft::WRL::ComPtr;

using bench::must;
using App = bench::D3D12App;

/// A list of 10,000 draws is recorded into an allocator that has grown before. Target: 60 ns a draw, nothing allocated.
void d3d12_record_draw(benchmark::State& state) {
  constexpr int draws = 10'000;
  App app;
  must(app.list->Close());
  const auto record = [&] {
    must(app.allocator->Reset());
    must(app.list->Reset(app.allocator.Get(), app.pipeline.Get()));
    const D3D12_VIEWPORT viewport{0, 0, 1920, 1080, 0, 1};
    app.list->RSSetViewports(1, &viewport);
    app.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    for (int i = 0; i < draws; ++i) app.list->DrawInstanced(300, 1, 0, 0);
    must(app.list->Close());
  };
  record();
  double seconds = 0;
  std::size_t allocations = 0;
  for (auto _ : state) {
    const std::size_t before = bench::heap().allocations;
    const double start = bench::cpu_seconds();
    record();
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
    allocations += bench::heap().allocations - before;
  }
  const double recorded = static_cast<double>(state.iterations()) * draws;
  state.counters["ns_each"] = seconds * 1e9 / recorded;
  state.counters["allocations_each"] = static_cast<double>(allocations) / recorded;
}
BENCHMARK(d3d12_record_draw)->UseManualTime();

/// ExecuteCommandLists of an empty list, and the wait for its end, which a list needs before it is executed again.
void d3d12_execute_empty(benchmark::State& state) {
  App app;
  must(app.list->Close());
  ID3D12CommandList* const lists[] = {app.list.Get()};
  std::uint64_t value = 0;
  double seconds = 0;
  double in_call = 0;
  for (auto _ : state) {
    const double start = bench::cpu_seconds();
    app.queue->ExecuteCommandLists(1, lists);
    in_call += bench::cpu_seconds() - start;
    must(app.queue->Signal(app.fence.Get(), ++value));
    must(app.fence->SetEventOnCompletion(value, nullptr));
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["ns_each"] = seconds * 1e9 / runs;
  state.counters["ns_in_call"] = in_call * 1e9 / runs;
}
BENCHMARK(d3d12_execute_empty)->UseManualTime();

/// A queue signals a fence and another queue waits for it.
void d3d12_signal_and_wait(benchmark::State& state) {
  App app;
  const D3D12_COMMAND_QUEUE_DESC desc{D3D12_COMMAND_LIST_TYPE_COMPUTE, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  ComPtr<ID3D12CommandQueue> other;
  must(app.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&other)));
  std::uint64_t value = 0;
  double seconds = 0;
  for (auto _ : state) {
    const double start = bench::cpu_seconds();
    must(app.queue->Signal(app.fence.Get(), ++value));
    must(other->Wait(app.fence.Get(), value));
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  state.counters["ns_each"] = seconds * 1e9 / static_cast<double>(state.iterations());
}
BENCHMARK(d3d12_signal_and_wait)->UseManualTime();

/// A thread that makes committed buffers of 256 B to 4 MiB, writes them whole and keeps the last hundred.
void allocate(ID3D12Device* device, unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<ComPtr<ID3D12Resource>> kept;
  for (int i = 0; i < count; ++i) {
    const UINT64 bytes = UINT64{256} << (random() % 15);
    const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_UPLOAD, {}, {}, 0, 0};
    const D3D12_RESOURCE_DESC desc{D3D12_RESOURCE_DIMENSION_BUFFER, 0, bytes, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0},
                                   D3D12_TEXTURE_LAYOUT_ROW_MAJOR,  {}};
    ComPtr<ID3D12Resource> made;
    must(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                         IID_PPV_ARGS(&made)));
    void* data = nullptr;
    must(made->Map(0, nullptr, &data));
    std::memset(data, i, bytes);
    made->Unmap(0, nullptr);
    if (kept.size() < 100) {
      kept.push_back(std::move(made));
    } else {
      kept[random() % kept.size()] = std::move(made);
    }
  }
}

/// Eight threads at a time. What the system does for them is counted apart: memory that it maps and zeroes.
void d3d12_allocate_in_threads(benchmark::State& state) {
  constexpr unsigned threads = 8;
  constexpr int count = 1000;
  const App app;
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return std::pair{seconds(usage.ru_utime), seconds(usage.ru_stime)};
  };
  double user = 0;
  double system = 0;
  for (auto _ : state) {
    const auto before = used();
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) all.emplace_back([&, i] { allocate(app.device.Get(), i, count); });
    for (std::thread& one : all) one.join();
    const auto after = used();
    user += after.first - before.first;
    system += after.second - before.second;
    state.SetIterationTime(after.first - before.first + after.second - before.second);
  }
  const double each = 1e6 / (static_cast<double>(state.iterations()) * threads * count);
  state.counters["user_us_each"] = user * each;
  state.counters["system_us_each"] = system * each;
}
BENCHMARK(d3d12_allocate_in_threads)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
