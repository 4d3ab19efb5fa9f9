// SPDX-License-Identifier: Apache-2.0
// Bytes of D3D12 programs in their captures, rules 18, 19 and 21 of docs/contents.md: what lies there at first, and
// what the CPU writes. What the program sees is what playing comes to.
#include "tests/d3d12/captured/captured_app.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <atomic>
#include <thread>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

constexpr auto upload = D3D12_HEAP_TYPE_UPLOAD;
constexpr auto readback = D3D12_HEAP_TYPE_READBACK;

/// In the system's memory, where the CPU reaches it.
ComPtr<ID3D12Resource> reachable(const App& app, const D3D12_RESOURCE_DESC& desc) {
  const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0,
                                   0};
  ComPtr<ID3D12Resource> made;
  REQUIRE(app.device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace

TEST_CASE("captured bytes: an upload goes to video memory and back", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(1000, upload), L"up");
  const auto vram = named(app.buffer(1000), L"vram");
  const auto back = named(app.buffer(1000, readback), L"back");
  const Bytes bytes = numbers(1000, 3);
  write(up.Get(), bytes);
  copy.list->CopyResource(vram.Get(), up.Get());
  copy.list->CopyBufferRegion(back.Get(), 100, vram.Get(), 300, 500);
  copy.run();
  Bytes expected(1000);
  put(expected, 100, numbers(500, 303));
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "vram", bytes) == "");
  CHECK(difference(run, "back", expected) == "");
  CHECK(content_of(run, "up").is_null());  // it has held its bytes since the first list
  CHECK(content_of(run, "back")["written_bytes"] == 500);
  CHECK(accesses_of(capture.shell, "up") == std::vector<std::string>{"read 0 1000 queue"});
  CHECK(accesses_of(capture.shell, "back") == std::vector<std::string>{"write 100 500 queue"});

  const json workload = unpacked(capture.shell);
  CHECK(memory_names(workload) == std::set<std::string>{"up", "vram", "back"});
  for (const auto& one : workload["resources"]) {
    const auto name = one["name"].get<std::string>();
    CHECK(one["heap"] == (name == "up" ? "upload" : name == "vram" ? "default" : "readback"));
    CHECK(one["bytes"] >= 1000);
    // Zeros are not there.
    if (name != "up") CHECK(one.value("pieces", json::array()).empty());
  }
  const Bytes start = start_of(capture.shell, workload, "up");
  CHECK(start == padded(bytes, start.size()));
  // On any machine and on one queue.
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--machine", "h200"}, {"--single-queue"}, {"--loop", "2"}}) {
    const json again = played(capture.shell, options);
    CHECK(difference(again, "vram", bytes) == "");
    CHECK(difference(again, "back", expected) == "");
  }
}

TEST_CASE("captured bytes: what is rewritten through a kept pointer between two lists is a write",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(4096, upload), L"up");
  const auto first = named(app.buffer(4096), L"first");
  const auto second = named(app.buffer(4096, readback), L"second");
  unsigned char* const pointer = kept_pointer(up.Get());
  std::memset(pointer, 1, 4096);
  copy.list->CopyResource(first.Get(), up.Get());
  copy.run();
  std::memset(pointer + 64, 2, 64);
  std::memset(pointer + 1024, 3, 64);
  copy.list->CopyResource(second.Get(), up.Get());
  copy.run();
  Bytes changed(4096, 1);
  put(changed, 64, Bytes(64, 2));
  put(changed, 1024, Bytes(64, 3));
  REQUIRE(seen(second.Get()) == changed);
  const json run = capture.end_and_play();
  CHECK(difference(run, "first", Bytes(4096, 1)) == "");
  CHECK(difference(run, "second", changed) == "");
  CHECK(difference(run, "up", changed) == "");
  CHECK(content_of(run, "up")["written_bytes"] == 128);
  CHECK(accesses_of(capture.shell, "up") ==
        std::vector<std::string>{"read 0 4096 queue", "write 64 64 CPU", "write 1024 64 CPU", "read 0 4096 queue"});
}

