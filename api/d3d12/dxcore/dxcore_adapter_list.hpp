// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxcore/dxcore_adapter.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// IDXCoreAdapterList: adapters with some attributes. Never stale, for machines neither come nor go.
class DxcoreAdapterList final : public ComObject<Face<IDXCoreAdapterList>> {
 public:
  explicit DxcoreAdapterList(std::vector<DxcoreAdapter*> adapters) : adapters_(std::move(adapters)) {}

  HRESULT STDMETHODCALLTYPE GetAdapter(std::uint32_t index, REFIID iid, void** adapter) override;
  std::uint32_t STDMETHODCALLTYPE GetAdapterCount() override { return static_cast<std::uint32_t>(adapters_.size()); }
  bool STDMETHODCALLTYPE IsStale() override { return false; }
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID iid, void** factory) override;
  /// The first preference counts most. High performance: shader lanes times their clock; minimum power: the reverse.
  /// Adapters that are alike stay in their order. E_INVALIDARG without preferences, DXGI_ERROR_UNSUPPORTED for one that
  /// is none.
  HRESULT STDMETHODCALLTYPE Sort(std::uint32_t count, const DXCoreAdapterPreference* preferences) override;
  bool STDMETHODCALLTYPE IsAdapterPreferenceSupported(DXCoreAdapterPreference preference) override;

 private:
  ~DxcoreAdapterList() override = default;
  std::vector<DxcoreAdapter*> adapters_;
};

}  // namespace fenceline::d3d12
