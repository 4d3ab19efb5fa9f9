// SPDX-License-Identifier: Apache-2.0
// Programs whose captures come to the bytes that they had, docs/contents.md, rules 17 to 21: rings, atlases, several
// queues, frames, and parts of them.
#include "tests/d3d12/captured/captured_app.hpp"
#include "tests/d3d12/display/game.hpp"
#include "tests/d3d12/lists/copy_location.hpp"

#include <array>
#include <filesystem>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

constexpr auto upload = D3D12_HEAP_TYPE_UPLOAD;
constexpr auto readback = D3D12_HEAP_TYPE_READBACK;

/// Lists of one queue, each with an allocator of its own, that do not wait for each other.
struct Submitter {
  Submitter(App& of, D3D12_COMMAND_LIST_TYPE its_type)
      : app(of), type(its_type), queue(app.queue(type)), fence(app.fence()) {}
  /// A new list, executed and signalled with the next value.
  void submit(const std::function<void(ID3D12GraphicsCommandList*)>& record) {
    allocators.push_back(app.allocator(type));
    lists.push_back(app.list(allocators.back().Get(), type));
    record(lists.back().Get());
    REQUIRE(lists.back()->Close() == S_OK);
    ID3D12CommandList* const one[] = {lists.back().Get()};
    queue->ExecuteCommandLists(1, one);
    REQUIRE(queue->Signal(fence.Get(), ++value) == S_OK);
  }
  void wait(UINT64 until) const { REQUIRE(fence->SetEventOnCompletion(until, nullptr) == S_OK); }
  void wait_for(const Submitter& other) const { REQUIRE(queue->Wait(other.fence.Get(), other.value) == S_OK); }

  App& app;
  D3D12_COMMAND_LIST_TYPE type;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12Fence> fence;
  UINT64 value = 0;
  std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
  std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
};

/// Four frames, each of which puts its number into the byte of that number of `total`, by way of one upload buffer.
struct Frames {
  Frames()
      : game(swap_chain_desc()),
        up(named(game.buffer(16, upload), L"up")),
        total(named(game.buffer(16), L"total")),
        pointer(kept_pointer(up.Get())) {}
  void frame(int number) {
    pointer[0] = static_cast<unsigned char>(number);
    allocators.push_back(game.allocator(direct_type));
    auto list = game.list(allocators.back().Get(), direct_type);
    list->CopyBufferRegion(total.Get(), static_cast<UINT64>(number), up.Get(), 0, 1);
    REQUIRE(list->Close() == S_OK);
    game.execute(list.Get());
    game.frame();
    game.finish();
  }
  Game game;
  ComPtr<ID3D12Resource> up;
  ComPtr<ID3D12Resource> total;
  unsigned char* pointer;
  std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
};

/// Of the frames 2 and 3 alone.
void check_frames_2_and_3(const Shell& shell) {
  const json run = played(shell);
  CHECK(difference(run, "total", {0, 1, 2, 3}) == "");
  CHECK(content_of(run, "total")["written_bytes"] == 2);
  CHECK(difference(run, "up", {3}) == "");
  const json workload = unpacked(shell);
  // When frame 2's list is submitted, frame 1 is over, and 2 in the upload buffer.
  CHECK(start_of(shell, workload, "total")[1] == 1);
  CHECK(start_of(shell, workload, "total")[2] == 0);
  CHECK(start_of(shell, workload, "up")[0] == 2);
}

}  // namespace

TEST_CASE("captured bytes: a ring of uploads for 16 frames", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Submitter copies(app, copy_type);
  const auto ring = named(app.buffer(4 * 256, upload), L"ring");
  const auto history = named(app.buffer(16 * 256), L"history");
  const auto back = named(app.buffer(16 * 256, readback), L"back");
  unsigned char* const pointer = kept_pointer(ring.Get());
  Bytes expected(16 * 256);
  for (UINT64 frame = 0; frame < 16; ++frame) {
    if (frame >= 4) copies.wait(frame - 3);  // the slot's last copy, that of frame - 4
    const UINT64 slot = frame % 4 * 256;
    for (UINT64 i = 0; i < 256; ++i) {
      // Never what the slot had before, nor zero in the first four.
      expected[static_cast<std::size_t>(frame * 256 + i)] = static_cast<unsigned char>(1 + frame * 16 + i % 16);
    }
    std::memcpy(pointer + slot, &expected[static_cast<std::size_t>(frame) * 256], 256);
    copies.submit([&](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(history.Get(), frame * 256, ring.Get(), slot, 256);
    });
  }
  copies.submit([&](ID3D12GraphicsCommandList* list) { list->CopyResource(back.Get(), history.Get()); });
  copies.wait(17);
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "history", expected) == "");
  CHECK(difference(run, "back", expected) == "");
  CHECK(difference(run, "ring", Bytes(expected.begin() + 12 * 256, expected.end())) == "");
  // Frame 0 is what the ring holds at first.
  CHECK(content_of(run, "ring")["written_bytes"] == 15 * 256);
  std::vector<std::string> writes;
  for (const std::string& row : accesses_of(capture.shell, "ring")) {
    if (row.find("write") == 0) writes.push_back(row);
  }
  REQUIRE(writes.size() == 15);
  for (std::size_t i = 0; i < 15; ++i) CHECK(writes[i] == fmt::format("write {} 256 CPU", (i + 1) % 4 * 256));
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--machine", "h200"}, {"--machine", "rtx_4090"}, {"--single-queue"}}) {
    CHECK(difference(played(capture.shell, options), "back", expected) == "");
  }
}

