// SPDX-License-Identifier: Apache-2.0
// Device, the family of functions that tell why it was removed: ID3D12DeviceRemovedExtendedData2.
#include "api/d3d12/device/device.hpp"

#include <type_traits>

namespace fenceline::d3d12 {

/// Whether data of that kind is there: only for a device that is removed, and if it was to be recorded.
HRESULT Device::removal_data(bool recorded) const {
  if (!removed()) return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
  return recorded ? S_OK : DXGI_ERROR_UNSUPPORTED;
}

HRESULT Device::GetAutoBreadcrumbsOutput(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT* output) {
  if (output == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *output = {};
  const HRESULT result = removal_data(removal_record_.settings().breadcrumbs);
  if (result == S_OK) output->pHeadAutoBreadcrumbNode = removal_record_.nodes();
  return result;
}

HRESULT Device::GetAutoBreadcrumbsOutput1(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1* output) {
  if (output == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *output = {};
  const HRESULT result = removal_data(removal_record_.settings().breadcrumbs);
  if (result == S_OK) output->pHeadAutoBreadcrumbNode = removal_record_.nodes1();
  return result;
}

// Without a page fault: no address and no allocations around it.
template <class Output>
HRESULT Device::page_fault(Output* output) {
  if (output == nullptr) return E_INVALIDARG;
  const Host::Lock lock = Host::instance().lock();
  *output = {};
  const HRESULT result = removal_data(removal_record_.settings().page_faults);
  if (result != S_OK) return result;
  const AllocationRecord& record = *removal_record_.allocations();
  output->PageFaultVA = record.address();
  if constexpr (std::is_same_v<Output, D3D12_DRED_PAGE_FAULT_OUTPUT>) {
    output->pHeadExistingAllocationNode = record.existing();
    output->pHeadRecentFreedAllocationNode = record.freed();
  } else {
    output->pHeadExistingAllocationNode = record.existing1();
    output->pHeadRecentFreedAllocationNode = record.freed1();
  }
  return result;
}

HRESULT Device::GetPageFaultAllocationOutput(D3D12_DRED_PAGE_FAULT_OUTPUT* output) { return page_fault(output); }
HRESULT Device::GetPageFaultAllocationOutput1(D3D12_DRED_PAGE_FAULT_OUTPUT1* output) { return page_fault(output); }
HRESULT Device::GetPageFaultAllocationOutput2(D3D12_DRED_PAGE_FAULT_OUTPUT2* output) { return page_fault(output); }

/// All queues are of the process that has no name.
void Device::on_removal() { removal_record_.close(machine().page_fault({})); }

D3D12_DRED_DEVICE_STATE Device::GetDeviceState() {
  const Host::Lock lock = Host::instance().lock();
  if (removal_record_.faulted()) return D3D12_DRED_DEVICE_STATE_PAGEFAULT;
  return removed_reason() == DXGI_ERROR_DEVICE_HUNG ? D3D12_DRED_DEVICE_STATE_HUNG : D3D12_DRED_DEVICE_STATE_UNKNOWN;
}

}  // namespace fenceline::d3d12
