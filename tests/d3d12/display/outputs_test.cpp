// SPDX-License-Identifier: Apache-2.0
// The outputs of an adapter, as DXGI tells of them, and swap chains that are restricted to one.
#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/dxgi/dxgi_adapter.hpp"
#include "api/d3d12/host/host.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/display/game.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// A machine with a screen of 60 Hz and one of 144 Hz at its right, its device and what DXGI tells of it.
struct Desk {
  Desk() : device(tiny_with([](MachineConfig& tiny) { tiny.display.outputs = {right()}; })) {
    described.machine = machine_of(device.Get()).config();
    described.luid = device->GetAdapterLuid();
    described.video_memory = std::make_shared<d3d12::VideoMemory>(described.machine.video_memory);
    REQUIRE(CreateDXGIFactory1(IID_PPV_ARGS(&factory)) == S_OK);
    adapter.Attach(new d3d12::DxgiAdapter(*factory.Get(), described));
  }
  static OutputConfig right() {
    OutputConfig screen;
    screen.name = "right";
    screen.refresh_hz = 144;
    screen.width = 2560;
    screen.height = 1440;
    return screen;
  }
  ComPtr<IDXGIOutput> output(UINT index) const {
    ComPtr<IDXGIOutput> found;
    REQUIRE(adapter->EnumOutputs(index, &found) == S_OK);
    return found;
  }
  ComPtr<ID3D12Device> device;
  d3d12::Adapter described;
  ComPtr<IDXGIFactory7> factory;
  ComPtr<IDXGIAdapter4> adapter;
};

/// A thread that has waited for a vertical blank of that rate knows of one that has just been.
void check_blanks(IDXGIOutput& output, std::uint64_t rate_mhz) {
  using d3d12::Host;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t before_ps = Host::clock_ps();
    REQUIRE(output.WaitForVBlank() == S_OK);
    const unsigned __int128 now_ps = Host::clock_ps();
    CHECK(now_ps > before_ps);
    const auto last = static_cast<std::uint64_t>(now_ps * rate_mhz / 1'000'000'000'000'000);
    const unsigned __int128 at_ps =
        (static_cast<unsigned __int128>(last) * 1'000'000'000'000'000 + rate_mhz - 1) / rate_mhz;
    CHECK(static_cast<std::uint64_t>(now_ps - at_ps) < 100'000'000);  // what it takes to know of it
    Host::spend(1'000'000'000);
  }
}

}  // namespace

TEST_CASE("outputs: an adapter lists those of its machine, side by side on the desktop", "[d3d12]") {
  const Desk desk;
  DXGI_OUTPUT_DESC desc{};
  REQUIRE(desk.output(0)->GetDesc(&desc) == S_OK);
  CHECK(std::wstring(desc.DeviceName) == L"\\\\.\\DISPLAY1");
  CHECK(desc.DesktopCoordinates.left == 0);
  CHECK(desc.DesktopCoordinates.right == 1920);
  CHECK(desc.DesktopCoordinates.bottom == 1080);
  CHECK(desc.AttachedToDesktop == TRUE);
  ComPtr<IDXGIOutput6> right;
  REQUIRE(desk.output(1).As(&right) == S_OK);
  DXGI_OUTPUT_DESC1 desc1{};
  REQUIRE(right->GetDesc1(&desc1) == S_OK);
  CHECK(std::wstring(desc1.DeviceName) == L"\\\\.\\DISPLAY2");
  CHECK(desc1.DesktopCoordinates.left == 1920);
  CHECK(desc1.DesktopCoordinates.right == 1920 + 2560);
  CHECK(desc1.ColorSpace == DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709);
  CHECK(right->GetDesc1(nullptr) == E_INVALIDARG);
  IDXGIOutput* none = right.Get();
  CHECK(desk.adapter->EnumOutputs(2, &none) == DXGI_ERROR_NOT_FOUND);
  CHECK(none == nullptr);
  CHECK(desk.adapter->EnumOutputs(0, nullptr) == DXGI_ERROR_INVALID_CALL);
  ComPtr<IDXGIAdapter1> parent;
  REQUIRE(right->GetParent(IID_PPV_ARGS(&parent)) == S_OK);
  CHECK(parent.Get() == desk.adapter.Get());
}

TEST_CASE("outputs: each has the one mode that the machine says", "[d3d12]") {
  const Desk desk;
  const ComPtr<IDXGIOutput> right = desk.output(1);
  UINT count = 7;
  REQUIRE(right->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, nullptr) == S_OK);
  CHECK(count == 1);
  count = 0;
  DXGI_MODE_DESC mode{};
  CHECK(right->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, &mode) == DXGI_ERROR_MORE_DATA);
  count = 1;
  REQUIRE(right->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, &mode) == S_OK);
  CHECK(mode.Width == 2560);
  CHECK(mode.Height == 1440);
  CHECK(mode.RefreshRate.Numerator == 144);
  CHECK(mode.RefreshRate.Denominator == 1);
  count = 1;
  REQUIRE(right->GetDisplayModeList(DXGI_FORMAT_BC1_UNORM, 0, &count, &mode) == S_OK);
  CHECK(count == 0);
  CHECK(right->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, nullptr, nullptr) == DXGI_ERROR_INVALID_CALL);

  DXGI_MODE_DESC wanted{};
  wanted.Width = 640;
  wanted.Height = 480;
  wanted.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
  REQUIRE(right->FindClosestMatchingMode(&wanted, &mode, nullptr) == S_OK);
  CHECK(mode.Width == 2560);
  CHECK(mode.Format == DXGI_FORMAT_B8G8R8A8_UNORM);
  wanted.Format = DXGI_FORMAT_UNKNOWN;
  CHECK(right->FindClosestMatchingMode(&wanted, &mode, nullptr) == DXGI_ERROR_INVALID_CALL);
  CHECK(right->FindClosestMatchingMode(nullptr, &mode, nullptr) == DXGI_ERROR_INVALID_CALL);
}

