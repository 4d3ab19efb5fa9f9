// SPDX-License-Identifier: Apache-2.0
// Memory of D3D12 programs in their captures, rules 17 and 18 of docs/contents.md: names, heaps, and what is not there.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/captured/captured_app.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <filesystem>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

constexpr auto upload = D3D12_HEAP_TYPE_UPLOAD;
constexpr auto readback = D3D12_HEAP_TYPE_READBACK;

ComPtr<ID3D12Heap> heap_of(const App& app, UINT64 bytes, D3D12_HEAP_TYPE type) {
  const D3D12_HEAP_DESC desc{bytes, {type, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  return heap;
}

ComPtr<ID3D12Resource> placed(const App& app, ID3D12Heap* heap, UINT64 offset, UINT64 bytes,
                              D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON) {
  const D3D12_RESOURCE_DESC desc = buffer_desc(bytes);
  ComPtr<ID3D12Resource> made;
  REQUIRE(app.device->CreatePlacedResource(heap, offset, &desc, state, nullptr, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace

TEST_CASE("captured bytes: memory has the name that it had at first and a number where others have it",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(16, upload), L"up");
  write(up.Get(), numbers(16, 1));
  const auto heap = heap_of(app, 65536, D3D12_HEAP_TYPE_DEFAULT);
  const ComPtr<ID3D12Resource> all[] = {named(app.buffer(16), L"same"),
                                        named(app.buffer(16), L"same"),
                                        app.buffer(16),
                                        app.buffer(16),
                                        named(placed(app, heap.Get(), 0, 16), L"placed"),
                                        named(app.buffer(16), L"same")};
  for (UINT64 i = 0; i < 6; ++i) {
    copy.list->CopyBufferRegion(all[i].Get(), 0, up.Get(), 0, 2 + i);
    copy.run();
    REQUIRE(all[i]->SetName(L"late") == S_OK);
  }
  const json run = capture.end_and_play();
  const char* const names[] = {"same", "same#2", "committed", "committed#2", "heap", "same#3"};
  for (std::size_t i = 0; i < 6; ++i) CHECK(difference(run, names[i], numbers(2 + i, 1)) == "");
  CHECK(memory_names(unpacked(capture.shell)) ==
        std::set<std::string>{"up", "same", "same#2", "same#3", "committed", "committed#2", "heap"});
}

TEST_CASE("captured bytes: what no list touches and what is zero is not in the capture", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(1 << 20, upload), L"up");
  const auto untouched = named(app.buffer(4096, upload), L"untouched");
  const auto not_executed = named(app.buffer(4096), L"not executed");
  const auto vram = named(app.buffer(1 << 20), L"vram");
  write(untouched.Get(), numbers(4096));
  std::memset(kept_pointer(up.Get()) + 500'000, 5, 100);
  copy.list->CopyResource(vram.Get(), up.Get());
  copy.run();
  copy.list->CopyResource(not_executed.Get(), untouched.Get());
  REQUIRE(copy.list->Close() == S_OK);
  capture.end();
  const json workload = unpacked(capture.shell);
  CHECK(memory_names(workload) == std::set<std::string>{"up", "vram"});
  Bytes expected(1 << 20);
  put(expected, 500'000, Bytes(100, 5));
  const Bytes start = start_of(capture.shell, workload, "up");
  CHECK(start == padded(expected, start.size()));
  CHECK(difference(played(capture.shell), "vram", expected) == "");
  // 1 MiB of zeros is nowhere.
  CHECK(std::filesystem::file_size(capture.shell.work() / "x.capture") < 65536);
  for (const auto& one : std::filesystem::directory_iterator(capture.shell.work())) {
    if (one.is_regular_file()) CHECK(one.file_size() < 65536);
  }
}

TEST_CASE("captured bytes: a capture of zeros alone has no blob", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto up = named(app.buffer(100'000, upload), L"up");
  const auto vram = named(app.buffer(100'000), L"vram");
  copy.list->CopyResource(vram.Get(), up.Get());
  copy.run();
  const json run = capture.end_and_play();
  CHECK(difference(run, "vram", Bytes(100'000)) == "");
  const json info = json::parse(capture.shell.fenceline({"info", "x.capture", "--json"}).out);
  CHECK(info["capture"].value("blobs", json::array()).empty());
}

TEST_CASE("captured bytes: placed resources are parts of their heap and share its bytes",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder copy(app, copy_type);
  const auto pool = named(heap_of(app, 131'072, D3D12_HEAP_TYPE_DEFAULT), L"pool");
  const auto staging = named(heap_of(app, 131'072, upload), L"staging");
  const auto generic_read = D3D12_RESOURCE_STATE_GENERIC_READ;
  const auto up = placed(app, staging.Get(), 0, 1000, generic_read);
  const auto up_2 = placed(app, staging.Get(), 65536, 1000, generic_read);
  const auto a = placed(app, pool.Get(), 0, 65536);
  const auto b = placed(app, pool.Get(), 65536, 1000);
  const auto all = placed(app, pool.Get(), 0, 131'072);
  const auto back = named(app.buffer(64, readback), L"back");
  write(up.Get(), numbers(1000, 1));
  write(up_2.Get(), numbers(1000, 7));
  copy.list->CopyBufferRegion(a.Get(), 65536 - 20, up.Get(), 0, 20);
  copy.list->CopyBufferRegion(b.Get(), 0, up.Get(), 100, 20);
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
  barrier.Aliasing = {nullptr, all.Get()};
  copy.list->ResourceBarrier(1, &barrier);
  copy.list->CopyBufferRegion(back.Get(), 0, all.Get(), 65536 - 30, 60);
  copy.run();
  std::memset(kept_pointer(up_2.Get()) + 500, 77, 10);
  copy.list->CopyBufferRegion(all.Get(), 10, up_2.Get(), 495, 20);
  copy.run();
  Bytes in_pool(131'072);
  put(in_pool, 65536 - 20, numbers(20, 1));
  put(in_pool, 65536, numbers(20, 101));
  Bytes in_back(64);
  std::copy_n(in_pool.begin() + 65536 - 30, 60, in_back.begin());
  REQUIRE(seen(back.Get()) == in_back);
  Bytes in_staging(131'072);
  put(in_staging, 0, numbers(1000, 1));
  put(in_staging, 65536, numbers(1000, 7));
  put(in_staging, 65536 + 500, Bytes(10, 77));
  std::copy_n(in_staging.begin() + 65536 + 495, 20, in_pool.begin() + 10);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", in_back) == "");
  CHECK(difference(run, "pool", in_pool) == "");
  CHECK(difference(run, "staging", in_staging) == "");
  CHECK(accesses_of(capture.shell, "staging")[2] == "write 66036 10 CPU");
  CHECK(memory_names(unpacked(capture.shell)) == std::set<std::string>{"pool", "staging", "back"});
}

TEST_CASE("captured bytes: each device's capture has its own memory", "[d3d12][capture][contents]") {
  App one;
  Side other("tiny");
  Capturing capture;
  const auto play = [](App& app, int first, const wchar_t* name) {
    Recorder copy(app, copy_type);
    const auto up = app.buffer(16, upload);
    const auto back = named(app.buffer(16, readback), name);
    write(up.Get(), numbers(16, first));
    copy.list->CopyResource(back.Get(), up.Get());
    copy.run();
  };
  play(one, 1, L"first");
  play(other, 101, L"second");
  capture.end();
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(capture.shell.work())) {
    if (entry.path().extension() != ".capture") continue;
    const json run = played(capture.shell, {}, entry.path().filename().string());
    const bool first = !content_of(run, "first").is_null();
    CHECK(content_of(run, first ? "second" : "first").is_null());
    CHECK(difference(run, first ? "first" : "second", numbers(16, first ? 1 : 101)) == "");
    ++found;
  }
  CHECK(found == 2);
}

TEST_CASE("captured bytes: what another adapter writes is there when its signal releases who reads it",
          "[d3d12][capture][contents]") {
  constexpr UINT64 size = UINT64{1} << 20;  // the other's copy is under way when the reading list is submitted
  constexpr auto across = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER;
  Side sender("h200");
  Side receiver("tiny");
  Capturing capture;
  const D3D12_HEAP_DESC heap_desc{size, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, across};
  ComPtr<ID3D12Heap> sent_to;
  REQUIRE(sender.device->CreateHeap(&heap_desc, IID_PPV_ARGS(&sent_to)) == S_OK);
  const auto read_from = receiver.opened(sent_to);
  const auto place = [](Side& side, ID3D12Heap* heap) {
    D3D12_RESOURCE_DESC desc = buffer_desc(size);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER;
    ComPtr<ID3D12Resource> made;
    REQUIRE(side.device->CreatePlacedResource(heap, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              IID_PPV_ARGS(&made)) == S_OK);
    return made;
  };
  const auto to = place(sender, sent_to.Get());
  const auto from = place(receiver, read_from.Get());
  const auto sent = sender.shared_fence();
  const auto known = receiver.opened(sent);
  Recorder send(sender, copy_type);
  const auto up = sender.buffer(size, upload);
  const Bytes bytes = numbers(size, 7);
  write(up.Get(), bytes);
  send.list->CopyBufferRegion(to.Get(), 0, up.Get(), 0, size);
  send.submit();
  REQUIRE(send.queue->Signal(sent.Get(), 1) == S_OK);
  Recorder receive(receiver, copy_type);
  const auto back = named(receiver.buffer(size, readback), L"back");
  receive.list->CopyBufferRegion(back.Get(), 0, from.Get(), 0, size);
  REQUIRE(receive.queue->Wait(known.Get(), 1) == S_OK);
  receive.run();
  REQUIRE(seen(back.Get()) == bytes);
  capture.end();
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(capture.shell.work())) {
    if (entry.path().extension() != ".capture") continue;
    const json run = played(capture.shell, {}, entry.path().filename().string());
    if (content_of(run, "back").is_null()) continue;
    CHECK(difference(run, "back", bytes) == "");
    ++found;
  }
  CHECK(found == 1);
}
