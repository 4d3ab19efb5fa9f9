// SPDX-License-Identifier: Apache-2.0
// SwapChain, the family of functions that tell what it is. What only changes how a frame looks is kept and given back.
#include "api/d3d12/com/dxgi_object.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/dxgi/dxgi_adapter.hpp"
#include "api/d3d12/dxgi/swap_chain.hpp"
#include "api/d3d12/host/host.hpp"

namespace fenceline::d3d12 {

HRESULT SwapChain::GetParent(REFIID iid, void** parent) { return factory_.QueryInterface(iid, parent); }
HRESULT SwapChain::GetDevice(REFIID iid, void** device) { return device_.QueryInterface(iid, device); }

HRESULT SwapChain::GetDesc1(DXGI_SWAP_CHAIN_DESC1* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *desc = desc_;
  return S_OK;
}

HRESULT SwapChain::GetFullscreenDesc(DXGI_SWAP_CHAIN_FULLSCREEN_DESC* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  if (composed()) return DXGI_ERROR_INVALID_CALL;
  *desc = fullscreen_;
  return S_OK;
}

HRESULT SwapChain::GetDesc(DXGI_SWAP_CHAIN_DESC* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  desc->BufferDesc = {
      desc_.Width,        desc_.Height, fullscreen_.RefreshRate, desc_.Format, fullscreen_.ScanlineOrdering,
      fullscreen_.Scaling};
  desc->SampleDesc = desc_.SampleDesc;
  desc->BufferUsage = desc_.BufferUsage;
  desc->BufferCount = desc_.BufferCount;
  desc->OutputWindow = window_;
  desc->Windowed = fullscreen_.Windowed;
  desc->SwapEffect = desc_.SwapEffect;
  desc->Flags = desc_.Flags;
  return S_OK;
}

HRESULT SwapChain::SetFullscreenState(BOOL fullscreen, IDXGIOutput* target) {
  if (fullscreen == FALSE) return target == nullptr ? S_OK : DXGI_ERROR_INVALID_CALL;
  if (composed()) return DXGI_ERROR_INVALID_CALL;
  not_modelled("IDXGISwapChain::SetFullscreenState of TRUE");
  return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

HRESULT SwapChain::GetFullscreenState(BOOL* fullscreen, IDXGIOutput** target) {
  if (fullscreen != nullptr) *fullscreen = FALSE;
  if (target != nullptr) *target = nullptr;
  return S_OK;
}

HRESULT SwapChain::ResizeTarget(const DXGI_MODE_DESC* mode) {
  if (mode == nullptr || composed()) return DXGI_ERROR_INVALID_CALL;
  return not_modelled("IDXGISwapChain::ResizeTarget");
}

HRESULT SwapChain::GetContainingOutput(IDXGIOutput** output) {
  if (output == nullptr) return DXGI_ERROR_INVALID_CALL;
  *output = nullptr;
  if (composed()) return DXGI_ERROR_INVALID_CALL;
  if (restrict_to_ != nullptr)
    return restrict_to_->QueryInterface(__uuidof(IDXGIOutput), reinterpret_cast<void**>(output));
  const Adapter* const of = find_adapter(device_.GetAdapterLuid());
  if (of == nullptr) return DXGI_ERROR_NOT_FOUND;  // a device of a machine that is no adapter of the process
  auto* const adapter = new DxgiAdapter(factory_, *of);
  const HRESULT result = adapter->EnumOutputs(0, output);
  adapter->Release();
  return result;
}

HRESULT SwapChain::GetRestrictToOutput(IDXGIOutput** output) {
  if (output == nullptr) return E_INVALIDARG;
  *output = nullptr;
  if (restrict_to_ == nullptr) return S_OK;
  return restrict_to_->QueryInterface(__uuidof(IDXGIOutput), reinterpret_cast<void**>(output));
}

HRESULT SwapChain::GetHwnd(HWND* window) {
  if (window == nullptr) return DXGI_ERROR_INVALID_CALL;
  *window = window_;
  return composed() ? DXGI_ERROR_INVALID_CALL : S_OK;
}

HRESULT SwapChain::GetCoreWindow(REFIID, void** window) {
  if (window != nullptr) *window = nullptr;
  return DXGI_ERROR_INVALID_CALL;
}

HRESULT SwapChain::SetBackgroundColor(const DXGI_RGBA* color) {
  if (color == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  background_ = *color;
  return S_OK;
}

HRESULT SwapChain::GetBackgroundColor(DXGI_RGBA* color) {
  if (color == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *color = background_;
  return S_OK;
}

HRESULT SwapChain::SetRotation(DXGI_MODE_ROTATION rotation) {
  if (composed() || rotation < DXGI_MODE_ROTATION_IDENTITY || rotation > DXGI_MODE_ROTATION_ROTATE270) {
    return DXGI_ERROR_INVALID_CALL;
  }
  const Host::Lock lock = Host::instance().lock();
  rotation_ = rotation;
  return S_OK;
}

HRESULT SwapChain::GetRotation(DXGI_MODE_ROTATION* rotation) {
  if (rotation == nullptr || composed()) return DXGI_ERROR_INVALID_CALL;
  const Host::Lock lock = Host::instance().lock();
  *rotation = rotation_;
  return S_OK;
}

HRESULT SwapChain::SetSourceSize(UINT width, UINT height) {
  const Host::Lock lock = Host::instance().lock();
  if (width < 1 || height < 1 || width > desc_.Width || height > desc_.Height) return DXGI_ERROR_INVALID_CALL;
  source_width_ = width;
  source_height_ = height;
  return S_OK;
}

HRESULT SwapChain::GetSourceSize(UINT* width, UINT* height) {
  if (width == nullptr || height == nullptr) return DXGI_ERROR_INVALID_CALL;
  const Host::Lock lock = Host::instance().lock();
  *width = source_width_;
  *height = source_height_;
  return S_OK;
}

HRESULT SwapChain::SetMatrixTransform(const DXGI_MATRIX_3X2_F* matrix) {
  if (matrix == nullptr || !composed()) return DXGI_ERROR_INVALID_CALL;
  const Host::Lock lock = Host::instance().lock();
  matrix_ = *matrix;
  return S_OK;
}

HRESULT SwapChain::GetMatrixTransform(DXGI_MATRIX_3X2_F* matrix) {
  if (matrix == nullptr || !composed()) return DXGI_ERROR_INVALID_CALL;
  const Host::Lock lock = Host::instance().lock();
  *matrix = matrix_;
  return S_OK;
}

HRESULT SwapChain::CheckColorSpaceSupport(DXGI_COLOR_SPACE_TYPE space, UINT* support) {
  if (support == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  // A display of standard range: sRGB, and for floating-point numbers its linear form.
  const auto shown = desc_.Format == DXGI_FORMAT_R16G16B16A16_FLOAT ? DXGI_COLOR_SPACE_RGB_FULL_G10_NONE_P709
                                                                    : DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709;
  *support = space == shown ? DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT : 0;
  return S_OK;
}

HRESULT SwapChain::SetColorSpace1(DXGI_COLOR_SPACE_TYPE space) {
  UINT support = 0;
  CheckColorSpaceSupport(space, &support);
  return support != 0 ? S_OK : E_INVALIDARG;
}

/// The display has no high dynamic range, for which the data would be.
HRESULT SwapChain::SetHDRMetaData(DXGI_HDR_METADATA_TYPE type, UINT bytes, void* data) {
  switch (type) {
    case DXGI_HDR_METADATA_TYPE_NONE: return S_OK;
    case DXGI_HDR_METADATA_TYPE_HDR10:
      return data != nullptr && bytes == sizeof(DXGI_HDR_METADATA_HDR10) ? S_OK : E_INVALIDARG;
    case DXGI_HDR_METADATA_TYPE_HDR10PLUS:
      return data != nullptr && bytes == sizeof(DXGI_HDR_METADATA_HDR10PLUS) ? S_OK : E_INVALIDARG;
  }
  return E_INVALIDARG;
}

}  // namespace fenceline::d3d12
