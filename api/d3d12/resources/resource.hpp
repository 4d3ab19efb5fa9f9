// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/copy_rules.hpp"
#include "api/d3d12/bytes/effect.hpp"
#include "api/d3d12/com/held.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/core/whereabouts.hpp"
#include "api/d3d12/formats/resource_layout.hpp"
#include "api/d3d12/hazards/access.hpp"
#include "api/d3d12/host/shared_handle.hpp"
#include "api/d3d12/resources/back_buffer.hpp"
#include "api/d3d12/states/resource_states.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace fenceline::d3d12 {

class Heap;

/// ID3D12Resource2: a description, and real bytes in a heap's memory, or in the tiles that a reserved one is mapped to.
class Resource final
    : public DeviceChild<
          Face<ID3D12Resource2, ID3D12Resource1, ID3D12Resource, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  /// `desc` is valid and fits into the memory from `offset` on. `heap` are the heap's properties as given.
  Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& heap,
           D3D12_HEAP_FLAGS heap_flags, Bytes bytes, std::shared_ptr<const BackBuffer> back_buffer = nullptr);
  /// A placed one, which keeps its heap alive.
  Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, Heap& heap, std::uint64_t offset);
  /// A reserved one, of which nothing is mapped. `memory` has the tiles of the layout.
  Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const TileLayout& tiles,
           std::shared_ptr<HeapMemory> memory);

  HRESULT STDMETHODCALLTYPE Map(UINT subresource, const D3D12_RANGE* read, void** data) override;
  void STDMETHODCALLTYPE Unmap(UINT subresource, const D3D12_RANGE* written) override;
  D3D12_RESOURCE_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE GetGPUVirtualAddress() override;
  HRESULT STDMETHODCALLTYPE WriteToSubresource(UINT to, const D3D12_BOX* box, const void* data, UINT row_pitch,
                                               UINT slice_pitch) override;
  HRESULT STDMETHODCALLTYPE ReadFromSubresource(void* data, UINT row_pitch, UINT slice_pitch, UINT from,
                                                const D3D12_BOX* box) override;
  HRESULT STDMETHODCALLTYPE GetHeapProperties(D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS* flags) override;
  HRESULT STDMETHODCALLTYPE GetProtectedResourceSession(REFIID iid, void** session) override;
  D3D12_RESOURCE_DESC1 STDMETHODCALLTYPE GetDesc1() override { return desc1_; }

  const D3D12_RESOURCE_DESC& desc() const { return desc_; }
  const ResourceLayout& layout() const { return layout_; }
  bool is_buffer() const { return desc_.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER; }
  /// Of a buffer: its width; of a texture: of all subresources.
  std::uint64_t bytes() const { return is_buffer() ? desc_.Width : layout_.bytes(); }
  /// Its bytes lie in the system's memory: on the other side of PCIe.
  bool in_host() const { return in_host_; }
  D3D12_HEAP_TYPE heap_type() const { return heap_.Type; }
  /// From so many bytes on.
  Bytes at(std::uint64_t offset) const { return {bytes_.memory, bytes_.offset + offset}; }
  /// Its states, where the debug layer is on; null: not tracked. Simulations change them.
  const std::shared_ptr<ResourceStates>& states() const { return states_; }
  void track_states(D3D12_RESOURCE_STATES initial);
  /// The memory is the resource's alone, which captures call by its name, or by this where it has none.
  void has_memory(const char* unnamed);
  void end_tracking() { states_.reset(); }
  /// What accesses are said to be of, where the debug layer is on when it is made; else null.
  const AccessedResourcePtr& accessed() const { return accessed_; }
  /// What devices share of a committed resource; null: it was not created to be shared, or is in a heap that is.
  std::shared_ptr<SharedObject> shared() const;
  /// Null: it is none.
  const std::shared_ptr<const BackBuffer>& back_buffer() const { return back_buffer_; }
  /// For views, which do not keep it.
  const std::shared_ptr<Whereabouts<Resource>>& whereabouts() const { return whereabouts_; }
  /// The debug layer tells if the GPU has still to do with it; with the host's lock.
  void tell_if_used(const char* method, D3D12_MESSAGE_ID id) const;
  /// What MakeResident counts; null of one that is placed or reserved.
  PageableMemory* pageable() const { return placed_in_ ? nullptr : memory()->pageable().get(); }
  CopySide copy_side() const { return {&desc_, this}; }
  /// Of a reserved resource; null of others.
  const TileLayout* tiles() const { return tiles_ ? &*tiles_ : nullptr; }
  /// Of all its bytes.
  const std::shared_ptr<HeapMemory>& memory() const { return bytes_.memory; }

 private:
  ~Resource() override;
  void on_last_release() override;
  bool mappable() const;
  void tell_of_addresses();

  D3D12_RESOURCE_DESC1 desc1_;
  D3D12_RESOURCE_DESC desc_;
  std::optional<TileLayout> tiles_;
  ResourceLayout layout_;
  D3D12_HEAP_PROPERTIES heap_;
  D3D12_HEAP_FLAGS heap_flags_;
  Held<Heap> placed_in_;  // null unless it is placed
  bool in_host_;
  Bytes bytes_;
  std::shared_ptr<const BackBuffer> back_buffer_;
  std::shared_ptr<ResourceStates> states_;
  AccessedResourcePtr accessed_;
  std::shared_ptr<Whereabouts<Resource>> whereabouts_ = std::make_shared<Whereabouts<Resource>>(*this);
};

/// A buffer of a swap chain in COMMON, with its maker's reference. Null when the system has no room for it.
Resource* make_back_buffer(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const BackBuffer& of);

/// The way of bytes that are copied.
CopyRoute route_between(const Resource& from, const Resource& to);

/// ID3D12Device8::CreateCommittedResource2 and those before it.
HRESULT create_committed_resource(DeviceCore& device, const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                  const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES state,
                                  const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource);
/// ID3D12Device10::CreateReservedResource2, whose resources have a layout and no state, and those before it.
HRESULT create_reserved_resource(DeviceCore& device, const D3D12_RESOURCE_DESC* desc,
                                 const std::optional<D3D12_RESOURCE_STATES>& state, const D3D12_CLEAR_VALUE* clear,
                                 REFIID iid, void** resource);
/// ID3D12Device8::CreatePlacedResource1 and the one before it.
HRESULT create_placed_resource(DeviceCore& device, ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                               D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear, REFIID iid,
                               void** resource);

}  // namespace fenceline::d3d12
