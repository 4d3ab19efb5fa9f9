// SPDX-License-Identifier: Apache-2.0
// Attached threads compute on the cores of a machine that has some, beside each other and beside background tasks.
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/crew.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace std::chrono_literals;
using d3d12::Host;

namespace {

/// tiny with such cores; calls cost nothing but what `call_us` says.
ComPtr<ID3D12Device> with_cores(const CpuConfig& cpu, double call_us = 0) {
  return tiny_with([&](MachineConfig& tiny) {
    tiny.host.call_us = call_us;
    tiny.host.record_us = tiny.host.poll_us = tiny.host.wake_us = 0;
    tiny.host.cpu = cpu;
  });
}

/// Each of so many attached threads computes that long, all from the same moment on. How long each took, picoseconds.
std::vector<std::uint64_t> compute_together(const std::vector<std::chrono::nanoseconds>& times) {
  std::vector<std::unique_ptr<HostThread>> attached;
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> taken(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) attached.push_back(std::make_unique<HostThread>());
  for (std::size_t i = 0; i < times.size(); ++i) {
    threads.emplace_back([&, i] {
      attached[i]->attach();
      const std::uint64_t before_ps = Host::clock_ps();
      HostThread::compute(times[i]);
      taken[i] = Host::clock_ps() - before_ps;
      attached[i]->detach();
    });
  }
  for (std::thread& thread : threads) HostThread::join(thread);
  return taken;
}

}  // namespace

TEST_CASE("cpu cores: two attached threads share one core", "[d3d12][threads]") {
  HostThread here;
  here.attach();
  const ComPtr<ID3D12Device> one = with_cores({{}, 1});
  // In turns at half speed until the shorter one has ended at 2 x 100 us; then the other has 200 us left, alone.
  CHECK(compute_together({100us, 300us}) == std::vector<std::uint64_t>{200'000'000, 400'000'000});
}

TEST_CASE("cpu cores: on two cores they do not disturb each other, and on siblings as the gain says",
          "[d3d12][threads]") {
  HostThread here;
  here.attach();
  {
    const ComPtr<ID3D12Device> two = with_cores({{}, 2});
    CHECK(compute_together({100us, 300us}) == std::vector<std::uint64_t>{100'000'000, 300'000'000});
  }
  const ComPtr<ID3D12Device> siblings = with_cores({{}, 1, 2, 0.25});
  // Each at 0.625 of full speed: 160 us for 100; the other has then done 100 of its 300 and does the rest alone.
  CHECK(compute_together({100us, 300us}) == std::vector<std::uint64_t>{160'000'000, 360'000'000});
}

TEST_CASE("cpu cores: without any, and for threads that are not attached, computing takes as long as it says",
          "[d3d12][threads]") {
  {
    HostThread here;
    here.attach();
    const App app;
    CHECK(compute_together({100us, 300us, 100us}) == std::vector<std::uint64_t>{100'000'000, 300'000'000, 100'000'000});
  }
  const ComPtr<ID3D12Device> one = with_cores({{}, 1});
  const std::uint64_t before_ps = Host::clock_ps();
  HostThread::compute(70us);
  HostThread::compute(-1us);
  CHECK(Host::clock_ps() - before_ps == 70'000'000);
}

TEST_CASE("cpu cores: calls of attached threads take longer where the core is shared", "[d3d12][threads]") {
  HostThread here;
  here.attach();
  const ComPtr<ID3D12Device> one = with_cores({{}, 1}, 10);
  HostThread there;
  std::uint64_t other_ps = 0;
  std::thread worker([&] {
    there.attach();
    const std::uint64_t before_ps = Host::clock_ps();
    HostThread::compute(100us);
    other_ps = Host::clock_ps() - before_ps;
    there.detach();
  });
  ComPtr<ID3D12Fence> fence;
  CHECK(one->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
  const std::uint64_t before_ps = Host::clock_ps();
  CHECK(fence->Signal(1) == S_OK);
  CHECK(fence->Signal(2) == S_OK);
  const std::uint64_t calls_ps = Host::clock_ps() - before_ps;
  HostThread::join(worker);
  CHECK(calls_ps == 40'000'000);   // two calls of 10 us at half speed
  CHECK(other_ps == 120'000'000);  // 80 us at full speed
}

TEST_CASE("cpu cores: a background recompile on the sibling slows a thread that computes", "[d3d12][threads]") {
  HostThread here;
  here.attach();
  App app(with_cores({{}, 1, 2, 0.25, 0.01}));
  ComPtr<ID3D12Device6> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const std::uint64_t before_ps = Host::clock_ps();
  HostThread::compute(10us);
  CHECK(Host::clock_ps() - before_ps == 10'000'000);
  Recorder recorder(app, compute_type);
  const std::string code = shader_of(5, 1000);
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = {code.data(), code.size()};
  ComPtr<ID3D12PipelineState> pipeline;
  REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
  REQUIRE(device->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOW_INTRUSIVE_MEASUREMENTS,
                                              D3D12_MEASUREMENTS_ACTION_KEEP_ALL, nullptr, nullptr) == S_OK);
  recorder.list->SetPipelineState(pipeline.Get());
  recorder.list->SetComputeRoot32BitConstant(0, 7, 0);
  recorder.list->Dispatch(8, 1, 1);
  recorder.submit();
  recorder.wait();
  Event committed;
  REQUIRE(device->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED,
                                              D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS, committed.handle,
                                              nullptr) == S_OK);
  const std::uint64_t beside_ps = Host::clock_ps();
  HostThread::compute(10us);
  // 0.625 x 0.99 of full speed, while the recompile of some milliseconds lasts.
  CHECK(Host::clock_ps() - beside_ps == 16'161'617);
  CHECK_FALSE(committed.is_set());
  REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
  const std::uint64_t after_ps = Host::clock_ps();
  HostThread::compute(10us);
  CHECK(Host::clock_ps() - after_ps == 10'000'000);
}

TEST_CASE("cpu cores: a thread that computes on a machine that another one destroys goes on", "[d3d12][threads]") {
  HostThread here;
  here.attach();
  ComPtr<ID3D12Device> one = with_cores({{}, 1});
  HostThread there;
  std::thread worker([&] {
    there.attach();
    HostThread::compute(1s);
    there.detach();
  });
  HostThread::compute(10us);
  one.Reset();
  HostThread::join(worker);
  CHECK(Crew::threads() == 1);
}