TEST_CASE("captured bytes: a texture atlas filled from many uploads", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Submitter direct(app, direct_type);
  constexpr auto format = DXGI_FORMAT_R8G8B8A8_UINT;
  const auto atlas = named(app.texture(format, 64, 64), L"atlas");
  const auto back = named(app.buffer(64 * 256, readback), L"back");
  // Tiles of 16 x 16 texels; tile t lies in column t % 4 and row t / 4, its texel (x, y) has t, x, y and 200.
  const auto tile_buffer = [&](unsigned tile) {
    const auto buffer = app.buffer(16 * 256, upload);
    Bytes bytes(16 * 256, 0xEE);
    for (unsigned y = 0; y < 16; ++y) {
      for (unsigned x = 0; x < 16; ++x) {
        put(bytes, y * 256 + x * 4,
            {static_cast<unsigned char>(tile), static_cast<unsigned char>(x), static_cast<unsigned char>(y), 200});
      }
    }
    write(buffer.Get(), bytes);
    return buffer;
  };
  std::vector<ComPtr<ID3D12Resource>> uploads;
  const auto in_atlas = in_texture(atlas.Get());
  for (unsigned tile = 0; tile < 16; tile += 4) {
    direct.submit([&](ID3D12GraphicsCommandList* list) {
      for (unsigned one = tile; one < tile + 4; ++one) {
        uploads.push_back(tile_buffer(one));
        const auto from = in_buffer(uploads.back().Get(), {0, {format, 16, 16, 1, 256}});
        list->CopyTextureRegion(&in_atlas, one % 4 * 16, one / 4 * 16, 0, &from, nullptr);
      }
    });
  }
  // The upper half of tile 5 goes over the lower half of tile 10, and a box of tile 0's buffer into the last row.
  direct.submit([&](ID3D12GraphicsCommandList* list) {
    const D3D12_BOX upper{16, 16, 0, 32, 24, 1};
    list->CopyTextureRegion(&in_atlas, 32, 40, 0, &in_atlas, &upper);
    const auto from = in_buffer(uploads[0].Get(), {0, {format, 16, 16, 1, 256}});
    const D3D12_BOX middle{4, 4, 0, 12, 6, 1};
    list->CopyTextureRegion(&in_atlas, 50, 60, 0, &from, &middle);
  });
  direct.submit([&](ID3D12GraphicsCommandList* list) {
    const auto to = in_buffer(back.Get(), {0, {format, 64, 64, 1, 256}});
    list->CopyTextureRegion(&to, 0, 0, 0, &in_atlas, nullptr);
  });
  direct.wait(direct.value);
  Bytes expected(64 * 256);
  for (unsigned y = 0; y < 64; ++y) {
    for (unsigned x = 0; x < 64; ++x) {
      unsigned tile = y / 16 * 4 + x / 16, in_x = x % 16, in_y = y % 16;
      if (tile == 10 && in_y >= 8) tile = 5, in_y -= 8;
      if (x >= 50 && x < 58 && (y == 60 || y == 61)) tile = 0, in_x = x - 50 + 4, in_y = y - 60 + 4;
      put(expected, y * 256 + x * 4,
          {static_cast<unsigned char>(tile), static_cast<unsigned char>(in_x), static_cast<unsigned char>(in_y), 200});
    }
  }
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", expected) == "");
  const std::set<std::string> names = memory_names(unpacked(capture.shell));
  CHECK(names.size() == 18);
  CHECK(names.count("committed") == 1);
  CHECK(names.count("committed#16") == 1);
}

