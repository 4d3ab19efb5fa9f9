// SPDX-License-Identifier: Apache-2.0
// When a swap chain's frames get on screen, and what waits for that: the CPU in Present or at the waitable object, the
// GPU before it writes a buffer again.
#include "scheduler/display/display.hpp"
#include "tests/d3d12/display/game.hpp"

#include <algorithm>

using namespace fenceline::testing;

namespace {

using Steps = std::vector<std::uint64_t>;

constexpr double refresh_us = 1e6 / 60;

}  // namespace

TEST_CASE("swap chain: frames of GPU work below a refresh take one each, above it two", "[d3d12]") {
  const double work_us = GENERATE(1000.0, 16000.0, 17000.0, 33000.0, 34000.0);
  // A frame begins when the one before is on screen.
  Game game(swap_chain_desc(2, DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT), work_us);
  const HANDLE waitable = game.chain->GetFrameLatencyWaitableObject();
  for (int i = 0; i < 8; ++i) {
    REQUIRE(WaitForSingleObject(waitable, INFINITE) == WAIT_OBJECT_0);
    game.frame();
  }
  game.show(8);
  const auto refreshes = static_cast<std::uint64_t>(work_us / refresh_us) + 1;
  CHECK(game.steps() == Steps(7, refreshes));
  const auto presented = game.display().presented(Game::id());
  CHECK(presented.presented == 8);
  CHECK(presented.discarded == 0);
  CHECK(presented.missed_vblanks == 7 * (refreshes - 1));
  CHECK(CloseHandle(waitable));
}

TEST_CASE("swap chain: sync interval n leaves each frame on screen for n vertical blanks", "[d3d12]") {
  const UINT interval = GENERATE(1U, 2U, 3U, 4U);
  Game game(swap_chain_desc(3), 2000);
  for (int i = 0; i < 6; ++i) game.frame(interval);
  game.show(6);
  CHECK(game.steps() == Steps(5, interval));
  CHECK(game.display().presented(Game::id()).missed_vblanks == 0);
}

TEST_CASE("swap chain: without sync the newest frame is on screen at each vertical blank, and others are discarded",
          "[d3d12]") {
  // Of three buffers one is on screen: two frames a refresh.
  Game game(swap_chain_desc(3), 1000);
  for (int i = 0; i < 20; ++i) game.frame(0);
  game.show(10);
  CHECK(game.steps() == Steps(9, 1));
  const auto presented = game.display().presented(Game::id());
  CHECK(presented.discarded >= 9);
  CHECK(presented.missed_vblanks == 0);
}

TEST_CASE("swap chain: with tearing every frame is on screen when it is done", "[d3d12]") {
  Game game(swap_chain_desc(2, DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING), 3000);
  for (int i = 0; i < 10; ++i) game.frame(0, DXGI_PRESENT_ALLOW_TEARING);
  game.finish();
  const auto presented = game.display().presented(Game::id());
  CHECK(presented.shown == 10);
  CHECK(presented.discarded == 0);
  for (std::size_t i = 1; i < presented.shown_at_ps.size(); ++i) {
    const double frame_us = static_cast<double>(presented.shown_at_ps[i] - presented.shown_at_ps[i - 1]) / 1e6;
    CHECK(frame_us == Approx(3000).margin(1));
  }
}

TEST_CASE("swap chain: Present blocks while three frames are on their way to the screen", "[d3d12]") {
  Game game(swap_chain_desc(4));
  for (int i = 0; i < 3; ++i) game.frame();
  CHECK(game.machine().now_ps() < game.vblank_ps(1));
  CHECK(game.chain->Present(1, DXGI_PRESENT_DO_NOT_WAIT) == DXGI_ERROR_WAS_STILL_DRAWING);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 3);
  game.frame();
  CHECK(game.machine().now_ps() == game.vblank_ps(1));
  game.frame();
  CHECK(game.machine().now_ps() == game.vblank_ps(2));
  game.show(3);
  CHECK(game.chain->Present(1, DXGI_PRESENT_DO_NOT_WAIT) == S_OK);
}

