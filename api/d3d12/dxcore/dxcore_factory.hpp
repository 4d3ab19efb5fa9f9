// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// IDXCoreAdapterFactory: the process's one. Of notifications there is AdapterBudgetChange, called by whoever
/// registers and whoever changes the budget.
class DxcoreFactory final : public ComObject<Face<IDXCoreAdapterFactory>> {
 public:
  static DxcoreFactory& instance();

  /// E_INVALIDARG without an attribute; no adapter with all of them is an empty list.
  HRESULT STDMETHODCALLTYPE CreateAdapterList(std::uint32_t count, const GUID* attributes, REFIID iid,
                                              void** list) override;
  /// E_INVALIDARG for a LUID that no adapter has.
  HRESULT STDMETHODCALLTYPE GetAdapterByLuid(const LUID& luid, REFIID iid, void** adapter) override;
  bool STDMETHODCALLTYPE IsNotificationTypeSupported(DXCoreNotificationType type) override {
    return type == DXCoreNotificationType::AdapterBudgetChange;
  }
  /// DXGI_ERROR_INVALID_CALL for a type that is not supported, E_INVALIDARG for an object that is no adapter of ours,
  /// E_POINTER without a callback or a place for the cookie, which is 0 then.
  HRESULT STDMETHODCALLTYPE RegisterEventNotification(IUnknown* object, DXCoreNotificationType type,
                                                      PFN_DXCORE_NOTIFICATION_CALLBACK callback, void* context,
                                                      std::uint32_t* cookie) override;
  HRESULT STDMETHODCALLTYPE UnregisterEventNotification(std::uint32_t cookie) override;

 private:
  ~DxcoreFactory() override = default;
};

}  // namespace fenceline::d3d12
