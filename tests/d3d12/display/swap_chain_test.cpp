// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display.hpp"
#include "tests/d3d12/display/game.hpp"

using namespace fenceline::testing;

TEST_CASE("swap chain: its interfaces are one object", "[d3d12]") {
  Game game(swap_chain_desc());
  IUnknown* const identity = [&] {
    ComPtr<IUnknown> unknown;
    REQUIRE(game.chain.As(&unknown) == S_OK);
    return unknown.Get();
  }();
  const IID iids[] = {__uuidof(IUnknown),        __uuidof(IDXGIObject),     __uuidof(IDXGIDeviceSubObject),
                      __uuidof(IDXGISwapChain),  __uuidof(IDXGISwapChain1), __uuidof(IDXGISwapChain2),
                      __uuidof(IDXGISwapChain3), __uuidof(IDXGISwapChain4)};
  for (const IID& iid : iids) {
    ComPtr<IUnknown> one;
    REQUIRE(game.chain->QueryInterface(iid, reinterpret_cast<void**>(one.GetAddressOf())) == S_OK);
    ComPtr<IUnknown> unknown;
    REQUIRE(one.As(&unknown) == S_OK);
    CHECK(unknown.Get() == identity);
  }
  void* none = &game;
  CHECK(game.chain->QueryInterface(__uuidof(IDXGIFactory), &none) == E_NOINTERFACE);
  CHECK(none == nullptr);
  CHECK(game.chain->QueryInterface(__uuidof(IDXGIFactory), nullptr) == E_POINTER);
}

TEST_CASE("swap chain: has a reference to its factory and to its queue", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  auto factory = dxgi_factory();
  CHECK(references(factory.Get()) == 1);
  const ULONG device_references = references(app.device.Get());
  auto chain = swap_chain_of(factory.Get(), queue.Get(), swap_chain_desc(3));
  CHECK(references(chain.Get()) == 1);
  CHECK(references(factory.Get()) == 2);
  CHECK(references(queue.Get()) == 2);
  CHECK(references(app.device.Get()) == device_references);
  ComPtr<IUnknown> parent;
  REQUIRE(chain->GetParent(IID_PPV_ARGS(&parent)) == S_OK);
  CHECK(parent.Get() == static_cast<IUnknown*>(factory.Get()));
  ComPtr<ID3D12Device> device;
  REQUIRE(chain->GetDevice(IID_PPV_ARGS(&device)) == S_OK);
  CHECK(device.Get() == app.device.Get());
  device.Reset();
  parent.Reset();
  IDXGISwapChain4* const last = chain.Get();
  last->AddRef();
  chain.Reset();
  CHECK(last->Release() == 0);
  CHECK(references(factory.Get()) == 1);
  CHECK(references(queue.Get()) == 1);
  CHECK(references(app.device.Get()) == device_references);
}

TEST_CASE("swap chain: keeps its factory and queue when the program does not", "[d3d12]") {
  App app;
  ComPtr<IDXGISwapChain4> chain;
  {
    const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
    chain = swap_chain_of(dxgi_factory().Get(), queue.Get(), swap_chain_desc());
  }
  CHECK(chain->Present(1, 0) == S_OK);
  ComPtr<IDXGIFactory2> factory;
  CHECK(chain->GetParent(IID_PPV_ARGS(&factory)) == S_OK);
}

TEST_CASE("swap chain: its buffers are the same resources every time", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  auto desc = swap_chain_desc(3);
  desc.BufferUsage |= DXGI_USAGE_UNORDERED_ACCESS;
  auto chain = swap_chain_of(dxgi_factory().Get(), queue.Get(), desc);
  const ULONG device_references = references(app.device.Get());
  for (UINT i = 0; i < 3; ++i) {
    ComPtr<ID3D12Resource> buffer;
    REQUIRE(chain->GetBuffer(i, IID_PPV_ARGS(&buffer)) == S_OK);
    CHECK(references(buffer.Get()) == 1);
    CHECK(references(app.device.Get()) == device_references + 1);
    ComPtr<ID3D12Resource2> again;
    REQUIRE(chain->GetBuffer(i, IID_PPV_ARGS(&again)) == S_OK);
    CHECK(static_cast<ID3D12Resource*>(again.Get()) == buffer.Get());
    const D3D12_RESOURCE_DESC is = buffer->GetDesc();
    CHECK(is.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D);
    CHECK(is.Width == 640);
    CHECK(is.Height == 480);
    CHECK(is.DepthOrArraySize == 1);
    CHECK(is.MipLevels == 1);
    CHECK(is.Format == DXGI_FORMAT_R8G8B8A8_UNORM);
    CHECK(is.SampleDesc.Count == 1);
    CHECK(is.Layout == D3D12_TEXTURE_LAYOUT_UNKNOWN);
    CHECK(is.Flags == (D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS));
    again.Reset();
    ID3D12Resource* const last = buffer.Get();
    last->AddRef();
    buffer.Reset();
    CHECK(last->Release() == 0);
    CHECK(references(app.device.Get()) == device_references);
  }
  ComPtr<ID3D12Resource> none;
  CHECK(chain->GetBuffer(3, IID_PPV_ARGS(&none)) == DXGI_ERROR_INVALID_CALL);
  CHECK(chain->GetBuffer(0, __uuidof(ID3D12Resource), nullptr) == DXGI_ERROR_INVALID_CALL);
  void* surface = &app;
  CHECK(chain->GetBuffer(0, __uuidof(IDXGISurface), &surface) == E_NOINTERFACE);
  CHECK(surface == nullptr);

  // One that the program keeps outlives its swap chain.
  REQUIRE(chain->GetBuffer(1, IID_PPV_ARGS(&none)) == S_OK);
  chain.Reset();
  CHECK(none->GetDesc().Width == 640);
}

