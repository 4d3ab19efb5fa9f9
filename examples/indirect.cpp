// SPDX-License-Identifier: Apache-2.0
// Frames whose draws the GPU decides on: a pass of culling leaves arguments and their count in buffers, and one
// ExecuteIndirect of at most 64 draws takes what is there when it gets there. Shaders are not executed, so that the
// program copies what culling would have written.
#include "program.hpp"

#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr UINT most_draws = 64;
constexpr std::array<UINT, 4> visible = {64, 16, 1, 0};  // of each frame

void run() {
  Program program;
  const auto queue = program.queue(D3D12_COMMAND_LIST_TYPE_DIRECT, L"graphics");
  const auto cull = program.compute(200);
  const auto draw = program.graphics(100);
  const auto done = program.fence(L"done");
  D3D12_INDIRECT_ARGUMENT_DESC argument{};
  argument.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW;
  const D3D12_COMMAND_SIGNATURE_DESC desc{sizeof(D3D12_DRAW_ARGUMENTS), 1, &argument, 0};
  ComPtr<ID3D12CommandSignature> signature;
  CHECKED(program.device->CreateCommandSignature(&desc, nullptr, IID_PPV_ARGS(&signature)));

  constexpr UINT64 bytes = most_draws * sizeof(D3D12_DRAW_ARGUMENTS);
  const auto arguments = program.buffer(bytes, D3D12_HEAP_TYPE_DEFAULT);
  const auto count = program.buffer(sizeof(UINT), D3D12_HEAP_TYPE_DEFAULT);
  const auto culled = program.buffer(bytes + sizeof visible, D3D12_HEAP_TYPE_UPLOAD);
  std::byte* data = nullptr;
  CHECKED(culled->Map(0, nullptr, reinterpret_cast<void**>(&data)));
  const std::vector<D3D12_DRAW_ARGUMENTS> triangles(most_draws, {3, 1, 0, 0});
  std::memcpy(data, triangles.data(), bytes);
  std::memcpy(data + bytes, visible.data(), sizeof visible);
  culled->Unmap(0, nullptr);

  std::vector<List> lists;
  for (UINT n = 0; n < visible.size(); ++n) {
    lists.emplace_back(program, D3D12_COMMAND_LIST_TYPE_DIRECT, L"frame " + std::to_wstring(n + 1));
    const List& frame = lists.back();
    frame->SetComputeRootSignature(program.root.Get());
    frame->SetPipelineState(cull.Get());
    frame->Dispatch(256, 1, 1);
    frame->CopyBufferRegion(arguments.Get(), 0, culled.Get(), 0, bytes);
    frame->CopyBufferRegion(count.Get(), 0, culled.Get(), bytes + n * sizeof(UINT), sizeof(UINT));
    const std::array<D3D12_RESOURCE_BARRIER, 2> barriers = {
        CD3DX12_RESOURCE_BARRIER::Transition(arguments.Get(), D3D12_RESOURCE_STATE_COPY_DEST,
                                             D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT),
        CD3DX12_RESOURCE_BARRIER::Transition(count.Get(), D3D12_RESOURCE_STATE_COPY_DEST,
                                             D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT)};
    frame->ResourceBarrier(2, barriers.data());
    program.prepare(frame.list.Get(), draw.Get(), width, height);
    frame->ExecuteIndirect(signature.Get(), most_draws, arguments.Get(), 0, count.Get(), 0);
    CHECKED(frame->Close());
    frame.execute(queue.Get());
    CHECKED(queue->Signal(done.Get(), n + 1));
  }
  CHECKED(done->SetEventOnCompletion(visible.size(), nullptr));
}

}  // namespace

int main() {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
