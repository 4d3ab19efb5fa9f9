// SPDX-License-Identifier: Apache-2.0
// Actor, the calls of command lists.
#include "tests/fuzz/d3d12_actor.hpp"

namespace fenceline::testing::calls {

void Actor::list_life() {
  List* const list = lists_.one(random_);
  if (list == nullptr) return;
  switch (random_.below(5)) {
    case 0:
    case 1:
    case 2: list->Close(); return;
    case 3: list->Reset(allocators_.one(random_), pipelines_.one(random_)); return;
    default:
      if (ID3D12CommandAllocator* const allocator = allocators_.one(random_)) allocator->Reset();
  }
}

/// A list of a few commands, which is executed if they are right.
void Actor::episode() {
  const auto type = random_.of(list_types);
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<List> list;
  if (FAILED(device_->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator)))) return;
  if (FAILED(device_->CreateCommandList(0, type, allocator.Get(), pipelines_.one(random_), IID_PPV_ARGS(&list))))
    return;
  if (random_.one_in(2)) record_constants(*list.Get());
  for (UINT i = 0; i <= random_.number(3); ++i) record(*list.Get());
  const bool closed = list->Close() == S_OK;
  allocators_.add(allocator);
  lists_.add(list);
  const auto takes = [type](ID3D12CommandQueue* one) { return one != nullptr && one->GetDesc().Type == type; };
  ID3D12CommandQueue* on = queue();
  for (const auto& other : common_.queues.all()) on = takes(on) ? on : other.Get();
  if (!closed || !takes(on)) return;
  ID3D12CommandList* const lists[] = {list.Get()};
  on->ExecuteCommandLists(1, lists);
  ++common_.executed;
  on->Signal(fence(), random_.odd(8));
}

void Actor::record_copies(List& list) {
  const D3D12_RECT area = rect();
  const std::array<FLOAT, 4> color = {0, 0.5F, 1, 2};
  const std::array<UINT, 4> integers = {0, 1, 2, 3};
  const UINT rects = random_.number(2);
  switch (random_.below(12)) {
    case 0:
      return list.CopyBufferRegion(resource(), random_.odd(1000), resource(), random_.odd(1000), random_.odd(1000));
    case 1: return list.CopyResource(resource(), resource());
    case 2: {
      D3D12_TEXTURE_COPY_LOCATION sides[2]{};
      for (D3D12_TEXTURE_COPY_LOCATION& side : sides) {
        side.pResource = resource();
        side.Type = random_.any<D3D12_TEXTURE_COPY_TYPE>(2);
        if (side.Type == D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX) {
          side.SubresourceIndex = random_.odd32(4);
        } else {
          side.PlacedFootprint = {
              random_.odd(4) * 512,
              {format(), random_.odd32(64), random_.odd32(64), random_.odd32(2), random_.odd32(4) * 256}};
        }
      }
      const D3D12_BOX box{random_.odd32(8),  random_.odd32(8),  0,
                          random_.odd32(16), random_.odd32(16), random_.odd32(2)};
      return list.CopyTextureRegion(random_.slips(20) ? nullptr : &sides[0], random_.odd32(8), random_.odd32(8), 0,
                                    random_.slips(20) ? nullptr : &sides[1], random_.one_in(2) ? nullptr : &box);
    }
    case 3: {
      const D3D12_TILED_RESOURCE_COORDINATE start{random_.odd32(2), random_.odd32(2), 0, random_.odd32(3)};
      const D3D12_TILE_REGION_SIZE size{random_.odd32(3), random_.one_in(2), random_.odd32(2),
                                        static_cast<UINT16>(random_.odd(2)), static_cast<UINT16>(random_.odd(2))};
      return list.CopyTiles(resource(), &start, &size, resource(), random_.odd(65536),
                            random_.any<D3D12_TILE_COPY_FLAGS>(5));
    }
    case 4: return list.ResolveSubresource(resource(), random_.odd32(2), resource(), random_.odd32(2), format());
    case 5: {
      D3D12_RECT part = area;
      return list.ResolveSubresourceRegion(resource(), random_.odd32(2), random_.odd32(4), random_.odd32(4), resource(),
                                           random_.odd32(2), random_.one_in(2) ? nullptr : &part, format(),
                                           random_.any<D3D12_RESOLVE_MODE>(6));
    }
    case 6: {
      ID3D12Resource* const to = resource();
      const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write{
          (to != nullptr ? to->GetGPUVirtualAddress() : 0) + random_.odd(100), 7};
      const auto mode = random_.any<D3D12_WRITEBUFFERIMMEDIATE_MODE>(3);
      return list.WriteBufferImmediate(1, random_.slips(20) ? nullptr : &write, random_.one_in(2) ? nullptr : &mode);
    }
    case 7: return list.ClearRenderTargetView(handle(), random_.slips(20) ? nullptr : color.data(), rects, &area);
    case 8:
      return list.ClearDepthStencilView(handle(), random_.any<D3D12_CLEAR_FLAGS>(4), 0.5F, 3, rects,
                                        random_.one_in(4) ? nullptr : &area);
    case 9: return list.ClearUnorderedAccessViewUint(gpu_handle(), handle(), resource(), integers.data(), rects, &area);
    case 10: return list.ClearUnorderedAccessViewFloat(gpu_handle(), handle(), resource(), color.data(), rects, &area);
    default: {
      const D3D12_DISCARD_REGION region{random_.number(2), &area, random_.odd32(4), random_.odd32(4)};
      return list.DiscardResource(resource(), random_.one_in(2) ? nullptr : &region);
    }
  }
}