TEST_CASE("swap chain: what cannot be created", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto factory = dxgi_factory();
  const auto desc = swap_chain_desc();
  constexpr HWND window = 4;
  ComPtr<IDXGISwapChain1> chain;
  const auto create = [&](IUnknown* device, HWND in, const DXGI_SWAP_CHAIN_DESC1* of) {
    return factory->CreateSwapChainForHwnd(device, in, of, nullptr, nullptr, chain.ReleaseAndGetAddressOf());
  };
  CHECK(create(nullptr, window, &desc) == DXGI_ERROR_INVALID_CALL);
  CHECK(create(queue.Get(), 0, &desc) == DXGI_ERROR_INVALID_CALL);
  CHECK(create(queue.Get(), window, nullptr) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->CreateSwapChainForHwnd(queue.Get(), window, &desc, nullptr, nullptr, nullptr) ==
        DXGI_ERROR_INVALID_CALL);
  CHECK(create(app.device.Get(), window, &desc) == DXGI_ERROR_INVALID_CALL);
  for (const auto type : {D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY}) {
    CHECK(create(app.queue(type).Get(), window, &desc) == DXGI_ERROR_INVALID_CALL);
  }
  const auto blt = swap_chain_desc(2, 0, DXGI_SWAP_EFFECT_DISCARD);
  CHECK(create(queue.Get(), window, &blt) == DXGI_ERROR_INVALID_CALL);
  CHECK(chain.Get() == nullptr);
  CHECK(references(queue.Get()) == 1);

  REQUIRE(create(queue.Get(), window, &desc) == S_OK);
  ComPtr<IDXGISwapChain1> second;
  CHECK(factory->CreateSwapChainForHwnd(queue.Get(), window, &desc, nullptr, nullptr, &second) == E_ACCESSDENIED);
  chain.Reset();
  CHECK(create(queue.Get(), window, &desc) == S_OK);

  ComPtr<ID3D12Device5> device5;
  REQUIRE(app.device.As(&device5) == S_OK);
  device5->RemoveDevice();
  CHECK(factory->CreateSwapChainForComposition(queue.Get(), &desc, nullptr, &second) == DXGI_ERROR_DEVICE_REMOVED);
}

