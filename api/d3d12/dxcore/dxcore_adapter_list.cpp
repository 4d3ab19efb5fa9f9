// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxcore/dxcore_adapter_list.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

double performance(const DxcoreAdapter* adapter) {
  const ShaderArrayConfig& array = adapter->adapter().machine.shader_array;
  return static_cast<double>(array.sms) * static_cast<double>(array.alu_lanes) * array.clock_mhz;
}

}  // namespace

HRESULT DxcoreAdapterList::GetAdapter(std::uint32_t index, REFIID iid, void** adapter) {
  if (adapter == nullptr) return E_POINTER;
  *adapter = nullptr;
  return index < adapters_.size() ? adapters_[index]->QueryInterface(iid, adapter) : E_INVALIDARG;
}

HRESULT DxcoreAdapterList::GetFactory(REFIID iid, void** factory) { return DXCoreCreateAdapterFactory(iid, factory); }

HRESULT DxcoreAdapterList::Sort(std::uint32_t count, const DXCoreAdapterPreference* preferences) {
  if (count == 0 || preferences == nullptr) return E_INVALIDARG;
  const auto is_known = [&](DXCoreAdapterPreference one) { return IsAdapterPreferenceSupported(one); };
  if (!std::all_of(preferences, preferences + count, is_known)) return DXGI_ERROR_UNSUPPORTED;
  // Stable sorts from the least important on.
  for (const auto* preference = preferences + count; preference != preferences;) {
    --preference;
    if (*preference == DXCoreAdapterPreference::Hardware) continue;  // all are
    const bool fast = *preference == DXCoreAdapterPreference::HighPerformance;
    std::stable_sort(adapters_.begin(), adapters_.end(), [&](const DxcoreAdapter* a, const DxcoreAdapter* b) {
      return fast ? performance(a) > performance(b) : performance(a) < performance(b);
    });
  }
  return S_OK;
}

bool DxcoreAdapterList::IsAdapterPreferenceSupported(DXCoreAdapterPreference preference) {
  switch (preference) {
    case DXCoreAdapterPreference::Hardware:
    case DXCoreAdapterPreference::MinimumPower:
    case DXCoreAdapterPreference::HighPerformance: return true;
  }
  return false;
}

}  // namespace fenceline::d3d12
