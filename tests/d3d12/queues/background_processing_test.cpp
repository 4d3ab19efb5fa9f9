// SPDX-License-Identifier: Apache-2.0
// ID3D12Device6::SetBackgroundProcessingMode: modes and actions, the frame-analysis loop of Microsoft's specification,
// and pipeline states that get faster for the root constants that are bound.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/d3d12/queues/background_frames.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::testing::background;

TEST_CASE(
    "background processing: the frame-analysis loop of the specification converges, then A and B take the same time",
    "[d3d12]") {
  App app;
  Frames frames(app);
  Event committed;
  const std::uint64_t original_ps = frames.play(7);
  REQUIRE(frames.device->SetBackgroundProcessingMode(intrusive, discard, nullptr, nullptr) == S_OK);
  BOOL more = TRUE;
  int tries = 0;
  std::vector<std::uint64_t> replayed_ps;
  for (; more == TRUE && tries < 10; ++tries) {
    REQUIRE(frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr) == S_OK);
    replayed_ps.push_back(frames.play(7));
    REQUIRE(frames.device->SetBackgroundProcessingMode(no_profiling, commit_fast, committed.handle, &more) == S_OK);
    CHECK_FALSE(committed.is_set());  // never before the compile has finished
    REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
  }
  CHECK(tries == 3);  // constants, branches, resources
  CHECK(replayed_ps[0] > original_ps);
  CHECK(replayed_ps[1] < replayed_ps[0]);
  const std::uint64_t a_ps = frames.play(7);
  CHECK(a_ps == frames.play(7));
  // The defaults of /background_processing/folded: 0.1 and 0.05 of the instructions.
  CHECK(static_cast<double>(a_ps) / static_cast<double>(original_ps) == Approx(0.85).epsilon(0.01));
  CHECK(frames.play(8) == Approx(original_ps).epsilon(0.001));  // other constants: the application's own shader
}

TEST_CASE("background processing: the same loop with recompiles on host threads", "[d3d12][threads]") {
  App app(tiny_with([](MachineConfig& tiny) { tiny.background_processing.executor = TaskExecution::host; }));
  Frames frames(app);
  Event committed;
  const std::uint64_t original_ps = frames.play(7);
  BOOL more = TRUE;
  int tries = 0;
  for (; more == TRUE && tries < 10; ++tries) {
    REQUIRE(frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr) == S_OK);
    frames.play(7);
    REQUIRE(frames.device->SetBackgroundProcessingMode(no_profiling, commit_fast, committed.handle, &more) == S_OK);
    REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
  }
  CHECK(tries == 3);
  CHECK(static_cast<double>(frames.play(7)) / static_cast<double>(original_ps) == Approx(0.85).epsilon(0.01));
  // The pool's threads are nobody who could wake one.
  const Event never;
  CHECK(WaitForSingleObject(never.handle, INFINITE) == WAIT_FAILED);
}

TEST_CASE("background processing: bundles have their list's root constants but for those that they set", "[d3d12]") {
  App app;
  Frames frames(app, direct_type);
  const std::uint64_t original_ps = frames.play(7);
  Event committed;
  for (int tries = 0; tries < 3; ++tries) {
    frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
    frames.play(7);
    frames.device->SetBackgroundProcessingMode(no_profiling, commit, committed.handle, nullptr);
    REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
  }
  struct Bundle {
    Bundle(Frames& frames, std::optional<UINT> constant)
        : allocator(frames.app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE)),
          list(frames.app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE)) {
      list->SetPipelineState(frames.pipeline.Get());
      if (constant) list->SetComputeRoot32BitConstant(0, *constant, 0);
      list->Dispatch(8, 1, 1);
      REQUIRE(list->Close() == S_OK);
    }
    ComPtr<ID3D12CommandAllocator> allocator;
    ComPtr<ID3D12GraphicsCommandList> list;
  };
  const Bundle sets_none(frames, {});
  const Bundle sets_7(frames, 7);
  const Bundle sets_8(frames, 8);
  const auto part_of = [&](UINT constant, const Bundle& bundle, bool then_dispatch = false) {
    const std::uint64_t ps = frames.play_list(constant, [&](ID3D12GraphicsCommandList& list) {
      list.ExecuteBundle(bundle.list.Get());
      if (then_dispatch) list.Dispatch(8, 1, 1);
    });
    return static_cast<double>(ps) / static_cast<double>(original_ps);
  };
  CHECK(part_of(7, sets_none) == Approx(0.85).epsilon(0.01));
  CHECK(part_of(8, sets_none) == Approx(1).epsilon(0.01));
  CHECK(part_of(8, sets_7) == Approx(0.85).epsilon(0.01));
  CHECK(part_of(7, sets_8) == Approx(1).epsilon(0.01));
  // What a bundle sets stays set.
  CHECK(part_of(8, sets_7, true) < part_of(7, sets_8, true));
  CHECK(part_of(8, sets_7, true) == Approx(part_of(7, sets_none, true)).epsilon(0.001));
}

