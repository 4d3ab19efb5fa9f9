// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/d3d12_program.hpp"

#include "api/d3d12/create_device.hpp"
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"
#include "api/workload/workload_file.hpp"
#include "tests/d3d12/graphics_desc.hpp"
#include "tests/d3d12/pipelines.hpp"
#include "tests/d3d12/shader_builder.hpp"

#include <wrl/client.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace fenceline::testing {
namespace {

using Device = ID3D12Device11;
using List = ID3D12GraphicsCommandList8;
constexpr std::size_t most_kept = 6;  // of each kind of object, by each thread
constexpr UINT step = 32;             // about what handles count in

constexpr std::array list_types = {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_BUNDLE,
                                   D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY};
constexpr std::array formats = {DXGI_FORMAT_R8G8B8A8_UNORM,
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

/// What all threads use.
struct Common {
  ComPtr<Device> device;
  Kept<ID3D12CommandQueue> queues;
  Kept<ID3D12Fence> fences;
  Kept<ID3D12Resource> resources;
  Kept<ID3D12DescriptorHeap> descriptors;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> executed{0};
  bool several_threads = false;
};

const std::string& compute_code() {
  static const std::string code = empty_shader(5);
  return code;
}
const std::string& vertex_code() {
  static const std::string code = empty_shader(1);
  return code;
}
const std::string& pixel_code() {
  static const std::string code = empty_shader(0);
  return code;
}

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
      switch (random_.below(17)) {
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
        default:
          if (List* const list = lists_.one(random_)) record(*list);
      }
    }
  }
  /// After removal: whatever it waits for is over, and at once.
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
  void record(List& list);
  void record_copies(List& list);
  void record_draws(List& list);
  void record_state(List& list);
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
  Kept<ID3D12CommandAllocator> allocators_;
  Kept<List> lists_;
  ComPtr<IDXGISwapChain3> chain_;
};

void Actor::create_resource() {
  const D3D12_RESOURCE_DESC desc = resource_desc();
  const D3D12_HEAP_PROPERTIES properties = heap_properties();
  auto state = random_.one_in(3) ? random_.any<D3D12_RESOURCE_STATES>(0x1000) : D3D12_RESOURCE_STATE_COMMON;
  if (properties.Type == D3D12_HEAP_TYPE_UPLOAD) state = D3D12_RESOURCE_STATE_GENERIC_READ;
  if (properties.Type == D3D12_HEAP_TYPE_READBACK) state = D3D12_RESOURCE_STATE_COPY_DEST;
  D3D12_CLEAR_VALUE clear{};
  clear.Format = format();
  const auto* const clears = random_.one_in(5) ? &clear : nullptr;
  const auto* const given = random_.slips(40) ? nullptr : &desc;
  ComPtr<ID3D12Resource> made;
  const IID iid = __uuidof(ID3D12Resource);
  switch (random_.below(4)) {
    case 0:
      device_->CreatePlacedResource(heaps_.one(random_), random_.odd(3) * 65536, given, state, clears, iid,
                                    place(made));
      break;
    case 1: device_->CreateReservedResource(given, state, clears, iid, place(made)); break;
    default:
      device_->CreateCommittedResource(random_.slips(40) ? nullptr : &properties,
                                       random_.one_in(5) ? random_.any<D3D12_HEAP_FLAGS>(0x2000) : D3D12_HEAP_FLAG_NONE,
                                       given, state, clears, iid, place(made));
  }
  resources_.add(made);
}

