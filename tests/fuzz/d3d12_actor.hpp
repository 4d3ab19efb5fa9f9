// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"

#include <wrl/client.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

namespace fenceline::testing::calls {

using Microsoft::WRL::ComPtr;
using Device = ID3D12Device11;
using List = ID3D12GraphicsCommandList8;
constexpr std::size_t most_kept = 6;  // of each kind of object, by each thread
constexpr UINT step = 32;             // about what handles count in

inline constexpr std::array list_types = {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_BUNDLE,
                                          D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY};
inline constexpr std::array formats = {DXGI_FORMAT_R8G8B8A8_UNORM,
                                       DXGI_FORMAT_B8G8R8A8_UNORM,
                                       DXGI_FORMAT_R32_UINT,
                                       DXGI_FORMAT_R32_TYPELESS,
                                       DXGI_FORMAT_R16G16B16A16_FLOAT,
                                       DXGI_FORMAT_R32G32B32A32_FLOAT,
                                       DXGI_FORMAT_D32_FLOAT,
                                       DXGI_FORMAT_D24_UNORM_S8_UINT,
                                       DXGI_FORMAT_R24G8_TYPELESS,
                                       DXGI_FORMAT_D32_FLOAT_S8X24_UINT,
                                       DXGI_FORMAT_BC1_UNORM,
                                       DXGI_FORMAT_BC7_UNORM,
                                       DXGI_FORMAT_NV12,
                                       DXGI_FORMAT_YUY2,
                                       DXGI_FORMAT_R1_UNORM,
                                       DXGI_FORMAT_UNKNOWN,
                                       static_cast<DXGI_FORMAT>(9999)};

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed), care_(below(2) == 0 ? 1 : 40) {}
  /// Less than `end`, which is not 0.
  std::uint64_t below(std::uint64_t end) { return bits_() % end; }
  UINT number(UINT end) { return static_cast<UINT>(below(end)); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  /// Something wrong is done, which some threads do less often than others.
  bool slips(std::uint64_t count) { return one_in(count * care_); }
  template <class Range>
  auto& of(Range& range) {
    return range[below(range.size())];
  }
  /// Mostly small, sometimes at an end of what the type holds.
  std::uint64_t odd(std::uint64_t usual_end) {
    if (!slips(8)) return below(usual_end);
    constexpr std::array<std::uint64_t, 10> ends = {
        0, 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1, 1ULL << 63, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 3, 65536};
    return of(ends);
  }
  UINT odd32(UINT usual_end) { return static_cast<UINT>(odd(usual_end)); }
  template <class Enum>
  Enum any(int end) {
    return static_cast<Enum>(slips(20) ? static_cast<int>(odd32(100)) : static_cast<int>(below(end)));
  }

 private:
  std::mt19937_64 bits_;
  std::uint64_t care_;
};

/// Objects that a thread has; the oldest make room.
template <class T>
class Kept {
 public:
  void add(ComPtr<T> object) {
    if (object == nullptr) return;
    if (objects_.size() < most_kept) {
      objects_.push_back(std::move(object));
    } else {
      objects_[next_++ % most_kept] = std::move(object);
    }
  }
  /// Null now and then, and where there is none.
  T* one(Random& random) const {
    if (objects_.empty() || random.slips(25)) return nullptr;
    return objects_[random.below(objects_.size())].Get();
  }
  void drop(Random& random) {
    if (objects_.empty()) return;
    objects_.erase(objects_.begin() + static_cast<std::ptrdiff_t>(random.below(objects_.size())));
    next_ = 0;
  }
  const std::vector<ComPtr<T>>& all() const { return objects_; }

 private:
  std::vector<ComPtr<T>> objects_;
  std::size_t next_ = 0;
};

