// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"

#include <atomic>

namespace fenceline::d3d12 {

/// ID3D12DeviceRemovedExtendedDataSettings2: what devices that are created from now on record for the case of their
/// removal. For the whole process; D3D12GetDebugInterface gives it out. Nothing is recorded unless it is forced on.
class RemovalSettings final
    : public ComObject<Face<ID3D12DeviceRemovedExtendedDataSettings2, ID3D12DeviceRemovedExtendedDataSettings1,
                            ID3D12DeviceRemovedExtendedDataSettings>> {
  using Settings = Face<ID3D12DeviceRemovedExtendedDataSettings2, ID3D12DeviceRemovedExtendedDataSettings1,
                        ID3D12DeviceRemovedExtendedDataSettings>;

 public:
  /// As of now.
  struct Values {
    bool breadcrumbs = false;
    bool contexts = false;
    bool markers_only = false;
    bool page_faults = false;
  };
  static Values values();
  /// Whether it is one of its interfaces, IUnknown aside.
  static bool answers(REFIID iid) { return Settings::answers(iid); }

  void STDMETHODCALLTYPE SetAutoBreadcrumbsEnablement(D3D12_DRED_ENABLEMENT enablement) override;
  void STDMETHODCALLTYPE SetPageFaultEnablement(D3D12_DRED_ENABLEMENT enablement) override;
  /// There is no Watson: on and off alike.
  void STDMETHODCALLTYPE SetWatsonDumpEnablement(D3D12_DRED_ENABLEMENT) override {}
  void STDMETHODCALLTYPE SetBreadcrumbContextEnablement(D3D12_DRED_ENABLEMENT enablement) override;
  void STDMETHODCALLTYPE UseMarkersOnlyAutoBreadcrumbs(BOOL markers_only) override;

 private:
  ~RemovalSettings() override = default;
};

}  // namespace fenceline::d3d12
