// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxcore/dxcore_adapter.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/driver_version.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

namespace fenceline::d3d12 {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const T& value) {
  Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

Bytes bytes_of(const std::string& text) {
  Bytes bytes(text.size() + 1);
  std::memcpy(bytes.data(), text.c_str(), bytes.size());
  return bytes;
}

constexpr std::uint32_t wddm_2_7 = 2700;  // D3DKMT_DRIVERVERSION, d3dukmdt.h

}  // namespace

const std::vector<DxcoreAdapter*>& DxcoreAdapter::all() {
  static const auto* const all = [] {
    auto* made = new std::vector<DxcoreAdapter*>;
    for (const Adapter& adapter : adapters()) {
      made->push_back(new DxcoreAdapter(adapter));
      made->back()->hold();  // for ever
      made->back()->Release();
    }
    return made;
  }();
  return *all;
}

bool DxcoreAdapter::IsAttributeSupported(REFGUID attribute) {
  if (attribute == DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE) return true;
  if (attribute != DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS) return false;
  const auto& engines = adapter_.machine.engines;
  return std::any_of(engines.begin(), engines.end(),
                     [](const NodeConfig& node) { return std::holds_alternative<GraphicsEngineConfig>(node); });
}

Bytes DxcoreAdapter::value_of(DXCoreAdapterProperty property) const {
  // D3DKMDT's values, of which ours are copies, in 16 bits.
  const PreemptionCaps caps = preemption_caps(adapter_.machine);
  switch (property) {
    case DXCoreAdapterProperty::InstanceLuid: return bytes_of(adapter_.luid);
    case DXCoreAdapterProperty::DriverVersion: return bytes_of(driver_version(adapter_.machine));
    case DXCoreAdapterProperty::DriverDescription: return bytes_of(adapter_.machine.name);
    case DXCoreAdapterProperty::HardwareID: return bytes_of(DXCoreHardwareID{});
    case DXCoreAdapterProperty::KmdModelVersion: return bytes_of(wddm_2_7);
    case DXCoreAdapterProperty::ComputePreemptionGranularity: return bytes_of(static_cast<std::uint16_t>(caps.compute));
    case DXCoreAdapterProperty::GraphicsPreemptionGranularity:
      return bytes_of(static_cast<std::uint16_t>(caps.graphics));
    case DXCoreAdapterProperty::DedicatedAdapterMemory:
      return bytes_of(adapter_.video_memory->info(VideoMemory::Group::local).bytes);
    case DXCoreAdapterProperty::SharedSystemMemory:
      return bytes_of(adapter_.video_memory->info(VideoMemory::Group::non_local).bytes);
    case DXCoreAdapterProperty::DedicatedSystemMemory: return bytes_of(std::uint64_t{0});
    case DXCoreAdapterProperty::IsHardware: return bytes_of(true);  // programs look for it, and costs are hardware's
    case DXCoreAdapterProperty::IsIntegrated: return bytes_of(adapter_.video_memory->unified());
    case DXCoreAdapterProperty::AcgCompatible:
    case DXCoreAdapterProperty::IsDetachable: return bytes_of(false);
    case DXCoreAdapterProperty::HardwareIDParts: return bytes_of(DXCoreHardwareIDParts{});
  }
  return {};
}

bool DxcoreAdapter::IsPropertySupported(DXCoreAdapterProperty property) { return !value_of(property).empty(); }

HRESULT DxcoreAdapter::GetPropertySize(DXCoreAdapterProperty property, std::size_t* bytes) {
  if (bytes == nullptr) return E_POINTER;
  *bytes = value_of(property).size();
  return *bytes > 0 ? S_OK : DXGI_ERROR_INVALID_CALL;
}

HRESULT DxcoreAdapter::GetProperty(DXCoreAdapterProperty property, std::size_t bytes, void* data) {
  if (data == nullptr) return E_POINTER;
  const Bytes value = value_of(property);
  if (value.empty()) return DXGI_ERROR_INVALID_CALL;
  if (bytes < value.size()) return E_INVALIDARG;
  std::memset(data, 0, bytes);
  std::memcpy(data, value.data(), value.size());
  return S_OK;
}

bool DxcoreAdapter::IsQueryStateSupported(DXCoreAdapterState state) {
  return state == DXCoreAdapterState::IsDriverUpdateInProgress || state == DXCoreAdapterState::AdapterMemoryBudget;
}

namespace {

/// The group that a state's details name; nothing for details of another size, node or group.
std::optional<VideoMemory::Group> group_of(std::size_t bytes, const void* details) {
  DXCoreAdapterMemoryBudgetNodeSegmentGroup named{};
  if (details == nullptr || bytes != sizeof named) return {};
  std::memcpy(&named, details, sizeof named);
  if (named.nodeIndex != 0) return {};
  switch (named.segmentGroup) {
    case DXCoreSegmentGroup::Local: return VideoMemory::Group::local;
    case DXCoreSegmentGroup::NonLocal: return VideoMemory::Group::non_local;
  }
  return {};
}

}  // namespace

HRESULT DxcoreAdapter::QueryState(DXCoreAdapterState state, std::size_t details_bytes, const void* details,
                                  std::size_t bytes, void* data) {
  if (!IsQueryStateSupported(state)) return DXGI_ERROR_INVALID_CALL;
  if (data == nullptr) return E_POINTER;
  Bytes value = bytes_of(false);  // no update is in progress
  if (state == DXCoreAdapterState::AdapterMemoryBudget) {
    const auto group = group_of(details_bytes, details);
    if (!group) return E_INVALIDARG;
    const VideoMemory::Info of = adapter_.video_memory->info(*group);
    value = bytes_of(DXCoreAdapterMemoryBudget{of.budget, of.usage, of.available, of.reservation});
  }
  if (bytes < value.size()) return E_INVALIDARG;
  std::memset(data, 0, bytes);
  std::memcpy(data, value.data(), value.size());
  return S_OK;
}

HRESULT DxcoreAdapter::SetState(DXCoreAdapterState state, std::size_t details_bytes, const void* details,
                                std::size_t bytes, const void* data) {
  if (!IsSetStateSupported(state)) return DXGI_ERROR_INVALID_CALL;
  if (data == nullptr) return E_POINTER;
  const auto group = group_of(details_bytes, details);
  std::uint64_t reservation = 0;
  if (!group || bytes != sizeof reservation) return E_INVALIDARG;
  std::memcpy(&reservation, data, sizeof reservation);
  return adapter_.video_memory->reserve(*group, reservation) ? S_OK : E_INVALIDARG;
}

HRESULT DxcoreAdapter::GetFactory(REFIID iid, void** factory) { return DXCoreCreateAdapterFactory(iid, factory); }

}  // namespace fenceline::d3d12
