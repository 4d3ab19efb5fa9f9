// SPDX-License-Identifier: Apache-2.0
// Two adapters that share the work on a frame, as programs for hybrid systems do: the second one renders, and copies
// what it has into a heap that both have; the first one, which has the display, waits for that, takes it over, blurs it
// in two passes and presents. A ring of three frames, so that both work at a time.
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"
#include "api/d3d12/shader.hpp"

#include <wrl/client.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <directx/d3dx12.h>
#include <stdexcept>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;

namespace {

constexpr UINT ring = 3;
constexpr UINT width = 640;
constexpr UINT height = 360;
constexpr DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM;
constexpr D3D12_VIEWPORT viewport{0, 0, width, height, 0, 1};
constexpr D3D12_RECT scissor{0, 0, width, height};

void check(HRESULT result, const char* what) {
  if (FAILED(result)) throw std::runtime_error(what);
}
#define CHECKED(call) check(call, #call)

/// An adapter's device with a direct queue, and lists for each frame of the ring.
struct Gpu {
  explicit Gpu(IDXGIAdapter1* adapter, const wchar_t* queue_name) {
    CHECKED(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)));
    queue = make_queue(D3D12_COMMAND_LIST_TYPE_DIRECT, queue_name);
    const D3D12_DESCRIPTOR_HEAP_DESC targets_desc{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, ring + 1, {}, 0};
    CHECKED(device->CreateDescriptorHeap(&targets_desc, IID_PPV_ARGS(&targets)));
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC signature;
    signature.Init_1_1(0, nullptr, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
    ComPtr<ID3DBlob> blob;
    CHECKED(D3D12SerializeVersionedRootSignature(&signature, &blob, nullptr));
    CHECKED(device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&root)));
  }

  ComPtr<ID3D12CommandQueue> make_queue(D3D12_COMMAND_LIST_TYPE type, const wchar_t* name) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> made;
    CHECKED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)));
    CHECKED(made->SetName(name));
    return made;
  }
  ComPtr<ID3D12Resource> target(D3D12_RESOURCE_STATES state) {
    const CD3DX12_HEAP_PROPERTIES in(D3D12_HEAP_TYPE_DEFAULT);
    const auto desc =
        CD3DX12_RESOURCE_DESC::Tex2D(format, width, height, 1, 1, 1, 0, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    ComPtr<ID3D12Resource> made;
    CHECKED(device->CreateCommittedResource(&in, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_PPV_ARGS(&made)));
    return made;
  }
  D3D12_CPU_DESCRIPTOR_HANDLE view(ID3D12Resource* resource, UINT index) {
    CD3DX12_CPU_DESCRIPTOR_HANDLE at(targets->GetCPUDescriptorHandleForHeapStart(), static_cast<INT>(index),
                                     device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV));
    device->CreateRenderTargetView(resource, nullptr, at);
    return at;
  }
  ComPtr<ID3D12PipelineState> pipeline(std::uint32_t alu_of_a_pixel, std::uint32_t samples_of_a_pixel) {
    using namespace fenceline::d3d12;
    const ShaderElement position{"SV_Position"};
    ShaderDesc vertex_desc;
    vertex_desc.alu_instructions = 20;
    vertex_desc.outputs = {position};
    ShaderDesc pixel_desc;
    pixel_desc.alu_instructions = alu_of_a_pixel;
    pixel_desc.texture_samples = samples_of_a_pixel;
    pixel_desc.inputs = {position};
    pixel_desc.outputs = {ShaderElement{"SV_Target"}};
    const std::string vertex = shader(PipelineStage::vertex, vertex_desc);
    const std::string pixel = shader(PipelineStage::pixel, pixel_desc);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root.Get();
    desc.VS = {vertex.data(), vertex.size()};
    desc.PS = {pixel.data(), pixel.size()};
    desc.BlendState = CD3DX12_BLEND_DESC(D3D12_DEFAULT);
    desc.SampleMask = ~0U;
    desc.RasterizerState = CD3DX12_RASTERIZER_DESC(D3D12_DEFAULT);
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = format;
    desc.SampleDesc.Count = 1;
    ComPtr<ID3D12PipelineState> made;
    CHECKED(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)));
    return made;
  }

  /// Lists of a queue, one for each frame of the ring.
  struct Lists {
    std::array<ComPtr<ID3D12CommandAllocator>, ring> allocators;
    std::array<ComPtr<ID3D12GraphicsCommandList>, ring> lists;
    ID3D12GraphicsCommandList* begin(UINT frame) {
      CHECKED(allocators[frame]->Reset());
      CHECKED(lists[frame]->Reset(allocators[frame].Get(), nullptr));
      return lists[frame].Get();
    }
    void run(UINT frame, ID3D12CommandQueue* on) {
      CHECKED(lists[frame]->Close());
      ID3D12CommandList* const all[] = {lists[frame].Get()};
      on->ExecuteCommandLists(1, all);
    }
  };
  Lists make_lists(D3D12_COMMAND_LIST_TYPE type) {
    Lists made;
    for (UINT frame = 0; frame < ring; ++frame) {
      CHECKED(device->CreateCommandAllocator(type, IID_PPV_ARGS(&made.allocators[frame])));
      CHECKED(
          device->CreateCommandList(0, type, made.allocators[frame].Get(), nullptr, IID_PPV_ARGS(&made.lists[frame])));
      CHECKED(made.lists[frame]->Close());
    }
    return made;
  }

  ComPtr<ID3D12Device> device;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12DescriptorHeap> targets;
  ComPtr<ID3D12RootSignature> root;
};