void Actor::create() {
  switch (random_.below(13)) {
    case 0: {
      const D3D12_COMMAND_QUEUE_DESC desc{random_.any<D3D12_COMMAND_LIST_TYPE>(4),
                                          random_.one_in(4) ? static_cast<INT>(random_.odd32(10001)) : 0,
                                          D3D12_COMMAND_QUEUE_FLAG_NONE, random_.number(2)};
      ComPtr<ID3D12CommandQueue> made;
      device_->CreateCommandQueue(random_.slips(40) ? nullptr : &desc, __uuidof(ID3D12CommandQueue), place(made));
      return queues_.add(made);
    }
    case 1: {
      ComPtr<ID3D12CommandAllocator> made;
      device_->CreateCommandAllocator(random_.any<D3D12_COMMAND_LIST_TYPE>(4), __uuidof(ID3D12CommandAllocator),
                                      place(made));
      return allocators_.add(made);
    }
    case 2:
    case 3: {
      const auto type = random_.of(list_types);
      ComPtr<ID3D12CommandAllocator> own;
      if (random_.one_in(4)) own = allocators_.one(random_);
      if (own == nullptr) device_->CreateCommandAllocator(type, IID_PPV_ARGS(&own));
      ComPtr<List> made;
      device_->CreateCommandList(0, type, own.Get(), pipelines_.one(random_), __uuidof(List), place(made));
      allocators_.add(own);
      return lists_.add(made);
    }
    case 4: {
      ComPtr<ID3D12Fence> made;
      device_->CreateFence(random_.odd(5),
                           random_.one_in(8) ? random_.any<D3D12_FENCE_FLAGS>(8) : D3D12_FENCE_FLAG_NONE,
                           __uuidof(ID3D12Fence), place(made));
      return fences_.add(made);
    }
    case 5: {
      const D3D12_HEAP_DESC desc{random_.one_in(20) ? random_.odd(1) : random_.below(4) * 65536, heap_properties(), 0,
                                 random_.one_in(5) ? random_.any<D3D12_HEAP_FLAGS>(0x2000) : D3D12_HEAP_FLAG_NONE};
      ComPtr<ID3D12Heap> made;
      device_->CreateHeap(random_.slips(40) ? nullptr : &desc, __uuidof(ID3D12Heap), place(made));
      return heaps_.add(made);
    }
    case 6: {
      const D3D12_DESCRIPTOR_HEAP_DESC desc{
          random_.any<D3D12_DESCRIPTOR_HEAP_TYPE>(4), random_.one_in(20) ? random_.odd32(1) : random_.number(9),
          random_.one_in(2) ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
      ComPtr<ID3D12DescriptorHeap> made;
      device_->CreateDescriptorHeap(random_.slips(40) ? nullptr : &desc, __uuidof(ID3D12DescriptorHeap), place(made));
      return descriptors_.add(made);
    }
    case 7: {
      const D3D12_QUERY_HEAP_DESC desc{random_.any<D3D12_QUERY_HEAP_TYPE>(8), random_.number(5), 0};
      ComPtr<ID3D12QueryHeap> made;
      device_->CreateQueryHeap(random_.slips(40) ? nullptr : &desc, __uuidof(ID3D12QueryHeap), place(made));
      return query_heaps_.add(made);
    }
    case 8: {
      D3D12_ROOT_PARAMETER parameter{};
      parameter.ParameterType = random_.any<D3D12_ROOT_PARAMETER_TYPE>(5);
      if (parameter.ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
        parameter.DescriptorTable = {0, nullptr};
      const D3D12_ROOT_SIGNATURE_DESC desc{random_.number(2), random_.slips(20) ? nullptr : &parameter, 0, nullptr,
                                           D3D12_ROOT_SIGNATURE_FLAG_NONE};
      ComPtr<ID3DBlob> blob;
      ComPtr<ID3DBlob> error;
      D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
      ComPtr<ID3D12RootSignature> made;
      if (blob != nullptr) {
        const SIZE_T bytes = random_.one_in(10) ? random_.below(blob->GetBufferSize() + 1) : blob->GetBufferSize();
        device_->CreateRootSignature(0, blob->GetBufferPointer(), bytes, __uuidof(ID3D12RootSignature), place(made));
      }
      return roots_.add(made);
    }
    case 9: {
      D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
      desc.pRootSignature = roots_.one(random_);
      if (!random_.one_in(10)) desc.CS = {compute_code().data(), compute_code().size()};
      desc.NodeMask = random_.number(3);
      ComPtr<ID3D12PipelineState> made;
      device_->CreateComputePipelineState(&desc, __uuidof(ID3D12PipelineState), place(made));
      return pipelines_.add(made);
    }
    case 10: {
      auto desc = graphics_desc(vertex_code(), pixel_code(), format());
      if (random_.one_in(5)) desc.PrimitiveTopologyType = random_.any<D3D12_PRIMITIVE_TOPOLOGY_TYPE>(6);
      if (random_.one_in(5)) desc.NumRenderTargets = random_.odd32(9);
      if (random_.one_in(5)) desc.DSVFormat = format();
      if (random_.one_in(10)) desc.InputLayout.NumElements = random_.odd32(3);
      ComPtr<ID3D12PipelineState> made;
      device_->CreateGraphicsPipelineState(&desc, __uuidof(ID3D12PipelineState), place(made));
      return pipelines_.add(made);
    }
    case 11: {
      D3D12_INDIRECT_ARGUMENT_DESC argument{};
      argument.Type = random_.any<D3D12_INDIRECT_ARGUMENT_TYPE>(11);
      const D3D12_COMMAND_SIGNATURE_DESC desc{random_.one_in(10) ? random_.odd32(64) : 4 * random_.number(12),
                                              random_.number(2), random_.slips(10) ? nullptr : &argument, 0};
      ComPtr<ID3D12CommandSignature> made;
      device_->CreateCommandSignature(&desc, random_.one_in(4) ? roots_.one(random_) : nullptr,
                                      __uuidof(ID3D12CommandSignature), place(made));
      return signatures_.add(made);
    }
    default: {
      ComPtr<ID3D12PipelineLibrary> made;
      const std::array<char, 64> bytes{};
      device_->CreatePipelineLibrary(random_.one_in(4) ? bytes.data() : nullptr, random_.one_in(4) ? bytes.size() : 0,
                                     __uuidof(ID3D12PipelineLibrary), place(made));
      return libraries_.add(made);
    }
  }
}

void Actor::views() {
  ID3D12Resource* const of = resource();
  const bool whole = random_.one_in(2);
  const auto slice = [&] { return random_.odd32(4); };
  switch (random_.below(8)) {
    case 0: {
      const D3D12_CONSTANT_BUFFER_VIEW_DESC desc{random_.odd(1000) * 256, random_.odd32(1000)};
      return device_->CreateConstantBufferView(whole ? nullptr : &desc, handle());
    }
    case 1: return device_->CreateShaderResourceView(of, nullptr, handle());
    case 2: {
      D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
      desc.Format = random_.one_in(3) ? format() : DXGI_FORMAT_R32_UINT;
      desc.ViewDimension = random_.any<D3D12_UAV_DIMENSION>(9);
      if (desc.ViewDimension == D3D12_UAV_DIMENSION_BUFFER) {
        desc.Buffer = {random_.odd(64), random_.odd32(64), random_.one_in(2) ? 0 : random_.odd32(65), 0,
                       random_.any<D3D12_BUFFER_UAV_FLAGS>(2)};
      } else {
        desc.Texture2DArray = {slice(), slice(), slice(), random_.one_in(4) ? slice() : 0};
      }
      return device_->CreateUnorderedAccessView(of, nullptr, whole ? nullptr : &desc, handle());
    }
    case 3: {
      D3D12_RENDER_TARGET_VIEW_DESC desc{};
      desc.Format = random_.one_in(2) ? format() : DXGI_FORMAT_UNKNOWN;
      desc.ViewDimension = random_.any<D3D12_RTV_DIMENSION>(9);
      desc.Texture2DArray = {slice(), slice(), slice(), random_.one_in(4) ? slice() : 0};
      return device_->CreateRenderTargetView(of, whole ? nullptr : &desc, handle());
    }
    case 4: {
      D3D12_DEPTH_STENCIL_VIEW_DESC desc{};
      desc.Format = random_.one_in(2) ? format() : DXGI_FORMAT_UNKNOWN;
      desc.ViewDimension = random_.any<D3D12_DSV_DIMENSION>(7);
      desc.Texture2DArray = {slice(), slice(), slice()};
      return device_->CreateDepthStencilView(of, whole ? nullptr : &desc, handle());
    }
    case 5: return device_->CreateSampler(nullptr, handle());
    case 6: {
      const std::array to = {handle(), handle(), handle()};
      const std::array from = {handle(), handle(), handle()};
      const std::array<UINT, 3> sizes = {random_.odd32(4), random_.number(3), random_.number(3)};
      return device_->CopyDescriptors(random_.number(4), random_.slips(20) ? nullptr : to.data(),
                                      random_.one_in(2) ? nullptr : sizes.data(), random_.number(4),
                                      random_.slips(20) ? nullptr : from.data(),
                                      random_.one_in(2) ? nullptr : sizes.data(), D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    }
    default:
      return device_->CopyDescriptorsSimple(random_.odd32(9), handle(), handle(), D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  }
}

void Actor::ask() {
  switch (random_.below(8)) {
    case 0: {
      std::array<std::uint64_t, 32> data{};
      device_->CheckFeatureSupport(random_.any<D3D12_FEATURE>(48), random_.slips(20) ? nullptr : data.data(),
                                   random_.number(static_cast<UINT>(sizeof data)));
      return;
    }
    case 1: {
      const D3D12_RESOURCE_DESC desc = resource_desc();
      std::array<D3D12_PLACED_SUBRESOURCE_FOOTPRINT, 4> prints{};
      UINT64 total = 0;
      device_->GetCopyableFootprints(random_.slips(20) ? nullptr : &desc, random_.odd32(3), random_.number(5),
                                     random_.odd(1000), random_.one_in(2) ? prints.data() : nullptr, nullptr, nullptr,
                                     &total);
      return;
    }
    case 2: {
      const std::array descs = {resource_desc(), resource_desc(), resource_desc()};
      device_->GetResourceAllocationInfo(0, random_.number(4), random_.slips(20) ? nullptr : descs.data());
      return;
    }
    case 3: {
      UINT tiles = 0;
      UINT count = 4;
      D3D12_PACKED_MIP_INFO packed{};
      D3D12_TILE_SHAPE shape{};
      std::array<D3D12_SUBRESOURCE_TILING, 4> tilings{};
      return device_->GetResourceTiling(resource(), &tiles, &packed, &shape, &count, random_.odd32(4), tilings.data());
    }
    case 4: {
      ComPtr<ID3D12InfoQueue> messages;
      if (FAILED(device_->QueryInterface(IID_PPV_ARGS(&messages)))) return;
      SIZE_T bytes = 0;
      messages->GetMessage(random_.odd(5), nullptr, &bytes);
      if (random_.one_in(4)) messages->ClearStoredMessages();
      messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "a message");
      return;
    }
    case 5: {
      ComPtr<ID3D12DeviceRemovedExtendedData> data;
      if (FAILED(device_->QueryInterface(IID_PPV_ARGS(&data)))) return;
      D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT crumbs{};
      data->GetAutoBreadcrumbsOutput(random_.slips(10) ? nullptr : &crumbs);
      return;
    }
    case 6: {
      device_->CreateStateObject(nullptr, __uuidof(ID3D12StateObject), nullptr);
      device_->GetDeviceRemovedReason();
      device_->GetAdapterLuid();
      UINT count = 0;
      device_->EnumerateMetaCommands(&count, nullptr);
      return;
    }
    default: {
      HANDLE shared = nullptr;
      ID3D12DeviceChild* const object = random_.one_in(2) ? static_cast<ID3D12DeviceChild*>(fence()) : resource();
      if (FAILED(device_->CreateSharedHandle(object, nullptr, 0, nullptr, &shared))) return;
      ComPtr<ID3D12Fence> opened;
      device_->OpenSharedHandle(random_.one_in(10) ? event_ : shared, IID_PPV_ARGS(&opened));
      CloseHandle(shared);
      return fences_.add(opened);
    }
  }
}

void Actor::queue_calls() {
  ID3D12CommandQueue* const on = queue();
  if (on == nullptr) return;
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const std::array<ID3D12CommandList*, 3> lists = {lists_.one(random_), lists_.one(random_), lists_.one(random_)};
      if (random_.one_in(30)) return on->ExecuteCommandLists(random_.odd32(4), nullptr);
      return on->ExecuteCommandLists(random_.number(3), lists.data());
    }
    case 4:
    case 5: on->Signal(fence(), random_.odd(8)); return;
    case 6: on->Wait(fence(), random_.odd(8)); return;
    case 7: {
      UINT64 gpu = 0;
      UINT64 cpu = 0;
      on->GetTimestampFrequency(random_.slips(10) ? nullptr : &gpu);
      on->GetClockCalibration(&gpu, random_.slips(10) ? nullptr : &cpu);
      return;
    }
    case 8: {
      const D3D12_TILED_RESOURCE_COORDINATE start{random_.odd32(3), random_.odd32(3), random_.odd32(2),
                                                  random_.odd32(3)};
      const D3D12_TILE_REGION_SIZE size{random_.odd32(4), random_.one_in(2), random_.odd32(3),
                                        static_cast<UINT16>(random_.odd(3)), static_cast<UINT16>(random_.odd(3))};
      const auto flag = random_.any<D3D12_TILE_RANGE_FLAGS>(5);
      const UINT first = random_.odd32(3);
      const UINT tiles = random_.odd32(4);
      return on->UpdateTileMappings(resource(), random_.number(2), random_.one_in(3) ? nullptr : &start,
                                    random_.one_in(3) ? nullptr : &size, heaps_.one(random_), random_.number(2),
                                    random_.one_in(3) ? nullptr : &flag, random_.one_in(3) ? nullptr : &first,
                                    random_.one_in(3) ? nullptr : &tiles, D3D12_TILE_MAPPING_FLAG_NONE);
    }
    default: {
      const D3D12_TILED_RESOURCE_COORDINATE start{random_.odd32(2), 0, 0, random_.odd32(3)};
      const D3D12_TILE_REGION_SIZE size{random_.odd32(4), FALSE, 0, 0, 0};
      on->CopyTileMappings(resource(), &start, resource(), &start, &size, D3D12_TILE_MAPPING_FLAG_NONE);
      on->BeginEvent(1, "pass", 5);
      on->EndEvent();
      return;
    }
  }
}

void Actor::fence_calls() {
  ID3D12Fence* const of = fence();
  if (of == nullptr) return;
  const UINT64 value = random_.odd(8);
  switch (random_.below(9)) {
    case 0: of->Signal(value); return;
    case 1: of->GetCompletedValue(); return;
    case 2:
    case 3:
      if (SUCCEEDED(of->SetEventOnCompletion(value, event_))) WaitForSingleObject(event_, random_.number(2));
      return;
    case 4: {
      const std::array<ID3D12Fence*, 3> fences = {fence(), fence(), fence()};
      const std::array<UINT64, 3> values = {random_.odd(8), random_.odd(8), random_.odd(8)};
      device_->SetEventOnMultipleFenceCompletion(random_.slips(20) ? nullptr : fences.data(), values.data(),
                                                 random_.number(4), random_.any<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(2),
                                                 event_);
      return;
    }
    case 5: {
      const HANDLE event = CreateEvent(nullptr, random_.one_in(2), random_.one_in(4), nullptr);
      of->SetEventOnCompletion(value, event);
      const std::array<HANDLE, 2> both = {event, event_};
      WaitForMultipleObjects(2, both.data(), random_.one_in(2), 0);
      ResetEvent(event);
      CloseHandle(event);
      of->SetEventOnCompletion(value, event);  // which it is no more
      return;
    }
    case 6: of->SetEventOnCompletion(value, reinterpret_cast<HANDLE>(random_.odd(1) | 1ULL << 40)); return;
    default:
      // What only the removal ends is waited for by the other threads: the first one comes to it.
      if (first_) return;
      if (random_.one_in(2)) {
        of->SetEventOnCompletion(value, nullptr);
      } else if (SUCCEEDED(of->SetEventOnCompletion(value, event_))) {
        WaitForSingleObject(event_, INFINITE);
      }
  }
}

void Actor::object_calls() {
  std::array<ID3D12Object*, 6> objects = {queue(), fence(), resource(), descriptors(), lists_.one(random_), device_};
  ID3D12Object* const object = random_.of(objects);
  if (object == nullptr) return;
  const IID keys[2] = {__uuidof(ID3D12Fence), WKPDID_D3DDebugObjectName};
  const IID& key = keys[random_.below(2)];
  std::array<char, 16> data{};
  UINT bytes = random_.number(17);
  switch (random_.below(6)) {
    case 0: object->SetName(random_.slips(10) ? nullptr : L"a name"); return;
    case 1: object->SetPrivateData(key, bytes, random_.one_in(4) ? nullptr : data.data()); return;
    case 2: object->GetPrivateData(key, &bytes, random_.one_in(4) ? nullptr : data.data()); return;
    case 3:  // not of the device, which the heap keeps alive
      if (object != device_) object->SetPrivateDataInterface(__uuidof(ID3D12Heap), heaps_.one(random_));
      return;
    case 4: {
      const std::array<IID, 6> iids = {__uuidof(IUnknown),         __uuidof(ID3D12Object), __uuidof(ID3D12Fence1),
                                       __uuidof(ID3D12InfoQueue1), __uuidof(List),         __uuidof(ID3D12Pageable)};
      ComPtr<IUnknown> found;
      object->QueryInterface(iids[random_.below(iids.size())], place(found));
      return;
    }
    default: {
      ID3D12Resource* const mapped = resource();
      if (mapped == nullptr) return;
      const D3D12_RANGE range{random_.odd(100), random_.odd(100)};
      void* at = nullptr;
      mapped->Map(random_.odd32(2), random_.one_in(2) ? nullptr : &range, random_.one_in(4) ? nullptr : &at);
      mapped->Unmap(random_.odd32(2), random_.one_in(2) ? nullptr : &range);
      mapped->GetGPUVirtualAddress();
      if (common_.several_threads) return;  // the GPU may be at the same bytes
      std::array<std::byte, 4096> texels{};
      const UINT edge = random_.number(4);
      const D3D12_BOX box{0, 0, 0, edge, edge, random_.number(2)};
      mapped->WriteToSubresource(random_.odd32(2), &box, texels.data(), 128, 1024);
      mapped->ReadFromSubresource(texels.data(), 128, 1024, random_.odd32(2), &box);
    }
  }
}

void Actor::residency() {
  const std::array<ID3D12Pageable*, 3> objects = {resource(), heaps_.one(random_), descriptors()};
  const std::array priorities = {D3D12_RESIDENCY_PRIORITY_LOW, D3D12_RESIDENCY_PRIORITY_HIGH,
                                 D3D12_RESIDENCY_PRIORITY_NORMAL};
  ID3D12Pageable* const* const given = random_.slips(20) ? nullptr : objects.data();
  switch (random_.below(4)) {
    case 0: device_->MakeResident(random_.number(4), given); return;
    case 1: device_->Evict(random_.number(4), given); return;
    case 2:
      device_->SetResidencyPriority(random_.number(4), given, random_.slips(10) ? nullptr : priorities.data());
      return;
    default:
      device_->EnqueueMakeResident(random_.any<D3D12_RESIDENCY_FLAGS>(2), random_.number(4), given, fence(),
                                   random_.odd(8));
  }
}

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

void Actor::drop() {
  switch (random_.below(9)) {
    case 0: return queues_.drop(random_);
    case 1: return fences_.drop(random_);
    case 2: return resources_.drop(random_);
    case 3: return descriptors_.drop(random_);
    case 4: return heaps_.drop(random_);
    case 5: return query_heaps_.drop(random_);
    case 6: return pipelines_.drop(random_);
    case 7: return lists_.drop(random_);
    default: return allocators_.drop(random_);
  }
}

void Actor::present() {
  if (!first_) return;
  if (chain_ == nullptr) {
    ComPtr<IDXGIFactory2> factory;
    if (!random_.one_in(10) || FAILED(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)))) return;
    DXGI_SWAP_CHAIN_DESC1 desc{};
    desc.Width = desc.Height = 16;
    desc.Format = random_.one_in(5) ? format() : DXGI_FORMAT_R8G8B8A8_UNORM;
    desc.SampleDesc.Count = 1;
    desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
    desc.BufferCount = random_.one_in(10) ? random_.odd32(20) : 2 + random_.number(2);
    desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
    ComPtr<IDXGISwapChain1> made;
    if (SUCCEEDED(factory->CreateSwapChainForComposition(queue(), &desc, nullptr, &made))) made.As(&chain_);
    return;
  }
  switch (random_.below(8)) {
    case 0: {
      ComPtr<ID3D12Resource> buffer;
      chain_->GetBuffer(random_.odd32(3), __uuidof(ID3D12Resource), place(buffer));
      return resources_.add(buffer);
    }
    case 1: chain_->ResizeBuffers(random_.number(4), 8, 8, DXGI_FORMAT_UNKNOWN, 0); return;
    case 2: chain_->GetCurrentBackBufferIndex(); return;
    case 3: chain_.Reset(); return;
    default:
      // Without waiting: its queue may be one that only the removal lets go on, which comes from this thread.
      chain_->Present(random_.odd32(2), DXGI_PRESENT_DO_NOT_WAIT);
  }
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