TEST_CASE("swap chain: tells what it was created as", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto factory = dxgi_factory();
  constexpr HWND window = 7;
  DXGI_SWAP_CHAIN_DESC desc{};
  desc.BufferDesc.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
  desc.BufferDesc.RefreshRate = {60, 1};
  desc.SampleDesc = {1, 0};
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = 2;
  desc.OutputWindow = window;
  desc.Windowed = TRUE;
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL;
  ComPtr<IDXGISwapChain> old;
  CHECK(factory->CreateSwapChain(nullptr, &desc, &old) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->CreateSwapChain(queue.Get(), nullptr, &old) == DXGI_ERROR_INVALID_CALL);
  CHECK(factory->CreateSwapChain(queue.Get(), &desc, nullptr) == DXGI_ERROR_INVALID_CALL);
  REQUIRE(factory->CreateSwapChain(queue.Get(), &desc, &old) == S_OK);
  ComPtr<IDXGISwapChain4> chain;
  REQUIRE(old.As(&chain) == S_OK);

  DXGI_SWAP_CHAIN_DESC told{};
  REQUIRE(chain->GetDesc(&told) == S_OK);
  CHECK(told.BufferDesc.Width == 1920);  // the window's, which is as large as the display
  CHECK(told.BufferDesc.Height == 1080);
  CHECK(told.BufferDesc.RefreshRate.Numerator == 60);
  CHECK(told.BufferDesc.Format == DXGI_FORMAT_B8G8R8A8_UNORM);
  CHECK(told.OutputWindow == window);
  CHECK(told.Windowed == TRUE);
  CHECK(told.SwapEffect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL);
  CHECK(told.BufferCount == 2);
  DXGI_SWAP_CHAIN_DESC1 told1{};
  REQUIRE(chain->GetDesc1(&told1) == S_OK);
  CHECK(told1.Width == 1920);
  CHECK(told1.AlphaMode == DXGI_ALPHA_MODE_IGNORE);
  CHECK(told1.Scaling == DXGI_SCALING_STRETCH);
  CHECK(chain->GetDesc(nullptr) == E_INVALIDARG);
  CHECK(chain->GetDesc1(nullptr) == E_INVALIDARG);
  DXGI_SWAP_CHAIN_FULLSCREEN_DESC full{};
  CHECK(chain->GetFullscreenDesc(&full) == S_OK);
  CHECK(full.Windowed == TRUE);
  HWND in = 0;
  CHECK(chain->GetHwnd(&in) == S_OK);
  CHECK(in == window);

  BOOL fullscreen = TRUE;
  auto* output = reinterpret_cast<IDXGIOutput*>(&in);
  CHECK(chain->GetFullscreenState(&fullscreen, &output) == S_OK);
  CHECK(fullscreen == FALSE);
  CHECK(output == nullptr);
  CHECK(chain->GetFullscreenState(nullptr, nullptr) == S_OK);
  CHECK(chain->SetFullscreenState(FALSE, nullptr) == S_OK);
  CHECK(chain->SetFullscreenState(TRUE, nullptr) == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);

  UINT width = 0;
  UINT height = 0;
  CHECK(chain->SetSourceSize(960, 540) == S_OK);
  CHECK(chain->SetSourceSize(1921, 540) == DXGI_ERROR_INVALID_CALL);
  CHECK(chain->GetSourceSize(&width, &height) == S_OK);
  CHECK(width == 960);
  UINT support = 7;
  CHECK(chain->CheckColorSpaceSupport(DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709, &support) == S_OK);
  CHECK(support == DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT);
  CHECK(chain->CheckColorSpaceSupport(DXGI_COLOR_SPACE_RGB_FULL_G2084_NONE_P2020, &support) == S_OK);
  CHECK(support == 0);
  CHECK(chain->SetColorSpace1(DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709) == S_OK);
  CHECK(chain->SetColorSpace1(DXGI_COLOR_SPACE_RGB_FULL_G2084_NONE_P2020) == E_INVALIDARG);
  CHECK(chain->SetRotation(DXGI_MODE_ROTATION_ROTATE90) == S_OK);
  CHECK(chain->SetRotation(DXGI_MODE_ROTATION_UNSPECIFIED) == DXGI_ERROR_INVALID_CALL);
  const DXGI_MATRIX_3X2_F matrix{2, 0, 0, 2, 0, 0};
  CHECK(chain->SetMatrixTransform(&matrix) == DXGI_ERROR_INVALID_CALL);

  const GUID guid{0x1234, 1, 2, {}};
  UINT bytes = 4;
  UINT data = 9;
  CHECK(chain->GetPrivateData(guid, &bytes, &data) == DXGI_ERROR_NOT_FOUND);
  bytes = 4;
  CHECK(chain->SetPrivateData(guid, 4, &data) == S_OK);
  data = 0;
  CHECK(chain->GetPrivateData(guid, &bytes, &data) == S_OK);
  CHECK(data == 9);

  auto composed = swap_chain_of(factory.Get(), queue.Get(), swap_chain_desc());
  CHECK(composed->GetHwnd(&in) == DXGI_ERROR_INVALID_CALL);
  CHECK(composed->GetFullscreenDesc(&full) == DXGI_ERROR_INVALID_CALL);
  CHECK(composed->SetMatrixTransform(&matrix) == S_OK);
}

TEST_CASE("swap chain: Present goes through the buffers, whatever the GPU does", "[d3d12]") {
  Game game(swap_chain_desc(4, waitable_flag));
  const auto fence = game.fence();
  REQUIRE(game.queue->Wait(fence.Get(), 1) == S_OK);
  for (UINT i = 0; i < 10; ++i) {
    CHECK(game.chain->GetCurrentBackBufferIndex() == i % 4);
    CHECK(game.chain->Present(0, 0) == S_OK);
  }
  for (UINT interval = 0; interval < 10; ++interval) {
    CHECK(game.chain->Present(interval, DXGI_PRESENT_TEST) == (interval <= 4 ? S_OK : DXGI_ERROR_INVALID_CALL));
  }
  CHECK(game.chain->Present(0, DXGI_PRESENT_ALLOW_TEARING) == DXGI_ERROR_INVALID_CALL);
  CHECK(game.chain->Present(0, 1U << 31) == DXGI_ERROR_INVALID_CALL);
  DXGI_PRESENT_PARAMETERS parameters{};
  CHECK(game.chain->Present1(1, DXGI_PRESENT_TEST, &parameters) == S_OK);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 10 % 4);
  CHECK(game.chain->Present1(1, 0, &parameters) == S_OK);
  CHECK(game.chain->GetCurrentBackBufferIndex() == 11 % 4);
  REQUIRE(fence->Signal(1) == S_OK);
  game.show(1);  // the last
  CHECK(game.display().presented(Game::id()).discarded == 10);
}

