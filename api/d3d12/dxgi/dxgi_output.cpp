// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi/dxgi_output.hpp"

#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/core/device_registry.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/work_listener.hpp"
#include "scheduler/display/display_config.hpp"
#include "scheduler/display/refreshes.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

std::uint32_t index_of(OutputId id) { return static_cast<std::uint32_t>(id); }

OutputConfig screen(const Adapter& adapter, OutputId id) { return screens_of(adapter.machine.display)[index_of(id)]; }

/// What both descriptions begin with.
template <class Desc>
Desc described(const Adapter& adapter, OutputId id) {
  const std::vector<OutputConfig> screens = screens_of(adapter.machine.display);
  Desc desc{};
  const std::string name = fmt::format("\\\\.\\DISPLAY{}", index_of(id) + 1);
  std::copy(name.begin(), name.end(), std::begin(desc.DeviceName));
  LONG left = 0;
  for (std::uint32_t i = 0; i < index_of(id); ++i) left += static_cast<LONG>(screens[i].width);
  const OutputConfig& own = screens[index_of(id)];
  desc.DesktopCoordinates = {left, 0, left + static_cast<LONG>(own.width), static_cast<LONG>(own.height)};
  desc.AttachedToDesktop = TRUE;
  desc.Rotation = DXGI_MODE_ROTATION_IDENTITY;
  desc.Monitor = reinterpret_cast<HMONITOR>(static_cast<std::uintptr_t>(index_of(id) + 1));
  return desc;
}

bool can_be_shown(DXGI_FORMAT format) {
  switch (format) {
    case DXGI_FORMAT_R8G8B8A8_UNORM:
    case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB:
    case DXGI_FORMAT_B8G8R8A8_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
    case DXGI_FORMAT_R10G10B10A2_UNORM:
    case DXGI_FORMAT_R16G16B16A16_FLOAT: return true;
    default: return false;
  }
}

template <class Mode>
Mode mode_of(const OutputConfig& config, DXGI_FORMAT format) {
  Mode mode{};
  mode.Width = config.width;
  mode.Height = config.height;
  const auto millihertz = static_cast<UINT>(std::llround(config.refresh_hz * 1000));
  mode.RefreshRate = millihertz % 1000 == 0 ? DXGI_RATIONAL{millihertz / 1000, 1} : DXGI_RATIONAL{millihertz, 1000};
  mode.Format = format;
  mode.ScanlineOrdering = DXGI_MODE_SCANLINE_ORDER_PROGRESSIVE;
  mode.Scaling = DXGI_MODE_SCALING_UNSPECIFIED;
  return mode;
}

template <class Mode>
HRESULT list_modes(const OutputConfig& config, DXGI_FORMAT format, UINT* count, Mode* modes) {
  if (count == nullptr) return DXGI_ERROR_INVALID_CALL;
  const UINT there = can_be_shown(format) ? 1 : 0;
  const UINT places = std::exchange(*count, there);
  if (modes == nullptr || there == 0) return S_OK;
  if (places < there) return DXGI_ERROR_MORE_DATA;
  *modes = mode_of<Mode>(config, format);
  return S_OK;
}

/// Without a format the device says which; without either there is nothing to match.
template <class Mode>
HRESULT match_mode(const OutputConfig& config, const Mode* wanted, Mode* closest, const IUnknown* device) {
  if (wanted == nullptr || closest == nullptr) return DXGI_ERROR_INVALID_CALL;
  const bool open = wanted->Format == DXGI_FORMAT_UNKNOWN;
  if ((open && device == nullptr) || (wanted->Width == 0) != (wanted->Height == 0)) return DXGI_ERROR_INVALID_CALL;
  const DXGI_FORMAT format = open ? DXGI_FORMAT_R8G8B8A8_UNORM : wanted->Format;
  if (!can_be_shown(format)) return DXGI_ERROR_NOT_FOUND;
  *closest = mode_of<Mode>(config, format);
  return S_OK;
}

