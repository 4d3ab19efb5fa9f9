// SPDX-License-Identifier: Apache-2.0
// What the debug layer tells of swap chains.
#include "scheduler/display/display.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/display/game.hpp"

using namespace fenceline::testing;

namespace {

/// A game with the debug layer on.
struct DebuggedGame : DebugLayerOn, Game {
  DebuggedGame() : Game(swap_chain_desc(3)) { REQUIRE(device.As(&messages) == S_OK); }
  std::vector<Said> said() { return take_messages(*messages.Get()); }
  Ids said_ids() { return take_ids(*messages.Get()); }
  ComPtr<ID3D12InfoQueue> messages;
};

}  // namespace

TEST_CASE("swap chain: the debug layer tells of a buffer that is not in PRESENT, when the GPU comes to it", "[d3d12]") {
  DebuggedGame game;
  game.frame();
  game.finish();
  CHECK(game.said().empty());
  const auto allocator = game.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto list = game.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Transition = {game.buffers[1].Get(), 0, D3D12_RESOURCE_STATE_PRESENT, D3D12_RESOURCE_STATE_RENDER_TARGET};
  list->ResourceBarrier(1, &barrier);
  REQUIRE(list->Close() == S_OK);
  game.execute(list.Get());
  REQUIRE(game.chain->Present(1, 0) == S_OK);
  game.finish();
  const std::vector<Said> said = game.said();
  REQUIRE(said.size() == 1);
  CHECK(said[0].id == D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE);
  CHECK(said[0].severity == D3D12_MESSAGE_SEVERITY_WARNING);
}

TEST_CASE("swap chain: the debug layer tells of a list that writes another buffer than the current one", "[d3d12]") {
  DebuggedGame game;
  const auto wrong = game.frame_list(1);
  game.execute(wrong.Get());
  const std::vector<Said> said = game.said();
  REQUIRE(said.size() == 1);
  CHECK(said[0].id == D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_WRONGSWAPCHAINBUFFERREFERENCE);
  CHECK(said[0].severity == D3D12_MESSAGE_SEVERITY_ERROR);
  CHECK(game.device->GetDeviceRemovedReason() == S_OK);
  REQUIRE(game.chain->Present(1, 0) == S_OK);
  game.finish();
  game.execute(wrong.Get());  // now it is
  CHECK(game.said().empty());
  game.finish();

  SECTION("by a clear, a copy, a render pass") {
    const auto allocator = game.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
    const auto upload = game.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 640, 480);
    const auto target = game.view(2);
    const float black[4] = {};
    D3D12_RENDER_PASS_RENDER_TARGET_DESC pass{};
    pass.cpuDescriptor = target;
    pass.BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE;
    pass.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE;
    for (const int how : {0, 1, 2, 3}) {
      const auto list = game.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
      ComPtr<ID3D12GraphicsCommandList4> list4;
      REQUIRE(list.As(&list4) == S_OK);
      if (how == 0) list->ClearRenderTargetView(target, black, 0, nullptr);
      if (how == 1) list->CopyResource(game.buffers[2].Get(), upload.Get());
      if (how == 2) list4->BeginRenderPass(1, &pass, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
      if (how == 2) list4->EndRenderPass();
      if (how == 3) list->CopyResource(upload.Get(), game.buffers[2].Get());  // reads
      REQUIRE(list->Close() == S_OK);
      game.execute(list.Get());
      const Ids ids = game.said_ids();
      const bool told = !ids.empty() && ids[0] == D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_WRONGSWAPCHAINBUFFERREFERENCE;
      CHECK(told == (how < 3));
      game.finish();
      game.said();
    }
  }
}