void Actor::record_draws(List& list) {
  switch (random_.below(10)) {
    case 0: return list.DrawInstanced(random_.number(1000), random_.number(3), random_.odd32(10), random_.odd32(10));
    case 1:
      return list.DrawIndexedInstanced(random_.number(1000), random_.number(3), random_.odd32(10),
                                       static_cast<INT>(random_.odd32(10)), random_.odd32(10));
    case 2: return list.Dispatch(random_.number(16), random_.number(16), random_.number(2));
    case 3: return list.Dispatch(65536 + random_.number(3), 2, 1);
    case 4: return list.DispatchMesh(random_.number(16), random_.number(4), 1);
    case 5:
      return list.ExecuteIndirect(signatures_.one(random_), random_.odd32(4), resource(), random_.odd(64) * 4,
                                  random_.one_in(2) ? nullptr : resource(), random_.odd(16) * 4);
    case 6: return list.BeginQuery(query_heaps_.one(random_), random_.any<D3D12_QUERY_TYPE>(9), random_.odd32(4));
    case 7: return list.EndQuery(query_heaps_.one(random_), random_.any<D3D12_QUERY_TYPE>(9), random_.odd32(4));
    case 8:
      return list.ResolveQueryData(query_heaps_.one(random_), random_.any<D3D12_QUERY_TYPE>(9), random_.odd32(4),
                                   random_.odd32(4), resource(), random_.odd(16) * 8);
    default:
      return list.SetPredication(random_.one_in(2) ? nullptr : resource(), random_.odd(16) * 8,
                                 random_.any<D3D12_PREDICATION_OP>(2));
  }
}

