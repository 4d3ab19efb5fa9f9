// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, what Fenceline does not model.
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"

namespace fenceline::d3d12 {

void GraphicsCommandList::InitializeMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) {
  if (!begin(direct_and_compute, "InitializeMetaCommand")) return;
  not_modelled("ID3D12GraphicsCommandList4::InitializeMetaCommand");
}
void GraphicsCommandList::ExecuteMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) {
  if (!begin(direct_and_compute, "ExecuteMetaCommand")) return;
  not_modelled("ID3D12GraphicsCommandList4::ExecuteMetaCommand");
}
void GraphicsCommandList::BuildRaytracingAccelerationStructure(
    const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC*, UINT,
    const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*) {
  if (!begin(direct_and_compute, "BuildRaytracingAccelerationStructure")) return;
  not_modelled("ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure");
}
void GraphicsCommandList::EmitRaytracingAccelerationStructurePostbuildInfo(
    const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*, UINT, const D3D12_GPU_VIRTUAL_ADDRESS*) {
  if (!begin(direct_and_compute, "EmitRaytracingAccelerationStructurePostbuildInfo")) return;
  not_modelled("ID3D12GraphicsCommandList4::EmitRaytracingAccelerationStructurePostbuildInfo");
}
void GraphicsCommandList::CopyRaytracingAccelerationStructure(D3D12_GPU_VIRTUAL_ADDRESS, D3D12_GPU_VIRTUAL_ADDRESS,
                                                              D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE) {
  if (!begin(direct_and_compute, "CopyRaytracingAccelerationStructure")) return;
  not_modelled("ID3D12GraphicsCommandList4::CopyRaytracingAccelerationStructure");
}
void GraphicsCommandList::DispatchRays(const D3D12_DISPATCH_RAYS_DESC*) {
  if (begin(not_in_copies, "DispatchRays")) not_modelled("ID3D12GraphicsCommandList4::DispatchRays");
}

}  // namespace fenceline::d3d12