TEST_CASE("captured bytes: changes less than 64 bytes apart are one write", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(4096, upload), L"up");
  const auto back = named(app.buffer(4096, readback), L"back");
  unsigned char* const pointer = kept_pointer(up.Get());
  for (int i = 0; i < 2; ++i) {
    copy.list->CopyResource(back.Get(), up.Get());
    copy.run();
    if (i == 1) break;
    pointer[0] = 1;
    pointer[39] = 2;    // with 38 bytes between
    pointer[1000] = 3;  // by itself
    pointer[4095] = 4;  // the last one
  }
  Bytes expected(4096);
  expected[0] = 1, expected[39] = 2, expected[1000] = 3, expected[4095] = 4;
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "up", expected) == "");
  CHECK(difference(run, "back", expected) == "");
  CHECK(accesses_of(capture.shell, "up") == std::vector<std::string>{"read 0 4096 queue", "write 0 40 CPU",
                                                                     "write 1000 1 CPU", "write 4095 1 CPU",
                                                                     "read 0 4096 queue"});
}

TEST_CASE("captured bytes: a list that waits for the CPU's signal reads what was written before that",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto gate = app.fence();
  const auto up = named(app.buffer(256, upload), L"up");
  const auto one = named(app.buffer(256, readback), L"one");
  const auto two = named(app.buffer(256, readback), L"two");
  unsigned char* const pointer = kept_pointer(up.Get());
  std::memset(pointer, 9, 256);
  REQUIRE(copy.queue->Wait(gate.Get(), 1) == S_OK);
  copy.list->CopyResource(one.Get(), up.Get());
  copy.submit();
  Recorder other(app, copy_type);
  other.queue = copy.queue;
  REQUIRE(copy.queue->Wait(gate.Get(), 2) == S_OK);
  other.list->CopyResource(two.Get(), up.Get());
  other.submit();
  std::memset(pointer, 1, 100);
  REQUIRE(gate->Signal(1) == S_OK);
  copy.wait();
  std::memset(pointer + 200, 2, 56);
  REQUIRE(gate->Signal(2) == S_OK);
  other.wait();
  Bytes expected(256, 9);
  put(expected, 0, Bytes(100, 1));
  REQUIRE(seen(one.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "one", expected) == "");
  put(expected, 200, Bytes(56, 2));
  CHECK(seen(two.Get()) == expected);
  CHECK(difference(run, "two", expected) == "");
  CHECK(difference(run, "up", expected) == "");
  CHECK(accesses_of(capture.shell, "up") ==
        std::vector<std::string>{"write 0 100 CPU", "read 0 256 queue", "write 200 56 CPU", "read 0 256 queue"});
}

TEST_CASE("captured bytes: what the GPU wrote into a readback buffer is not taken for the CPU's",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(64, upload), L"up");
  const auto back = named(app.buffer(64, readback), L"back");
  write(up.Get(), numbers(64, 101));
  copy.list->CopyBufferRegion(back.Get(), 0, up.Get(), 0, 16);
  copy.run();
  std::memset(kept_pointer(back.Get()), 7, 32);
  copy.list->CopyBufferRegion(back.Get(), 8, up.Get(), 32, 8);
  copy.run();
  Bytes expected(64);
  put(expected, 0, Bytes(32, 7));
  put(expected, 8, numbers(8, 133));
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", expected) == "");
  CHECK(accesses_of(capture.shell, "back") ==
        std::vector<std::string>{"write 0 16 queue", "write 0 32 CPU", "write 8 8 queue"});
}

