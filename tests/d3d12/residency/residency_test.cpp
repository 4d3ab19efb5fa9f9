// SPDX-License-Identifier: Apache-2.0
// What MakeResident, Evict, EnqueueMakeResident and SetResidencyPriority take, and what they count. Written from
// docs/residency.md and Microsoft's pages of these calls, without knowledge of the implementation.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/residency/residency_app.hpp"

#include <algorithm>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr UINT64 some_bytes = 3 * mib;

bool residency_said(const Ids& ids, int id) { return std::count(ids.begin(), ids.end(), id) == 1; }

}  // namespace

TEST_CASE("residency: what is created counts once and usage falls with the Evict", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const bool committed = GENERATE(false, true);
  ComPtr<ID3D12Pageable> one;
  if (committed) {
    REQUIRE(app.buffer(some_bytes).As(&one) == S_OK);
  } else {
    REQUIRE(memory.heap(some_bytes).As(&one) == S_OK);
  }
  CHECK(memory.usage() == before + some_bytes);
  REQUIRE(memory.evict({one.Get()}) == S_OK);  // 1 - 1
  CHECK(memory.usage() == before);             // at once: nothing has run, nothing has moved
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  CHECK(memory.usage() == before + some_bytes);
}

TEST_CASE("residency: each MakeResident takes an Evict of its own", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto one = memory.heap(some_bytes);
  for (int i = 0; i < 3; ++i) REQUIRE(memory.make_resident({one.Get()}) == S_OK);  // 4
  CHECK(memory.usage() == before + some_bytes);                                    // it is there once
  for (int i = 0; i < 3; ++i) {
    REQUIRE(memory.evict({one.Get()}) == S_OK);  // 3, 2, 1
    CHECK(memory.usage() == before + some_bytes);
  }
  REQUIRE(memory.evict({one.Get()}) == S_OK);  // 0
  CHECK(memory.usage() == before);
}

TEST_CASE("residency: an object that is named twice counts twice", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto one = memory.heap(some_bytes);
  const auto other = memory.heap(mib);
  REQUIRE(memory.make_resident({one.Get(), other.Get(), one.Get()}) == S_OK);  // 3 and 2
  CHECK(memory.usage() == before + some_bytes + mib);
  REQUIRE(memory.evict({one.Get(), one.Get(), other.Get()}) == S_OK);  // 1 and 1
  CHECK(memory.usage() == before + some_bytes + mib);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before + mib);
  const auto fence = app.fence();
  REQUIRE(memory.enqueue({one.Get(), one.Get()}, fence.Get(), 1) == S_OK);  // 2
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before + some_bytes + mib);
  REQUIRE(memory.evict({one.Get(), other.Get()}) == S_OK);
  CHECK(memory.usage() == before);
}

TEST_CASE("residency: an Evict of what has no count does nothing and is told of", "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto one = memory.heap(some_bytes);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(app.said_ids().empty());
  CHECK(memory.evict({one.Get()}) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_EVICT_UNDERFLOW});
  CHECK(memory.usage() == before);
  // It has stayed at 0, so that one MakeResident is enough; and one Evict after that.
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  CHECK(memory.usage() == before + some_bytes);
  CHECK(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before);
  CHECK(app.said_ids().empty());
  // Named twice with a count of 1: the second time is one too many.
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  CHECK(memory.evict({one.Get(), one.Get()}) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_EVICT_UNDERFLOW});
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: heaps and committed resources and descriptor heaps and query heaps have a count",
          "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  std::vector<ComPtr<ID3D12Pageable>> all(7);
  REQUIRE(memory.heap(mib).As(&all[0]) == S_OK);
  REQUIRE(memory.heap(mib, D3D12_HEAP_FLAG_NONE, D3D12_HEAP_TYPE_UPLOAD).As(&all[1]) == S_OK);
  REQUIRE(app.buffer(mib).As(&all[2]) == S_OK);
  REQUIRE(app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64).As(&all[3]) == S_OK);
  REQUIRE(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true).As(&all[4]) == S_OK);
  REQUIRE(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV).As(&all[5]) == S_OK);
  REQUIRE(query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4).As(&all[6]) == S_OK);
  const auto fence = app.fence();
  app.said();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    ID3D12Pageable* const one = all[i].Get();
    CHECK(memory.prioritize(one, D3D12_RESIDENCY_PRIORITY_LOW) == S_OK);
    CHECK(memory.make_resident({one}) == S_OK);                // 2
    CHECK(memory.enqueue({one}, fence.Get(), i + 1) == S_OK);  // 3
    for (int count = 3; count > 0; --count) CHECK(memory.evict({one}) == S_OK);
    CHECK(app.said_ids().empty());
    CHECK(memory.evict({one}) == S_OK);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_EVICT_UNDERFLOW});
  }
}

