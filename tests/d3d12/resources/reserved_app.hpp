// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

namespace fenceline::testing {

inline UINT ceil_div(UINT64 size, UINT by) { return static_cast<UINT>((size + by - 1) / by); }

constexpr UINT64 tile_size = 65536;

/// A texture's description as CreateReservedResource takes it.
inline D3D12_RESOURCE_DESC tiled(D3D12_RESOURCE_DESC desc) {
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER) desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
  return desc;
}

/// An App that maps tiles.
struct ReservedApp : App {
  ComPtr<ID3D12Resource> reserved(const D3D12_RESOURCE_DESC& desc) {
    ComPtr<ID3D12Resource> made;
    REQUIRE(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12Heap> tile_heap(UINT64 tiles, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE) {
    const D3D12_HEAP_DESC desc{tiles * tile_size, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, flags};
    ComPtr<ID3D12Heap> made;
    REQUIRE(device->CreateHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  /// All tiles of the resource to the heap's, from its first one on.
  static void map_all(ID3D12CommandQueue* queue, ID3D12Resource* resource, ID3D12Heap* heap, UINT first = 0) {
    queue->UpdateTileMappings(resource, 1, nullptr, nullptr, heap, 1, nullptr, &first, nullptr,
                              D3D12_TILE_MAPPING_FLAG_NONE);
  }
  /// One tile of a buffer or of a subresource's first row.
  static void map_one(ID3D12CommandQueue* queue, ID3D12Resource* resource, UINT tile, ID3D12Heap* heap,
                      UINT heap_tile) {
    const D3D12_TILED_RESOURCE_COORDINATE start{tile, 0, 0, 0};
    queue->UpdateTileMappings(resource, 1, &start, nullptr, heap, 1, nullptr, &heap_tile, nullptr,
                              D3D12_TILE_MAPPING_FLAG_NONE);
  }
};

}  // namespace fenceline::testing