TEST_CASE("background processing: commands of an ExecuteIndirect have the root constants of their arguments",
          "[d3d12]") {
  App app;
  Frames frames(app);
  const auto root = root_constants(app, 1);
  D3D12_INDIRECT_ARGUMENT_DESC parts[2]{};
  parts[0].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT;
  parts[0].Constant = {0, 0, 1};
  parts[1].Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
  const D3D12_COMMAND_SIGNATURE_DESC desc{16, 2, parts, 0};
  ComPtr<ID3D12CommandSignature> signature;
  REQUIRE(app.device->CreateCommandSignature(&desc, root.Get(), IID_PPV_ARGS(&signature)) == S_OK);
  const auto arguments = app.buffer(32, D3D12_HEAP_TYPE_UPLOAD);
  // Of two dispatches, with these constants; the list has another one bound, or none.
  const auto play = [&](std::vector<UINT> constants, std::optional<UINT> bound) {
    const auto record = [&](ID3D12GraphicsCommandList& list) {
      if (!bound) list.ClearState(frames.pipeline.Get());
      list.ExecuteIndirect(signature.Get(), 2, arguments.Get(), 0, nullptr, 0);
    };
    // The GPU reads what is there when it comes to it.
    write(arguments.Get(), std::vector<UINT>{constants[0], 8, 1, 1, constants[1], 8, 1, 1});
    return static_cast<double>(frames.play_list(bound.value_or(0), record));
  };
  const double original_ps = play({7, 7}, {});
  Event committed;
  for (int tries = 0; tries < 3; ++tries) {
    frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
    play({7, 7}, {});
    frames.device->SetBackgroundProcessingMode(no_profiling, commit, committed.handle, nullptr);
    REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
  }
  const double variant_ps = play({7, 7}, {});
  CHECK(variant_ps / original_ps == Approx(0.85).epsilon(0.02));
  CHECK(play({8, 8}, {}) == Approx(original_ps).epsilon(0.001));
  CHECK(play({7, 8}, {}) == Approx((variant_ps + original_ps) / 2).epsilon(0.02));
  CHECK(play({7, 7}, 9) == Approx(variant_ps).epsilon(0.001));
  CHECK(play({8, 8}, 7) == Approx(original_ps).epsilon(0.001));
}

TEST_CASE("background processing: a variant keeps to the root descriptors that it was measured with", "[d3d12]") {
  const TemporaryDirectory directory;
  setenv("FENCELINE_OUT", (directory / "out").c_str(), 1);
  {
    App app;
    Frames frames(app);
    const auto one = app.buffer(256);
    const auto other = app.buffer(256);
    const auto play = [&](ID3D12Resource& buffer) {
      return frames.play_list(7, [&](ID3D12GraphicsCommandList& list) {
        list.SetComputeRootShaderResourceView(1, buffer.GetGPUVirtualAddress());
        list.Dispatch(8, 1, 1);
      });
    };
    Event committed;
    for (int tries = 0; tries < 3; ++tries) {
      frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
      play(*one.Get());
      frames.device->SetBackgroundProcessingMode(no_profiling, commit, committed.handle, nullptr);
      REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
    }
    play(*one.Get());
    play(*other.Get());
    play(*other.Get());
  }
  unsetenv("FENCELINE_OUT");
  const auto report = nlohmann::json::parse(contents_of(run_in(directory) / "report.json"));
  const auto& row = report["statistics"]["background_processing"][0]["pipelines"][0];
  CHECK(row["specialised_executions"] == 5);
  CHECK(row["resource_misses"] == 2);
  CHECK(row["branch_misses"] == 0);
  CHECK(row["promised_instructions"] == row["saved_instructions"]);
}

