// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/removal_settings.hpp"

namespace fenceline::d3d12 {
namespace {

struct Process {
  std::atomic<bool> breadcrumbs{false};
  std::atomic<bool> contexts{false};
  std::atomic<bool> markers_only{false};
  std::atomic<bool> page_faults{false};
};
Process process;

bool is_on(D3D12_DRED_ENABLEMENT enablement) { return enablement == D3D12_DRED_ENABLEMENT_FORCED_ON; }

}  // namespace

RemovalSettings::Values RemovalSettings::values() {
  return {process.breadcrumbs, process.contexts, process.markers_only, process.page_faults};
}

void RemovalSettings::SetAutoBreadcrumbsEnablement(D3D12_DRED_ENABLEMENT enablement) {
  process.breadcrumbs = is_on(enablement);
}
void RemovalSettings::SetPageFaultEnablement(D3D12_DRED_ENABLEMENT enablement) {
  process.page_faults = is_on(enablement);
}
void RemovalSettings::SetBreadcrumbContextEnablement(D3D12_DRED_ENABLEMENT enablement) {
  process.contexts = is_on(enablement);
}
void RemovalSettings::UseMarkersOnlyAutoBreadcrumbs(BOOL markers_only) { process.markers_only = markers_only != FALSE; }

}  // namespace fenceline::d3d12
