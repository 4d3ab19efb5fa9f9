// SPDX-License-Identifier: Apache-2.0
// What the debug layer says of accesses that no fence orders, and that it says nothing of correct programs.
#include "tests/d3d12/hazards/hazard_program.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

using namespace fenceline::testing;

namespace {

/// The commands of each engine, in the order of their ends.
class Commands final : public fenceline::LogSink {
 public:
  struct Command {
    std::string name;
    std::uint64_t start_ps;
    std::uint64_t end_ps;
  };
  explicit Commands(ID3D12Device* device)
      : log_(fenceline::d3d12::com_cast<fenceline::d3d12::Device>(static_cast<ID3D12Device11*>(device))
                 ->machine()
                 .log()) {
    log_.attach(*this, fenceline::EventLog::Detail::commands);
  }
  ~Commands() override { log_.detach(*this); }
  void span(const fenceline::EventLog& log, const fenceline::Span& span) override {
    if (span.kind != fenceline::SpanKind::command) return;
    all.push_back({std::string(log.text(span.name)), span.start_ps, span.end_ps});
  }
  std::vector<Command> all;

 private:
  fenceline::EventLog& log_;
};

std::string us(std::uint64_t ps) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%06llu", static_cast<unsigned long long>(ps / 1'000'000),
                static_cast<unsigned long long>(ps % 1'000'000));
  return text;
}

}  // namespace

TEST_CASE("hazards: two queues that write the same bytes are told of once, with names, bytes, queues and times",
          "[d3d12][hazards]") {
  HazardProgram app;
  Commands commands(app.device.Get());
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.named_buffer("shared", hazard_bytes);
  app.one.execute("first", app.copy(to, from, hazard_bytes - 64));
  app.compute.execute("second", app.copy(to, from, hazard_bytes - 256, 256));
  const Texts texts = app.hazards();
  REQUIRE(commands.all.size() == 2);
  std::sort(commands.all.begin(), commands.all.end(),
            [](const auto& a, const auto& b) { return a.start_ps < b.start_ps; });
  REQUIRE(texts.size() == 1);
  CHECK(texts[0] == "ID3D12CommandQueue::ExecuteCommandLists: unsynchronised writes: bytes 256 to " +
                        std::to_string(hazard_bytes - 65) +
                        " of buffer \"shared\": CopyBufferRegion of list \"first\" on queue0 (\"one\") writes from " +
                        us(commands.all[0].start_ps) + " us to " + us(commands.all[0].end_ps) +
                        " us, and CopyBufferRegion of list \"second\" on queue3 (\"async\") writes from " +
                        us(commands.all[1].start_ps) + " us to " + us(commands.all[1].end_ps) +
                        " us; no fence keeps them apart");
}

TEST_CASE("hazards: bytes that are read while another queue writes them", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("writer", app.copy(shared, from, hazard_bytes));
  app.compute.execute("reader", app.copy(back, shared, hazard_bytes));
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "read of bytes being written: bytes 0 to 65535 of buffer \"shared\": "));
  CHECK(has(texts[0], "list \"writer\" on queue0 (\"one\") writes from "));
  CHECK(has(texts[0], "list \"reader\" on queue3 (\"async\") reads from "));
}

TEST_CASE("hazards: a use without a wait is one however late it comes", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  const bool reader_first = GENERATE(false, true);
  const auto write = app.copy(shared, from, hazard_bytes);
  const auto read = app.copy(back, shared, hazard_bytes);
  app.one.execute("earlier", reader_first ? read : write);
  app.one.signal();
  Sleep(10);  // it is over, and nobody has looked
  app.two.execute("later", reader_first ? write : read);
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0],
            "used before its fence: bytes 0 to 65535 of buffer \"shared\": CopyBufferRegion of list "
            "\"earlier\" on queue0"));
  CHECK(has(texts[0], "no fence says that the one comes after the other"));
}

