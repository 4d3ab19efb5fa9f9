// SPDX-License-Identifier: Apache-2.0
// Actor, the calls of devices, queues, fences and swap chains.
#include "tests/fuzz/d3d12_actor.hpp"

#include "api/d3d12/application_budget.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <array>
#include <string>
#include <utility>

namespace fenceline::testing::calls {
namespace {

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
}  // namespace

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

void Actor::residency() {
  std::array<ID3D12Pageable*, 4> objects = {resource(), heaps_.one(random_), descriptors(), query_heaps_.one(random_)};
  const std::array priorities = {D3D12_RESIDENCY_PRIORITY_LOW, D3D12_RESIDENCY_PRIORITY_HIGH,
                                 D3D12_RESIDENCY_PRIORITY_NORMAL,
                                 static_cast<D3D12_RESIDENCY_PRIORITY>(random_.odd32(100))};
  if (random_.one_in(2)) std::swap(objects[0], objects[random_.below(objects.size())]);  // few calls name more than one
  ID3D12Pageable* const* const given = random_.slips(20) ? nullptr : objects.data();
  switch (random_.below(5)) {
    case 0: device_->MakeResident(random_.number(5), given); return;
    case 1: device_->Evict(random_.number(5), given); return;
    case 2:
      device_->SetResidencyPriority(random_.number(5), given, random_.slips(10) ? nullptr : priorities.data());
      return;
    case 3:
      if (random_.one_in(2)) {
        d3d12::set_background_processes(device_, random_.odd32(4));
      } else {
        d3d12::set_application_focus(device_, random_.one_in(2) ? TRUE : FALSE);
      }
      return;
    default:
      device_->EnqueueMakeResident(random_.any<D3D12_RESIDENCY_FLAGS>(2), random_.number(5), given, fence(),
                                   random_.odd(8));
  }
}

void Actor::drop() {
  switch (random_.below(11)) {
    case 0: return queues_.drop(random_);
    case 1: return fences_.drop(random_);
    case 2: return resources_.drop(random_);
    case 3: return descriptors_.drop(random_);
    case 4: return heaps_.drop(random_);
    case 5: return query_heaps_.drop(random_);
    case 6: return pipelines_.drop(random_);
    case 7: return lists_.drop(random_);
    case 8:
    case 9: return sessions_.drop(random_);
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

}  // namespace fenceline::testing::calls