void draw(ID3D12GraphicsCommandList* list, const Gpu& gpu, ID3D12PipelineState* pipeline,
          D3D12_CPU_DESCRIPTOR_HANDLE target, UINT count) {
  list->SetGraphicsRootSignature(gpu.root.Get());
  list->SetPipelineState(pipeline);
  list->RSSetViewports(1, &viewport);
  list->RSSetScissorRects(1, &scissor);
  list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  list->OMSetRenderTargets(1, &target, FALSE, nullptr);
  for (UINT i = 0; i < count; ++i) list->DrawInstanced(3, 1, 0, 0);
}

void transition(ID3D12GraphicsCommandList* list, ID3D12Resource* of, D3D12_RESOURCE_STATES from,
                D3D12_RESOURCE_STATES to) {
  const auto barrier = CD3DX12_RESOURCE_BARRIER::Transition(of, from, to);
  list->ResourceBarrier(1, &barrier);
}

/// Red of the frame's clear colour, 0 to 255.
std::uint32_t red_of(UINT frame) { return (7 * frame + 1) % 256; }

int run(UINT frames) {
  ComPtr<IDXGIFactory4> factory;
  CHECKED(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)));
  std::array<ComPtr<IDXGIAdapter1>, 2> adapters;
  for (UINT i = 0; i < 2; ++i) CHECKED(factory->EnumAdapters1(i, &adapters[i]));
  Gpu presenter(adapters[0].Get(), L"blur");
  Gpu renderer(adapters[1].Get(), L"render");
  const auto copy_queue = renderer.make_queue(D3D12_COMMAND_LIST_TYPE_COPY, L"copy");

  DXGI_SWAP_CHAIN_DESC1 chain_desc{};
  chain_desc.Width = width;
  chain_desc.Height = height;
  chain_desc.Format = format;
  chain_desc.SampleDesc.Count = 1;
  chain_desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  chain_desc.BufferCount = ring;
  chain_desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  ComPtr<IDXGISwapChain1> made;
  CHECKED(factory->CreateSwapChainForComposition(presenter.queue.Get(), &chain_desc, nullptr, &made));
  ComPtr<IDXGISwapChain3> chain;
  CHECKED(made.As(&chain));

  // What both have: a heap with a buffer for each frame of the ring, and a fence. Handles are closed once opened.
  const auto target_desc = CD3DX12_RESOURCE_DESC::Tex2D(format, width, height, 1, 1);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{};
  UINT64 bytes = 0;
  renderer.device->GetCopyableFootprints(&target_desc, 0, 1, 0, &footprint, nullptr, nullptr, &bytes);
  const UINT64 slot = (bytes + D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT - 1) /
                      D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT * D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  const CD3DX12_HEAP_DESC heap_desc(slot * ring, D3D12_HEAP_TYPE_DEFAULT, 0,
                                    D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER);
  constexpr DWORD all_access = 0x10000000;  // GENERIC_ALL
  ComPtr<ID3D12Heap> heap;
  ComPtr<ID3D12Heap> presenters_heap;
  HANDLE handle = nullptr;
  CHECKED(renderer.device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)));
  CHECKED(renderer.device->CreateSharedHandle(heap.Get(), nullptr, all_access, nullptr, &handle));
  CHECKED(presenter.device->OpenSharedHandle(handle, IID_PPV_ARGS(&presenters_heap)));
  CloseHandle(handle);
  ComPtr<ID3D12Fence> copied;
  ComPtr<ID3D12Fence> presenters_copied;
  CHECKED(renderer.device->CreateFence(0, D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER,
                                       IID_PPV_ARGS(&copied)));
  CHECKED(renderer.device->CreateSharedHandle(copied.Get(), nullptr, all_access, nullptr, &handle));
  CHECKED(presenter.device->OpenSharedHandle(handle, IID_PPV_ARGS(&presenters_copied)));
  CloseHandle(handle);

  const auto buffer_desc = CD3DX12_RESOURCE_DESC::Buffer(slot, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
  std::array<ComPtr<ID3D12Resource>, ring> sent;
  std::array<ComPtr<ID3D12Resource>, ring> received;
  std::array<ComPtr<ID3D12Resource>, ring> rendered;
  std::array<ComPtr<ID3D12Resource>, ring> sampled;
  std::array<ComPtr<ID3D12Resource>, ring> back_buffers;
  for (UINT i = 0; i < ring; ++i) {
    CHECKED(renderer.device->CreatePlacedResource(heap.Get(), i * slot, &buffer_desc, D3D12_RESOURCE_STATE_COPY_DEST,
                                                  nullptr, IID_PPV_ARGS(&sent[i])));
    CHECKED(presenter.device->CreatePlacedResource(presenters_heap.Get(), i * slot, &buffer_desc,
                                                   D3D12_RESOURCE_STATE_COPY_SOURCE, nullptr,
                                                   IID_PPV_ARGS(&received[i])));
    rendered[i] = renderer.target(D3D12_RESOURCE_STATE_COMMON);
    sampled[i] = presenter.target(D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE);
    CHECKED(chain->GetBuffer(i, IID_PPV_ARGS(&back_buffers[i])));
  }
  const auto between = presenter.target(D3D12_RESOURCE_STATE_RENDER_TARGET);
  const auto scene = renderer.pipeline(400, 0);
  const auto blur = presenter.pipeline(60, 9);

  Gpu::Lists render_lists = renderer.make_lists(D3D12_COMMAND_LIST_TYPE_DIRECT);
  Gpu::Lists copy_lists = renderer.make_lists(D3D12_COMMAND_LIST_TYPE_COPY);
  Gpu::Lists blur_lists = presenter.make_lists(D3D12_COMMAND_LIST_TYPE_DIRECT);
  ComPtr<ID3D12Fence> render_fence;
  ComPtr<ID3D12Fence> frame_fence;
  CHECKED(renderer.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&render_fence)));
  CHECKED(presenter.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&frame_fence)));
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);

  UINT wrong = 0;
  const CD3DX12_HEAP_PROPERTIES readback(D3D12_HEAP_TYPE_READBACK);
  const auto readback_desc = CD3DX12_RESOURCE_DESC::Buffer(slot);
  std::array<ComPtr<ID3D12Resource>, ring> seen;
  for (auto& one : seen) {
    CHECKED(presenter.device->CreateCommittedResource(&readback, D3D12_HEAP_FLAG_NONE, &readback_desc,
                                                      D3D12_RESOURCE_STATE_COPY_DEST, nullptr, IID_PPV_ARGS(&one)));
  }
  // The colour that the presenter had of that frame.
  const auto look = [&](UINT frame) {
    std::uint32_t* texels = nullptr;
    CHECKED(seen[frame % ring]->Map(0, nullptr, reinterpret_cast<void**>(&texels)));
    const std::size_t last = (height - 1) * (footprint.Footprint.RowPitch / 4) + width - 1;
    if ((texels[0] & 0xFF) != red_of(frame) || (texels[last] & 0xFF) != red_of(frame)) ++wrong;
    seen[frame % ring]->Unmap(0, nullptr);
  };
  const auto wait_for = [&](UINT64 frame) {
    if (frame_fence->GetCompletedValue() >= frame) return;
    CHECKED(frame_fence->SetEventOnCompletion(frame, event));
    if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) throw std::runtime_error("the wait failed");
  };

  for (UINT frame = 0; frame < frames; ++frame) {
    const UINT at = frame % ring;
    if (frame >= ring) {  // this place of the ring is still in use
      wait_for(frame - ring + 1);
      look(frame - ring);
    }
    ID3D12GraphicsCommandList* list = render_lists.begin(at);
    const std::array<FLOAT, 4> color = {static_cast<float>(red_of(frame)) / 255, 0, 0, 1};
    const auto view = renderer.view(rendered[at].Get(), at);
    transition(list, rendered[at].Get(), D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_RENDER_TARGET);
    list->ClearRenderTargetView(view, color.data(), 0, nullptr);
    draw(list, renderer, scene.Get(), view, 40);
    transition(list, rendered[at].Get(), D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COMMON);
    render_lists.run(at, renderer.queue.Get());
    CHECKED(renderer.queue->Signal(render_fence.Get(), frame + 1));

    list = copy_lists.begin(at);
    const CD3DX12_TEXTURE_COPY_LOCATION to_shared(sent[at].Get(), footprint);
    const CD3DX12_TEXTURE_COPY_LOCATION from_target(rendered[at].Get(), 0);
    list->CopyTextureRegion(&to_shared, 0, 0, 0, &from_target, nullptr);
    CHECKED(copy_queue->Wait(render_fence.Get(), frame + 1));
    copy_lists.run(at, copy_queue.Get());
    CHECKED(copy_queue->Signal(copied.Get(), frame + 1));

    list = blur_lists.begin(at);
    const CD3DX12_TEXTURE_COPY_LOCATION to_sampled(sampled[at].Get(), 0);
    const CD3DX12_TEXTURE_COPY_LOCATION from_shared(received[at].Get(), footprint);
    transition(list, sampled[at].Get(), D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyTextureRegion(&to_sampled, 0, 0, 0, &from_shared, nullptr);
    transition(list, sampled[at].Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
    const CD3DX12_TEXTURE_COPY_LOCATION to_seen(seen[at].Get(), footprint);
    list->CopyTextureRegion(&to_seen, 0, 0, 0, &to_sampled, nullptr);
    transition(list, sampled[at].Get(), D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE);
    const UINT buffer = chain->GetCurrentBackBufferIndex();
    draw(list, presenter, blur.Get(), presenter.view(between.Get(), ring), 1);
    transition(list, back_buffers[buffer].Get(), D3D12_RESOURCE_STATE_PRESENT, D3D12_RESOURCE_STATE_RENDER_TARGET);
    draw(list, presenter, blur.Get(), presenter.view(back_buffers[buffer].Get(), buffer), 1);
    transition(list, back_buffers[buffer].Get(), D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_PRESENT);
    CHECKED(presenter.queue->Wait(presenters_copied.Get(), frame + 1));
    blur_lists.run(at, presenter.queue.Get());
    CHECKED(chain->Present(1, 0));
    CHECKED(presenter.queue->Signal(frame_fence.Get(), frame + 1));
  }
  wait_for(frames);
  for (UINT frame = frames < ring ? 0 : frames - ring; frame < frames; ++frame) look(frame);
  CloseHandle(event);
  std::printf("%u frames, %u of them wrong\n", frames, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? static_cast<UINT>(std::atoi(arguments[1])) : 12);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