TEST_CASE("hazards: a wait for an earlier value than that of the access does not count", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto early = app.named_buffer("early", hazard_bytes);
  const auto late = app.named_buffer("late", hazard_bytes);
  const auto back = app.buffer(2 * hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("one", app.copy(early, from, hazard_bytes));
  const UINT64 first = app.one.signal();
  app.one.execute("two", app.copy(late, from, hazard_bytes));
  app.one.signal();
  Sleep(10);  // both values are there when the wait comes
  REQUIRE(app.two.queue->Wait(app.one.fence.Get(), first) == S_OK);
  app.two.execute("reads", [&](ID3D12GraphicsCommandList* list) {
    list->CopyBufferRegion(back.Get(), 0, early.Get(), 0, hazard_bytes);
    list->CopyBufferRegion(back.Get(), hazard_bytes, late.Get(), 0, hazard_bytes);
  });
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "buffer \"late\""));
}

TEST_CASE("hazards: the same two lists and resource are told of once, another execution again", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto other = app.named_buffer("other", hazard_bytes);
  const auto pieces = [&](ID3D12GraphicsCommandList* list) {
    for (UINT64 at = 0; at < hazard_bytes; at += hazard_bytes / 8)
      list->CopyBufferRegion(shared.Get(), at, from.Get(), at, hazard_bytes / 8);
    list->CopyBufferRegion(other.Get(), 0, from.Get(), 0, 64);
  };
  app.one.execute("a", pieces);
  app.two.execute("b", pieces);
  CHECK(app.hazards().size() == 2);  // of two resources
  app.one.execute("c", pieces);
  CHECK(app.hazards().empty());
  app.two.execute("d", app.copy(shared, from, hazard_bytes));
  app.one.execute("e", app.copy(shared, from, hazard_bytes));
  CHECK(app.hazards().size() == 1);
}

TEST_CASE("hazards: readers, and writers of other bytes, need no order", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(4 * hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  SECTION("readers of one buffer") {
    UINT64 i = 0;
    for (Lane* lane : {&app.one, &app.two, &app.direct, &app.compute}) {
      lane->execute("read", app.copy(back, shared, hazard_bytes, hazard_bytes * i++));
    }
    CHECK(app.hazards().empty());
  }
  SECTION("neighbouring bytes") {
    app.one.execute("low", app.copy(shared, from, 100));
    app.two.execute("high", app.copy(shared, from, hazard_bytes - 100, 100));
    CHECK(app.hazards().empty());
    app.one.execute("low", app.copy(shared, from, 101));
    app.two.execute("high", app.copy(shared, from, hazard_bytes - 100, 100));
    const Texts texts = app.hazards();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bytes 100 to 100 of buffer \"shared\""));
  }
  SECTION("words") {
    const auto write = [&](UINT64 at) {
      return [&, at](ID3D12GraphicsCommandList* list) {
        ComPtr<ID3D12GraphicsCommandList2> newer;
        REQUIRE(list->QueryInterface(IID_PPV_ARGS(&newer)) == S_OK);
        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{shared->GetGPUVirtualAddress() + at, 1};
        newer->WriteBufferImmediate(1, &parameter, nullptr);
      };
    };
    app.one.execute("a", write(4));
    app.two.execute("b", write(8));
    CHECK(app.hazards().empty());
    app.one.execute("a", write(8));
    app.two.execute("b", write(8));
    app.direct.execute("c", app.copy(back, shared, 8));
    const Texts texts = app.hazards();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bytes 8 to 11 of an unnamed memory"));
    CHECK(has(texts[0], "WriteBufferImmediate of list \"a\""));
  }
  SECTION("columns of one pitch") {
    const auto texture = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 16);
    const auto column = [&](UINT64 at) {
      return [&, at](ID3D12GraphicsCommandList* list) {
        const D3D12_TEXTURE_COPY_LOCATION source{texture.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
        D3D12_TEXTURE_COPY_LOCATION footprint{shared.Get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {}};
        footprint.PlacedFootprint = {at, {DXGI_FORMAT_R8G8B8A8_UNORM, 64, 16, 1, 1024}};
        list->CopyTextureRegion(&footprint, 0, 0, 0, &source, nullptr);
      };
    };
    app.one.execute("left", column(0));
    app.two.execute("right", column(512));
    CHECK(app.hazards().empty());
    app.one.execute("left", column(512));
    app.two.execute("right", column(512));
    CHECK(app.hazards().size() == 1);
  }
}

