// SPDX-License-Identifier: Apache-2.0
// Device, the functions that create objects: each has its checks beside the object.
#include "api/d3d12/caches/shader_cache_session.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/lists/command_allocator.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/pipelines/pipeline_library.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/queues/command_queue.hpp"
#include "api/d3d12/resources/descriptor_heap.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/resources/query_heap.hpp"
#include "api/d3d12/resources/resource.hpp"
#include "api/d3d12/root/command_signature.hpp"
#include "api/d3d12/root/root_signature.hpp"
#include "api/d3d12/states/initial_state.hpp"

namespace fenceline::d3d12 {
namespace {

/// A D3D12_RESOURCE_DESC with nothing added.
D3D12_RESOURCE_DESC1 with_feedback(const D3D12_RESOURCE_DESC& desc) {
  return {desc.Dimension,  desc.Alignment, desc.Width, desc.Height, desc.DepthOrArraySize, desc.MipLevels, desc.Format,
          desc.SampleDesc, desc.Layout,    desc.Flags, {0, 0, 0}};
}

/// Buffers have no layout.
bool fits(const D3D12_RESOURCE_DESC1& desc, D3D12_BARRIER_LAYOUT layout) {
  return desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER || layout == D3D12_BARRIER_LAYOUT_UNDEFINED;
}

/// A resource that has a layout has no states to hold it against.
HRESULT untracked(HRESULT result, void** resource) {
  if (result == S_OK) com_cast<Resource>(static_cast<ID3D12Resource2*>(*resource))->end_tracking();
  return result;
}

}  // namespace

HRESULT Device::CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid, void** queue) {
  if (queue != nullptr) *queue = nullptr;
  return create_command_queue(*this, desc, iid, queue);
}

HRESULT Device::CreateCommandQueue1(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID, REFIID iid, void** queue) {
  if (queue != nullptr) *queue = nullptr;
  return create_command_queue(*this, desc, iid, queue);
}

HRESULT Device::CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID iid, void** allocator) {
  if (allocator != nullptr) *allocator = nullptr;
  Host::spend(costs().call_ps);
  if (type < D3D12_COMMAND_LIST_TYPE_DIRECT || type > D3D12_COMMAND_LIST_TYPE_COPY) return E_INVALIDARG;
  if (removed()) return DXGI_ERROR_DEVICE_REMOVED;
  return give_out(new CommandAllocator(*this, type), iid, allocator);
}

HRESULT Device::CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type, ID3D12CommandAllocator* allocator,
                                  ID3D12PipelineState* initial_state, REFIID iid, void** list) {
  if (list != nullptr) *list = nullptr;
  return create_command_list(*this, node_mask, type, allocator, initial_state, iid, list);
}

HRESULT Device::CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type, D3D12_COMMAND_LIST_FLAGS, REFIID iid,
                                   void** list) {
  if (list != nullptr) *list = nullptr;
  return create_closed_command_list(*this, node_mask, type, iid, list);
}

HRESULT Device::CreateGraphicsPipelineState(const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                            void** pipeline) {
  return create_graphics_pipeline_state(*this, desc, iid, pipeline);
}

HRESULT Device::CreateComputePipelineState(const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid, void** pipeline) {
  return create_compute_pipeline_state(*this, desc, iid, pipeline);
}

HRESULT Device::CreatePipelineState(const D3D12_PIPELINE_STATE_STREAM_DESC* desc, REFIID iid, void** pipeline) {
  return create_pipeline_state(*this, desc, iid, pipeline);
}

HRESULT Device::CreatePipelineLibrary(const void* blob, SIZE_T bytes, REFIID iid, void** library) {
  return create_pipeline_library(*this, blob, bytes, iid, library);
}

HRESULT Device::CreateRootSignature(UINT node_mask, const void* blob, SIZE_T bytes, REFIID iid, void** signature) {
  return create_root_signature(*this, node_mask, blob, bytes, iid, signature);
}

