// SPDX-License-Identifier: Apache-2.0
// Bodies that attract each other, on a compute queue beside the graphics queue that draws them: while a step's result
// is drawn, the next step is computed. With the argument "one_queue" everything is on the graphics queue instead.
#include "program.hpp"

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr UINT steps = 4;
constexpr UINT bodies = 16384;
constexpr UINT instructions_of_a_pair = 20;

void run(bool one_queue) {
  Program program;
  const auto graphics = program.queue(D3D12_COMMAND_LIST_TYPE_DIRECT, L"graphics");
  const auto compute = one_queue ? graphics : program.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE, L"compute");
  const auto attract = program.compute(bodies * instructions_of_a_pair, 2 * instructions_of_a_pair);  // it loops
  const auto glow = program.graphics(300);
  const auto computed = program.fence(L"computed");
  const auto drawn = program.fence(L"drawn");
  // Positions are in two buffers in turn: step n reads what step n - 1 has written, and so does frame n - 1.
  std::vector<List> lists;
  const auto type = one_queue ? D3D12_COMMAND_LIST_TYPE_DIRECT : D3D12_COMMAND_LIST_TYPE_COMPUTE;
  for (UINT n = 1; n <= steps; ++n) {
    lists.emplace_back(program, type, L"step " + std::to_wstring(n));
    const List& step = lists.back();
    step->SetComputeRootSignature(program.root.Get());
    step->SetPipelineState(attract.Get());
    step->Dispatch(bodies / 64, 1, 1);
    CHECKED(step->Close());
    if (n > 2) CHECKED(compute->Wait(drawn.Get(), n - 2));  // its buffer has been drawn
    step.execute(compute.Get());
    CHECKED(compute->Signal(computed.Get(), n));

    lists.emplace_back(program, D3D12_COMMAND_LIST_TYPE_DIRECT, L"frame " + std::to_wstring(n));
    const List& frame = lists.back();
    program.prepare(frame.list.Get(), glow.Get(), width, height);
    for (int layer = 0; layer < 16; ++layer) frame->DrawInstanced(3, 1, 0, 0);
    CHECKED(frame->Close());
    CHECKED(graphics->Wait(computed.Get(), n));
    frame.execute(graphics.Get());
    CHECKED(graphics->Signal(drawn.Get(), n));
  }
  CHECKED(drawn->SetEventOnCompletion(steps, nullptr));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count > 1 && std::string_view(arguments[1]) == "one_queue");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
