// SPDX-License-Identifier: Apache-2.0
// What captures of programs that nobody here wrote had got wrong: `timeline_program WHAT`.
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"
#include "api/d3d12/shader.hpp"

#include <wrl/client.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;
namespace made = fenceline::d3d12;

namespace {

void check(HRESULT result, const char* what) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "%s: %08x\n", what, static_cast<unsigned>(result));
  std::exit(1);
}

/// A device with a direct queue and a list.
struct Program {
  Program() {
    check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)), "device");
    const D3D12_COMMAND_QUEUE_DESC desc{D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    check(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), "queue");
    check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), "fence");
    check(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)), "allocator");
    check(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
          "list");
    const D3D12_ROOT_SIGNATURE_DESC none{0, nullptr, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
    ComPtr<ID3DBlob> blob;
    check(D3D12SerializeRootSignature(&none, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, nullptr), "root signature");
    check(device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&root)),
          "root signature");
  }
  /// Executes the list, waits for it, and begins it anew.
  void run() {
    check(list->Close(), "Close");
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    check(queue->Signal(fence.Get(), ++value), "Signal");
    check(fence->SetEventOnCompletion(value, nullptr), "wait");
    check(allocator->Reset(), "allocator");
    check(list->Reset(allocator.Get(), nullptr), "list");
  }
  ComPtr<ID3D12PipelineState> draws(UINT samples) const {
    made::ShaderDesc position;
    position.outputs = {{"SV_Position"}};
    const std::string vertex = made::shader(made::PipelineStage::vertex, position);
    position.inputs.swap(position.outputs);
    const std::string pixel = made::shader(made::PipelineStage::pixel, position);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root.Get();
    desc.VS = {vertex.data(), vertex.size()};
    desc.PS = {pixel.data(), pixel.size()};
    desc.SampleMask = UINT_MAX;
    desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
    desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    desc.DepthStencilState.DepthEnable = samples > 1;
    desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    desc.DSVFormat = samples > 1 ? DXGI_FORMAT_D32_FLOAT_S8X24_UINT : DXGI_FORMAT_UNKNOWN;
    desc.SampleDesc = {samples, 0};
    ComPtr<ID3D12PipelineState> state;
    check(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&state)), "pipeline state");
    return state;
  }
  void draw(const std::vector<ComPtr<ID3D12PipelineState>>& states, int times) {
    const D3D12_VIEWPORT viewport{0, 0, 4, 4, 0, 1};  // so that what a draw takes is the front end's
    const D3D12_RECT all{0, 0, 4, 4};
    list->RSSetViewports(1, &viewport);
    list->RSSetScissorRects(1, &all);
    list->SetGraphicsRootSignature(root.Get());
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    for (int i = 0; i < times; ++i) {
      list->SetPipelineState(states[static_cast<std::size_t>(i) % states.size()].Get());
      list->DrawInstanced(3, 1, 0, 0);
    }
    run();
  }
  /// In video memory.
  ComPtr<ID3D12Resource> buffer(UINT64 bytes) const {
    const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
    D3D12_RESOURCE_DESC desc{};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc = {1, 0};
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    ComPtr<ID3D12Resource> made;
    check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                          IID_PPV_ARGS(&made)),
          "buffer");
    return made;
  }

  ComPtr<ID3D12Device> device;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12Fence> fence;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12RootSignature> root;
  UINT64 value = 0;
};

/// Draws that go back and forth between two pipeline states that are alike.
void alike(Program& program) { program.draw({program.draws(1), program.draws(1)}, 200); }

/// Eight samples of a pixel have 64 bytes of depth and stencil.
void samples(Program& program) { program.draw({program.draws(8)}, 3); }

/// Of 1,024 dispatches that there may be, none is run.
void none_of_many(Program& program) {
  D3D12_INDIRECT_ARGUMENT_DESC argument{};
  argument.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
  const D3D12_COMMAND_SIGNATURE_DESC desc{12, 1, &argument, 0};
  ComPtr<ID3D12CommandSignature> signature;
  check(program.device->CreateCommandSignature(&desc, nullptr, IID_PPV_ARGS(&signature)), "signature");
  const ComPtr<ID3D12Resource> arguments = program.buffer(1 << 16);
  const std::string code = made::shader(made::PipelineStage::compute);
  D3D12_COMPUTE_PIPELINE_STATE_DESC state{};
  state.pRootSignature = program.root.Get();
  state.CS = {code.data(), code.size()};
  ComPtr<ID3D12PipelineState> dispatches;
  check(program.device->CreateComputePipelineState(&state, IID_PPV_ARGS(&dispatches)), "pipeline state");
  program.list->SetPipelineState(dispatches.Get());
  program.list->SetComputeRootSignature(program.root.Get());
  program.list->ExecuteIndirect(signature.Get(), 1024, arguments.Get(), 0, arguments.Get(), 12 * 1024);
  program.list->ExecuteIndirect(signature.Get(), 1024, arguments.Get(), 0, nullptr, 0);  // each asks for no group
  program.run();
}

/// What a program evicts stays where it is, and is there when it is used again; or it is used all the same.
void residency(Program& program, bool used_while_evicted) {
  const ComPtr<ID3D12Resource> from = program.buffer(1 << 20);
  const ComPtr<ID3D12Resource> other = program.buffer(1 << 20);
  const ComPtr<ID3D12Resource> to = program.buffer(1 << 20);
  ID3D12Pageable* const pageable = from.Get();
  for (int i = 0; i < 3; ++i) {
    program.list->CopyResource(to.Get(), from.Get());
    program.run();
    check(program.device->Evict(1, &pageable), "Evict");
    program.list->CopyBufferRegion(to.Get(), 0, used_while_evicted ? from.Get() : other.Get(), 0, 1 << 10);
    program.run();
    check(program.device->MakeResident(1, &pageable), "MakeResident");
  }
}

/// Three swap chains of a queue, on as many outputs as there are; the second ends early, with frames that wait.
void windows(Program& program) {
  ComPtr<IDXGIFactory4> factory;
  check(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)), "factory");
  ComPtr<IDXGIAdapter> adapter;
  check(factory->EnumAdapterByLuid(program.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)), "adapter");
  std::vector<ComPtr<IDXGISwapChain1>> chains(3);
  for (UINT i = 0; i < 3; ++i) {
    ComPtr<IDXGIOutput> output;
    adapter->EnumOutputs(i, &output);  // none where there are fewer
    DXGI_SWAP_CHAIN_DESC1 desc{};
    desc.Width = 640;
    desc.Height = 480;
    desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    desc.SampleDesc = {1, 0};
    desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
    desc.BufferCount = 3;
    desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL;
    check(factory->CreateSwapChainForComposition(program.queue.Get(), &desc, output.Get(), &chains[i]), "swap chain");
  }
  for (int frame = 0; frame < 12; ++frame) {
    for (std::size_t i = 0; i < chains.size(); ++i) {
      if (chains[i] != nullptr) check(chains[i]->Present(static_cast<UINT>(1 + i % 2), 0), "Present");
    }
    if (frame == 5) chains[1].Reset();
    program.run();
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  static Program program;
  if (what == "alike") alike(program);
  if (what == "samples") samples(program);
  if (what == "none_of_many") none_of_many(program);
  if (what == "windows") windows(program);
  if (what == "evicts") residency(program, false);
  if (what == "faults") residency(program, true);
  if (what == "exits") {
    program.run();
    std::exit(0);  // with a device that nobody releases before
  }
  return 0;
}