TEST_CASE("residency: what has no memory of its own is refused and nothing of its array is changed",
          "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const auto home = memory.heap(mib);
  const D3D12_RESOURCE_DESC desc = buffer_desc(mib);
  ComPtr<ID3D12Resource> reserved;
  REQUIRE(app.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&reserved)) ==
          S_OK);
  std::vector<ComPtr<ID3D12Pageable>> all(7);
  REQUIRE(memory.placed(home.Get(), mib).As(&all[0]) == S_OK);
  REQUIRE(reserved.As(&all[1]) == S_OK);
  REQUIRE(compute_pipeline(app).As(&all[2]) == S_OK);
  REQUIRE(app.fence().As(&all[3]) == S_OK);
  REQUIRE(app.queue(direct_type).As(&all[4]) == S_OK);
  REQUIRE(app.allocator(direct_type).As(&all[5]) == S_OK);
  REQUIRE(signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12).As(&all[6]) == S_OK);
  const auto good = memory.heap(some_bytes);
  const auto fence = app.fence();
  const UINT64 before = memory.usage();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    ID3D12Pageable* const bad = all[i].Get();
    CHECK(memory.make_resident({bad}) == E_INVALIDARG);
    CHECK(memory.evict({bad}) == E_INVALIDARG);
    CHECK(memory.enqueue({bad}, fence.Get(), 1) == E_INVALIDARG);
    // Behind and before a good one, which keeps its count of 1.
    CHECK(memory.evict({good.Get(), bad}) == E_INVALIDARG);
    CHECK(memory.evict({bad, good.Get()}) == E_INVALIDARG);
    CHECK(memory.usage() == before);
    CHECK(memory.make_resident({good.Get(), bad}) == E_INVALIDARG);
    CHECK(memory.enqueue({good.Get(), bad}, fence.Get(), 1) == E_INVALIDARG);
    REQUIRE(memory.evict({good.Get()}) == S_OK);
    CHECK(memory.usage() == before - some_bytes);
    REQUIRE(memory.make_resident({good.Get()}) == S_OK);
  }
  Sleep(1);
  CHECK(fence->GetCompletedValue() == 0);  // a call that fails signals nothing
}

TEST_CASE("residency: another device's objects are refused", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  App other(device_of("tiny"));
  const auto theirs = other.buffer(mib);
  const auto their_fence = other.fence();
  const auto ours = memory.heap(some_bytes);
  const auto fence = app.fence();
  const UINT64 before = memory.usage();
  CHECK(memory.make_resident({theirs.Get()}) == E_INVALIDARG);
  CHECK(memory.evict({theirs.Get()}) == E_INVALIDARG);
  CHECK(memory.evict({ours.Get(), theirs.Get()}) == E_INVALIDARG);
  CHECK(memory.enqueue({ours.Get(), theirs.Get()}, fence.Get(), 1) == E_INVALIDARG);
  CHECK(memory.enqueue({ours.Get()}, their_fence.Get(), 1) == E_INVALIDARG);
  CHECK(memory.prioritize(theirs.Get(), D3D12_RESIDENCY_PRIORITY_LOW) == E_INVALIDARG);
  CHECK(memory.usage() == before);
  REQUIRE(memory.evict({ours.Get()}) == S_OK);  // its count is 1 as before
  CHECK(memory.usage() == before - some_bytes);
  Sleep(1);
  CHECK(fence->GetCompletedValue() == 0);
  CHECK(their_fence->GetCompletedValue() == 0);
}

TEST_CASE("residency: null in place of an array is refused and told of", "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const auto fence = app.fence();
  app.said();
  CHECK(memory.device->MakeResident(1, nullptr) == E_INVALIDARG);
  CHECK(residency_said(app.said_ids(), D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY));
  CHECK(memory.device->Evict(1, nullptr) == E_INVALIDARG);
  CHECK(residency_said(app.said_ids(), D3D12_MESSAGE_ID_EVICT_NULLOBJECTARRAY));
  CHECK(memory.device->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 1, nullptr, fence.Get(), 1) == E_INVALIDARG);
  CHECK(memory.device->SetResidencyPriority(1, nullptr, nullptr) == E_INVALIDARG);
  CHECK(fence->GetCompletedValue() == 0);
}

TEST_CASE("residency: null in place of an object is refused", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const auto one = memory.heap(some_bytes);
  const auto fence = app.fence();
  const UINT64 before = memory.usage();
  CHECK(memory.make_resident({nullptr}) == E_INVALIDARG);
  CHECK(memory.evict({one.Get(), nullptr}) == E_INVALIDARG);
  CHECK(memory.enqueue({one.Get(), nullptr}, fence.Get(), 1) == E_INVALIDARG);
  CHECK(memory.usage() == before);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before - some_bytes);
}

TEST_CASE("residency: no objects are nothing to do", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const auto one = memory.heap(some_bytes);
  const UINT64 before = memory.usage();
  ID3D12Pageable* const all[] = {one.Get()};
  const D3D12_RESIDENCY_PRIORITY low = D3D12_RESIDENCY_PRIORITY_LOW;
  CHECK(memory.device->MakeResident(0, all) == S_OK);
  CHECK(memory.device->Evict(0, all) == S_OK);
  CHECK(memory.device->SetResidencyPriority(0, all, &low) == S_OK);
  CHECK(memory.usage() == before);
  const auto fence = app.fence();
  REQUIRE(memory.device->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 0, all, fence.Get(), 5) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(5, nullptr) == S_OK);  // nothing to move: signalled
  CHECK(fence->GetCompletedValue() == 5);
  CHECK(memory.usage() == before);
}

