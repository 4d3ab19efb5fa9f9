// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/effect.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/hazards/access.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// ID3D12QueryHeap: the results lie in memory of their own.
class QueryHeap final : public DeviceChild<Face<ID3D12QueryHeap, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  QueryHeap(DeviceCore& device, const D3D12_QUERY_HEAP_DESC& desc, std::shared_ptr<HeapMemory> memory)
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)) {
    if (!DeviceCore::debug_layer()) return;
    accessed_ = std::make_shared<AccessedResource>(
        AccessedResource{AccessedResource::Kind::query_heap, memory_, 0, memory_->bytes()});
  }

  const D3D12_QUERY_HEAP_DESC& desc() const { return desc_; }
  /// Bytes of one result, as ResolveQueryData writes it.
  static std::uint32_t result_bytes(D3D12_QUERY_HEAP_TYPE type);
  Bytes at(UINT index) const { return {memory_, std::uint64_t{index} * result_bytes(desc_.Type)}; }
  /// What MakeResident counts.
  PageableMemory* pageable() const { return memory_->pageable().get(); }
  /// As a resource's.
  const AccessedResourcePtr& accessed() const { return accessed_; }

 private:
  ~QueryHeap() override = default;
  D3D12_QUERY_HEAP_DESC desc_;
  std::shared_ptr<HeapMemory> memory_;
  AccessedResourcePtr accessed_;
};

HRESULT create_query_heap(DeviceCore& device, const D3D12_QUERY_HEAP_DESC* desc, REFIID iid, void** heap);

}  // namespace fenceline::d3d12