TEST_CASE("captured bytes: two copy queues and a direct one with fences", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Submitter first(app, copy_type), second(app, copy_type), direct(app, direct_type);
  constexpr std::size_t part = 1000;
  constexpr int rounds = 6;
  const auto up_1 = named(app.buffer(part, upload), L"up 1");
  const auto up_2 = named(app.buffer(10 * part, upload), L"up 2");
  const auto vram_1 = named(app.buffer(part), L"vram 1");
  const auto vram_2 = named(app.buffer(10 * part), L"vram 2");
  const auto joined = named(app.buffer(rounds * 2 * part), L"joined");
  const auto back = named(app.buffer(rounds * 2 * part, readback), L"back");
  unsigned char* const pointer_1 = kept_pointer(up_1.Get());
  unsigned char* const pointer_2 = kept_pointer(up_2.Get());
  Bytes expected(rounds * 2 * part);
  for (int round = 0; round < rounds; ++round) {
    // The CPU waits for the copies of the last round alone; these wait for the direct queue's.
    first.wait(first.value);
    second.wait(second.value);
    const Bytes one = numbers(part, 1 + round);
    const Bytes two = numbers(10 * part, 101 + round);
    std::copy(one.begin(), one.end(), pointer_1);
    std::copy(two.begin(), two.end(), pointer_2);
    const std::size_t at = static_cast<std::size_t>(round) * 2 * part;
    put(expected, at, one);
    put(expected, at + part, Bytes(two.end() - part, two.end()));
    first.wait_for(direct);
    first.submit([&](ID3D12GraphicsCommandList* list) { list->CopyResource(vram_1.Get(), up_1.Get()); });
    second.wait_for(direct);
    second.submit([&](ID3D12GraphicsCommandList* list) { list->CopyResource(vram_2.Get(), up_2.Get()); });
    direct.wait_for(first);
    direct.wait_for(second);
    direct.submit([&](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(joined.Get(), at, vram_1.Get(), 0, part);
      list->CopyBufferRegion(joined.Get(), at + part, vram_2.Get(), 9 * part, part);
    });
  }
  direct.submit([&](ID3D12GraphicsCommandList* list) { list->CopyResource(back.Get(), joined.Get()); });
  direct.wait(direct.value);
  REQUIRE(seen(back.Get()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "joined", expected) == "");
  CHECK(difference(run, "back", expected) == "");
  CHECK(difference(run, "vram 1", numbers(part, rounds)) == "");
  CHECK(difference(run, "vram 2", numbers(10 * part, 100 + rounds)) == "");
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--machine", "h200"}, {"--single-queue"}, {"--loop", "3"}}) {
    CHECK(difference(played(capture.shell, options), "back", expected) == "");
  }
}

TEST_CASE("captured bytes: frames of which the program has two captured", "[d3d12][capture][contents]") {
  const Shell shell;
  Frames frames;
  const std::wstring file = (shell.work() / "x.capture").wstring();
  REQUIRE(PIXGpuCaptureNextFrames(file.c_str(), 2) == S_OK);  // from the next Present on
  for (int number = 1; number <= 4; ++number) frames.frame(number);
  REQUIRE(PIXGetCaptureState() == 0);
  check_frames_2_and_3(shell);
}

// What the next one runs.
TEST_CASE("captured bytes program: four frames", "[.][d3d12][capture][contents]") {
  Frames frames;
  for (int number = 1; number <= 4; ++number) frames.frame(number);
}

TEST_CASE("captured bytes: a program's environment asks for all of it or for two frames",
          "[d3d12][capture][contents]") {
  const Shell shell;
  const std::string program = Shell::quoted(std::filesystem::read_symlink("/proc/self/exe").string()) + " " +
                              Shell::quoted("captured bytes program: four frames");
  const Output all = shell.run("FENCELINE_CAPTURE=x.capture " + program);
  INFO(all.out << all.err);
  REQUIRE(all.code == 0);
  const json run = played(shell);
  CHECK(difference(run, "total", {0, 1, 2, 3, 4}) == "");
  CHECK(content_of(run, "total")["written_bytes"] == 4);
  CHECK(difference(run, "up", {4}) == "");
  CHECK(accesses_of(shell, "up") == std::vector<std::string>{"read 0 1 queue", "write 0 1 CPU", "read 0 1 queue",
                                                             "write 0 1 CPU", "read 0 1 queue", "write 0 1 CPU",
                                                             "read 0 1 queue"});
  std::filesystem::remove(shell.work() / "x.capture");
  REQUIRE(shell.run("FENCELINE_CAPTURE=x.capture FENCELINE_CAPTURE_FRAMES=2-3 " + program).code == 0);
  check_frames_2_and_3(shell);
}