/// A vertical blank that a thread waits for. It outlives the wait where nothing brings the machine there.
struct Blank {
  explicit Blank(const Machine& of) : machine(of) {}
  void came(std::uint64_t) {
    there = true;
    at_ps = machine.now_ps();
    Host::instance().notify();
  }
  const Machine& machine;
  bool there = false;
  std::uint64_t at_ps = 0;
};

}  // namespace

DxgiOutput::DxgiOutput(IDXGIAdapter4& parent, const Adapter& adapter, OutputId id)
    : parent_(parent), adapter_(adapter), id_(id) {
  parent_.AddRef();
}

void DxgiOutput::on_last_release() { parent_.Release(); }

HRESULT DxgiOutput::GetParent(REFIID iid, void** parent) { return parent_.QueryInterface(iid, parent); }

HRESULT DxgiOutput::GetDesc(DXGI_OUTPUT_DESC* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_OUTPUT_DESC>(adapter_, id_);
  return S_OK;
}

/// A screen of standard range: sRGB's primaries and reference white.
HRESULT DxgiOutput::GetDesc1(DXGI_OUTPUT_DESC1* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_OUTPUT_DESC1>(adapter_, id_);
  desc->BitsPerColor = 8;
  desc->ColorSpace = DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709;
  const auto set = [](FLOAT(&primary)[2], FLOAT x, FLOAT y) {
    primary[0] = x;
    primary[1] = y;
  };
  set(desc->RedPrimary, 0.64F, 0.33F);
  set(desc->GreenPrimary, 0.30F, 0.60F);
  set(desc->BluePrimary, 0.15F, 0.06F);
  set(desc->WhitePoint, 0.3127F, 0.3290F);
  desc->MinLuminance = 0.2F;
  desc->MaxLuminance = desc->MaxFullFrameLuminance = 80;
  return S_OK;
}

HRESULT DxgiOutput::GetDisplayModeList(DXGI_FORMAT format, UINT, UINT* count, DXGI_MODE_DESC* modes) {
  return list_modes(screen(adapter_, id_), format, count, modes);
}
HRESULT DxgiOutput::GetDisplayModeList1(DXGI_FORMAT format, UINT, UINT* count, DXGI_MODE_DESC1* modes) {
  return list_modes(screen(adapter_, id_), format, count, modes);
}
HRESULT DxgiOutput::FindClosestMatchingMode(const DXGI_MODE_DESC* wanted, DXGI_MODE_DESC* closest, IUnknown* device) {
  return match_mode(screen(adapter_, id_), wanted, closest, device);
}
HRESULT DxgiOutput::FindClosestMatchingMode1(const DXGI_MODE_DESC1* wanted, DXGI_MODE_DESC1* closest,
                                             IUnknown* device) {
  return match_mode(screen(adapter_, id_), wanted, closest, device);
}

/// Where no device of the adapter simulates it, vertical blanks pass as arithmetic puts them.
HRESULT DxgiOutput::WaitForVBlank() {
  Host& host = Host::instance();
  const auto what = [] { return "a vertical blank"; };
  DeviceCore* const device = find_device(adapter_.luid);
  if (device == nullptr) {
    Host::Lock lock = host.enter_call();
    const Refreshes refreshes(screen(adapter_, id_));
    const std::uint64_t next_ps = refreshes.time_of(refreshes.last_at(Host::clock_ps()) + 1);
    const SchedulerConfig& scheduler = adapter_.machine.scheduler;
    const std::uint64_t known_ps =
        next_ps + ps_of_us(scheduler.isr_us) + ps_of_us(scheduler.dpc_us) + ps_of_us(adapter_.machine.host.wake_us);
    Host::spend(known_ps - Host::clock_ps());
    return S_OK;
  }
  auto blank = std::make_unique<Blank>(device->machine());
  Host::Outcome outcome{};
  {
    Host::Lock lock = device->enter(device->costs().call_ps);
    const std::uint64_t since_ps = device->machine().now_ps();
    device->machine().wait_vblank(id_, Callback::to<&Blank::came>(blank.get()));
    outcome = host.wait(
        lock, [&] { return blank->there; }, Host::never, host.wake_ps(), what);
    if (outcome == Host::Outcome::deadlock) static_cast<void>(blank.release());  // the machine may tell it yet
    if (WorkListener* const listener = device->machine().listener(); listener != nullptr && blank != nullptr) {
      listener->thread_waited_vblank(device->machine().moment(), id_, since_ps, blank->at_ps);
    }
  }
  device->Release();
  return outcome == Host::Outcome::satisfied ? S_OK : E_FAIL;
}

