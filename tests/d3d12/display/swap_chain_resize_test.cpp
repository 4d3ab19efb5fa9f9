// SPDX-License-Identifier: Apache-2.0
// Swap chains that change or end: ResizeBuffers, a device that is removed, the last Release.
#include "scheduler/display/display.hpp"
#include "tests/d3d12/display/game.hpp"

using namespace fenceline::testing;

TEST_CASE("swap chain: buffers are resized when the program has none of them", "[d3d12]") {
  Game game(swap_chain_desc(2), 1000);
  game.frame();
  CHECK(game.chain->ResizeBuffers(3, 320, 240, DXGI_FORMAT_B8G8R8A8_UNORM, 0) == DXGI_ERROR_INVALID_CALL);
  DXGI_SWAP_CHAIN_DESC1 desc{};
  REQUIRE(game.chain->GetDesc1(&desc) == S_OK);
  CHECK(desc.Width == 640);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 1);
  game.buffers.clear();
  REQUIRE(game.chain->ResizeBuffers(3, 320, 240, DXGI_FORMAT_B8G8R8A8_UNORM, 0) == S_OK);
  REQUIRE(game.chain->GetDesc1(&desc) == S_OK);
  CHECK(desc.Width == 320);
  CHECK(desc.Height == 240);
  CHECK(desc.BufferCount == 3);
  CHECK(desc.Format == DXGI_FORMAT_B8G8R8A8_UNORM);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 0);
  game.take_buffers();
  CHECK(game.buffers[2]->GetDesc().Width == 320);
  for (UINT i = 0; i < 5; ++i) {
    CHECK(game.chain->GetCurrentBackBufferIndex() == i % 3);
    game.frame();
  }
  game.show(6);
  CHECK(game.steps() == std::vector<std::uint64_t>(5, 1));

  game.buffers.clear();
  CHECK(game.chain->ResizeBuffers(0, 320, 240, DXGI_FORMAT_UNKNOWN, 0) == S_OK);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 0);
  REQUIRE(game.chain->GetDesc1(&desc) == S_OK);
  CHECK(desc.BufferCount == 3);
  CHECK(desc.Format == DXGI_FORMAT_B8G8R8A8_UNORM);
  CHECK(game.chain->ResizeBuffers(1, 320, 240, DXGI_FORMAT_UNKNOWN, 0) == DXGI_ERROR_INVALID_CALL);
  CHECK(game.chain->ResizeBuffers(~0U, 320, 240, DXGI_FORMAT_UNKNOWN, 0) == DXGI_ERROR_INVALID_CALL);
  CHECK(game.chain->ResizeBuffers(2, 320, 240, DXGI_FORMAT_D32_FLOAT, 0) == DXGI_ERROR_INVALID_CALL);
  CHECK(game.chain->ResizeBuffers(2, 320, 240, DXGI_FORMAT_UNKNOWN, waitable_flag) == DXGI_ERROR_INVALID_CALL);

  SECTION("also while frames wait for the GPU") {
    const auto fence = game.fence();
    REQUIRE(game.queue->Wait(fence.Get(), 1) == S_OK);
    REQUIRE(game.chain->Present(0, 0) == S_OK);
    CHECK(game.chain->ResizeBuffers(0, 64, 64, DXGI_FORMAT_UNKNOWN, 0) == S_OK);
    REQUIRE(fence->Signal(1) == S_OK);
    game.show(7);
  }
  SECTION("with a queue for each buffer") {
    const auto second = game.App::queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
    const auto compute = game.App::queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
    const auto resize = [&](UINT count, const UINT* masks, IUnknown* const* queues) {
      return game.chain->ResizeBuffers1(count, 320, 240, DXGI_FORMAT_UNKNOWN, 0, masks, queues);
    };
    UINT masks[] = {1, 1};
    IUnknown* queues[] = {game.queue.Get(), second.Get()};
    CHECK(resize(2, nullptr, queues) == DXGI_ERROR_INVALID_CALL);
    CHECK(resize(2, masks, nullptr) == DXGI_ERROR_INVALID_CALL);
    REQUIRE(resize(2, masks, queues) == S_OK);
    CHECK(references(second.Get()) == 2);
    REQUIRE(game.chain->Present(1, 0) == S_OK);
    REQUIRE(game.chain->Present(1, 0) == S_OK);
    game.show(8);
    masks[1] = 2;
    CHECK(resize(0, masks, queues) == DXGI_ERROR_INVALID_CALL);
    masks[1] = 1;
    queues[1] = compute.Get();
    CHECK(resize(2, masks, queues) == DXGI_ERROR_INVALID_CALL);
    queues[1] = game.queue.Get();
    REQUIRE(resize(2, masks, queues) == S_OK);
    CHECK(references(second.Get()) == 1);
  }
}

TEST_CASE("swap chain: on a removed device nothing is presented, and nobody waits", "[d3d12]") {
  Game game(swap_chain_desc(2, waitable_flag));
  const HANDLE waitable = game.chain->GetFrameLatencyWaitableObject();
  const auto fence = game.fence();
  REQUIRE(WaitForSingleObject(waitable, 0) == WAIT_OBJECT_0);
  REQUIRE(game.queue->Wait(fence.Get(), 1) == S_OK);
  REQUIRE(game.chain->Present(1, 0) == S_OK);
  CHECK(WaitForSingleObject(waitable, 0) == WAIT_TIMEOUT);
  ComPtr<ID3D12Device5> device5;
  REQUIRE(game.device.As(&device5) == S_OK);
  device5->RemoveDevice();
  CHECK(WaitForSingleObject(waitable, INFINITE) == WAIT_OBJECT_0);
  DXGI_FRAME_STATISTICS statistics{};
  CHECK(game.chain->Present(1, 0) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(game.chain->Present(1, DXGI_PRESENT_TEST) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(game.chain->GetFrameStatistics(&statistics) == DXGI_ERROR_DEVICE_REMOVED);
  game.buffers.clear();
  CHECK(game.chain->ResizeBuffers(0, 64, 64, DXGI_FORMAT_UNKNOWN, waitable_flag) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(CloseHandle(waitable));
}

TEST_CASE("swap chain: one that is released takes its frames off the screen, and no list with its buffers waits",
          "[d3d12]") {
  Game game(swap_chain_desc(2), 1000);
  for (int i = 0; i < 3; ++i) game.frame();
  const auto last = game.frame_list(game.chain->GetCurrentBackBufferIndex());
  game.chain.Reset();
  game.execute(last.Get());
  game.finish();
  CHECK(game.display().presented(Game::id()).presented == 3);
}