TEST_CASE("swap chain: the waitable object lets as many frames be on their way as the latency says", "[d3d12]") {
  const UINT latency = GENERATE(1U, 2U, 3U, 16U);
  Game game(swap_chain_desc(16, DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT));
  REQUIRE(game.chain->SetMaximumFrameLatency(latency) == S_OK);
  const HANDLE waitable = game.chain->GetFrameLatencyWaitableObject();
  for (UINT i = 0; i < latency; ++i) {
    REQUIRE(WaitForSingleObject(waitable, 0) == WAIT_OBJECT_0);
    game.frame();
  }
  CHECK(WaitForSingleObject(waitable, 0) == WAIT_TIMEOUT);
  for (std::uint64_t vblank = 1; vblank <= 20; ++vblank) {
    REQUIRE(WaitForSingleObject(waitable, INFINITE) == WAIT_OBJECT_0);
    CHECK(game.machine().now_ps() == game.vblank_ps(vblank));
    game.frame();
  }
  CHECK(WaitForSingleObject(waitable, 0) == WAIT_TIMEOUT);
  CHECK(CloseHandle(waitable));
}

TEST_CASE("swap chain: the GPU writes a buffer again when its frame has left the screen", "[d3d12]") {
  Game game(swap_chain_desc(2), 1000);
  GpuTimeline timeline(game.device.Get());
  for (int i = 0; i < 4; ++i) game.frame();
  game.show(4);
  const auto& runs = timeline.of(0);
  REQUIRE(runs.size() == 4);
  CHECK(runs[1].start_ps == runs[0].end_ps);     // into the other buffer
  CHECK(runs[2].start_ps == game.vblank_ps(2));  // the second frame takes the first one's place
  CHECK(runs[3].start_ps == game.vblank_ps(3));
  CHECK(game.steps() == Steps(3, 1));
}

TEST_CASE("swap chain: two of them on one queue flip by themselves", "[d3d12]") {
  Game game(swap_chain_desc(2), 1000);
  const auto other = swap_chain_of(game.factory.Get(), game.queue.Get(), swap_chain_desc(3));
  for (int i = 0; i < 6; ++i) {
    game.frame(1);
    if (i % 2 == 0) REQUIRE(other->Present(2, 0) == S_OK);
  }
  game.show(6);
  CHECK(game.steps() == Steps(5, 1));
  const auto presented = game.display().presented(fenceline::SwapChainId{1});
  REQUIRE(presented.shown == 3);
  const auto& clock = game.display().vblanks();
  CHECK(clock.last_at(presented.shown_at_ps[2]) - clock.last_at(presented.shown_at_ps[1]) == 2);
}

TEST_CASE("swap chain: frames get on screen at the same times again", "[d3d12]") {
  const auto play = [] {
    Game game(swap_chain_desc(3), 9000);
    for (UINT i = 0; i < 30; ++i) {
      if (i % 7 == 3) game.set_work(i % 2 == 0 ? 20000 : 5000);
      game.frame(i % 4);
    }
    game.show(15);
    return game.steps();
  };
  const auto first = play();
  CHECK(first.size() >= 14);
  CHECK(play() == first);
}

TEST_CASE("swap chain: statistics tell of the frame on screen and of the last vertical blank", "[d3d12]") {
  Game game(swap_chain_desc(2), 1000);
  DXGI_FRAME_STATISTICS statistics{};
  UINT count = 7;
  CHECK(game.chain->GetLastPresentCount(&count) == S_OK);
  CHECK(count == 0);
  CHECK(game.chain->GetFrameStatistics(&statistics) == DXGI_ERROR_FRAME_STATISTICS_DISJOINT);
  for (int i = 0; i < 2; ++i) game.frame();
  CHECK(game.chain->GetLastPresentCount(&count) == S_OK);
  CHECK(count == 2);
  game.show(2);
  Sleep(50);
  REQUIRE(game.chain->GetFrameStatistics(&statistics) == S_OK);
  CHECK(statistics.PresentCount == 2);
  CHECK(statistics.PresentRefreshCount == game.start + 2);
  const std::uint64_t vblank = game.display().vblanks().last_at(game.machine().now_ps());
  CHECK(statistics.SyncRefreshCount == vblank);
  CHECK(vblank >= game.start + 4);
  CHECK(static_cast<std::uint64_t>(statistics.SyncQPCTime.QuadPart) ==
        game.display().vblanks().time_of(vblank) / 100'000);
  CHECK(statistics.SyncGPUTime.QuadPart == 0);
}