TEST_CASE("hazards: frames in two buffers are correct with a fence each way, and not without", "[d3d12][hazards]") {
  const bool back_pressure = GENERATE(true, false);
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  const auto frames = {app.named_buffer("even", hazard_bytes), app.named_buffer("odd", hazard_bytes)};
  for (UINT64 frame = 0; frame < 20; ++frame) {
    const auto& buffer = frames.begin()[frame % 2];
    if (back_pressure && frame >= 2) app.one.queue->Wait(app.direct.fence.Get(), frame - 1);
    app.one.execute("upload", app.copy(buffer, from, hazard_bytes));
    app.one.signal();
    app.direct.wait(app.one);
    app.direct.execute("use", app.copy(back, buffer, hazard_bytes));
    app.direct.signal();
  }
  CHECK(app.hazards().empty() == back_pressure);
}

TEST_CASE("hazards: resources that share a heap's bytes are one thing", "[d3d12][hazards]") {
  HazardProgram app;
  const D3D12_HEAP_DESC desc{4 * hazard_bytes, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto place = [&](const std::string& name, UINT64 offset) {
    const D3D12_RESOURCE_DESC buffer = app.buffer(hazard_bytes)->GetDesc();
    ComPtr<ID3D12Resource> made;
    REQUIRE(app.device->CreatePlacedResource(heap.Get(), offset, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                             IID_PPV_ARGS(&made)) == S_OK);
    REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
    return made;
  };
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto here = place("here", hazard_bytes);
  const auto same = place("same place", hazard_bytes);
  const auto there = place("there", 2 * hazard_bytes);
  app.one.execute("a", app.copy(here, from, hazard_bytes));
  app.two.execute("b", app.copy(there, from, hazard_bytes));
  CHECK(app.hazards().empty());
  app.one.execute("a", app.copy(here, from, hazard_bytes));
  app.one.signal();
  app.two.wait(app.one);
  app.two.execute("b", app.copy(same, from, hazard_bytes));
  CHECK(app.hazards().empty());
  app.one.execute("a", app.copy(here, from, hazard_bytes));
  app.two.execute("b", app.copy(same, from, 16));
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "bytes 0 to 15 of buffer \"here\", which are buffer \"same place\"'s, too: "));
}

TEST_CASE("hazards: boxes of one subresource that have no texel in common need no order", "[d3d12][hazards]") {
  HazardProgram app;
  const auto texture = app.texture(DXGI_FORMAT_R32_UINT, 64, 64);
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto box = [&](UINT x, UINT y) {
    return [&, x, y](ID3D12GraphicsCommandList* list) {
      const D3D12_TEXTURE_COPY_LOCATION to{texture.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
      D3D12_TEXTURE_COPY_LOCATION source{from.Get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {}};
      source.PlacedFootprint = {0, {DXGI_FORMAT_R32_UINT, 32, 32, 1, 256}};
      list->CopyTextureRegion(&to, x, y, 0, &source, nullptr);
    };
  };
  app.one.execute("a", box(0, 16));
  app.two.execute("b", box(32, 16));
  CHECK(app.hazards().empty());
  app.one.execute("a", box(0, 0));
  app.two.execute("b", box(0, 32));
  CHECK(app.hazards().empty());
  app.one.execute("a", box(0, 0));
  app.two.execute("b", box(31, 31));
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "subresource 0 of an unnamed texture of 64 x 64 texels"));
}

