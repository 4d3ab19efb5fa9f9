// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_core.hpp"
#include "api/d3d12/lists/removal_record.hpp"

#include <memory>

namespace fenceline::d3d12 {

struct Hazard;
struct TargetView;

/// ID3D12Device11 of one adapter: owns the machine, creates everything. Free-threaded.
class Device final : public DeviceCore {
 public:
  /// `video_memory` is the adapter's: what the device's objects use is counted there.
  Device(const MachineConfig& config, LUID luid, std::shared_ptr<VideoMemory> video_memory);

  Hazards* hazards() override { return hazards_.get(); }
  DescriptorHeaps& descriptor_heaps() override { return *descriptor_heaps_; }
  RootSignatures& root_signatures() override { return *root_signatures_; }
  RemovalRecord& removal_record() override { return removal_record_; }
  AllocationRecord* allocations() override { return removal_record_.allocations(); }

  UINT STDMETHODCALLTYPE GetNodeCount() override;
  HRESULT STDMETHODCALLTYPE CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid,
                                               void** command_queue) override;
  HRESULT STDMETHODCALLTYPE CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID iid,
                                                   void** command_allocator) override;
  HRESULT STDMETHODCALLTYPE CreateGraphicsPipelineState(const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                                        void** pipeline_state) override;
  HRESULT STDMETHODCALLTYPE CreateComputePipelineState(const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                                       void** pipeline_state) override;
  HRESULT STDMETHODCALLTYPE CreatePipelineState(const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid,
                                                void** pipeline_state) override;
  HRESULT STDMETHODCALLTYPE CreatePipelineLibrary(const void* library_blob, SIZE_T blob_length, REFIID iid,
                                                  void** pipeline_library) override;
  HRESULT STDMETHODCALLTYPE CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                              ID3D12CommandAllocator* command_allocator,
                                              ID3D12PipelineState* initial_state, REFIID iid,
                                              void** command_list) override;
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(D3D12_FEATURE feature, void* feature_support_data,
                                                UINT feature_support_data_size) override;
  HRESULT STDMETHODCALLTYPE CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* descriptor_heap_desc, REFIID iid,
                                                 void** heap) override;
  UINT STDMETHODCALLTYPE GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE descriptor_heap_type) override;
  HRESULT STDMETHODCALLTYPE CreateRootSignature(UINT node_mask, const void* blob_with_root_signature,
                                                SIZE_T blob_length_in_bytes, REFIID iid,
                                                void** root_signature) override;
  void STDMETHODCALLTYPE CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC* desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CreateShaderResourceView(ID3D12Resource* resource, const D3D12_SHADER_RESOURCE_VIEW_DESC* desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource* counter_resource,
                                                   const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                                   D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CreateRenderTargetView(ID3D12Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc,
                                                D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CreateDepthStencilView(ID3D12Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc,
                                                D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CreateSampler(const D3D12_SAMPLER_DESC* desc,
                                       D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE CopyDescriptors(UINT dest_descriptor_ranges,
                                         const D3D12_CPU_DESCRIPTOR_HANDLE* dest_descriptor_range_starts,
                                         const UINT* dest_descriptor_range_sizes, UINT src_descriptor_ranges,
                                         const D3D12_CPU_DESCRIPTOR_HANDLE* src_descriptor_range_starts,
                                         const UINT* src_descriptor_range_sizes,
                                         D3D12_DESCRIPTOR_HEAP_TYPE descriptor_heaps_type) override;
  void STDMETHODCALLTYPE CopyDescriptorsSimple(UINT descriptors,
                                               D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor_range_start,
                                               D3D12_CPU_DESCRIPTOR_HANDLE src_descriptor_range_start,
                                               D3D12_DESCRIPTOR_HEAP_TYPE descriptor_heaps_type) override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE GetResourceAllocationInfo(UINT visible_mask, UINT count,
                                                                             const D3D12_RESOURCE_DESC* descs) override;
  D3D12_HEAP_PROPERTIES STDMETHODCALLTYPE GetCustomHeapProperties(UINT node_mask, D3D12_HEAP_TYPE heap_type) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource(const D3D12_HEAP_PROPERTIES* heap_properties,
                                                    D3D12_HEAP_FLAGS heap_flags, const D3D12_RESOURCE_DESC* desc,
                                                    D3D12_RESOURCE_STATES initial_resource_state,
                                                    const D3D12_CLEAR_VALUE* optimized_clear_value, REFIID iid,
                                                    void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateHeap(const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource(ID3D12Heap* heap, UINT64 heap_offset, const D3D12_RESOURCE_DESC* desc,
                                                 D3D12_RESOURCE_STATES initial_state,
                                                 const D3D12_CLEAR_VALUE* optimized_clear_value, REFIID iid,
                                                 void** resource) override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT count, ID3D12Pageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE Evict(UINT count, ID3D12Pageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64 initial_value, D3D12_FENCE_FLAGS flags, REFIID iid,
                                        void** fence) override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override;
  void STDMETHODCALLTYPE GetCopyableFootprints(const D3D12_RESOURCE_DESC* resource_desc, UINT first_subresource,
                                               UINT subresources, UINT64 base_offset,
                                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* rows,
                                               UINT64* row_size_in_bytes, UINT64* total_bytes) override;
  HRESULT STDMETHODCALLTYPE CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID iid, void** heap) override;
  HRESULT STDMETHODCALLTYPE SetStablePowerState(BOOL enable) override;
  HRESULT STDMETHODCALLTYPE CreateCommandSignature(const D3D12_COMMAND_SIGNATURE_DESC* desc,
                                                   ID3D12RootSignature* root_signature, REFIID iid,
                                                   void** command_signature) override;
  LUID STDMETHODCALLTYPE GetAdapterLuid() override;
  HRESULT STDMETHODCALLTYPE SetEventOnMultipleFenceCompletion(ID3D12Fence* const* fences, const UINT64* fence_values,
                                                              UINT count, D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags,
                                                              HANDLE event) override;
  HRESULT STDMETHODCALLTYPE SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                                 const D3D12_RESIDENCY_PRIORITY* priorities) override;
  HRESULT STDMETHODCALLTYPE EnqueueMakeResident(D3D12_RESIDENCY_FLAGS flags, UINT count, ID3D12Pageable* const* objects,
                                                ID3D12Fence* fence_to_signal, UINT64 fence_value_to_signal) override;
  HRESULT STDMETHODCALLTYPE CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                               D3D12_COMMAND_LIST_FLAGS flags, REFIID iid,
                                               void** command_list) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource1(const D3D12_HEAP_PROPERTIES* heap_properties,
                                                     D3D12_HEAP_FLAGS heap_flags, const D3D12_RESOURCE_DESC* desc,
                                                     D3D12_RESOURCE_STATES initial_resource_state,
                                                     const D3D12_CLEAR_VALUE* optimized_clear_value,
                                                     ID3D12ProtectedResourceSession* protected_session, REFIID iid,
                                                     void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateHeap1(const D3D12_HEAP_DESC* desc, ID3D12ProtectedResourceSession* protected_session,
                                        REFIID iid, void** heap) override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo1(UINT visible_mask, UINT count, const D3D12_RESOURCE_DESC* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* resource_allocation_info1) override;
  void STDMETHODCALLTYPE RemoveDevice() override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo2(UINT visible_mask, UINT count, const D3D12_RESOURCE_DESC1* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* resource_allocation_info1) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource2(const D3D12_HEAP_PROPERTIES* heap_properties,
                                                     D3D12_HEAP_FLAGS heap_flags, const D3D12_RESOURCE_DESC1* desc,
                                                     D3D12_RESOURCE_STATES initial_resource_state,
                                                     const D3D12_CLEAR_VALUE* optimized_clear_value,
                                                     ID3D12ProtectedResourceSession* protected_session, REFIID iid,
                                                     void** resource) override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource1(ID3D12Heap* heap, UINT64 heap_offset,
                                                  const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES initial_state,
                                                  const D3D12_CLEAR_VALUE* optimized_clear_value, REFIID iid,
                                                  void** resource) override;
  void STDMETHODCALLTYPE CreateSamplerFeedbackUnorderedAccessView(ID3D12Resource* targeted_resource,
                                                                  ID3D12Resource* feedback_resource,
                                                                  D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  void STDMETHODCALLTYPE GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* resource_desc, UINT first_subresource,
                                                UINT subresources, UINT64 base_offset,
                                                D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* rows,
                                                UINT64* row_size_in_bytes, UINT64* total_bytes) override;
  HRESULT STDMETHODCALLTYPE CreateCommandQueue1(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID creator_id, REFIID iid,
                                                void** command_queue) override;
  void STDMETHODCALLTYPE CreateSampler2(const D3D12_SAMPLER_DESC2* desc,
                                        D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource3(const D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS,
                                                     const D3D12_RESOURCE_DESC1*, D3D12_BARRIER_LAYOUT,
                                                     const D3D12_CLEAR_VALUE*, ID3D12ProtectedResourceSession*, UINT32,
                                                     DXGI_FORMAT*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource2(ID3D12Heap*, UINT64, const D3D12_RESOURCE_DESC1*,
                                                  D3D12_BARRIER_LAYOUT, const D3D12_CLEAR_VALUE*, UINT32, DXGI_FORMAT*,
                                                  REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE EnumerateMetaCommands(UINT*, D3D12_META_COMMAND_DESC*) override;

  // Reserved resources: device_reserved.cpp.
  HRESULT STDMETHODCALLTYPE CreateReservedResource(const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                                   const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                                   void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateReservedResource1(const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                                    const D3D12_CLEAR_VALUE* clear,
                                                    ID3D12ProtectedResourceSession* session, REFIID iid,
                                                    void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateReservedResource2(const D3D12_RESOURCE_DESC* desc, D3D12_BARRIER_LAYOUT layout,
                                                    const D3D12_CLEAR_VALUE* clear,
                                                    ID3D12ProtectedResourceSession* session, UINT32 castable_formats,
                                                    DXGI_FORMAT* castable, REFIID iid, void** resource) override;
  void STDMETHODCALLTYPE GetResourceTiling(ID3D12Resource* resource, UINT* tiles, D3D12_PACKED_MIP_INFO* packed_mips,
                                           D3D12_TILE_SHAPE* shape, UINT* tilings, UINT first_tiling,
                                           D3D12_SUBRESOURCE_TILING* subresource_tilings) override;

  // Why it was removed: device_removed.cpp.
  HRESULT STDMETHODCALLTYPE GetAutoBreadcrumbsOutput(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT* output) override;
  HRESULT STDMETHODCALLTYPE GetAutoBreadcrumbsOutput1(D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1* output) override;
  HRESULT STDMETHODCALLTYPE GetPageFaultAllocationOutput(D3D12_DRED_PAGE_FAULT_OUTPUT* output) override;
  HRESULT STDMETHODCALLTYPE GetPageFaultAllocationOutput1(D3D12_DRED_PAGE_FAULT_OUTPUT1* output) override;
  HRESULT STDMETHODCALLTYPE GetPageFaultAllocationOutput2(D3D12_DRED_PAGE_FAULT_OUTPUT2* output) override;
  D3D12_DRED_DEVICE_STATE STDMETHODCALLTYPE GetDeviceState() override;

  // Shared by handle: device_shared.cpp.
  HRESULT STDMETHODCALLTYPE CreateSharedHandle(ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*, DWORD, LPCWSTR,
                                               HANDLE*) override;
  HRESULT STDMETHODCALLTYPE OpenSharedHandle(HANDLE, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE OpenSharedHandleByName(LPCWSTR, DWORD, HANDLE*) override;

  // Not modelled: device_unmodelled.cpp.
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromAddress(const void*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromFileMapping(HANDLE, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession(const D3D12_PROTECTED_RESOURCE_SESSION_DESC*, REFIID,
                                                           void**) override;
  HRESULT STDMETHODCALLTYPE CreateLifetimeTracker(ID3D12LifetimeOwner*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE EnumerateMetaCommandParameters(REFGUID, D3D12_META_COMMAND_PARAMETER_STAGE, UINT*, UINT*,
                                                           D3D12_META_COMMAND_PARAMETER_DESC*) override;
  HRESULT STDMETHODCALLTYPE CreateMetaCommand(REFGUID, UINT, const void*, SIZE_T, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CreateStateObject(const D3D12_STATE_OBJECT_DESC*, REFIID, void**) override;
  void STDMETHODCALLTYPE
  GetRaytracingAccelerationStructurePrebuildInfo(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS*,
                                                 D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO*) override;
  D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS STDMETHODCALLTYPE CheckDriverMatchingIdentifier(
      D3D12_SERIALIZED_DATA_TYPE, const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER*) override;
  HRESULT STDMETHODCALLTYPE SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE, D3D12_MEASUREMENTS_ACTION,
                                                        HANDLE, BOOL*) override;
  HRESULT STDMETHODCALLTYPE AddToStateObject(const D3D12_STATE_OBJECT_DESC*, ID3D12StateObject*, REFIID,
                                             void**) override;
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession1(const D3D12_PROTECTED_RESOURCE_SESSION_DESC1*, REFIID,
                                                            void**) override;
  HRESULT STDMETHODCALLTYPE CreateShaderCacheSession(const D3D12_SHADER_CACHE_SESSION_DESC*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS,
                                               D3D12_SHADER_CACHE_CONTROL_FLAGS) override;

 private:
  ~Device() override;
  void on_last_release() override;
  void on_removal() override;
  void tell(const Hazard& hazard);
  void tell_no_descriptor(const char* method, UINT64 handle);
  /// Null, with a message of that id, where the view shows what is not there.
  void write_view(const char* method, D3D12_MESSAGE_ID wrong, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                  const TargetView& view);
  HRESULT removal_data(bool recorded) const;
  template <class Output>
  HRESULT page_fault(Output* output);

  LUID luid_;
  std::unique_ptr<DescriptorHeaps> descriptor_heaps_;
  std::unique_ptr<RootSignatures> root_signatures_;
  std::unique_ptr<Hazards> hazards_;
  RemovalRecord removal_record_;
};

}  // namespace fenceline::d3d12
