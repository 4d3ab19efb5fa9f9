// SPDX-License-Identifier: Apache-2.0
// Threads of std::async, std::thread and pthread_create that take things from one pile: who got what, and when.
#include <pthread.h>
#include <windows.h>

#include <cstdio>
#include <d3d12.h>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

const HANDLE never_set = CreateEvent(nullptr, TRUE, FALSE, nullptr);
std::mutex mutex;
std::vector<int> takers;  // of what has been taken, in order

long long ticks() {
  LARGE_INTEGER now;
  QueryPerformanceCounter(&now);
  return now.QuadPart;
}

/// Until 60 are taken; after each it waits as long as its number says.
int take(int number) {
  int count = 0;
  while (true) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (takers.size() == 60) return count;
      takers.push_back(number);
    }
    ++count;
    WaitForSingleObject(never_set, static_cast<DWORD>(1 + number % 3));
  }
}

void* take_by_pthread(void* number) {
  const int count = take(static_cast<int>(reinterpret_cast<long long>(number)));
  if (count >= 0) pthread_exit(reinterpret_cast<void*>(static_cast<long long>(count)));
  return nullptr;
}

}  // namespace

int main() {
  const long long begin = ticks();
  std::vector<std::future<int>> tasks;
  tasks.reserve(3);
  for (int i = 0; i < 3; ++i) tasks.push_back(std::async(std::launch::async, take, i));
  int by_thread = 0;
  std::thread thread([&] { by_thread = take(3); });
  pthread_t plain;
  if (pthread_create(&plain, nullptr, take_by_pthread, reinterpret_cast<void*>(4LL)) != 0) return 1;
  std::thread([] { WaitForSingleObject(never_set, 1); }).detach();
  for (std::future<int>& task : tasks) std::printf("a task took %d\n", task.get());
  thread.join();
  void* by_plain = nullptr;
  pthread_join(plain, &by_plain);
  std::printf("a thread took %d, another one %lld\n", by_thread, reinterpret_cast<long long>(by_plain));
  for (const int taker : takers) std::printf("%d ", taker);
  std::printf("\nafter %lld us\n", (ticks() - begin) / 10);
  // What a capture is made of, if there is to be one.
  ID3D12Device* device = nullptr;
  ID3D12CommandQueue* queue = nullptr;
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  queue->Release();
  device->Release();
}
