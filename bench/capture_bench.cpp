// SPDX-License-Identifier: Apache-2.0
// What capturing GPU work costs a D3D12 program: recording lists, which are not looked at then, and executing them. In
// pairs, the one captured and the other not, one after the other in the same process.
#include "api/d3d12/pix_capture.hpp"
#include "bench/cpu_time.hpp"
#include "bench/d3d12_app.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/temporary_directory.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

namespace {

using namespace fenceline;

using bench::must;

/// Frames of as many draws: recorded, executed and waited for.
struct CapturedFrames : bench::D3D12App {
  explicit CapturedFrames(int draws_of_each) : draws(draws_of_each) {
    must(list->Close());
    record();
  }
  /// CPU seconds.
  double record() {
    const double start = bench::cpu_seconds();
    must(allocator->Reset());
    must(list->Reset(allocator.Get(), pipeline.Get()));
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    list->RSSetViewports(1, &viewport);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    for (int i = 0; i < draws; ++i) list->DrawInstanced(static_cast<UINT>(3 + i % 300), 1, 0, 0);
    must(list->Close());
    return bench::cpu_seconds() - start;
  }
  /// The same of the call that executes it, which simulates nothing, and adds to `whole` what it takes until the frame
  /// is done.
  double execute(double& whole) {
    const double start = bench::cpu_seconds();
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    const double in_call = bench::cpu_seconds() - start;
    must(queue->Signal(fence.Get(), ++value));
    must(fence->SetEventOnCompletion(value, nullptr));
    whole += bench::cpu_seconds() - start;
    return in_call;
  }

  int draws;
  std::uint64_t value = 0;
};

void begin_capture(const std::filesystem::path& file) {
  const std::wstring name = file.wstring();
  PIXCaptureParameters parameters{};
  parameters.GpuCaptureParameters.FileName = name.c_str();
  must(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters));
}

/// Frames of 10,000 draws. Targets: recording and executing, without what is simulated, costs at most 1.5 times as much
/// while it is captured, a draw takes at most 48 bytes on disk.
void d3d12_capture(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  const std::filesystem::path file = directory / "x.capture";
  CapturedFrames frames(10'000);
  double recorded[2] = {};
  double called[2] = {};  // ExecuteCommandLists
  double executed[2] = {};
  for (auto _ : state) {
    double taken = 0;
    for (const int captured : {0, 1}) {
      if (captured == 1) begin_capture(file);
      for (int i = 0; i < 8; ++i) {
        const double recording = frames.record();
        double executing = 0;
        called[captured] += frames.execute(executing);
        recorded[captured] += recording;
        executed[captured] += executing;
        taken += recording + executing;
      }
      if (captured == 1) must(PIXEndCapture(FALSE));
    }
    state.SetIterationTime(taken);
  }
  const double draws = static_cast<double>(state.iterations()) * 8 * frames.draws;
  state.counters["record_ns_each"] = recorded[0] * 1e9 / draws;
  state.counters["record_ratio"] = recorded[1] / recorded[0];
  state.counters["record_and_execute_ratio"] = (recorded[1] + executed[1]) / (recorded[0] + executed[0]);
  state.counters["call_ratio"] = (recorded[1] + called[1]) / (recorded[0] + called[0]);
  state.counters["call_ns_more_each"] = (called[1] - called[0]) * 1e9 / draws;
  state.counters["execute_ns_more_each"] = (executed[1] - executed[0]) * 1e9 / draws;
  state.counters["disk_bytes_each"] = static_cast<double>(std::filesystem::file_size(file)) / (8 * frames.draws);
}
BENCHMARK(d3d12_capture)->UseManualTime()->Iterations(3);

/// One frame of a million draws: what its capture takes of memory besides what the frame takes itself.
void d3d12_capture_million(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  CapturedFrames frames(1'000'000);
  double taken = 0;
  frames.execute(taken);  // what that takes it keeps
  std::uint64_t more = 0;
  for (auto _ : state) {
    frames.record();
    const std::uint64_t before = testing::resident_bytes();
    begin_capture(directory / "x.capture");
    taken = 0;
    frames.execute(taken);
    more = std::max(testing::resident_bytes(), before) - before;
    must(PIXEndCapture(FALSE));
    state.SetIterationTime(taken);
  }
  state.counters["mib_more"] = static_cast<double>(more) / (1 << 20);
  state.counters["disk_bytes_each"] =
      static_cast<double>(std::filesystem::file_size(directory / "x.capture")) / frames.draws;
}
BENCHMARK(d3d12_capture_million)->UseManualTime()->Iterations(1);

}  // namespace
