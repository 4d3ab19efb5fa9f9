// SPDX-License-Identifier: Apache-2.0
// PIX's markers by either of their headers.
#include "api/windows_compat/pix.hpp"

#include "api/d3d12/event.hpp"
#include "api/public/pix3.hpp"
#include "api/windows_compat/dxgi_debug.hpp"
#include "api/windows_compat/graphics_analysis.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

/// A list that keeps what it is told.
struct Context {
  void BeginEvent(UINT kind, const void* text, UINT bytes) { told.push_back("begin " + text_of(kind, text, bytes)); }
  void SetMarker(UINT kind, const void* text, UINT bytes) { told.push_back("marker " + text_of(kind, text, bytes)); }
  void EndEvent() { told.emplace_back("end"); }
  static std::string text_of(UINT kind, const void* text, UINT bytes) {
    if (kind == 1) return {static_cast<const char*>(text), bytes - 1};
    const std::wstring wide(static_cast<const wchar_t*>(text), bytes / sizeof(wchar_t) - 1);
    return {wide.begin(), wide.end()};
  }
  std::vector<std::string> told;
};

}  // namespace

TEST_CASE("PIX: a program may include both headers, and its events and markers are the context's", "[windows_compat]") {
  Context context;
  {
    PIXScopedEvent(&context, PIX_COLOR(1, 2, 3), "frame %d", 7);
    PIXSetMarker(&context, PIX_COLOR_DEFAULT, L"half %d", 2);
    PIXScopedEvent(PIX_COLOR_INDEX(4), "of nobody");
  }
  PIXBeginEvent(&context, 0, L"pass");
  PIXEndEvent(&context);
  CHECK(context.told == std::vector<std::string>{"begin frame 7", "marker half 2", "end", "begin pass", "end"});
}

TEST_CASE("PIX: IDXGraphicsAnalysis begins and ends captures, of the program's name", "[windows_compat]") {
  const fenceline::testing::TemporaryDirectory directory;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory / "");
  setenv("FENCELINE_MACHINE", "tiny", 1);
  IDXGraphicsAnalysis* analysis = nullptr;
  REQUIRE(DXGIGetDebugInterface1(0, __uuidof(IDXGraphicsAnalysis), reinterpret_cast<void**>(&analysis)) == S_OK);
  ID3D12Device* device = nullptr;
  REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device),
                            reinterpret_cast<void**>(&device)) == S_OK);
  const D3D12_COMMAND_QUEUE_DESC desc{D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  ID3D12CommandQueue* queue = nullptr;
  REQUIRE(device->CreateCommandQueue(&desc, __uuidof(ID3D12CommandQueue), reinterpret_cast<void**>(&queue)) == S_OK);
  analysis->BeginCapture();
  CHECK(PIXGetCaptureState() == PIX_CAPTURE_GPU);
  analysis->EndCapture();
  CHECK(PIXGetCaptureState() == 0);
  CHECK(std::filesystem::exists(directory / "windows_compat_tests.capture"));
  IUnknown* other = nullptr;
  CHECK(DXGIGetDebugInterface1(0, __uuidof(IDXGIDebug), reinterpret_cast<void**>(&other)) == E_NOINTERFACE);
  CHECK(analysis->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(&other)) == S_OK);
  queue->Release();
  device->Release();
  std::filesystem::current_path(before);
}
