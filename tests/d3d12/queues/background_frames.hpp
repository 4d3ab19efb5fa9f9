// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/timeline.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

/// Frames whose pipeline states are measured, and the modes by their short names.
namespace fenceline::testing::background {

constexpr auto light = D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED;
constexpr auto intrusive = D3D12_BACKGROUND_PROCESSING_MODE_ALLOW_INTRUSIVE_MEASUREMENTS;
constexpr auto no_work = D3D12_BACKGROUND_PROCESSING_MODE_DISABLE_BACKGROUND_WORK;
constexpr auto no_profiling = D3D12_BACKGROUND_PROCESSING_MODE_DISABLE_PROFILING_BY_SYSTEM;
constexpr auto keep = D3D12_MEASUREMENTS_ACTION_KEEP_ALL;
constexpr auto commit = D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS;
constexpr auto commit_fast = D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS_HIGH_PRIORITY;
constexpr auto discard = D3D12_MEASUREMENTS_ACTION_DISCARD_PREVIOUS;

/// A frame of one dispatch whose pipeline state has root constants.
struct Frames {
  explicit Frames(App& of, D3D12_COMMAND_LIST_TYPE type = compute_type)
      : app(of), timeline(app.device.Get()), recorder(app, type) {
    REQUIRE(app.device.As(&device) == S_OK);
    const std::string code = shader_of(5, 1000);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.CS = {code.data(), code.size()};
    REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
    recorder.list->Close();
  }
  /// Renders one with that constant, waits for it, and says how long the GPU took.
  std::uint64_t play(UINT constant) {
    return play_list(constant, [](ID3D12GraphicsCommandList& list) { list.Dispatch(8, 1, 1); });
  }
  /// The same of a list that does something else with the constant.
  template <class Record>
  std::uint64_t play_list(UINT constant, const Record& record) {
    REQUIRE(recorder.allocator->Reset() == S_OK);
    REQUIRE(recorder.list->Reset(recorder.allocator.Get(), pipeline.Get()) == S_OK);
    recorder.list->SetComputeRoot32BitConstant(0, constant, 0);
    record(*recorder.list.Get());
    recorder.submit();
    recorder.wait();
    const GpuTimeline::Run& last = timeline.of(0).back();
    return last.end_ps - last.start_ps;
  }
  App& app;
  GpuTimeline timeline;
  Recorder recorder;
  ComPtr<ID3D12Device6> device;
  ComPtr<ID3D12PipelineState> pipeline;
};

/// The one run in it: devices of a process number theirs.
inline std::filesystem::path run_in(const TemporaryDirectory& directory) {
  return std::filesystem::directory_iterator(directory / "")->path();
}

}  // namespace fenceline::testing::background