/// Events of commits that were granted: each is set, sooner or later, unless its handle is closed before.
class CommitEvents {
 public:
  CommitEvents() = default;
  CommitEvents(const CommitEvents&) = delete;
  CommitEvents& operator=(const CommitEvents&) = delete;
  ~CommitEvents() {
    for (const HANDLE event : events_) CloseHandle(event);
  }
  void add(HANDLE event) {
    const std::lock_guard<std::mutex> held(mutex_);
    events_.push_back(event);
  }
  /// When no other thread uses them any more.
  bool all_get_set() {
    for (const HANDLE event : events_) {
      if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) return false;
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<HANDLE> events_;
};

/// What all threads use.
struct Common {
  ComPtr<Device> device;
  Kept<ID3D12CommandQueue> queues;
  Kept<ID3D12Fence> fences;
  Kept<ID3D12Resource> resources;
  Kept<ID3D12DescriptorHeap> descriptors;
  Kept<ID3D12ShaderCacheSession> sessions;
  CommitEvents commits;
  HANDLE commit_event = nullptr;  ///< of commits of all threads; it does not reset itself
  std::atomic<bool> commit_event_given{false};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> executed{0};
  std::atomic<std::uint64_t> stored{0};   ///< values of shader caches
  std::atomic<std::uint64_t> granted{0};  ///< commits
  std::atomic<std::uint64_t> desired{0};  ///< answers that further measurements are desired
  bool several_threads = false;
};

/// One thread of the program.
class Actor {
 public:
  Actor(Common& common, std::uint64_t seed, bool first)
      : common_(common),
        device_(common.device.Get()),
        random_(seed),
        first_(first),
        event_(CreateEvent(nullptr, FALSE, FALSE, nullptr)) {}
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  ~Actor() { CloseHandle(event_); }

  void act(std::uint64_t calls) {
    for (std::uint64_t i = 0; i < calls; ++i) {
      ++common_.calls;
      switch (random_.below(20)) {
        case 0:
        case 1: create(); break;
        case 2: create_resource(); break;
        case 3: views(); break;
        case 4: ask(); break;
        case 5: queue_calls(); break;
        case 6: fence_calls(); break;
        case 7: object_calls(); break;
        case 8: residency(); break;
        case 9: list_life(); break;
        case 10: drop(); break;
        case 11: present(); break;
        case 12:
        case 13: episode(); break;
        case 14: caches(); break;
        case 15: background(); break;
        default:
          if (List* const list = lists_.one(random_)) record(*list);
      }
    }
  }
  /// After removal: whatever it waits for is over, and fences are at once.
  bool waits_end() {
    bool ended = true;
    const auto check = [&](ID3D12Fence* fence) {
      ended = ended && fence->GetCompletedValue() == ~UINT64{0};
      ended = ended && fence->SetEventOnCompletion(random_.odd(100), nullptr) == S_OK;
      ended = ended && fence->SetEventOnCompletion(random_.odd(100), event_) == S_OK;
      ended = ended && WaitForSingleObject(event_, INFINITE) == WAIT_OBJECT_0;
    };
    for (const auto& fence : fences_.all()) check(fence.Get());
    for (const auto& fence : common_.fences.all()) check(fence.Get());
    return ended;
  }

 private:
  template <class T>
  void** place(ComPtr<T>& to) {
    return random_.slips(40) ? nullptr : reinterpret_cast<void**>(to.ReleaseAndGetAddressOf());
  }
  template <class T>
  T* own_or_common(const Kept<T>& own, const Kept<T>& common) {
    return random_.one_in(2) ? own.one(random_) : common.one(random_);
  }
  ID3D12CommandQueue* queue() { return own_or_common(queues_, common_.queues); }
  ID3D12Fence* fence() { return own_or_common(fences_, common_.fences); }
  ID3D12Resource* resource() { return own_or_common(resources_, common_.resources); }
  ID3D12DescriptorHeap* descriptors() { return own_or_common(descriptors_, common_.descriptors); }