TEST_CASE("outputs: a thread that waits for a vertical blank goes on after it, with a device and without", "[d3d12]") {
  check_blanks(*Desk().output(1).Get(), 144'000);
  const App app;
  ComPtr<IDXGIFactory4> factory;
  ComPtr<IDXGIAdapter> adapter;
  ComPtr<IDXGIOutput> primary;
  REQUIRE(CreateDXGIFactory1(IID_PPV_ARGS(&factory)) == S_OK);
  REQUIRE(factory->EnumAdapterByLuid(app.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  REQUIRE(adapter->EnumOutputs(0, &primary) == S_OK);
  check_blanks(*primary.Get(), 60'000);
}

TEST_CASE("swap chain: one restricted to an output has its size and its vertical blanks", "[d3d12]") {
  const Desk desk;
  ComPtr<ID3D12CommandQueue> queue;
  const D3D12_COMMAND_QUEUE_DESC queue_desc{};
  REQUIRE(desk.device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)) == S_OK);
  DXGI_SWAP_CHAIN_DESC1 desc = swap_chain_desc(3);
  desc.Width = desc.Height = 0;
  const ComPtr<IDXGIOutput> right = desk.output(1);
  ComPtr<IDXGISwapChain1> chain;
  const HWND window{77};
  REQUIRE(desk.factory->CreateSwapChainForHwnd(queue.Get(), window, &desc, nullptr, right.Get(), &chain) == S_OK);
  REQUIRE(chain->GetDesc1(&desc) == S_OK);
  CHECK(desc.Width == 2560);
  CHECK(desc.Height == 1440);
  ComPtr<IDXGIOutput> found;
  REQUIRE(chain->GetRestrictToOutput(&found) == S_OK);
  CHECK(found.Get() == right.Get());
  REQUIRE(chain->GetContainingOutput(&found) == S_OK);
  DXGI_OUTPUT_DESC of{};
  REQUIRE(found->GetDesc(&of) == S_OK);
  CHECK(std::wstring(of.DeviceName) == L"\\\\.\\DISPLAY2");

  // Present blocks with three frames on their way: one a vertical blank, of this output.
  const auto after = [&](int frames) {
    for (int i = 0; i < frames; ++i) REQUIRE(chain->Present(1, 0) == S_OK);
    DXGI_FRAME_STATISTICS statistics{};
    REQUIRE(chain->GetFrameStatistics(&statistics) == S_OK);
    return statistics;
  };
  const DXGI_FRAME_STATISTICS first = after(6);
  const std::uint64_t first_ps = d3d12::Host::clock_ps();
  const DXGI_FRAME_STATISTICS then = after(72);
  CHECK(then.PresentCount - first.PresentCount == 72);
  CHECK(then.PresentRefreshCount - first.PresentRefreshCount == 72);
  const std::uint64_t taken_ps = d3d12::Host::clock_ps() - first_ps;
  CHECK(taken_ps > 490'000'000'000);  // half a second at 144 Hz; at 60 Hz it would be 1.2 s
  CHECK(taken_ps < 510'000'000'000);

  chain.Reset();
  ComPtr<IDXGISwapChain1> free;
  REQUIRE(desk.factory->CreateSwapChainForHwnd(queue.Get(), window, &desc, nullptr, nullptr, &free) == S_OK);
  REQUIRE(free->GetRestrictToOutput(&found) == S_OK);
  CHECK(found == nullptr);
}