TEST_CASE("background processing: OPTIONS6 says whether there is any", "[d3d12]") {
  App app;
  D3D12_FEATURE_DATA_D3D12_OPTIONS6 options{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS6, &options, sizeof options) == S_OK);
  static_assert(sizeof options == 20 &&
                offsetof(D3D12_FEATURE_DATA_D3D12_OPTIONS6, BackgroundProcessingSupported) == 16);
  CHECK(options.BackgroundProcessingSupported == TRUE);
  CHECK(options.VariableShadingRateTier == D3D12_VARIABLE_SHADING_RATE_TIER_NOT_SUPPORTED);
}

TEST_CASE("background processing: OPTIONS6 says where there is none", "[d3d12]") {
  D3D12_FEATURE_DATA_D3D12_OPTIONS6 options{};
  const ComPtr<ID3D12Device> without =
      tiny_with([](MachineConfig& tiny) { tiny.background_processing.supported = false; });
  REQUIRE(without->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS6, &options, sizeof options) == S_OK);
  CHECK(options.BackgroundProcessingSupported == FALSE);
}

TEST_CASE("background processing: an event goes with a commit alone, and unknown values are refused", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device6> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const Event event;
  for (const auto mode : {light, intrusive, no_work, no_profiling}) {
    for (const auto action : {keep, commit, commit_fast, discard}) {
      const bool commits = action == commit || action == commit_fast;
      CAPTURE(mode, action);
      CHECK(device->SetBackgroundProcessingMode(mode, action, nullptr, nullptr) == S_OK);
      CHECK(device->SetBackgroundProcessingMode(mode, action, event.handle, nullptr) ==
            (commits ? S_OK : E_INVALIDARG));
      CHECK(event.is_set() == commits);  // there is no task: at once
    }
  }
  const auto mode_of = [](int value) { return static_cast<D3D12_BACKGROUND_PROCESSING_MODE>(value); };
  const auto action_of = [](int value) { return static_cast<D3D12_MEASUREMENTS_ACTION>(value); };
  for (const int value : {-1, 4, 1000}) {
    CHECK(device->SetBackgroundProcessingMode(mode_of(value), keep, nullptr, nullptr) == E_INVALIDARG);
    CHECK(device->SetBackgroundProcessingMode(light, action_of(value), nullptr, nullptr) == E_INVALIDARG);
  }
}

TEST_CASE("background processing: a refusal says message 1223 and why", "[d3d12]") {
  DebuggedApp app;
  ComPtr<ID3D12Device6> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const Event event;
  CHECK(device->SetBackgroundProcessingMode(light, discard, event.handle, nullptr) == E_INVALIDARG);
  const std::vector<Said> said = app.said();
  REQUIRE(said.size() == 1);
  CHECK(said[0].id == 1223);
  CHECK(said[0].id == D3D12_MESSAGE_ID_SET_BACKGROUND_PROCESSING_MODE_INVALID_ARGUMENT);
  CHECK(said[0].severity == D3D12_MESSAGE_SEVERITY_ERROR);
  CHECK(said[0].text.find("commit_results") != std::string::npos);
  CHECK(device->SetBackgroundProcessingMode(light, commit, event.handle, nullptr) == S_OK);
  CHECK(app.said().empty());
}

