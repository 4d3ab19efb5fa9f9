// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/dxgi_object.hpp"
#include "api/d3d12/com/held.hpp"
#include "api/d3d12/dxgi/dxgi_output.hpp"
#include "api/d3d12/dxgi/swap_chain_rules.hpp"
#include "api/d3d12/queues/command_queue.hpp"
#include "api/d3d12/queues/swap_chain_frames.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <memory>
#include <vector>

namespace fenceline::d3d12 {

/// What a swap chain is created for; the description of a full screen may be null.
struct SwapChainPlace {
  SwapChainTarget target;
  HWND window;
  const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen;
  DxgiOutput* restrict_to;  ///< its frames are seen there; null: on the primary output
};

/// IDXGISwapChain4 of the flip model, over a swap chain of the machine's display. It has references to its factory and
/// to the queues that present, and keeps its buffers. Any thread may call it.
///
/// Present blocks its thread while three frames are on their way to the screen; with the waitable object never: the
/// program waits. There is no full screen; windows are on the primary output, or where they are restricted to, and as
/// large as that.
class SwapChain final : public DxgiObject<Face<IDXGISwapChain4, IDXGISwapChain3, IDXGISwapChain2, IDXGISwapChain1,
                                               IDXGISwapChain, IDXGIDeviceSubObject, IDXGIObject>> {
 public:
  /// The description is valid, and nothing in it is left open. It has no buffers, and no frames, until it is open.
  SwapChain(IDXGIFactory7& factory, CommandQueue& queue, const SwapChainPlace& place,
            const DXGI_SWAP_CHAIN_DESC1& desc);
  /// Once. E_ACCESSDENIED: the window has a swap chain already.
  HRESULT open();

  // Frames: swap_chain.cpp.
  HRESULT STDMETHODCALLTYPE Present(UINT interval, UINT flags) override;
  HRESULT STDMETHODCALLTYPE Present1(UINT interval, UINT flags, const DXGI_PRESENT_PARAMETERS* parameters) override;
  UINT STDMETHODCALLTYPE GetCurrentBackBufferIndex() override;
  HRESULT STDMETHODCALLTYPE GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) override;
  HRESULT STDMETHODCALLTYPE GetLastPresentCount(UINT* count) override;
  HRESULT STDMETHODCALLTYPE SetMaximumFrameLatency(UINT frames) override;
  HRESULT STDMETHODCALLTYPE GetMaximumFrameLatency(UINT* frames) override;
  HANDLE STDMETHODCALLTYPE GetFrameLatencyWaitableObject() override;

  // Buffers: swap_chain_buffers.cpp.
  HRESULT STDMETHODCALLTYPE GetBuffer(UINT index, REFIID iid, void** buffer) override;
  HRESULT STDMETHODCALLTYPE ResizeBuffers(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags) override;
  HRESULT STDMETHODCALLTYPE ResizeBuffers1(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags,
                                           const UINT* node_masks, IUnknown* const* queues) override;

