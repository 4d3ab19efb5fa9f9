// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"
#include "api/d3d12/device/adapter.hpp"

#include <cstddef>
#include <vector>

namespace fenceline::d3d12 {

/// IDXCoreAdapter: what DXCore tells of a machine. There is one for each adapter as long as the process lives, so that
/// programs may compare pointers.
///
/// What no machine's configuration knows is answered by documented assumptions: no hardware ids (zeros), a driver of
/// WDDM 2.7 with Fenceline's version.
class DxcoreAdapter final : public ComObject<Face<IDXCoreAdapter>> {
 public:
  explicit DxcoreAdapter(const Adapter& adapter) : adapter_(adapter) {}

  /// The process's adapters, in the order of `adapters()`. Throws ConfigError.
  static const std::vector<DxcoreAdapter*>& all();
  const Adapter& adapter() const { return adapter_; }

  bool STDMETHODCALLTYPE IsValid() override { return true; }
  bool STDMETHODCALLTYPE IsAttributeSupported(REFGUID attribute) override;
  bool STDMETHODCALLTYPE IsPropertySupported(DXCoreAdapterProperty property) override;
  HRESULT STDMETHODCALLTYPE GetProperty(DXCoreAdapterProperty property, std::size_t bytes, void* data) override;
  HRESULT STDMETHODCALLTYPE GetPropertySize(DXCoreAdapterProperty property, std::size_t* bytes) override;
  bool STDMETHODCALLTYPE IsQueryStateSupported(DXCoreAdapterState state) override;
  HRESULT STDMETHODCALLTYPE QueryState(DXCoreAdapterState state, std::size_t details_bytes, const void* details,
                                       std::size_t bytes, void* data) override;
  bool STDMETHODCALLTYPE IsSetStateSupported(DXCoreAdapterState state) override {
    return state == DXCoreAdapterState::AdapterMemoryBudget;
  }
  HRESULT STDMETHODCALLTYPE SetState(DXCoreAdapterState state, std::size_t details_bytes, const void* details,
                                     std::size_t bytes, const void* data) override;
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID iid, void** factory) override;

 private:
  ~DxcoreAdapter() override = default;
  /// The property as DXCore writes it; empty for one that it does not know.
  std::vector<std::byte> value_of(DXCoreAdapterProperty property) const;

  const Adapter& adapter_;
};

}  // namespace fenceline::d3d12
