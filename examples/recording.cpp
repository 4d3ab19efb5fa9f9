// SPDX-License-Identifier: Apache-2.0
// A frame of 8,000 draws in four lists, which as many threads record as the argument says (4 without one: a list each).
// The first thread hands them to the queue in one call when all are there.
#include "program.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr UINT lists_of_a_frame = 4;
constexpr UINT draws_of_a_list = 2000;

void run(UINT threads) {
  fenceline::HostThread here;  // all threads take turns in simulated time: the same times at every run
  here.attach();
  Program program;
  const auto queue = program.queue(D3D12_COMMAND_LIST_TYPE_DIRECT, L"graphics");
  const auto pipeline = program.graphics(50);
  const auto done = program.fence(L"done");
  std::vector<List> lists;
  for (UINT i = 0; i < lists_of_a_frame; ++i) {
    lists.emplace_back(program, D3D12_COMMAND_LIST_TYPE_DIRECT, L"part " + std::to_wstring(i + 1));
  }
  const auto record = [&](UINT first) {
    for (UINT i = first; i < lists_of_a_frame; i += threads) {
      program.prepare(lists[i].list.Get(), pipeline.Get(), 16, 16);
      for (UINT draw = 0; draw < draws_of_a_list; ++draw) lists[i]->DrawInstanced(3, 1, 0, 0);
      CHECKED(lists[i]->Close());
    }
  };
  std::vector<HANDLE> recorded;
  std::vector<std::unique_ptr<fenceline::HostThread>> attached;
  std::vector<std::thread> workers;
  for (UINT i = 0; i < threads; ++i) {
    recorded.push_back(CreateEvent(nullptr, FALSE, FALSE, nullptr));
    attached.push_back(std::make_unique<fenceline::HostThread>());
    workers.emplace_back([&record, i, self = attached[i].get(), event = recorded[i]] {
      self->attach();
      record(i);
      SetEvent(event);
      self->detach();
    });
  }
  WaitForMultipleObjects(threads, recorded.data(), TRUE, INFINITE);
  std::array<ID3D12CommandList*, lists_of_a_frame> all{};
  for (UINT i = 0; i < lists_of_a_frame; ++i) all[i] = lists[i].list.Get();
  queue->ExecuteCommandLists(lists_of_a_frame, all.data());
  CHECKED(queue->Signal(done.Get(), 1));
  CHECKED(done->SetEventOnCompletion(1, nullptr));
  for (std::thread& worker : workers) fenceline::HostThread::join(worker);
  for (const HANDLE event : recorded) CloseHandle(event);
}

}  // namespace

int main(int count, char** arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 4;
  if (threads < 1 || threads > static_cast<int>(lists_of_a_frame)) {
    std::fprintf(stderr, "threads: expected 1 to %u, found %s\n", lists_of_a_frame, arguments[1]);
    return 2;
  }
  try {
    run(static_cast<UINT>(threads));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