HRESULT Device::CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap) {
  if (heap != nullptr) *heap = nullptr;
  return create_descriptor_heap(*this, desc, iid, heap);
}

HRESULT Device::CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID iid, void** heap) {
  return create_query_heap(*this, desc, iid, heap);
}

HRESULT Device::CreateCommandSignature(const D3D12_COMMAND_SIGNATURE_DESC* desc, ID3D12RootSignature* root_signature,
                                       REFIID iid, void** signature) {
  return create_command_signature(*this, desc, root_signature, iid, signature);
}

HRESULT Device::CreateHeap(const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) {
  if (heap != nullptr) *heap = nullptr;
  return create_heap(*this, desc, iid, heap);
}

HRESULT Device::CreateHeap1(const D3D12_HEAP_DESC* desc, ID3D12ProtectedResourceSession* session, REFIID iid,
                            void** heap) {
  if (session != nullptr) return not_modelled("ID3D12Device4::CreateHeap1 of a protected session");
  return CreateHeap(desc, iid, heap);
}

HRESULT Device::CreateCommittedResource(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                        const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                        const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) {
  return CreateCommittedResource1(heap, flags, desc, state, clear, nullptr, iid, resource);
}

HRESULT Device::CreateCommittedResource1(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                         const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                         const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                                         REFIID iid, void** resource) {
  if (resource != nullptr) *resource = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  const D3D12_RESOURCE_DESC1 full = with_feedback(*desc);
  return CreateCommittedResource2(heap, flags, &full, state, clear, session, iid, resource);
}

HRESULT Device::CreateCommittedResource2(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                         const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES state,
                                         const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                                         REFIID iid, void** resource) {
  if (session != nullptr) return not_modelled("ID3D12Device8::CreateCommittedResource2 of a protected session");
  return create_committed_resource(*this, heap, flags, desc, state, clear, iid, resource);
}

HRESULT Device::CreateCommittedResource3(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                         const D3D12_RESOURCE_DESC1* desc, D3D12_BARRIER_LAYOUT layout,
                                         const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                                         UINT32, DXGI_FORMAT*, REFIID iid, void** resource) {
  if (resource != nullptr) *resource = nullptr;
  if (heap == nullptr || desc == nullptr || !fits(*desc, layout)) return E_INVALIDARG;
  return untracked(
      CreateCommittedResource2(heap, flags, desc, state_of_heap(heap->Type), clear, session, iid, resource), resource);
}

HRESULT Device::CreatePlacedResource2(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                                      D3D12_BARRIER_LAYOUT layout, const D3D12_CLEAR_VALUE* clear, UINT32, DXGI_FORMAT*,
                                      REFIID iid, void** resource) {
  if (resource != nullptr) *resource = nullptr;
  if (heap == nullptr || desc == nullptr || !fits(*desc, layout)) return E_INVALIDARG;
  const D3D12_RESOURCE_STATES state = state_of_heap(heap->GetDesc().Properties.Type);
  return untracked(CreatePlacedResource1(heap, offset, desc, state, clear, iid, resource), resource);
}

HRESULT Device::CreatePlacedResource(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC* desc,
                                     D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                     void** resource) {
  if (resource != nullptr) *resource = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  const D3D12_RESOURCE_DESC1 full = with_feedback(*desc);
  return CreatePlacedResource1(heap, offset, &full, state, clear, iid, resource);
}

HRESULT Device::CreatePlacedResource1(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                                      D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                      void** resource) {
  return create_placed_resource(*this, heap, offset, desc, state, clear, iid, resource);
}

HRESULT Device::CreateShaderCacheSession(const D3D12_SHADER_CACHE_SESSION_DESC* desc, REFIID iid, void** session) {
  return create_shader_cache_session(*this, desc, iid, session);
}

HRESULT Device::ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS kinds, D3D12_SHADER_CACHE_CONTROL_FLAGS control) {
  return control_shader_caches(*this, kinds, control);
}

}  // namespace fenceline::d3d12
