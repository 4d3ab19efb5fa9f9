// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/com_object.hpp"

#include "api/d3d12/com/held.hpp"
#include "api/d3d12/com/object.hpp"

#include <catch2/catch.hpp>

#include <wrl/client.h>

#include <thread>
#include <vector>

using namespace fenceline::d3d12;
using Microsoft::WRL::ComPtr;

namespace {

/// A heap that does nothing but live.
class TestHeap final : public Object<Face<ID3D12Heap1, ID3D12Heap, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  explicit TestHeap(int& deaths, int& releases) : deaths_(deaths), releases_(releases) {}
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_NOTIMPL; }
  D3D12_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return {}; }
  HRESULT STDMETHODCALLTYPE GetProtectedResourceSession(REFIID, void**) override { return DXGI_ERROR_NOT_FOUND; }

 private:
  ~TestHeap() override { ++deaths_; }
  void on_last_release() override { ++releases_; }
  int& deaths_;
  int& releases_;
};

struct Counted {
  int deaths = 0;
  int releases = 0;
  TestHeap* heap = new TestHeap(deaths, releases);
};

}  // namespace

TEST_CASE("com object: AddRef and Release tell the exact count and the last one ends it", "[d3d12]") {
  Counted counted;
  CHECK(counted.heap->AddRef() == 2);
  CHECK(counted.heap->AddRef() == 3);
  CHECK(counted.heap->Release() == 2);
  CHECK(counted.heap->Release() == 1);
  CHECK(counted.deaths == 0);
  CHECK(counted.heap->Release() == 0);
  CHECK(counted.releases == 1);
  CHECK(counted.deaths == 1);
}

TEST_CASE("com object: QueryInterface answers every interface of its faces and no other", "[d3d12]") {
  Counted counted;
  ComPtr<ID3D12Heap1> heap;
  heap.Attach(counted.heap);
  const IID known[] = {
      __uuidof(IUnknown),   __uuidof(ID3D12Object), __uuidof(ID3D12DeviceChild),      __uuidof(ID3D12Pageable),
      __uuidof(ID3D12Heap), __uuidof(ID3D12Heap1),  __uuidof(ID3DDestructionNotifier)};
  for (const IID& iid : known) {
    ComPtr<IUnknown> face;
    REQUIRE(heap->QueryInterface(iid, reinterpret_cast<void**>(face.GetAddressOf())) == S_OK);
    CHECK(face.Get() != nullptr);
  }
  void* other = &counted;
  CHECK(heap->QueryInterface(__uuidof(ID3D12Resource), &other) == E_NOINTERFACE);
  CHECK(other == nullptr);
  CHECK(heap->QueryInterface(__uuidof(ID3D12Heap), nullptr) == E_POINTER);
  CHECK(counted.heap->AddRef() == 2);
  counted.heap->Release();
}

TEST_CASE("com object: every face leads to one IUnknown", "[d3d12]") {
  Counted counted;
  ComPtr<ID3D12Heap1> heap;
  heap.Attach(counted.heap);
  ComPtr<ID3DDestructionNotifier> notifier;
  REQUIRE(heap.As(&notifier) == S_OK);
  ComPtr<IUnknown> from_heap;
  ComPtr<IUnknown> from_notifier;
  REQUIRE(heap.As(&from_heap) == S_OK);
  REQUIRE(notifier.As(&from_notifier) == S_OK);
  CHECK(from_heap.Get() == from_notifier.Get());
  ComPtr<ID3D12Heap> back;
  REQUIRE(notifier->QueryInterface(IID_PPV_ARGS(&back)) == S_OK);
  CHECK(back.Get() == heap.Get());
  // heap, notifier, two IUnknowns, back.
  CHECK(notifier->AddRef() == 6);
  CHECK(heap->Release() == 5);
}

TEST_CASE("com object: a held object outlives its references and can be given out again", "[d3d12]") {
  Counted counted;
  {
    Held<TestHeap> held(counted.heap);
    const Held<TestHeap> copy(held);
    CHECK(counted.heap->Release() == 0);
    CHECK(counted.releases == 1);
    CHECK(counted.deaths == 0);
    CHECK(held->AddRef() == 1);
    CHECK(held->Release() == 0);
    CHECK(counted.releases == 2);
    held = Held<TestHeap>();
    CHECK_FALSE(held);
    CHECK(counted.deaths == 0);
  }
  CHECK(counted.deaths == 1);
}

TEST_CASE("com object: threads share the count", "[d3d12]") {
  Counted counted;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10'000; ++round) {
        ComPtr<ID3D12Object> object;
        counted.heap->QueryInterface(IID_PPV_ARGS(&object));
        const Held<TestHeap> held(counted.heap);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(counted.deaths == 0);
  CHECK(counted.heap->Release() == 0);
  CHECK(counted.deaths == 1);
}

TEST_CASE("com object: the destruction callback comes with its death, and not once it is unregistered", "[d3d12]") {
  Counted counted;
  int calls = 0;
  int other_calls = 0;
  const auto count = [](void* data) { ++*static_cast<int*>(data); };
  ComPtr<ID3DDestructionNotifier> notifier;
  REQUIRE(counted.heap->QueryInterface(IID_PPV_ARGS(&notifier)) == S_OK);
  UINT id = 0;
  UINT other = 0;
  CHECK(notifier->RegisterDestructionCallback(count, &calls, &id) == S_OK);
  CHECK(notifier->RegisterDestructionCallback(count, &other_calls, &other) == S_OK);
  CHECK(id == 1);
  CHECK(other == 2);
  const UINT first = id;
  CHECK(notifier->RegisterDestructionCallback(nullptr, &calls, &id) == DXGI_ERROR_INVALID_CALL);
  CHECK(id == first);
  CHECK(notifier->UnregisterDestructionCallback(other) == S_OK);
  CHECK(notifier->UnregisterDestructionCallback(other) == DXGI_ERROR_NOT_FOUND);
  notifier.Reset();
  CHECK(calls == 0);
  counted.heap->Release();
  CHECK(calls == 1);
  CHECK(other_calls == 0);
}