TEST_CASE("swap chain: restart throws away frames that wait for the screen", "[d3d12]") {
  Game game(swap_chain_desc(4, waitable_flag));
  for (int i = 0; i < 3; ++i) REQUIRE(game.chain->Present(4, 0) == S_OK);
  game.show(1);
  REQUIRE(game.chain->Present(1, DXGI_PRESENT_RESTART) == S_OK);
  game.show(2);
  CHECK(game.steps() == std::vector<std::uint64_t>{4});
  CHECK(game.display().presented(Game::id()).discarded == 2);
}

TEST_CASE("swap chain: the waitable object is a semaphore that each frame releases", "[d3d12]") {
  Game plain(swap_chain_desc());
  UINT latency = 77;
  CHECK(plain.chain->GetMaximumFrameLatency(&latency) == DXGI_ERROR_INVALID_CALL);
  CHECK(latency == 77);
  CHECK(plain.chain->SetMaximumFrameLatency(1) == DXGI_ERROR_INVALID_CALL);
  CHECK(plain.chain->GetFrameLatencyWaitableObject() == nullptr);

  const auto chain = swap_chain_of(plain.factory.Get(), plain.queue.Get(), swap_chain_desc(2, waitable_flag));
  const HANDLE first = chain->GetFrameLatencyWaitableObject();
  const HANDLE other = chain->GetFrameLatencyWaitableObject();
  REQUIRE(first != nullptr);
  CHECK(first != other);
  CHECK(CloseHandle(first));
  const HANDLE semaphore = chain->GetFrameLatencyWaitableObject();
  CHECK_FALSE(SetEvent(semaphore));
  CHECK_FALSE(ResetEvent(semaphore));
  CHECK(WaitForSingleObject(other, 0) == WAIT_OBJECT_0);  // both are the same
  CHECK(WaitForSingleObject(semaphore, 0) == WAIT_TIMEOUT);
  CHECK(CloseHandle(other));

  CHECK(chain->GetMaximumFrameLatency(&latency) == S_OK);
  CHECK(latency == 1);
  CHECK(chain->SetMaximumFrameLatency(0) == DXGI_ERROR_INVALID_CALL);
  CHECK(chain->SetMaximumFrameLatency(17) == DXGI_ERROR_INVALID_CALL);
  CHECK(chain->SetMaximumFrameLatency(3) == S_OK);
  CHECK(chain->GetMaximumFrameLatency(&latency) == S_OK);
  CHECK(latency == 3);
  for (int i = 0; i < 2; ++i) CHECK(WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0);
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);
  CHECK(chain->SetMaximumFrameLatency(1) == S_OK);
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);

  for (int i = 0; i < 5; ++i) {
    CHECK(chain->Present(0, 0) == S_OK);
    CHECK(WaitForSingleObject(semaphore, 100) == WAIT_OBJECT_0);
  }
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);
  for (int i = 0; i < 5; ++i) CHECK(chain->Present(0, 0) == S_OK);
  Sleep(100);
  for (int i = 0; i < 5; ++i) CHECK(WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0);
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);

  // Not before a frame gets to the screen.
  for (int i = 0; i < 3; ++i) CHECK(chain->Present(0, 0) == S_OK);
  const auto fence = plain.fence();
  REQUIRE(plain.queue->Wait(fence.Get(), 1) == S_OK);
  for (int i = 0; i < 4; ++i) CHECK(chain->Present(0, 0) == S_OK);
  for (int i = 0; i < 3; ++i) CHECK(WaitForSingleObject(semaphore, 100) == WAIT_OBJECT_0);
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);
  REQUIRE(fence->Signal(1) == S_OK);
  Sleep(100);
  for (int i = 0; i < 4; ++i) CHECK(WaitForSingleObject(semaphore, 100) == WAIT_OBJECT_0);
  CHECK(WaitForSingleObject(semaphore, 100) == WAIT_TIMEOUT);
  CHECK(CloseHandle(semaphore));
}