HRESULT DxgiOutput::CheckOverlaySupport(DXGI_FORMAT, IUnknown* device, UINT* flags) {
  if (device == nullptr || flags == nullptr) return DXGI_ERROR_INVALID_CALL;
  *flags = 0;
  return S_OK;
}

HRESULT DxgiOutput::CheckOverlayColorSpaceSupport(DXGI_FORMAT, DXGI_COLOR_SPACE_TYPE, IUnknown* device, UINT* flags) {
  return CheckOverlaySupport({}, device, flags);
}

HRESULT DxgiOutput::CheckHardwareCompositionSupport(UINT* flags) {
  if (flags == nullptr) return DXGI_ERROR_INVALID_CALL;
  *flags = DXGI_HARDWARE_COMPOSITION_SUPPORT_FLAG_FULLSCREEN | DXGI_HARDWARE_COMPOSITION_SUPPORT_FLAG_WINDOWED;
  return S_OK;
}

HRESULT DxgiOutput::TakeOwnership(IUnknown*, BOOL) { return not_modelled("IDXGIOutput::TakeOwnership"); }
HRESULT DxgiOutput::GetGammaControlCapabilities(DXGI_GAMMA_CONTROL_CAPABILITIES*) {
  return not_modelled("IDXGIOutput::GetGammaControlCapabilities");
}
HRESULT DxgiOutput::SetGammaControl(const DXGI_GAMMA_CONTROL*) { return not_modelled("IDXGIOutput::SetGammaControl"); }
HRESULT DxgiOutput::GetGammaControl(DXGI_GAMMA_CONTROL*) { return not_modelled("IDXGIOutput::GetGammaControl"); }
HRESULT DxgiOutput::SetDisplaySurface(IDXGISurface*) { return not_modelled("IDXGIOutput::SetDisplaySurface"); }
HRESULT DxgiOutput::GetDisplaySurfaceData(IDXGISurface*) { return not_modelled("IDXGIOutput::GetDisplaySurfaceData"); }
HRESULT DxgiOutput::GetDisplaySurfaceData1(IDXGIResource*) {
  return not_modelled("IDXGIOutput1::GetDisplaySurfaceData1");
}
HRESULT DxgiOutput::GetFrameStatistics(DXGI_FRAME_STATISTICS*) {
  return not_modelled("IDXGIOutput::GetFrameStatistics");
}
HRESULT DxgiOutput::DuplicateOutput(IUnknown*, IDXGIOutputDuplication** duplication) {
  if (duplication != nullptr) *duplication = nullptr;
  return not_modelled("IDXGIOutput1::DuplicateOutput");
}
HRESULT DxgiOutput::DuplicateOutput1(IUnknown*, UINT, UINT, const DXGI_FORMAT*, IDXGIOutputDuplication** duplication) {
  if (duplication != nullptr) *duplication = nullptr;
  return not_modelled("IDXGIOutput5::DuplicateOutput1");
}

HRESULT give_output(IDXGIAdapter4& parent, const Adapter& adapter, UINT index, IDXGIOutput** output) {
  if (output == nullptr) return DXGI_ERROR_INVALID_CALL;
  *output = nullptr;
  if (index >= screens_of(adapter.machine.display).size()) return DXGI_ERROR_NOT_FOUND;
  *output = new DxgiOutput(parent, adapter, OutputId{index});
  return S_OK;
}

}  // namespace fenceline::d3d12