TEST_CASE("captured bytes: a list that runs again copies what is there then", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  const Recorder twice(app, direct_type);
  Recorder out(app, direct_type);
  out.queue = twice.queue;
  const auto up = named(app.buffer(16, upload), L"up");
  const auto vram = named(app.buffer(16), L"vram");
  const auto back = named(app.buffer(48, readback), L"back");
  unsigned char* const pointer = kept_pointer(up.Get());
  twice.list->CopyResource(vram.Get(), up.Get());
  REQUIRE(twice.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {twice.list.Get()};
  Bytes expected(48);
  for (int i = 0; i < 3; ++i) {
    const Bytes bytes = numbers(16, 1 + 50 * i);
    std::copy(bytes.begin(), bytes.end(), pointer);
    put(expected, static_cast<std::size_t>(i) * 16, bytes);
    twice.queue->ExecuteCommandLists(1, lists);
    out.list->CopyBufferRegion(back.Get(), static_cast<UINT64>(i) * 16, vram.Get(), 0, 16);
    out.run();
  }
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", expected) == "");
  CHECK(difference(run, "vram", numbers(16, 101)) == "");
  CHECK(difference(run, "up", numbers(16, 101)) == "");
}

TEST_CASE("captured bytes: heaps that the CPU reaches are compared and written by subresource",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto shared = named(reachable(app, buffer_desc(64)), L"shared");
  const auto texture = named(reachable(app, texture_2d(DXGI_FORMAT_R8_UINT, 4, 2)), L"texture");
  const auto back = named(app.buffer(1024, readback), L"back");
  unsigned char* const pointer = kept_pointer(shared.Get());
  std::memset(pointer, 1, 64);
  Bytes texels = {1, 2, 3, 4, 5, 6, 7, 8};
  REQUIRE(texture->WriteToSubresource(0, nullptr, texels.data(), 4, 8) == S_OK);
  const auto copy = [&](UINT64 offset) {
    direct.list->CopyBufferRegion(back.Get(), offset, shared.Get(), 0, 64);
    D3D12_TEXTURE_COPY_LOCATION from{};
    from.pResource = texture.Get();
    D3D12_TEXTURE_COPY_LOCATION to{};
    to.pResource = back.Get();
    to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    to.PlacedFootprint = {512, {DXGI_FORMAT_R8_UINT, 4, 2, 1, 256}};
    direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    direct.run();
  };
  copy(0);
  pointer[10] = 99;
  const D3D12_BOX corner{2, 1, 0, 4, 2, 1};
  const unsigned char part[] = {70, 80};
  REQUIRE(texture->WriteToSubresource(0, &corner, part, 2, 2) == S_OK);
  copy(64);
  Bytes expected(1024);
  put(expected, 0, Bytes(128, 1));
  expected[74] = 99;
  put(expected, 512, {1, 2, 3, 4});
  put(expected, 768, {5, 6, 70, 80});
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", expected) == "");
  Bytes in_shared(64, 1);
  in_shared[10] = 99;
  CHECK(difference(run, "shared", in_shared) == "");
  CHECK_FALSE(content_of(run, "texture").is_null());
}

TEST_CASE("captured bytes: what a thread writes while another one submits is there as it was written",
          "[d3d12][capture][contents][threads]") {
  constexpr std::size_t half = std::size_t{512} << 10;
  App app;
  Capturing capture;
  const auto up = named(app.buffer(2 * half, upload), L"up");
  const auto total = named(app.buffer(2 * half), L"total");
  unsigned char* const bytes = kept_pointer(up.Get());
  const auto copy_half = [&](std::size_t at) {
    Recorder copy(app, copy_type);
    copy.list->CopyBufferRegion(total.Get(), at, up.Get(), at, half);
    copy.run();
  };
  copy_half(0);
  std::atomic<bool> begun{false};
  std::thread writer([&] {
    for (std::size_t i = 0; i < half; ++i) {
      for (int value = 1; value < 200; value += 2)
        bytes[half + i] = static_cast<unsigned char>(value + static_cast<int>(i % 50));
      begun = true;
    }
  });
  while (!begun) std::this_thread::yield();
  for (int i = 0; i < 60; ++i) copy_half(0);
  writer.join();
  copy_half(half);
  const Bytes written = seen(up.Get());
  const json run = capture.end_and_play();
  CHECK(difference(run, "total", written) == "");
  CHECK(difference(run, "up", written) == "");
}

TEST_CASE("captured bytes: who saw another thread's fence reads behind it on a slower machine, too",
          "[d3d12][capture][contents][threads]") {
  App app;
  Capturing capture;
  const auto up = named(app.buffer(UINT64{1} << 20, upload), L"up");
  const auto vram = named(app.buffer(UINT64{1} << 20), L"vram");
  const auto back = named(app.buffer(4096, readback), L"back");
  write(up.Get(), Bytes(std::size_t{1} << 20, 9));
  const auto made = app.fence();
  std::thread maker([&] {
    Recorder make(app, direct_type);
    const auto other = app.buffer(UINT64{1} << 20);
    for (int i = 0; i < 8; ++i) make.list->CopyResource(other.Get(), up.Get());
    make.list->CopyResource(vram.Get(), up.Get());
    make.submit();
    REQUIRE(make.queue->Signal(made.Get(), 1) == S_OK);
    REQUIRE(made->SetEventOnCompletion(1, nullptr) == S_OK);
  });
  maker.join();
  REQUIRE(made->GetCompletedValue() == 1);  // all that this thread has done so far
  Recorder use(app, copy_type);
  use.list->CopyBufferRegion(back.Get(), 0, vram.Get(), 1000, 4096);
  use.run();
  capture.end();
  for (const char* set : {"/memory/pcie_to_device/gb_per_s=55", "/memory/pcie_to_device/gb_per_s=0.5"}) {
    INFO(set);
    CHECK(difference(played(capture.shell, {"--set", set}), "back", Bytes(4096, 9)) == "");
  }
}
