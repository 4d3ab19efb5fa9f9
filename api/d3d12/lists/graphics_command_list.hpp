// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/formats/clear_value.hpp"
#include "api/d3d12/lists/command_allocator.hpp"
#include "api/d3d12/lists/draw_bindings.hpp"
#include "api/d3d12/lists/list_methods.hpp"
#include "api/d3d12/lists/recording.hpp"
#include "api/d3d12/lists/render_pass.hpp"
#include "api/d3d12/pipelines/draw_area.hpp"
#include "api/d3d12/pipelines/draw_estimate.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/resources/target_view.hpp"
#include "api/d3d12/root/root_values.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

class QueryHeap;

/// Why a queue does not execute a list; `id` is D3D12_MESSAGE_ID_UNKNOWN when it does.
struct ExecuteRefusal {
  D3D12_MESSAGE_ID id = D3D12_MESSAGE_ID_UNKNOWN;
  std::string text;
  bool removes_device = false;
};

/// ID3D12GraphicsCommandList8 of every type, bundles included: checks each call by D3D12's rules and records it into
/// its allocator. Shaders are not executed: a draw or dispatch costs time and leaves its outputs as they are. What a
/// program does wrong is said at once as a message, and returned by Close.
///
/// Externally synchronised, as D3D12's is. Recording takes no lock.
class GraphicsCommandList final
    : public DeviceChild<Face<ID3D12GraphicsCommandList8, ID3D12GraphicsCommandList7, ID3D12GraphicsCommandList6,
                              ID3D12GraphicsCommandList5, ID3D12GraphicsCommandList4, ID3D12GraphicsCommandList3,
                              ID3D12GraphicsCommandList2, ID3D12GraphicsCommandList1, ID3D12GraphicsCommandList,
                              ID3D12CommandList, ID3D12DeviceChild, ID3D12Object>> {
 public:
  /// Closed, without an allocator.
  GraphicsCommandList(DeviceCore& device, UINT node, D3D12_COMMAND_LIST_TYPE type)
      : DeviceChild(device), type_(type), node_(node) {}
  /// Recording. The allocator is of the list's type and has no other recording list.
  GraphicsCommandList(DeviceCore& device, UINT node, CommandAllocator& allocator, ID3D12PipelineState* initial_state);

  // For queues.
  ExecuteRefusal refusal(D3D12_COMMAND_LIST_TYPE queue_type, UINT queue_node) const;
  /// What was recorded. The list is closed.
  std::shared_ptr<const Recording> recording() const { return recording_; }
  /// The same, for a queue that is to execute it: it says what it uses of video memory, as find_uses. With the host's
  /// lock.
  std::shared_ptr<const Recording> executed_recording(bool each_use) const {
    recording_->find_uses(each_use, device().descriptor_heaps());
    return recording_;
  }

  // Its life: graphics_command_list.cpp.
  D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE GetType() override { return type_; }
  HRESULT STDMETHODCALLTYPE Close() override;
  HRESULT STDMETHODCALLTYPE Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState* initial_state) override;
  void STDMETHODCALLTYPE ClearState(ID3D12PipelineState* pipeline) override;
  void STDMETHODCALLTYPE ExecuteBundle(ID3D12GraphicsCommandList* bundle) override;

  // Markers: list_markers.cpp.
  void STDMETHODCALLTYPE SetMarker(UINT metadata, const void* data, UINT bytes) override;
  void STDMETHODCALLTYPE BeginEvent(UINT metadata, const void* data, UINT bytes) override;
  void STDMETHODCALLTYPE EndEvent() override;

  // Barriers: list_barriers.cpp.
  void STDMETHODCALLTYPE ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) override;
  void STDMETHODCALLTYPE Barrier(UINT32 count, const D3D12_BARRIER_GROUP* groups) override;

  // Draws and dispatches: list_draws.cpp.
  void STDMETHODCALLTYPE DrawInstanced(UINT vertices, UINT instances, UINT first_vertex, UINT first_instance) override;
  void STDMETHODCALLTYPE DrawIndexedInstanced(UINT indices, UINT instances, UINT first_index, INT base_vertex,
                                              UINT first_instance) override;
  void STDMETHODCALLTYPE Dispatch(UINT x, UINT y, UINT z) override;
  void STDMETHODCALLTYPE DispatchMesh(UINT x, UINT y, UINT z) override;
  void STDMETHODCALLTYPE ExecuteIndirect(ID3D12CommandSignature* signature, UINT most, ID3D12Resource* arguments,
                                         UINT64 arguments_offset, ID3D12Resource* count, UINT64 count_offset) override;

  // Render passes: list_passes.cpp.
  void STDMETHODCALLTYPE BeginRenderPass(UINT count, const D3D12_RENDER_PASS_RENDER_TARGET_DESC* targets,
                                         const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC* depth_stencil,
                                         D3D12_RENDER_PASS_FLAGS flags) override;
  void STDMETHODCALLTYPE EndRenderPass() override;

  // State: list_state.cpp.
  void STDMETHODCALLTYPE SetPipelineState(ID3D12PipelineState* pipeline) override;
  void STDMETHODCALLTYPE IASetPrimitiveTopology(D3D12_PRIMITIVE_TOPOLOGY topology) override;
  void STDMETHODCALLTYPE RSSetViewports(UINT count, const D3D12_VIEWPORT* viewports) override;
  void STDMETHODCALLTYPE RSSetScissorRects(UINT count, const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE OMSetBlendFactor(const FLOAT factor[4]) override;
  void STDMETHODCALLTYPE OMSetStencilRef(UINT stencil) override;
  void STDMETHODCALLTYPE OMSetFrontAndBackStencilRef(UINT front, UINT back) override;
  void STDMETHODCALLTYPE OMSetDepthBounds(FLOAT least, FLOAT most) override;
  void STDMETHODCALLTYPE SetSamplePositions(UINT samples, UINT pixels, D3D12_SAMPLE_POSITION* positions) override;
  void STDMETHODCALLTYPE SetViewInstanceMask(UINT mask) override;
  void STDMETHODCALLTYPE RSSetShadingRate(D3D12_SHADING_RATE rate,
                                          const D3D12_SHADING_RATE_COMBINER* combiners) override;
  void STDMETHODCALLTYPE RSSetShadingRateImage(ID3D12Resource* image) override;
  void STDMETHODCALLTYPE SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) override;
  void STDMETHODCALLTYPE SetComputeRootSignature(ID3D12RootSignature* signature) override;
  void STDMETHODCALLTYPE SetGraphicsRootSignature(ID3D12RootSignature* signature) override;
  void STDMETHODCALLTYPE SetComputeRootDescriptorTable(UINT parameter, D3D12_GPU_DESCRIPTOR_HANDLE table) override;
  void STDMETHODCALLTYPE SetGraphicsRootDescriptorTable(UINT parameter, D3D12_GPU_DESCRIPTOR_HANDLE table) override;
  void STDMETHODCALLTYPE SetComputeRoot32BitConstant(UINT parameter, UINT value, UINT at) override;
  void STDMETHODCALLTYPE SetGraphicsRoot32BitConstant(UINT parameter, UINT value, UINT at) override;
  void STDMETHODCALLTYPE SetComputeRoot32BitConstants(UINT parameter, UINT count, const void* values, UINT at) override;
  void STDMETHODCALLTYPE SetGraphicsRoot32BitConstants(UINT parameter, UINT count, const void* values,
                                                       UINT at) override;
  void STDMETHODCALLTYPE SetComputeRootConstantBufferView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE SetGraphicsRootConstantBufferView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE SetComputeRootShaderResourceView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE SetGraphicsRootShaderResourceView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE SetComputeRootUnorderedAccessView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE SetGraphicsRootUnorderedAccessView(UINT parameter, D3D12_GPU_VIRTUAL_ADDRESS at) override;
  void STDMETHODCALLTYPE IASetIndexBuffer(const D3D12_INDEX_BUFFER_VIEW* view) override;
  void STDMETHODCALLTYPE IASetVertexBuffers(UINT first, UINT count, const D3D12_VERTEX_BUFFER_VIEW* views) override;
  void STDMETHODCALLTYPE SOSetTargets(UINT first, UINT count, const D3D12_STREAM_OUTPUT_BUFFER_VIEW* views) override;
  void STDMETHODCALLTYPE OMSetRenderTargets(UINT count, const D3D12_CPU_DESCRIPTOR_HANDLE* targets, BOOL range,
                                            const D3D12_CPU_DESCRIPTOR_HANDLE* depth_stencil) override;
  void STDMETHODCALLTYPE SetProtectedResourceSession(ID3D12ProtectedResourceSession* session) override;
  void STDMETHODCALLTYPE SetPipelineState1(ID3D12StateObject* state) override;

  // Copies and clears: list_copies.cpp; CopyTiles: list_tiles.cpp; resolves: list_resolves.cpp.
  void STDMETHODCALLTYPE CopyBufferRegion(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                          UINT64 from_offset, UINT64 bytes) override;
  void STDMETHODCALLTYPE CopyTextureRegion(const D3D12_TEXTURE_COPY_LOCATION* to, UINT x, UINT y, UINT z,
                                           const D3D12_TEXTURE_COPY_LOCATION* from, const D3D12_BOX* box) override;
  void STDMETHODCALLTYPE CopyResource(ID3D12Resource* to, ID3D12Resource* from) override;
  void STDMETHODCALLTYPE CopyTiles(ID3D12Resource* tiled, const D3D12_TILED_RESOURCE_COORDINATE* start,
                                   const D3D12_TILE_REGION_SIZE* size, ID3D12Resource* buffer, UINT64 offset,
                                   D3D12_TILE_COPY_FLAGS flags) override;
  void STDMETHODCALLTYPE ResolveSubresource(ID3D12Resource* to, UINT to_subresource, ID3D12Resource* from,
                                            UINT from_subresource, DXGI_FORMAT format) override;
  void STDMETHODCALLTYPE ResolveSubresourceRegion(ID3D12Resource* to, UINT to_subresource, UINT x, UINT y,
                                                  ID3D12Resource* from, UINT from_subresource, D3D12_RECT* rect,
                                                  DXGI_FORMAT format, D3D12_RESOLVE_MODE mode) override;
  void STDMETHODCALLTYPE AtomicCopyBufferUINT(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                              UINT64 from_offset, UINT dependencies, ID3D12Resource* const* resources,
                                              const D3D12_SUBRESOURCE_RANGE_UINT64* ranges) override;
  void STDMETHODCALLTYPE AtomicCopyBufferUINT64(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                                UINT64 from_offset, UINT dependencies, ID3D12Resource* const* resources,
                                                const D3D12_SUBRESOURCE_RANGE_UINT64* ranges) override;
  void STDMETHODCALLTYPE WriteBufferImmediate(UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER* parameters,
                                              const D3D12_WRITEBUFFERIMMEDIATE_MODE* modes) override;
  void STDMETHODCALLTYPE ClearDepthStencilView(D3D12_CPU_DESCRIPTOR_HANDLE view, D3D12_CLEAR_FLAGS flags, FLOAT depth,
                                               UINT8 stencil, UINT count, const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE ClearRenderTargetView(D3D12_CPU_DESCRIPTOR_HANDLE view, const FLOAT color[4], UINT count,
                                               const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
                                                      ID3D12Resource* resource, const UINT values[4], UINT count,
                                                      const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewFloat(D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
                                                       ID3D12Resource* resource, const FLOAT values[4], UINT count,
                                                       const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE DiscardResource(ID3D12Resource* resource, const D3D12_DISCARD_REGION* region) override;

  // Queries and predication: list_queries.cpp.
  void STDMETHODCALLTYPE BeginQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) override;
  void STDMETHODCALLTYPE EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) override;
  void STDMETHODCALLTYPE ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT first, UINT count,
                                          ID3D12Resource* to, UINT64 offset) override;
  void STDMETHODCALLTYPE SetPredication(ID3D12Resource* buffer, UINT64 offset, D3D12_PREDICATION_OP op) override;

  // Meta commands and ray tracing are not modelled: list_unmodelled.cpp.
  void STDMETHODCALLTYPE InitializeMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) override;
  void STDMETHODCALLTYPE ExecuteMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) override;
  void STDMETHODCALLTYPE
  BuildRaytracingAccelerationStructure(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC*, UINT,
                                       const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*) override;
  void STDMETHODCALLTYPE
  EmitRaytracingAccelerationStructurePostbuildInfo(const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*,
                                                   UINT, const D3D12_GPU_VIRTUAL_ADDRESS*) override;
  void STDMETHODCALLTYPE CopyRaytracingAccelerationStructure(
      D3D12_GPU_VIRTUAL_ADDRESS, D3D12_GPU_VIRTUAL_ADDRESS, D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE) override;
  void STDMETHODCALLTYPE DispatchRays(const D3D12_DISPATCH_RAYS_DESC*) override;

 private:
  ~GraphicsCommandList() override;
  static constexpr std::uint32_t no_index = ~std::uint32_t{0};
  /// A query that has begun and not ended.
  struct OpenQuery {
    const QueryHeap* heap;
    D3D12_QUERY_TYPE type;
    UINT index;
    std::size_t first;  // command that it counts
    bool operator==(const OpenQuery& other) const {
      return heap == other.heap && type == other.type && index == other.index;
    }
  };
  /// Draws and dispatches record with this; Reset and ClearState bring it back.
  struct State {
    Held<PipelineState> pipeline;
    std::uint32_t pipeline_index = no_index;  // in the stream; no_index: not looked up yet
    D3D12_PRIMITIVE_TOPOLOGY topology = D3D_PRIMITIVE_TOPOLOGY_UNDEFINED;
    DrawArea area;
    const ID3D12DescriptorHeap* heaps[2] = {};  // of views and of samplers
    BoundArguments arguments;
  };

  /// The call may be recorded: the list is open and its type has the method. Spends the call's CPU time.
  bool begin(MethodLists types, const char* method);
  /// The call is not recorded, and Close will fail.
  void error(HRESULT result, D3D12_MESSAGE_ID id, const char* method, const std::string& text);
  void invalid(const char* method, const std::string& text) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER1, method, text);
  }
  /// A message; whether the call is recorded is the caller's.
  void complain(D3D12_MESSAGE_ID id, const char* method, const std::string& text);
  void open(CommandAllocator& allocator, ID3D12PipelineState* initial_state);
  /// The command that is recorded next needs those subresources in that state.
  void needs(const Resource& resource, D3D12_RESOURCE_STATES state, UINT first = 0, UINT count = 1);
  /// The command that is recorded next reads or writes that part, which `part` returns, where the debug layer watches.
  template <class Part>
  void reads(const char* method, Part&& part) {
    if (recording_->accesses() != nullptr) add_access(&Accesses::add, method, false, part());
  }
  template <class Part>
  void writes(const char* method, Part&& part) {
    if (recording_->accesses() != nullptr) add_access(&Accesses::add, method, true, part());
  }
  /// A barrier, or whatever else takes no time, in front of the next command writes that part, which `part` returns,
  /// where the debug layer watches.
  template <class Part>
  void writes_between(const char* method, Part&& part) {
    if (recording_->accesses() != nullptr) add_access(&Accesses::add_between, method, true, part());
  }
  void add_access(void (Accesses::*add)(std::size_t, const char*, bool, AccessedPart), const char* method, bool writes,
                  AccessedPart part);
  /// Of so many vertices or indices in all; `indices` of each instance from the first one on.
  void watch_draw(const char* method, std::uint64_t count, bool indexed, std::uint64_t first_index,
                  std::uint64_t indices);
  void watch_draw(const char* method, const D3D12_DRAW_ARGUMENTS& arguments) {
    watch_draw(method, std::uint64_t{arguments.VertexCountPerInstance} * arguments.InstanceCount, false, 0, 0);
  }
  void watch_draw(const char* method, const D3D12_DRAW_INDEXED_ARGUMENTS& arguments) {
    watch_draw(method, std::uint64_t{arguments.IndexCountPerInstance} * arguments.InstanceCount, true,
               arguments.StartIndexLocation, arguments.IndexCountPerInstance);
  }
  /// The layout of a subresource, or of all, changes.
  void watch_transition(const Resource& resource, UINT subresource);
  void watch_barrier(const D3D12_TEXTURE_BARRIER& barrier, const Resource& resource);
  void mark(MarkerKind kind, UINT metadata, const void* data, UINT bytes);
  /// What a descriptor shows; nothing, with a message, where the handle names none or the view's resource is gone.
  std::optional<TargetView> view_at(D3D12_CPU_DESCRIPTOR_HANDLE handle, const char* method);
  /// What descriptors of render targets and of a depth stencil view show; a null depth stencil handle: no such view.
  /// Nothing, with a message, where one handle names none or its view's resource is gone.
  struct Targets {
    std::vector<TargetView> colors;
    TargetView depth_stencil;
  };
  std::optional<Targets> targets_at(const std::vector<D3D12_CPU_DESCRIPTOR_HANDLE>& colors,
                                    const D3D12_CPU_DESCRIPTOR_HANDLE* depth_stencil, const char* method);
  /// What draws write from here on. They cover what all those views show; null ones show nothing.
  void set_targets(const Targets& targets);
  /// A root parameter's table is where shaders see it.
  void set_table(const char* method, bool dispatches, UINT parameter, D3D12_GPU_DESCRIPTOR_HANDLE table);
  bool check_query(const QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index, const char* method);
  template <class Pipeline>
  std::uint32_t pipeline_in(std::vector<Pipeline>& pipelines, const char* method, const char* kind,
                            const std::optional<Pipeline>& (PipelineState::*cost)() const);
  std::uint32_t graphics_pipeline(const char* method);
  std::uint32_t mesh_pipeline(const char* method);
  std::uint32_t compute_pipeline(const char* method);
  void clear_color(const TargetView& view, const FLOAT color[4], UINT count, const D3D12_RECT* rects,
                   const char* method);
  void clear_depth(const TargetView& view, D3D12_CLEAR_FLAGS flags, FLOAT depth, UINT8 stencil, UINT count,
                   const D3D12_RECT* rects, const char* method);
  void clear_uav(const TargetView& view, const Resource* resource, const Element& value, std::uint32_t element_bytes,
                 UINT count, const D3D12_RECT* rects, const char* method);
  void fill(const TargetView& view, std::uint32_t plane, const Element& value, D3D12_RESOURCE_STATES state, UINT count,
            const D3D12_RECT* rects, const char* method);
  template <class Arguments>
  void draw(const Arguments& arguments, const char* method);
  /// A subresource, and for a destination where in it.
  struct ResolveSide {
    const Resource* resource;
    UINT subresource;
    UINT x, y;
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_RESOLVE_SOURCE;  // of a source
    /// Why it cannot be resolved in that format; empty: it can.
    std::string problem(DXGI_FORMAT format) const;
  };
  void resolve(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect, DXGI_FORMAT format,
               D3D12_RESOLVE_MODE mode, const char* method);
  void watch_resolve(const char* method, const ResolveSide& to, const TexelGrid& to_grid, const ResolveSide& from,
                     const TexelGrid& from_grid, const D3D12_BOX& box);
  void resolve_region(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect, DXGI_FORMAT format,
                      D3D12_RESOLVE_MODE mode, const char* method);
  void decompress(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect, DXGI_FORMAT format,
                  const char* method);
  void clear_pass(const Targets& views, const D3D12_RENDER_PASS_RENDER_TARGET_DESC* targets,
                  const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC* depth_stencil);
  void add_pass_resolves(const D3D12_RENDER_PASS_ENDING_ACCESS& access);
  void copy_buffer(Resource* to, UINT64 to_offset, Resource* from, UINT64 from_offset, UINT64 bytes, const char* method,
                   bool atomic);

  D3D12_COMMAND_LIST_TYPE type_;
  UINT node_;  // mask of the one for which it is
  bool recording_now_ = false;
  bool in_render_pass_ = false;
  bool unmatched_query_ = false;        // a query began twice, or did not begin or end: no queue executes the list
  HRESULT error_ = S_OK;                // Close will return it
  HRESULT unusable_ = S_OK;             // Close returned it: Reset does, too
  Held<CommandAllocator> allocator_;    // of what it records or has recorded
  std::uint64_t allocator_resets_ = 0;  // when it began
  std::shared_ptr<Recording> recording_;
  State state_;
  std::unique_ptr<DrawBindings> bindings_;  // null: the debug layer does not watch
  std::vector<OpenQuery> open_queries_;
  RenderPass pass_;                                                       // while in_render_pass_
  std::optional<PassTargets> suspended_;                                  // of the pass that ended last
  std::vector<std::pair<Held<PipelineState>, std::uint32_t>> pipelines_;  // and their indices in the stream
};

/// ID3D12Device::CreateCommandList: recording; and ID3D12Device4::CreateCommandList1: closed.
HRESULT create_command_list(DeviceCore& device, UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                            ID3D12CommandAllocator* allocator, ID3D12PipelineState* initial_state, REFIID iid,
                            void** list);
HRESULT create_closed_command_list(DeviceCore& device, UINT node_mask, D3D12_COMMAND_LIST_TYPE type, REFIID iid,
                                   void** list);

}  // namespace fenceline::d3d12