  // What it is: swap_chain_properties.cpp.
  HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) override;
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID iid, void** device) override;
  HRESULT STDMETHODCALLTYPE SetFullscreenState(BOOL fullscreen, IDXGIOutput* target) override;
  HRESULT STDMETHODCALLTYPE GetFullscreenState(BOOL* fullscreen, IDXGIOutput** target) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_SWAP_CHAIN_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE ResizeTarget(const DXGI_MODE_DESC* mode) override;
  HRESULT STDMETHODCALLTYPE GetContainingOutput(IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_SWAP_CHAIN_DESC1* desc) override;
  HRESULT STDMETHODCALLTYPE GetFullscreenDesc(DXGI_SWAP_CHAIN_FULLSCREEN_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE GetHwnd(HWND* window) override;
  HRESULT STDMETHODCALLTYPE GetCoreWindow(REFIID iid, void** window) override;
  BOOL STDMETHODCALLTYPE IsTemporaryMonoSupported() override { return FALSE; }
  HRESULT STDMETHODCALLTYPE GetRestrictToOutput(IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE SetBackgroundColor(const DXGI_RGBA* color) override;
  HRESULT STDMETHODCALLTYPE GetBackgroundColor(DXGI_RGBA* color) override;
  HRESULT STDMETHODCALLTYPE SetRotation(DXGI_MODE_ROTATION rotation) override;
  HRESULT STDMETHODCALLTYPE GetRotation(DXGI_MODE_ROTATION* rotation) override;
  HRESULT STDMETHODCALLTYPE SetSourceSize(UINT width, UINT height) override;
  HRESULT STDMETHODCALLTYPE GetSourceSize(UINT* width, UINT* height) override;
  HRESULT STDMETHODCALLTYPE SetMatrixTransform(const DXGI_MATRIX_3X2_F* matrix) override;
  HRESULT STDMETHODCALLTYPE GetMatrixTransform(DXGI_MATRIX_3X2_F* matrix) override;
  HRESULT STDMETHODCALLTYPE CheckColorSpaceSupport(DXGI_COLOR_SPACE_TYPE space, UINT* support) override;
  HRESULT STDMETHODCALLTYPE SetColorSpace1(DXGI_COLOR_SPACE_TYPE space) override;
  HRESULT STDMETHODCALLTYPE SetHDRMetaData(DXGI_HDR_METADATA_TYPE type, UINT bytes, void* data) override;

 private:
  ~SwapChain() override = default;
  void on_last_release() override;
  bool waitable() const { return (flags_ & DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT) != 0; }
  OutputId output() const { return restrict_to_ != nullptr ? restrict_to_->id() : OutputId{}; }
  bool composed() const { return target_ == SwapChainTarget::composition; }
  HRESULT refuse(const char* method, const Verdict& verdict);
  std::vector<Held<Resource>> make_buffers(const DXGI_SWAP_CHAIN_DESC1& desc, std::uint64_t generation);
  /// What ResizeBuffers' arguments ask for: 0 leaves as it is, or to the window.
  DXGI_SWAP_CHAIN_DESC1 resized(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags);
  /// The description is valid.
  HRESULT resize(const char* method, const DXGI_SWAP_CHAIN_DESC1& desc, std::vector<CommandQueue*> queues);

  IDXGIFactory7& factory_;
  DeviceCore& device_;
  SwapChainTarget target_;
  HWND window_;
  DxgiOutput* const restrict_to_;  // null: to none; has one reference
  const UINT flags_;               // at creation: those that count for frames stay
  DXGI_SWAP_CHAIN_DESC1 desc_;
  DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen_{{0, 0}, {}, {}, TRUE};
  std::shared_ptr<SwapChainFrames> frames_;
  bool open_ = false;
  std::vector<CommandQueue*> queues_;  // by buffer; each of them has one reference
  std::vector<Held<Resource>> buffers_;
  UINT latency_ = 1;            // of the waitable object
  HANDLE semaphore_ = nullptr;  // the waitable object
  DXGI_RGBA background_{};
  DXGI_MODE_ROTATION rotation_ = DXGI_MODE_ROTATION_IDENTITY;
  DXGI_MATRIX_3X2_F matrix_{1, 0, 0, 1, 0, 0};
  UINT source_width_ = 0;
  UINT source_height_ = 0;
};

/// The size that a window's swap chain has where the program leaves it open.
void fill_size(const DeviceCore& device, SwapChainTarget target, OutputId output, DXGI_SWAP_CHAIN_DESC1& desc);

/// IDXGIFactory2's functions that create swap chains: DXGI_ERROR_INVALID_CALL without a direct queue, or for a
/// description that is none of a D3D12 swap chain.
HRESULT create_swap_chain(IDXGIFactory7& factory, IUnknown* queue, const SwapChainPlace& place,
                          const DXGI_SWAP_CHAIN_DESC1* desc, IDXGISwapChain1** swap_chain);

}  // namespace fenceline::d3d12