TEST_CASE("hazards: query heaps, predicates and indirect arguments count, as far as they are used",
          "[d3d12][hazards]") {
  HazardProgram app;
  Lane other(app, D3D12_COMMAND_LIST_TYPE_DIRECT, "other");
  const auto from = app.named_buffer("from", hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto zero = app.buffer(hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  const auto found = [&] {
    other.finish();
    return app.hazards();
  };
  SECTION("a time stamp and its resolve") {
    const D3D12_QUERY_HEAP_DESC desc{D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
    ComPtr<ID3D12QueryHeap> heap;
    REQUIRE(app.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
    const auto end = [&](ID3D12GraphicsCommandList* list) {
      list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2);
    };
    const auto resolve = [&](UINT first) {
      return [&, first](ID3D12GraphicsCommandList* list) {
        list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, first, 2, back.Get(), 0);
      };
    };
    app.direct.execute("stamp", end);
    app.compute.execute("resolve", resolve(0));
    CHECK(found().empty());
    app.direct.execute("stamp", end);
    app.compute.execute("resolve", resolve(1));
    const Texts texts = found();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bytes 16 to 23 of an unnamed query heap of 32 bytes"));
  }
  SECTION("a predicate") {
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    app.direct.execute("ask", [&](ID3D12GraphicsCommandList* list) {
      list->SetPredication(shared.Get(), 16, D3D12_PREDICATION_OP_EQUAL_ZERO);
    });
    const Texts texts = found();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bytes 16 to 23 of buffer \"shared\""));
    CHECK(has(texts[0], "SetPredication of list \"ask\""));
  }
  SECTION("what a predicate skips") {
    app.direct.execute("skipped", [&](ID3D12GraphicsCommandList* list) {
      list->SetPredication(zero.Get(), 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
      list->CopyBufferRegion(shared.Get(), 0, from.Get(), 0, hazard_bytes);
    });
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    CHECK(found().empty());
    app.direct.execute("not skipped", [&](ID3D12GraphicsCommandList* list) {
      list->SetPredication(zero.Get(), 0, D3D12_PREDICATION_OP_NOT_EQUAL_ZERO);
      list->CopyBufferRegion(shared.Get(), 0, from.Get(), 0, hazard_bytes);
    });
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    CHECK(found().size() == 1);
  }
  SECTION("arguments") {
    const std::string code = shader_of(5, 10);
    D3D12_COMPUTE_PIPELINE_STATE_DESC pipeline_desc{};
    pipeline_desc.CS = {code.data(), code.size()};
    ComPtr<ID3D12PipelineState> pipeline;
    REQUIRE(app.device->CreateComputePipelineState(&pipeline_desc, IID_PPV_ARGS(&pipeline)) == S_OK);
    D3D12_INDIRECT_ARGUMENT_DESC argument{};
    argument.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    const D3D12_COMMAND_SIGNATURE_DESC desc{16, 1, &argument, 0};
    ComPtr<ID3D12CommandSignature> signature;
    REQUIRE(app.device->CreateCommandSignature(&desc, nullptr, IID_PPV_ARGS(&signature)) == S_OK);
    const auto counts = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
    write<UINT>(counts.Get(), {2});
    const auto indirect = [&](ID3D12GraphicsCommandList* list) {
      list->SetPipelineState(pipeline.Get());
      list->ExecuteIndirect(signature.Get(), 8, shared.Get(), 0, counts.Get(), 0);
    };
    app.compute.execute("indirect", indirect);
    app.one.execute("behind them", app.copy(shared, from, hazard_bytes - 28, 28));  // 2 commands end at byte 16 + 12
    CHECK(found().empty());
    app.compute.execute("indirect", indirect);
    app.one.execute("in them", app.copy(shared, from, hazard_bytes - 24, 24));
    const Texts texts = found();
    REQUIRE(texts.size() == 1);
    CHECK(has(texts[0], "bytes 24 to 27 of buffer \"shared\""));
    CHECK(has(texts[0], "ExecuteIndirect of list \"indirect\" on queue3 (\"async\") reads"));
  }
}

TEST_CASE("hazards: a box of blocks is as large in texels of another format as it is", "[d3d12][hazards]") {
  HazardProgram app;
  const auto blocks = app.texture(DXGI_FORMAT_BC1_UNORM, 64, 64);
  const auto texels = app.texture(DXGI_FORMAT_R32G32_UINT, 64, 64);
  const auto box = [&](UINT x) {
    return [&, x](ID3D12GraphicsCommandList* list) {
      const D3D12_TEXTURE_COPY_LOCATION to{texels.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
      const D3D12_TEXTURE_COPY_LOCATION source{blocks.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
      list->CopyTextureRegion(&to, x, 0, 0, &source, nullptr);
    };
  };
  app.one.execute("a", box(0));
  app.two.execute("b", box(16));
  CHECK(app.hazards().empty());
  app.one.execute("a", box(0));
  app.two.execute("b", box(15));
  CHECK(app.hazards().size() == 1);
}
