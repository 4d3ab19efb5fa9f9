// SPDX-License-Identifier: Apache-2.0
// Device, what Fenceline does not model.
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/device/device.hpp"

namespace fenceline::d3d12 {

HRESULT Device::OpenExistingHeapFromAddress(const void*, REFIID, void**) {
  return not_modelled("ID3D12Device3::OpenExistingHeapFromAddress");
}
HRESULT Device::OpenExistingHeapFromFileMapping(HANDLE, REFIID, void**) {
  return not_modelled("ID3D12Device3::OpenExistingHeapFromFileMapping");
}
HRESULT Device::CreateProtectedResourceSession(const D3D12_PROTECTED_RESOURCE_SESSION_DESC*, REFIID, void**) {
  return not_modelled("ID3D12Device4::CreateProtectedResourceSession");
}
HRESULT Device::CreateLifetimeTracker(ID3D12LifetimeOwner*, REFIID, void**) {
  return not_modelled("ID3D12Device5::CreateLifetimeTracker");
}
HRESULT Device::EnumerateMetaCommandParameters(REFGUID, D3D12_META_COMMAND_PARAMETER_STAGE, UINT*, UINT*,
                                               D3D12_META_COMMAND_PARAMETER_DESC*) {
  return not_modelled("ID3D12Device5::EnumerateMetaCommandParameters");
}
HRESULT Device::CreateMetaCommand(REFGUID, UINT, const void*, SIZE_T, REFIID, void**) {
  return not_modelled("ID3D12Device5::CreateMetaCommand");
}
HRESULT Device::CreateStateObject(const D3D12_STATE_OBJECT_DESC*, REFIID, void**) {
  return not_modelled("ID3D12Device5::CreateStateObject");
}
void Device::GetRaytracingAccelerationStructurePrebuildInfo(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS*,
                                                            D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO*) {
  not_modelled("ID3D12Device5::GetRaytracingAccelerationStructurePrebuildInfo");
}
D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS Device::CheckDriverMatchingIdentifier(
    D3D12_SERIALIZED_DATA_TYPE, const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER*) {
  not_modelled("ID3D12Device5::CheckDriverMatchingIdentifier");
  return {};
}
HRESULT Device::AddToStateObject(const D3D12_STATE_OBJECT_DESC*, ID3D12StateObject*, REFIID, void**) {
  return not_modelled("ID3D12Device7::AddToStateObject");
}
HRESULT Device::CreateProtectedResourceSession1(const D3D12_PROTECTED_RESOURCE_SESSION_DESC1*, REFIID, void**) {
  return not_modelled("ID3D12Device7::CreateProtectedResourceSession1");
}

}  // namespace fenceline::d3d12
