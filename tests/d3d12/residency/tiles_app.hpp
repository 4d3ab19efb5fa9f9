// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/residency/residency_app.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <string>
#include <vector>

namespace fenceline::testing {

inline const std::string tiles_memory =
    std::string(slow_pcie) + "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=64\n/tdr/level=recover";
inline const std::string tiles_memory_that_pages = tiles_memory + "\n/video_memory/over_commit=page";

constexpr UINT tiles_of_mib = static_cast<UINT>(mib / tile_size);  // 16
constexpr double tiles_in_video_memory_us = 100;

using TileWords = std::vector<std::uint32_t>;

/// An App that maps tiles of heaps that it evicts.
struct TilesApp : ReservedApp {
  TilesApp() : memory(*this), watch(*this), direct(*this, direct_type) {
    REQUIRE(direct.queue->GetTimestampFrequency(&frequency) == S_OK);
  }
  ID3D12CommandQueue* queue() const { return direct.queue.Get(); }
  ComPtr<ID3D12Resource> reserved_buffer(UINT tiles) { return reserved(buffer_desc(tiles * tile_size)); }
  /// All that the queue has been told before is done.
  void settle() {
    REQUIRE(direct.queue->Signal(direct.fence.Get(), ++direct.value) == S_OK);
    direct.wait();
  }
  /// Fills a buffer with one number from tile to tile.
  void fill(ID3D12Resource* buffer, const TileWords& of_tiles) {
    TileWords all;
    for (const std::uint32_t value : of_tiles) all.insert(all.end(), tile_size / 4, value);
    watch.upload(buffer, all);
  }
  /// The first word of each tile.
  TileWords words(ID3D12Resource* buffer, UINT tiles) {
    const auto to = this->buffer(4 * UINT64{tiles}, D3D12_HEAP_TYPE_READBACK);
    write(to.Get(), TileWords(tiles, 0xBAD));
    for (UINT i = 0; i < tiles; ++i) {
      watch.copies.list->CopyBufferRegion(to.Get(), 4 * UINT64{i}, buffer, i * tile_size, 4);
    }
    watch.copies.run();
    return read<std::uint32_t>(to.Get(), tiles);
  }
  /// So many dispatches that read the buffer.
  double dispatch_us(ID3D12Resource* buffer, UINT count = 1) {
    ID3D12GraphicsCommandList* const list = direct.list.Get();
    list->SetPipelineState(dispatches.Get());
    list->SetComputeRootShaderResourceView(0, buffer->GetGPUVirtualAddress());
    list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    for (UINT i = 0; i < count; ++i) list->Dispatch(1, 1, 1);
    list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
    list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
    direct.run();
    const auto ticks = read<UINT64>(back.Get(), 2);
    return static_cast<double>(ticks[1] - ticks[0]) * 1e6 / static_cast<double>(frequency);
  }
  bool lives() const { return device->GetDeviceRemovedReason() == S_OK; }

  VideoMemoryOf memory;
  Stopwatch watch;
  ComPtr<ID3D12PipelineState> dispatches = compute_pipeline(*this);
  ComPtr<ID3D12QueryHeap> stamps = query_heap(*this, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
  ComPtr<ID3D12Resource> back = buffer(2 * sizeof(UINT64), D3D12_HEAP_TYPE_READBACK);
  Recorder direct;
  UINT64 frequency = 0;
};

}  // namespace fenceline::testing