  D3D12_CPU_DESCRIPTOR_HANDLE handle() {
    if (random_.slips(10)) return {static_cast<SIZE_T>(random_.odd(~0ULL))};
    ID3D12DescriptorHeap* const heap = descriptors();
    if (heap == nullptr) return last_handle_;
    const SIZE_T first = heap->GetCPUDescriptorHandleForHeapStart().ptr;
    last_handle_ = {first + random_.number(random_.slips(4) ? 9 : 8) * step +
                    (random_.slips(20) ? random_.number(step) : 0)};
    return last_handle_;
  }
  D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle() {
    ID3D12DescriptorHeap* const heap = descriptors();
    return {(heap != nullptr ? heap->GetGPUDescriptorHandleForHeapStart().ptr : random_.odd(1000)) +
            random_.number(9) * step};
  }
  D3D12_RECT rect() {
    const auto edge = [&] { return static_cast<LONG>(random_.odd32(40)); };
    return {edge(), edge(), edge(), edge()};
  }
  DXGI_FORMAT format() { return random_.of(formats); }

  D3D12_RESOURCE_DESC resource_desc() {
    D3D12_RESOURCE_DESC desc{};
    desc.SampleDesc.Count = random_.one_in(6) ? random_.number(9) : 1;
    desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(random_.one_in(4) ? random_.number(128) : 1U << random_.number(3));
    if (random_.one_in(2)) {
      desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
      desc.Width = random_.one_in(30) ? 1ULL << 60 : 1 + random_.below(65536);
      desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
      desc.SampleDesc.Count = 1;
      desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
      if (random_.one_in(2)) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    } else {
      desc.Dimension = random_.any<D3D12_RESOURCE_DIMENSION>(5);
      desc.Width = random_.one_in(30) ? ~0ULL : random_.below(65);
      desc.Height = random_.one_in(30) ? ~0U : random_.number(65);
      desc.DepthOrArraySize = static_cast<UINT16>(1 + random_.below(4));
      desc.MipLevels = static_cast<UINT16>(random_.one_in(20) ? random_.odd(20) : random_.below(4));
      desc.Format = format();
      desc.Layout = random_.one_in(10) ? random_.any<D3D12_TEXTURE_LAYOUT>(4) : D3D12_TEXTURE_LAYOUT_UNKNOWN;
    }
    if (random_.one_in(20)) desc.Alignment = random_.odd(65537);
    return desc;
  }
  D3D12_HEAP_PROPERTIES heap_properties() {
    return {random_.any<D3D12_HEAP_TYPE>(5),
            random_.one_in(10) ? random_.any<D3D12_CPU_PAGE_PROPERTY>(4) : D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
            D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  }

  void create_resource();
  void create();
  void views();
  void ask();
  void queue_calls();
  void fence_calls();
  void object_calls();
  void residency();
  void list_life();
  void episode();
  void present();
  void caches();
  void open_cache();
  void use_cache(ID3D12ShaderCacheSession& session);
  void background();
  void measured();
  void commit(D3D12_BACKGROUND_PROCESSING_MODE mode, D3D12_MEASUREMENTS_ACTION action);
  void record(List& list);
  void record_copies(List& list);
  void record_draws(List& list);
  void record_state(List& list);
  void record_constants(List& list);
  void drop();

  Common& common_;
  Device* device_;
  Random random_;
  bool first_;  // the thread that has the swap chain and removes the device
  HANDLE event_;
  D3D12_CPU_DESCRIPTOR_HANDLE last_handle_{};
  Kept<ID3D12CommandQueue> queues_;
  Kept<ID3D12Fence> fences_;
  Kept<ID3D12Resource> resources_;
  Kept<ID3D12DescriptorHeap> descriptors_;
  Kept<ID3D12Heap> heaps_;
  Kept<ID3D12QueryHeap> query_heaps_;
  Kept<ID3D12PipelineState> pipelines_;
  Kept<ID3D12RootSignature> roots_;
  Kept<ID3D12CommandSignature> signatures_;
  Kept<ID3D12PipelineLibrary> libraries_;
  Kept<ID3D12ShaderCacheSession> sessions_;
  Kept<ID3D12CommandAllocator> allocators_;
  Kept<List> lists_;
  ComPtr<IDXGISwapChain3> chain_;
};

}  // namespace fenceline::testing::calls