TEST_CASE("residency: created not resident is a count of 0", "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  ComPtr<ID3D12Pageable> one;
  if (GENERATE(false, true)) {
    REQUIRE(memory.buffer_not_resident(some_bytes).As(&one) == S_OK);
  } else {
    REQUIRE(memory.not_resident(some_bytes).As(&one) == S_OK);
  }
  CHECK(memory.usage() == before);
  app.said();
  CHECK(memory.evict({one.Get()}) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_EVICT_UNDERFLOW});
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  CHECK(memory.usage() == before + some_bytes);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before);
  CHECK(app.said_ids().empty());
}

TEST_CASE("residency: what is placed in a heap comes and goes with it", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto home = memory.not_resident(some_bytes);
  const auto inside = memory.placed(home.Get(), mib);
  CHECK(memory.usage() == before);  // a placed resource has no memory of its own
  REQUIRE(memory.make_resident({home.Get()}) == S_OK);
  CHECK(memory.usage() == before + some_bytes);
  const D3D12_GPU_VIRTUAL_ADDRESS address = inside->GetGPUVirtualAddress();
  REQUIRE(memory.evict({home.Get()}) == S_OK);
  CHECK(memory.usage() == before);
  CHECK(inside->GetGPUVirtualAddress() == address);  // addresses stay
  CHECK(address != 0);
}

TEST_CASE("residency: sizes are rounded up to pages", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto one = app.buffer(1);
  CHECK(memory.usage() == before + page_bytes);
  const auto two = app.buffer(page_bytes + 1);
  CHECK(memory.usage() == before + 3 * page_bytes);
  REQUIRE(memory.evict({one.Get(), two.Get()}) == S_OK);
  CHECK(memory.usage() == before);
}

TEST_CASE("residency: upload and readback are counted in the other group", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const UINT64 before_non_local = memory.non_local().CurrentUsage;
  const auto type = GENERATE(D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK);
  const auto one = app.buffer(some_bytes, type);
  CHECK(memory.non_local().CurrentUsage == before_non_local + some_bytes);
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.non_local().CurrentUsage == before_non_local + some_bytes);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.non_local().CurrentUsage == before_non_local);
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  CHECK(memory.non_local().CurrentUsage == before_non_local + some_bytes);
  CHECK(memory.usage() == before);
}

TEST_CASE("residency: a Release takes away all counts and no more", "[d3d12][residency]") {
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto stays = memory.heap(mib);
  auto counted = memory.heap(some_bytes);
  REQUIRE(memory.make_resident({counted.Get(), counted.Get()}) == S_OK);  // 3
  counted.Reset();
  CHECK(memory.usage() == before + mib);
  auto evicted = memory.heap(some_bytes);
  REQUIRE(memory.evict({evicted.Get()}) == S_OK);
  evicted.Reset();  // has left the usage already
  CHECK(memory.usage() == before + mib);
  auto never = memory.not_resident(some_bytes);
  never.Reset();
  CHECK(memory.usage() == before + mib);
}

TEST_CASE("residency: EnqueueMakeResident refuses flags that there are not and to signal nothing",
          "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const UINT64 before = memory.usage();
  const auto one = memory.not_resident(mib);
  const auto fence = app.fence();
  app.said();
  for (const int flags : {2, 3, 0x100}) {  // 1 is DENY_OVERBUDGET, the only one
    CAPTURE(flags);
    CHECK(memory.enqueue({one.Get()}, fence.Get(), 1, static_cast<D3D12_RESIDENCY_FLAGS>(flags)) == E_INVALIDARG);
    CHECK(residency_said(app.said_ids(), D3D12_MESSAGE_ID_ENQUEUE_MAKE_RESIDENT_INVALID_FLAGS));
  }
  CHECK(memory.enqueue({one.Get()}, nullptr, 1) == E_INVALIDARG);
  CHECK(memory.usage() == before);
  Sleep(1);
  CHECK(fence->GetCompletedValue() == 0);
  REQUIRE(memory.enqueue({one.Get()}, fence.Get(), 1, D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET) == S_OK);
  CHECK(memory.usage() == before + mib);  // on the list from the call on
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(fence->GetCompletedValue() == 1);
}

TEST_CASE("residency: a priority is any number and changes no count", "[d3d12][residency]") {
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const auto one = memory.heap(some_bytes);
  const UINT64 before = memory.usage();
  app.said();
  for (const UINT priority : {0U, 1U, 0x28000000U, 0x50000000U, 0x78000000U, 0xA0010009U, 0xC8000000U, 0xFFFFFFFFU}) {
    CAPTURE(priority);
    CHECK(memory.prioritize(one.Get(), priority) == S_OK);
  }
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  CHECK(memory.usage() == before - some_bytes);                                   // still 1 before that
  CHECK(memory.prioritize(one.Get(), D3D12_RESIDENCY_PRIORITY_MINIMUM) == S_OK);  // also while it is evicted
  CHECK(memory.usage() == before - some_bytes);
  CHECK(app.said_ids().empty());
}