void Actor::record_state(List& list) {
  switch (random_.below(16)) {
    case 0: {
      D3D12_RESOURCE_BARRIER barriers[2]{};
      for (D3D12_RESOURCE_BARRIER& barrier : barriers) {
        barrier.Type = random_.any<D3D12_RESOURCE_BARRIER_TYPE>(3);
        barrier.Flags = random_.any<D3D12_RESOURCE_BARRIER_FLAGS>(3);
        if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION) {
          barrier.Transition = {resource(), random_.odd32(3),
                                static_cast<D3D12_RESOURCE_STATES>(random_.one_in(2) ? 0 : 1U << random_.number(14)),
                                static_cast<D3D12_RESOURCE_STATES>(1U << random_.number(14))};
        }
      }
      return list.ResourceBarrier(random_.number(3), random_.slips(20) ? nullptr : barriers);
    }
    case 1: {
      D3D12_TEXTURE_BARRIER texture{};
      texture.LayoutBefore = random_.any<D3D12_BARRIER_LAYOUT>(12);
      texture.LayoutAfter = random_.any<D3D12_BARRIER_LAYOUT>(12);
      texture.pResource = resource();
      texture.Subresources = {random_.odd32(4), random_.odd32(4), random_.odd32(4),
                              random_.odd32(4), random_.odd32(2), random_.odd32(2)};
      D3D12_BARRIER_GROUP group{};
      group.Type = random_.one_in(10) ? static_cast<D3D12_BARRIER_TYPE>(7) : D3D12_BARRIER_TYPE_TEXTURE;
      group.NumBarriers = random_.number(2);
      group.pTextureBarriers = random_.slips(20) ? nullptr : &texture;
      return list.Barrier(1, random_.slips(20) ? nullptr : &group);
    }
    case 2: return list.SetPipelineState(pipelines_.one(random_));
    case 3: return list.IASetPrimitiveTopology(random_.any<D3D12_PRIMITIVE_TOPOLOGY>(64));
    case 4: {
      std::array<D3D12_VIEWPORT, 16> viewports{};
      viewports[0] = {0, 0, static_cast<float>(random_.odd(100)), static_cast<float>(random_.odd(100)), 0, 1};
      return list.RSSetViewports(random_.number(18), random_.slips(10) ? nullptr : viewports.data());
    }
    case 5: {
      std::array<D3D12_RECT, 17> rects{};
      rects[0] = rect();
      return list.RSSetScissorRects(random_.number(18), random_.slips(10) ? nullptr : rects.data());
    }
    case 6: {
      const std::array<ID3D12DescriptorHeap*, 2> heaps = {descriptors(), descriptors()};
      return list.SetDescriptorHeaps(random_.number(3), random_.slips(20) ? nullptr : heaps.data());
    }
    case 7: return list.SetGraphicsRootDescriptorTable(random_.odd32(4), gpu_handle());
    case 8: return list.SetComputeRootSignature(roots_.one(random_));
    case 9: {
      D3D12_INDEX_BUFFER_VIEW view{};
      if (ID3D12Resource* const of = resource()) view.BufferLocation = of->GetGPUVirtualAddress() + random_.odd(100);
      view.SizeInBytes = random_.odd32(1000);
      view.Format = random_.one_in(3) ? format() : DXGI_FORMAT_R16_UINT;
      return list.IASetIndexBuffer(random_.one_in(5) ? nullptr : &view);
    }
    case 10: return list.IASetVertexBuffers(random_.odd32(33), random_.odd32(3), nullptr);
    case 11:
    case 12: {
      const std::array<D3D12_CPU_DESCRIPTOR_HANDLE, 10> targets = {handle(), handle(), handle()};
      const D3D12_CPU_DESCRIPTOR_HANDLE depth = handle();
      return list.OMSetRenderTargets(random_.one_in(8) ? random_.number(11) : random_.number(3),
                                     random_.slips(20) ? nullptr : targets.data(), random_.one_in(4),
                                     random_.one_in(2) ? nullptr : &depth);
    }
    case 13: {
      D3D12_RENDER_PASS_RENDER_TARGET_DESC target{};
      target.cpuDescriptor = handle();
      target.BeginningAccess.Type = random_.any<D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE>(4);
      D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS part{};
      if (random_.one_in(3)) {
        target.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
        target.EndingAccess.Resolve = {resource(), resource(),
                                       1,          random_.slips(10) ? nullptr : &part,
                                       format(),   random_.any<D3D12_RESOLVE_MODE>(6),
                                       FALSE};
      }
      list.BeginRenderPass(random_.number(2), random_.slips(10) ? nullptr : &target, nullptr,
                           random_.any<D3D12_RENDER_PASS_FLAGS>(8));
      if (random_.one_in(3)) resources_.drop(random_);
      if (!random_.one_in(8)) list.EndRenderPass();
      return;
    }
    case 14: return list.ClearState(pipelines_.one(random_));
    default:
      list.SetMarker(random_.number(3), random_.one_in(4) ? nullptr : "a mark", random_.number(7));
      return list.ExecuteBundle(lists_.one(random_));
  }
}

/// By which pipeline states are measured.
void Actor::record_constants(List& list) {
  const std::array<UINT, 4> values = {1, 7, random_.number(3), ~0U};
  const UINT count = random_.number(5);
  const UINT at = random_.odd32(3);
  const void* const given = random_.slips(20) ? nullptr : values.data();
  switch (random_.below(4)) {
    case 0: return list.SetGraphicsRoot32BitConstant(random_.odd32(2), random_.number(3), at);
    case 1: return list.SetComputeRoot32BitConstant(random_.odd32(2), random_.number(3), at);
    case 2: return list.SetGraphicsRoot32BitConstants(random_.odd32(2), given != nullptr ? count : at, given, at);
    default: return list.SetComputeRoot32BitConstants(random_.odd32(2), given != nullptr ? count : at, given, at);
  }
}

void Actor::record(List& list) {
  switch (random_.below(4)) {
    case 0: return record_copies(list);
    case 1: return record_draws(list);
    case 2: return record_constants(list);
    default: return record_state(list);
  }
}

}  // namespace fenceline::testing::calls
