// SPDX-License-Identifier: Apache-2.0
// What is created without content is filled, and what a list discards is not moved with its bytes: docs/residency.md,
// rules 30 and 31.
#include "tests/d3d12/residency/residency_app.hpp"

#include <cstdlib>
#include <string>

using namespace fenceline::testing;

namespace {

const std::string operations_memory = std::string(slow_pcie) +
                                      "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=16\n"
                                      "/video_memory/over_commit=page";

/// A MiB is discarded, has to go for another one, and comes back.
struct DiscardApp {
  DiscardApp() : memory(app), watch(app), lists(app, direct_type), source(app.buffer(mib)), kept(app.buffer(mib)) {
    memory.fill_but(0);
    watch.copy_us(kept.Get(), source.Get());
    wants = memory.buffer_not_resident(mib);
  }
  /// Until `in` is there, where `out` goes for it.
  double exchange_us(const ComPtr<ID3D12Resource>& out, const ComPtr<ID3D12Resource>& in) const {
    REQUIRE(memory.evict({out.Get()}) == S_OK);
    const double begin = watch.now_us();
    REQUIRE(memory.make_resident({in.Get()}) == S_OK);
    return watch.now_us() - begin;
  }
  void discard(const D3D12_DISCARD_REGION* region = nullptr) {
    lists.list->DiscardResource(kept.Get(), region);
    lists.run();
  }

  App app;
  VideoMemoryOf memory;
  Stopwatch watch;
  Recorder lists;
  ComPtr<ID3D12Resource> source;
  ComPtr<ID3D12Resource> kept;
  ComPtr<ID3D12Resource> wants;
};

}  // namespace

TEST_CASE("residency: what is discarded is dropped and comes back without a transfer", "[d3d12][residency]") {
  if (!runs_with(operations_memory)) return;
  DiscardApp app;
  SECTION("without a region") { app.discard(); }
  SECTION("all subresources") {
    const D3D12_DISCARD_REGION all{0, nullptr, 0, 1};
    app.discard(&all);
  }
  CHECK(app.exchange_us(app.kept, app.wants) == Approx(1 + mib_moves_us).margin(2));
  CHECK(app.exchange_us(app.wants, app.kept) == Approx(mib_moves_us + 1).margin(2));
  CHECK(app.exchange_us(app.kept, app.wants) == Approx(1 + mib_moves_us).margin(2));
}

TEST_CASE("residency: a copy behind a discard needs what it wrote", "[d3d12][residency]") {
  if (!runs_with(operations_memory)) return;
  DiscardApp app;
  SECTION("in another list") {
    app.discard();
    app.watch.copy_us(app.kept.Get(), app.source.Get());
  }
  SECTION("in the same list") {
    app.lists.list->DiscardResource(app.kept.Get(), nullptr);
    app.lists.list->CopyBufferRegion(app.kept.Get(), 0, app.source.Get(), 0, mib);
    app.lists.run();
  }
  CHECK(app.exchange_us(app.kept, app.wants) == Approx(2 * mib_moves_us).margin(2));
}

TEST_CASE("residency: a discarded part and placed resources keep all", "[d3d12][residency]") {
  if (!runs_with(operations_memory)) return;
  DiscardApp app;
  SECTION("a rectangle") {
    const D3D12_RECT rectangle{0, 0, 16, 1};
    const D3D12_DISCARD_REGION part{1, &rectangle, 0, 1};
    app.discard(&part);
    CHECK(app.exchange_us(app.kept, app.wants) == Approx(2 * mib_moves_us).margin(2));
  }
  SECTION("a placed resource") {
    REQUIRE(app.memory.evict({app.kept.Get()}) == S_OK);
    const auto heap = app.memory.heap(mib);
    const auto placed = app.memory.placed(heap.Get(), mib);
    app.lists.list->DiscardResource(placed.Get(), nullptr);
    app.lists.run();
    REQUIRE(app.memory.evict({heap.Get()}) == S_OK);
    const double begin = app.watch.now_us();
    REQUIRE(app.memory.make_resident({app.wants.Get()}) == S_OK);
    CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  }
}

TEST_CASE("residency: new heaps and committed resources are filled where the machine says so", "[d3d12][residency]") {
  // A copy of a MiB inside video memory reads and writes it in 2048 us.
  const std::string memory_us = operations_memory + "\n/memory/vram/gb_per_s=1.024";
  const bool fills =
      std::string(std::getenv("FENCELINE_SET") != nullptr ? std::getenv("FENCELINE_SET") : "").find("fill_new") !=
      std::string::npos;
  if (!runs_with_each({memory_us, memory_us + "\n/video_memory/fill_new=true"})) return;
  App app;
  const VideoMemoryOf memory(app);
  const Stopwatch watch(app);
  const auto made_resident_us = [&](const ComPtr<ID3D12Heap>& heap) {
    const double begin = watch.now_us();
    REQUIRE(memory.make_resident({heap.Get()}) == S_OK);
    return watch.now_us() - begin;
  };
  const auto heap = memory.not_resident(mib);
  CHECK(made_resident_us(heap) == Approx(fills ? 2049 : mib_moves_us).margin(2));
  CHECK(made_resident_us(heap) == Approx(0).margin(2));
  const auto plain = memory.heap(mib, D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT | D3D12_HEAP_FLAG_CREATE_NOT_ZEROED);
  CHECK(made_resident_us(plain) == Approx(mib_moves_us).margin(2));
  const auto buffer = memory.buffer_not_resident(mib);
  const double begin = watch.now_us();
  REQUIRE(memory.make_resident({buffer.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(fills ? 2049 : mib_moves_us).margin(2));
}

TEST_CASE("residency: what is to be filled is so before anything of its device runs", "[d3d12][residency]") {
  if (!runs_with(operations_memory + "\n/memory/vram/gb_per_s=1.024\n/video_memory/fill_new=true")) return;
  App app;
  Recorder work(app, copy_type);
  const auto to = app.buffer(mib);
  const auto from = app.buffer(mib);
  const Stopwatch watch(app);
  const double begin = watch.now_us();
  work.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, mib);
  work.run();
  CHECK(watch.now_us() - begin == Approx(2 * 2049 + 2048).margin(100));
}
