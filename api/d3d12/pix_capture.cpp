// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pix_capture.hpp"

#include "api/d3d12/com/marker_text.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/core/device_capture.hpp"
#include "api/d3d12/host/host.hpp"

#include <cerrno>
#include <cwchar>
#include <filesystem>
#include <string>

namespace {

using fenceline::d3d12::DeviceCapture;
using fenceline::d3d12::Host;

std::filesystem::path file_of(PCWSTR name) {
  if (name == nullptr || *name == 0) return std::string(program_invocation_short_name) + ".capture";
  return fenceline::d3d12::utf8_of_wide(name, std::wcslen(name) * sizeof *name);
}

}  // namespace

HRESULT WINAPI PIXBeginCapture2(DWORD flags, const PIXCaptureParameters* parameters) {
  if ((flags & PIX_CAPTURE_GPU) == 0) return fenceline::d3d12::not_modelled("PIXBeginCapture of other kinds than GPU");
  const Host::Lock held = Host::instance().lock();
  const PCWSTR file = parameters != nullptr ? parameters->GpuCaptureParameters.FileName : nullptr;
  return DeviceCapture::begin_captures(file_of(file), held) ? S_OK : E_PENDING;
}

HRESULT WINAPI PIXEndCapture(BOOL) {
  const Host::Lock held = Host::instance().lock();
  DeviceCapture::end_captures(held);
  return S_OK;
}

DWORD WINAPI PIXGetCaptureState() {
  const Host::Lock held = Host::instance().lock();
  return DeviceCapture::capturing(held) ? PIX_CAPTURE_GPU : 0;
}

HRESULT WINAPI PIXGpuCaptureNextFrames(PCWSTR file, UINT32 frames) {
  if (frames == 0) return E_INVALIDARG;
  const Host::Lock held = Host::instance().lock();
  return DeviceCapture::capture_frames(file_of(file), frames, held) ? S_OK : E_PENDING;
}

HRESULT WINAPI PIXSetTargetWindow(HWND) { return S_OK; }
BOOL WINAPI PIXIsAttachedForGpuCapture() { return TRUE; }
void* WINAPI PIXLoadLatestWinPixGpuCapturerLibrary() { return nullptr; }
void* WINAPI PIXLoadLatestWinPixTimingCapturerLibrary() { return nullptr; }
void WINAPI PIXReportCounter(PCWSTR, float) {}
void WINAPI PIXNotifyWakeFromFenceSignal(HANDLE) {}
