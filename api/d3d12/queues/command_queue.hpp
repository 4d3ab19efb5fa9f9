// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/core/newcomer.hpp"
#include "scheduler/state/context.hpp"

#include <cstdint>
#include <string>

namespace fenceline::d3d12 {

/// ID3D12CommandQueue over a queue of the machine: checks what D3D12 checks, and hands down.
class CommandQueue final
    : public DeviceChild<Face<ID3D12CommandQueue, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>>,
      private Newcomer {
 public:
  /// `desc` is valid, and `config` what it comes to but for the name. With the host's lock.
  CommandQueue(DeviceCore& device, const D3D12_COMMAND_QUEUE_DESC& desc, QueueConfig config);

  // Tile mappings, which take place in their turn among the queue's packets: queue_tiles.cpp.
  void STDMETHODCALLTYPE UpdateTileMappings(ID3D12Resource* resource, UINT regions,
                                            const D3D12_TILED_RESOURCE_COORDINATE* starts,
                                            const D3D12_TILE_REGION_SIZE* sizes, ID3D12Heap* heap, UINT ranges,
                                            const D3D12_TILE_RANGE_FLAGS* range_flags, const UINT* heap_starts,
                                            const UINT* range_tiles, D3D12_TILE_MAPPING_FLAGS flags) override;
  void STDMETHODCALLTYPE CopyTileMappings(ID3D12Resource* destination, const D3D12_TILED_RESOURCE_COORDINATE* to,
                                          ID3D12Resource* source, const D3D12_TILED_RESOURCE_COORDINATE* from,
                                          const D3D12_TILE_REGION_SIZE* size, D3D12_TILE_MAPPING_FLAGS flags) override;

  void STDMETHODCALLTYPE ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) override;
  // Markers: queue_markers.cpp.
  void STDMETHODCALLTYPE SetMarker(UINT metadata, const void* data, UINT bytes) override;
  void STDMETHODCALLTYPE BeginEvent(UINT metadata, const void* data, UINT bytes) override;
  void STDMETHODCALLTYPE EndEvent() override;
  HRESULT STDMETHODCALLTYPE Signal(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE Wait(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE GetTimestampFrequency(UINT64* frequency) override;
  HRESULT STDMETHODCALLTYPE GetClockCalibration(UINT64* gpu_timestamp, UINT64* cpu_timestamp) override;
  D3D12_COMMAND_QUEUE_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }

  /// In the machine; from the call after its creation on.
  ContextId queue() const { return queue_; }

 private:
  ~CommandQueue() override = default;
  /// What it was given to do is done.
  void on_last_release() override;
  void come_in() override;
  std::string full_name() const;
  void mark(MarkerKind kind, UINT metadata, const void* data, UINT bytes);

  D3D12_COMMAND_QUEUE_DESC desc_;
  QueueConfig config_;
  std::uint32_t number_;
  bool in_machine_ = false;
  ContextId queue_{};
};

/// ID3D12Device::CreateCommandQueue: E_INVALIDARG for what no queue has, else the queue.
HRESULT create_command_queue(DeviceCore& device, const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid, void** queue);

}  // namespace fenceline::d3d12