TEST_CASE("background processing: a retail system refuses what needs developer mode, and nothing changes", "[d3d12]") {
  const ComPtr<ID3D12Device> retail =
      tiny_with([](MachineConfig& tiny) { tiny.background_processing.developer_mode = false; });
  ComPtr<ID3D12Device6> device;
  REQUIRE(retail.As(&device) == S_OK);
  const Event event;
  for (const auto mode : {light, intrusive, no_work, no_profiling}) {
    for (const auto action : {keep, commit, commit_fast, discard}) {
      const bool developers = mode == no_work || mode == no_profiling || action == commit_fast;
      CAPTURE(mode, action);
      BOOL more = 7;
      CHECK(device->SetBackgroundProcessingMode(mode, action, nullptr, &more) == (developers ? E_INVALIDARG : S_OK));
      CHECK(more == (developers ? 7 : FALSE));
    }
  }
  CHECK(device->SetBackgroundProcessingMode(light, commit_fast, event.handle, nullptr) == E_INVALIDARG);
  CHECK_FALSE(event.is_set());
  CHECK(device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("background processing: without support every granted call does nothing, and a commit's event is set",
          "[d3d12]") {
  const auto execution = GENERATE(TaskExecution::simulated, TaskExecution::host);
  const ComPtr<ID3D12Device> without = tiny_with([execution](MachineConfig& tiny) {
    tiny.background_processing.supported = false;
    tiny.background_processing.executor = execution;
  });
  App app(without);
  Frames frames(app);
  const Event event;
  const std::uint64_t original_ps = frames.play(1);
  BOOL more = TRUE;
  CHECK(frames.device->SetBackgroundProcessingMode(intrusive, discard, nullptr, &more) == S_OK);
  CHECK(more == FALSE);
  CHECK(frames.play(1) == original_ps);
  CHECK(frames.device->SetBackgroundProcessingMode(light, commit, event.handle, &more) == S_OK);
  CHECK(event.is_set());
  CHECK(frames.play(1) == original_ps);
}

TEST_CASE("background processing: the mode is allowed at first, and one for all users of an adapter's device",
          "[d3d12]") {
  App app;
  Frames frames(app);
  const std::uint64_t original_ps = frames.play(5);
  ComPtr<ID3D12Device6> second;
  REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&second)) == S_OK);
  if (second.Get() == frames.device.Get()) {
    REQUIRE(second->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr) == S_OK);
    CHECK(frames.play(5) > original_ps);
    REQUIRE(second->SetBackgroundProcessingMode(no_profiling, keep, nullptr, nullptr) == S_OK);
    CHECK(frames.play(5) == original_ps);
  } else {
    FAIL_CHECK("one adapter has one device in a process");
  }
}

TEST_CASE("background processing: the report has what variants of a pipeline state gained that was released since",
          "[d3d12]") {
  const TemporaryDirectory directory;
  setenv("FENCELINE_OUT", (directory / "out").c_str(), 1);
  setenv("FENCELINE_HTML", "1", 1);
  {
    App app;
    const Event committed;
    Frames frames(app);
    frames.device->SetBackgroundProcessingMode(intrusive, keep, nullptr, nullptr);
    frames.play(3);
    frames.device->SetBackgroundProcessingMode(light, commit, committed.handle, nullptr);
    REQUIRE(WaitForSingleObject(committed.handle, INFINITE) == WAIT_OBJECT_0);
    for (const UINT constant : {3U, 3U, 4U}) frames.play(constant);
  }
  unsetenv("FENCELINE_OUT");
  unsetenv("FENCELINE_HTML");
  const auto report = nlohmann::json::parse(contents_of(run_in(directory) / "report.json"));
  const auto& told = report["statistics"]["background_processing"];
  REQUIRE(told.size() == 1);
  CHECK(told[0]["process"] == "");
  REQUIRE(told[0]["pipelines"].size() == 1);
  const auto& row = told[0]["pipelines"][0];
  CHECK(row["pipeline"] != "");
  CHECK(row["executions"] == 4);
  CHECK(row["variants"] == 1);
  CHECK(row["specialised_executions"] == 2);
  CHECK(row["saved_instructions"] > 0);
  CHECK(row["saved_instructions"] == told[0]["saved_instructions"]);
  const std::string page = contents_of(run_in(directory) / "timeline.html");
  CHECK(page.find("<tr><td>" + row["pipeline"].get<std::string>() + "</td><td>4</td>") != std::string::npos);
}
