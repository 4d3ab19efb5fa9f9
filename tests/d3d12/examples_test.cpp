// SPDX-License-Identifier: Apache-2.0
// The listings of D3D12's multi-engine documentation as programs, with the overlap that they are there for. What the
// text leaves out is added; what it gets wrong is said where it stands.
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <algorithm>
#include <array>

using namespace fenceline::testing;

namespace {

/// Draws and dispatches that last as long as their shaders have instructions.
struct Work : App {
  Work() : timeline(device.Get()) {}

  ComPtr<ID3D12PipelineState> graphics(std::uint32_t pixel_instructions) {
    const std::string vertex = shader_of(1, 10);
    const std::string pixel = shader_of(0, pixel_instructions);
    const auto desc = graphics_desc(vertex, pixel, DXGI_FORMAT_R8G8B8A8_UNORM);
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12PipelineState> compute(std::uint32_t instructions) {
    const std::string code = shader_of(5, instructions);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.CS = {code.data(), code.size()};
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  /// A closed list of one thing.
  template <class Record>
  ComPtr<ID3D12GraphicsCommandList> closed(D3D12_COMMAND_LIST_TYPE type, Record&& record) {
    allocators.push_back(allocator(type));
    auto made = list(allocators.back().Get(), type);
    record(made.Get());
    REQUIRE(made->Close() == S_OK);
    return made;
  }
  ComPtr<ID3D12GraphicsCommandList> draw(std::uint32_t pixel_instructions) {
    pipelines.push_back(graphics(pixel_instructions));
    return closed(D3D12_COMMAND_LIST_TYPE_DIRECT, [&](ID3D12GraphicsCommandList* into) {
      const D3D12_VIEWPORT viewport{0, 0, 256, 256, 0, 1};
      const D3D12_RECT scissor{0, 0, 256, 256};
      into->SetPipelineState(pipelines.back().Get());
      into->RSSetViewports(1, &viewport);
      into->RSSetScissorRects(1, &scissor);
      into->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
      into->DrawInstanced(3, 1, 0, 0);
    });
  }
  ComPtr<ID3D12GraphicsCommandList> dispatch(std::uint32_t instructions, UINT groups) {
    pipelines.push_back(compute(instructions));
    return closed(D3D12_COMMAND_LIST_TYPE_COMPUTE, [&](ID3D12GraphicsCommandList* into) {
      into->SetPipelineState(pipelines.back().Get());
      into->Dispatch(groups, 1, 1);
    });
  }
  ComPtr<ID3D12GraphicsCommandList> upload(UINT64 bytes) {
    resources.push_back(buffer(bytes, D3D12_HEAP_TYPE_UPLOAD));
    resources.push_back(buffer(bytes));
    return closed(D3D12_COMMAND_LIST_TYPE_COPY, [&](ID3D12GraphicsCommandList* into) {
      into->CopyResource(resources.back().Get(), resources[resources.size() - 2].Get());
    });
  }

  GpuTimeline timeline;
  std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
  std::vector<ComPtr<ID3D12PipelineState>> pipelines;
  std::vector<ComPtr<ID3D12Resource>> resources;
};

void execute(ID3D12CommandQueue* queue, const ComPtr<ID3D12GraphicsCommandList>& list) {
  ID3D12CommandList* const lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
}

bool any_overlap(const std::vector<GpuTimeline::Run>& some, const std::vector<GpuTimeline::Run>& others) {
  return std::any_of(some.begin(), some.end(), [&](const GpuTimeline::Run& one) {
    return std::any_of(others.begin(), others.end(),
                       [&](const GpuTimeline::Run& other) { return one.overlaps(other); });
  });
}

constexpr UINT copy_queue = 0;
constexpr UINT compute_queue = 1;
constexpr UINT render_queue = 2;

}  // namespace

TEST_CASE("examples: the workload over copy, compute and 3D engines overlaps where no fence forbids it", "[d3d12]") {
  Work app;
  const auto copy_engine = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto compute_engine = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto render_engine = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto copy_fence = app.fence();
  const auto render_fence = app.fence();
  const auto compute_fence = app.fence();
  const auto end = app.fence();

  const auto geometry = app.upload(1 << 16);
  const std::array textures = {app.upload(1 << 18), app.upload(1 << 18), app.upload(1 << 18), app.upload(1 << 18)};
  const auto pre_pass = app.draw(100);
  const auto lighting = app.dispatch(500, 32);
  const auto final_pass = app.draw(200);

  execute(copy_engine.Get(), geometry);
  copy_engine->Signal(copy_fence.Get(), 101);
  for (const auto& texture : textures) execute(copy_engine.Get(), texture);
  copy_engine->Signal(copy_fence.Get(), 102);
  render_engine->Wait(copy_fence.Get(), 101);
  execute(render_engine.Get(), pre_pass);
  render_engine->Signal(render_fence.Get(), 201);
  compute_engine->Wait(render_fence.Get(), 201);
  execute(compute_engine.Get(), lighting);
  compute_engine->Signal(compute_fence.Get(), 301);
  render_engine->Wait(compute_fence.Get(), 301);
  render_engine->Wait(copy_fence.Get(), 102);
  execute(render_engine.Get(), final_pass);
  render_engine->Signal(end.Get(), 1);
  REQUIRE(end->SetEventOnCompletion(1, nullptr) == S_OK);

  const auto& copies = app.timeline.of(copy_queue);
  const auto& computes = app.timeline.of(compute_queue);
  const auto& draws = app.timeline.of(render_queue);
  REQUIRE(copies.size() == 5);
  REQUIRE(draws.size() == 2);
  CHECK(draws[0].start_ps >= copies[0].end_ps);
  CHECK(computes[0].start_ps >= draws[0].end_ps);
  CHECK(draws[1].start_ps >= computes[0].end_ps);
  CHECK(draws[1].start_ps >= copies[4].end_ps);
  CHECK(any_overlap(copies, draws));  // textures are copied while the pre-pass draws
}

TEST_CASE("examples: a ring buffer lets the copy engine run ahead of 3D by its length, and no further", "[d3d12]") {
  const UINT64 length = GENERATE(1, 3);
  constexpr UINT64 count = 12;
  Work app;
  const auto copy_engine = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto render_engine = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto fence1 = app.fence();  // drawn
  const auto fence2 = app.fence();  // copied
  std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
  for (UINT64 i = 1; i <= count; ++i) {
    if (i > length) copy_engine->Wait(fence1.Get(), i - length);
    lists.push_back(app.upload(1 << 16));
    execute(copy_engine.Get(), lists.back());
    copy_engine->Signal(fence2.Get(), i);
    render_engine->Wait(fence2.Get(), i);
    lists.push_back(app.draw(100));
    execute(render_engine.Get(), lists.back());
    render_engine->Signal(fence1.Get(), i);
  }
  REQUIRE(fence1->SetEventOnCompletion(count, nullptr) == S_OK);
  const auto& copies = app.timeline.of(copy_queue);
  const auto& draws = app.timeline.of(render_queue);
  REQUIRE(copies.size() == count);
  REQUIRE(draws.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(draws[i].start_ps >= copies[i].end_ps);
    if (i >= length) CHECK(copies[i].start_ps >= draws[i - length].end_ps);
  }
  CHECK(any_overlap(copies, draws) == (length > 1));
}

// The document's own names.
// NOLINTBEGIN(readability-identifier-naming)
TEST_CASE("examples: PipelinedComputeGraphics keeps both queues busy, and the CPU no more than its latency ahead",
          "[d3d12]") {
  Work app;
  app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto pComputeQueue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto pGraphicsQueue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto pComputeFence = app.fence();
  const auto pGraphicsFence = app.fence();
  const UINT CpuLatency = 3;
  const UINT ComputeGraphicsLatency = 2;
  constexpr UINT64 frames = 12;
  // The text executes one list again and again; a list must not be executed again before it has ended.
  std::vector<ComPtr<ID3D12GraphicsCommandList>> compute_lists;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> graphics_lists;
  for (UINT64 i = 0; i < frames; ++i) {
    compute_lists.push_back(app.dispatch(500, 64));
    graphics_lists.push_back(app.draw(200));
  }

  HANDLE handle = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  UINT64 FrameNumber = 0;
  while (FrameNumber < frames) {
    if (FrameNumber > ComputeGraphicsLatency) {
      pComputeQueue->Wait(pGraphicsFence.Get(), FrameNumber - ComputeGraphicsLatency);
    }
    if (FrameNumber > CpuLatency) {
      // The text says SetEventOnFenceCompletion, the name in a preview.
      pComputeFence->SetEventOnCompletion(FrameNumber - CpuLatency, handle);
      REQUIRE(WaitForSingleObject(handle, INFINITE) == WAIT_OBJECT_0);
      CHECK(pComputeFence->GetCompletedValue() >= FrameNumber - CpuLatency);
    }
    ++FrameNumber;
    execute(pComputeQueue.Get(), compute_lists[FrameNumber - 1]);
    pComputeQueue->Signal(pComputeFence.Get(), FrameNumber);
    if (FrameNumber > ComputeGraphicsLatency) {
      const UINT64 GraphicsFrameNumber = FrameNumber - ComputeGraphicsLatency;
      pGraphicsQueue->Wait(pComputeFence.Get(), GraphicsFrameNumber);
      execute(pGraphicsQueue.Get(), graphics_lists[GraphicsFrameNumber - 1]);
      pGraphicsQueue->Signal(pGraphicsFence.Get(), GraphicsFrameNumber);
    }
  }
  REQUIRE(pGraphicsFence->SetEventOnCompletion(frames - ComputeGraphicsLatency, nullptr) == S_OK);
  REQUIRE(pComputeFence->SetEventOnCompletion(frames, nullptr) == S_OK);
  CloseHandle(handle);

  const auto& computes = app.timeline.of(compute_queue);
  const auto& draws = app.timeline.of(render_queue);
  REQUIRE(computes.size() == frames);
  REQUIRE(draws.size() == frames - ComputeGraphicsLatency);
  for (std::size_t i = 0; i < draws.size(); ++i) CHECK(draws[i].start_ps >= computes[i].end_ps);
  CHECK(any_overlap(computes, draws));
}

TEST_CASE("examples: AsyncPipelinedComputeGraphics draws with the newest result of compute", "[d3d12]") {
  Work app;
  app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto pComputeQueue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto pGraphicsQueue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto pComputeFence = app.fence();
  const auto pGraphicsFence = app.fence();
  const auto pGraphicsComputeFence = app.fence();
  constexpr UINT CpuLatency{3};
  constexpr UINT ComputeGraphicsLatency{2};
  constexpr UINT frames = 10;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> compute_lists;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> graphics_lists;
  for (UINT i = 0; i < frames; ++i) {
    compute_lists.push_back(app.dispatch(2000, 64));
    graphics_lists.push_back(app.draw(200));
  }

  ID3D12Fence* rgpFences[]{pComputeFence.Get(), pGraphicsFence.Get()};
  HANDLE handles[2];
  handles[0] = CreateEvent(nullptr, FALSE, TRUE, nullptr);
  handles[1] = CreateEvent(nullptr, FALSE, TRUE, nullptr);
  UINT FrameNumbers[]{0, 0};
  std::vector<UINT64> used;  // by each frame of graphics

  pGraphicsQueue->Wait(pComputeFence.Get(), 1);
  while (FrameNumbers[0] < frames || FrameNumbers[1] < frames) {
    for (auto i = 0; i < 2; ++i) {
      if (FrameNumbers[i] > CpuLatency) {
        rgpFences[i]->SetEventOnCompletion(FrameNumbers[i] - CpuLatency, handles[i]);
      } else {
        ::SetEvent(handles[i]);
      }
    }
    auto WaitResult = ::WaitForMultipleObjects(2, handles, FALSE, INFINITE);
    REQUIRE(WaitResult <= WAIT_OBJECT_0 + 1);
    auto Stage = WaitResult - WAIT_OBJECT_0;
    // The text goes on for ever; and where the first event is set in every round its second stage never runs.
    if (FrameNumbers[Stage] >= std::min(frames, FrameNumbers[1 - Stage] + CpuLatency)) Stage = 1 - Stage;
    ++FrameNumbers[Stage];
    switch (Stage) {
      case 0: {
        if (FrameNumbers[Stage] > ComputeGraphicsLatency) {
          pComputeQueue->Wait(pGraphicsComputeFence.Get(), FrameNumbers[Stage] - ComputeGraphicsLatency);
        }
        execute(pComputeQueue.Get(), compute_lists[FrameNumbers[Stage] - 1]);
        pComputeQueue->Signal(pComputeFence.Get(), FrameNumbers[Stage]);
        break;
      }
      case 1: {
        // The text says min(1, ...), which would never let go of the first buffer, and at 0 completed frames the signal
        // below would jump to the highest value.
        UINT64 CompletedComputeFrames = std::max<UINT64>(1, pComputeFence->GetCompletedValue());
        used.push_back(CompletedComputeFrames);
        // Done with all before this one. The text signals one less, upon which compute would wait for the frame that
        // is waiting for it.
        pGraphicsQueue->Signal(pGraphicsComputeFence.Get(), CompletedComputeFrames);
        execute(pGraphicsQueue.Get(), graphics_lists[FrameNumbers[Stage] - 1]);
        pGraphicsQueue->Signal(pGraphicsFence.Get(), FrameNumbers[Stage]);
        break;
      }
    }
  }
  pGraphicsQueue->Signal(pGraphicsComputeFence.Get(), frames);
  REQUIRE(pGraphicsFence->SetEventOnCompletion(frames, nullptr) == S_OK);
  REQUIRE(pComputeFence->SetEventOnCompletion(frames, nullptr) == S_OK);
  for (HANDLE handle : handles) CloseHandle(handle);

  const auto& computes = app.timeline.of(compute_queue);
  const auto& draws = app.timeline.of(render_queue);
  CHECK(computes.size() == frames);
  REQUIRE(draws.size() == frames);
  CHECK(std::is_sorted(used.begin(), used.end()));
  CHECK(draws[0].start_ps >= computes[0].end_ps);
  CHECK(any_overlap(computes, draws));
}
// NOLINTEND(readability-identifier-naming)

TEST_CASE("draws and dispatches: without a pipeline state of their own kind they are dropped", "[d3d12]") {
  Work app;
  const auto graphics = app.graphics(10);
  const auto compute = app.compute(10);
  const auto close = [&](auto&& record) {
    const Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    record(direct.list.Get());
    return direct.list->Close();
  };
  CHECK(close([&](auto* list) {
          list->SetPipelineState(graphics.Get());
          list->DrawInstanced(3, 1, 0, 0);
          list->SetPipelineState(compute.Get());
          list->Dispatch(1, 1, 1);
        }) == S_OK);
  CHECK(close([&](auto* list) {
          list->SetPipelineState(graphics.Get());
          list->DrawInstanced(3, 1, 0, 0);
          list->Dispatch(1, 1, 1);
        }) == S_OK);
  CHECK(close([&](auto* list) {
          list->SetPipelineState(compute.Get());
          list->Dispatch(1, 1, 1);
          list->DrawInstanced(3, 1, 0, 0);
        }) == S_OK);
}