void Actor::record(List& list) {
  switch (random_.below(3)) {
    case 0: return record_copies(list);
    case 1: return record_draws(list);
    default: return record_state(list);
  }
}

}  // namespace

ProgramEnd play_d3d12_program(std::uint64_t seed) {
  static const MachineConfig machine = load_machine("tiny", "", {});
  Random random(seed);
  ComPtr<ID3D12Debug> debug;
  const bool debugged = random.one_in(2);
  if (debugged && SUCCEEDED(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)))) debug->EnableDebugLayer();
  Common common;
  if (FAILED(d3d12::create_device(machine, IID_PPV_ARGS(&common.device)))) return {};
  {
    ComPtr<ID3D12InfoQueue> messages;
    if (SUCCEEDED(common.device.As(&messages))) messages->SetMuteDebugOutput(TRUE);
  }
  const std::size_t others = random.below(3);
  common.several_threads = others > 0;
  for (const auto type :
       {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY}) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> queue;
    common.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue));
    common.queues.add(queue);
    ComPtr<ID3D12Fence> fence;
    common.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
    common.fences.add(fence);
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc{
        type == D3D12_COMMAND_LIST_TYPE_COPY ? D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV : D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
        8,
        type == D3D12_COMMAND_LIST_TYPE_COPY ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE
                                             : D3D12_DESCRIPTOR_HEAP_FLAG_NONE,
        0};
    ComPtr<ID3D12DescriptorHeap> heap;
    common.device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap));
    common.descriptors.add(heap);
    D3D12_RESOURCE_DESC resource_desc{D3D12_RESOURCE_DIMENSION_BUFFER,
                                      0,
                                      4096,
                                      1,
                                      1,
                                      1,
                                      DXGI_FORMAT_UNKNOWN,
                                      {1, 0},
                                      D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                      D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS};
    if (type == D3D12_COMMAND_LIST_TYPE_DIRECT) {
      resource_desc = {D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                       0,
                       16,
                       16,
                       1,
                       1,
                       DXGI_FORMAT_R8G8B8A8_UNORM,
                       {1, 0},
                       D3D12_TEXTURE_LAYOUT_UNKNOWN,
                       D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    }
    const D3D12_HEAP_PROPERTIES properties{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
    ComPtr<ID3D12Resource> resource;
    common.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &resource_desc,
                                           D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&resource));
    common.resources.add(resource);
  }

  ProgramEnd end;
  {
    Actor first(common, random.below(~0ULL), true);
    std::vector<std::thread> threads;
    std::atomic<bool> ended{true};
    for (std::size_t i = 0; i < others; ++i) {
      threads.emplace_back([&common, &ended, thread_seed = random.below(~0ULL), calls = random.below(150)] {
        Actor other(common, thread_seed, false);
        other.act(calls);
        if (common.device->GetDeviceRemovedReason() != S_OK && !other.waits_end()) ended = false;
      });
    }
    first.act(20 + random.below(150));
    common.device->RemoveDevice();
    first.act(random.below(60));
    for (std::thread& thread : threads) thread.join();
    end.fences_ended = first.waits_end() && ended;
  }
  end.calls = common.calls;
  end.executed = common.executed;
  common.queues = {};
  common.fences = {};
  common.resources = {};
  common.descriptors = {};
  end.device_references = common.device.Reset();
  if (debug != nullptr) {
    ComPtr<ID3D12Debug4> off;
    if (SUCCEEDED(debug.As(&off))) off->DisableDebugLayer();
  }
  return end;
}

}  // namespace fenceline::testing
