// SPDX-License-Identifier: Apache-2.0
// What the debug layer says of accesses that no fence orders, and that it says nothing of correct programs.
#include "tests/d3d12/hazard_program.hpp"
#include "tests/d3d12/timeline.hpp"

#include <poll.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

using namespace fenceline::testing;

namespace {

constexpr UINT64 size = 1 << 16;

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
    if (log.text(span.category) != "command") return;
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

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("hazards: two queues that write the same bytes are told of once, with names, bytes, queues and times",
          "[d3d12][hazards]") {
  HazardProgram app;
  Commands commands(app.device.Get());
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.named_buffer("shared", size);
  app.one.execute("first", app.copy(to, from, size - 64));
  app.compute.execute("second", app.copy(to, from, size - 256, 256));
  const Texts texts = app.hazards();
  REQUIRE(commands.all.size() == 2);
  std::sort(commands.all.begin(), commands.all.end(),
            [](const auto& a, const auto& b) { return a.start_ps < b.start_ps; });
  REQUIRE(texts.size() == 1);
  CHECK(texts[0] ==
        "ID3D12CommandQueue::ExecuteCommandLists: unsynchronised writes: bytes 256 to " + std::to_string(size - 65) +
            " of buffer \"shared\": CopyBufferRegion of list \"first\" on queue0 (\"one\") writes from " +
            us(commands.all[0].start_ps) + " us to " + us(commands.all[0].end_ps) +
            " us, and CopyBufferRegion of list \"second\" on queue3 (\"async\") writes from " +
            us(commands.all[1].start_ps) + " us to " + us(commands.all[1].end_ps) + " us; no fence keeps them apart");
}

TEST_CASE("hazards: bytes that are read while another queue writes them", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("writer", app.copy(shared, from, size));
  app.compute.execute("reader", app.copy(back, shared, size));
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "read of bytes being written: bytes 0 to 65535 of buffer \"shared\": "));
  CHECK(has(texts[0], "list \"writer\" on queue0 (\"one\") writes from "));
  CHECK(has(texts[0], "list \"reader\" on queue3 (\"async\") reads from "));
}

TEST_CASE("hazards: a use without a wait is one however late it comes", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  const bool reader_first = GENERATE(false, true);
  const auto write = app.copy(shared, from, size);
  const auto read = app.copy(back, shared, size);
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
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto early = app.named_buffer("early", size);
  const auto late = app.named_buffer("late", size);
  const auto back = app.buffer(2 * size, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("one", app.copy(early, from, size));
  const UINT64 first = app.one.signal();
  app.one.execute("two", app.copy(late, from, size));
  app.one.signal();
  Sleep(10);  // both values are there when the wait comes
  REQUIRE(app.two.queue->Wait(app.one.fence.Get(), first) == S_OK);
  app.two.execute("reads", [&](ID3D12GraphicsCommandList* list) {
    list->CopyBufferRegion(back.Get(), 0, early.Get(), 0, size);
    list->CopyBufferRegion(back.Get(), size, late.Get(), 0, size);
  });
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "buffer \"late\""));
}

TEST_CASE("hazards: the same two lists and resource are told of once, another execution again", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto other = app.named_buffer("other", size);
  const auto pieces = [&](ID3D12GraphicsCommandList* list) {
    for (UINT64 at = 0; at < size; at += size / 8) list->CopyBufferRegion(shared.Get(), at, from.Get(), at, size / 8);
    list->CopyBufferRegion(other.Get(), 0, from.Get(), 0, 64);
  };
  app.one.execute("a", pieces);
  app.two.execute("b", pieces);
  CHECK(app.hazards().size() == 2);  // of two resources
  app.one.execute("c", pieces);
  CHECK(app.hazards().empty());
  app.two.execute("d", app.copy(shared, from, size));
  app.one.execute("e", app.copy(shared, from, size));
  CHECK(app.hazards().size() == 1);
}

namespace {

/// Ways by which what `second` does comes after what `first` has done.
struct Order {
  const char* name;
  std::function<void(HazardProgram&)> make;
};

const Order orders[] = {
    {"a queue's wait",
     [](HazardProgram& app) {
       app.one.signal();
       app.two.wait(app.one);
     }},
    {"a queue's wait that was submitted first",
     [](HazardProgram& app) {
       REQUIRE(app.two.queue->Wait(app.one.fence.Get(), app.one.value + 1) == S_OK);
       app.one.signal();
     }},
    {"a wait for more than it needs",
     [](HazardProgram& app) {
       app.one.signal();
       app.one.signal();
       app.two.wait(app.one);
     }},
    {"a chain over two more queues",
     [](HazardProgram& app) {
       app.one.signal();
       app.direct.wait(app.one);
       app.direct.signal();
       app.compute.wait(app.direct);
       app.compute.signal();
       app.two.wait(app.compute);
     }},
    {"the CPU that blocks", [](HazardProgram& app) { app.one.finish(); }},
    {"an event",
     [](HazardProgram& app) {
       HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
       REQUIRE(app.one.fence->SetEventOnCompletion(app.one.signal(), event) == S_OK);
       REQUIRE(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
       CloseHandle(event);
     }},
    {"an event whose descriptor is polled",
     [](HazardProgram& app) {
       HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
       REQUIRE(app.one.fence->SetEventOnCompletion(app.one.signal(), event) == S_OK);
       pollfd poll_of{static_cast<int>(reinterpret_cast<std::intptr_t>(event)), POLLIN, 0};
       while (poll(&poll_of, 1, 0) == 0) {
         Sleep(1);
         app.direct.fence->GetCompletedValue();
       }
       CloseHandle(event);
     }},
    {"polling",
     [](HazardProgram& app) {
       const UINT64 value = app.one.signal();
       while (app.one.fence->GetCompletedValue() < value) {
       }
     }},
    {"an event of several fences",
     [](HazardProgram& app) {
       app.one.signal();
       app.direct.signal();
       ID3D12Fence* const fences[] = {app.direct.fence.Get(), app.one.fence.Get()};
       const UINT64 values[] = {app.direct.value, app.one.value};
       ComPtr<ID3D12Device1> device;
       REQUIRE(app.device.As(&device) == S_OK);
       REQUIRE(device->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                         nullptr) == S_OK);
     }},
    {"an event of one of several fences",
     [](HazardProgram& app) {
       app.one.signal();
       ID3D12Fence* const fences[] = {app.direct.fence.Get(), app.one.fence.Get()};
       const UINT64 values[] = {app.direct.value + 100, app.one.value};
       ComPtr<ID3D12Device1> device;
       REQUIRE(app.device.As(&device) == S_OK);
       REQUIRE(device->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY,
                                                         nullptr) == S_OK);
     }},
    {"the CPU, which signals a fence for which the queue waits already",
     [](HazardProgram& app) {
       const auto go = app.kept_fence();
       app.two.queue->Wait(go.Get(), 1);
       app.one.finish();
       REQUIRE(go->Signal(1) == S_OK);
       Sleep(1);
     }},
    {"a fence that the CPU has set back, and that is reached again",
     [](HazardProgram& app) {
       const auto fence = app.kept_fence(7);
       REQUIRE(fence->Signal(0) == S_OK);
       app.one.queue->Signal(fence.Get(), 5);
       app.two.queue->Wait(fence.Get(), 5);
       Sleep(1);
     }},
    {"a wait that counts though the fence was set back before the queue came to it",
     [](HazardProgram& app) {
       const auto fence = app.kept_fence();
       const auto gate = app.kept_fence();
       app.one.queue->Signal(fence.Get(), 5);
       app.two.queue->Wait(gate.Get(), 1);
       app.two.queue->Wait(fence.Get(), 5);
       Sleep(1);
       REQUIRE(fence->Signal(0) == S_OK);
       REQUIRE(gate->Signal(1) == S_OK);
       Sleep(1);
     }},
    {"the end of a fence, by its last reference",
     [](HazardProgram& app) {
       const auto value = app.one.signal();
       app.two.wait(app.one);
       while (app.one.fence->GetCompletedValue() < value) {
       }
       app.one.fence = app.fence();
       app.one.value = 0;
     }},
};

}  // namespace

TEST_CASE("hazards: whatever brings two queues in order is enough", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  for (const Order& order : orders) {
    INFO(order.name);
    app.one.execute("write", app.copy(shared, from, size));
    order.make(app);
    app.two.execute("read", app.copy(back, shared, size));
    CHECK(app.hazards().empty());
  }
  app.one.execute("write", app.copy(shared, from, size));
  app.two.execute("read", app.copy(back, shared, size));
  CHECK(app.hazards().size() == 1);  // none of them hides the next
}

TEST_CASE("hazards: what a fence says is not more than its signaller knew", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  SECTION("a signal before the write") {
    app.one.signal();
    app.one.execute("write", app.copy(shared, from, size));
    app.two.wait(app.one);
  }
  SECTION("a wait of another queue") {
    app.one.execute("write", app.copy(shared, from, size));
    app.one.signal();
    app.direct.wait(app.one);
  }
  SECTION("a signal of the CPU, which has not looked") {
    const auto fence = app.fence();
    app.one.execute("write", app.copy(shared, from, size));
    app.one.signal();
    app.two.queue->Wait(fence.Get(), 1);
    Sleep(10);
    REQUIRE(fence->Signal(1) == S_OK);
  }
  SECTION("a look at it too early") {
    app.one.execute("write", app.copy(shared, from, size));
    const UINT64 value = app.one.signal();
    CHECK(app.one.fence->GetCompletedValue() < value);
  }
  SECTION("an initial value") {
    const auto fence = app.fence(5);
    app.one.execute("write", app.copy(shared, from, size));
    app.one.queue->Signal(fence.Get(), 6);
    Sleep(10);
    app.two.queue->Wait(fence.Get(), 4);
  }
  app.two.execute("read", app.copy(back, shared, size));
  CHECK(app.hazards().size() == 1);
}

TEST_CASE("hazards: readers, and writers of other bytes, need no order", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(4 * size, D3D12_HEAP_TYPE_READBACK);
  SECTION("readers of one buffer") {
    UINT64 i = 0;
    for (Lane* lane : {&app.one, &app.two, &app.direct, &app.compute}) {
      lane->execute("read", app.copy(back, shared, size, size * i++));
    }
    CHECK(app.hazards().empty());
  }
  SECTION("neighbouring bytes") {
    app.one.execute("low", app.copy(shared, from, 100));
    app.two.execute("high", app.copy(shared, from, size - 100, 100));
    CHECK(app.hazards().empty());
    app.one.execute("low", app.copy(shared, from, 101));
    app.two.execute("high", app.copy(shared, from, size - 100, 100));
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
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  const auto frames = {app.named_buffer("even", size), app.named_buffer("odd", size)};
  for (UINT64 frame = 0; frame < 20; ++frame) {
    const auto& buffer = frames.begin()[frame % 2];
    if (back_pressure && frame >= 2) app.one.queue->Wait(app.direct.fence.Get(), frame - 1);
    app.one.execute("upload", app.copy(buffer, from, size));
    app.one.signal();
    app.direct.wait(app.one);
    app.direct.execute("use", app.copy(back, buffer, size));
    app.direct.signal();
  }
  CHECK(app.hazards().empty() == back_pressure);
}

TEST_CASE("hazards: resources that share a heap's bytes are one thing", "[d3d12][hazards]") {
  HazardProgram app;
  const D3D12_HEAP_DESC desc{4 * size, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto place = [&](const std::string& name, UINT64 offset) {
    const D3D12_RESOURCE_DESC buffer = app.buffer(size)->GetDesc();
    ComPtr<ID3D12Resource> made;
    REQUIRE(app.device->CreatePlacedResource(heap.Get(), offset, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                             IID_PPV_ARGS(&made)) == S_OK);
    REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
    return made;
  };
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto here = place("here", size);
  const auto same = place("same place", size);
  const auto there = place("there", 2 * size);
  app.one.execute("a", app.copy(here, from, size));
  app.two.execute("b", app.copy(there, from, size));
  CHECK(app.hazards().empty());
  app.one.execute("a", app.copy(here, from, size));
  app.one.signal();
  app.two.wait(app.one);
  app.two.execute("b", app.copy(same, from, size));
  CHECK(app.hazards().empty());
  app.one.execute("a", app.copy(here, from, size));
  app.two.execute("b", app.copy(same, from, 16));
  const Texts texts = app.hazards();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "bytes 0 to 15 of buffer \"here\", which are buffer \"same place\"'s, too: "));
}

namespace {

struct Targets : HazardProgram {
  Targets() {
    const auto make = [&](const char* name, DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags, UINT16 mips = 1) {
      auto made = texture(format, 64, 64, flags, mips);
      REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
      return made;
    };
    color = make("color", DXGI_FORMAT_B8G8R8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, 3);
    simultaneous = make("simultaneous", DXGI_FORMAT_B8G8R8A8_UNORM,
                        D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS);
    depth = make("depth", DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    const D3D12_DESCRIPTOR_HEAP_DESC colors{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    const D3D12_DESCRIPTOR_HEAP_DESC depths{D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    REQUIRE(device->CreateDescriptorHeap(&colors, IID_PPV_ARGS(&color_heap)) == S_OK);
    REQUIRE(device->CreateDescriptorHeap(&depths, IID_PPV_ARGS(&depth_heap)) == S_OK);
    D3D12_RENDER_TARGET_VIEW_DESC first_mip{};
    first_mip.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D;
    device->CreateRenderTargetView(color.Get(), &first_mip, color_view());
    device->CreateRenderTargetView(simultaneous.Get(), nullptr, color_view(1));
    device->CreateDepthStencilView(depth.Get(), nullptr, depth_view());
    D3D12_DEPTH_STENCIL_VIEW_DESC read{};
    read.ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D;
    read.Flags = D3D12_DSV_FLAG_READ_ONLY_DEPTH;
    device->CreateDepthStencilView(depth.Get(), &read, depth_view(1));
    other = std::make_unique<Lane>(*this, D3D12_COMMAND_LIST_TYPE_DIRECT, "other");
  }
  D3D12_CPU_DESCRIPTOR_HANDLE color_view(UINT index = 0) const { return view(color_heap.Get(), index); }
  D3D12_CPU_DESCRIPTOR_HANDLE depth_view(UINT index = 0) const { return view(depth_heap.Get(), index); }
  D3D12_CPU_DESCRIPTOR_HANDLE view(ID3D12DescriptorHeap* heap, UINT index) const {
    return {heap->GetCPUDescriptorHandleForHeapStart().ptr +
            index * device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV)};
  }
  ComPtr<ID3D12PipelineState> pipeline(UINT8 mask, bool depth_test, bool depth_write) {
    const std::string vertex = shader_of(1, 10);
    const std::string pixel = shader_of(0, 10);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
    desc.VS = {vertex.data(), vertex.size()};
    desc.PS = {pixel.data(), pixel.size()};
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
    desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
    desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = DXGI_FORMAT_B8G8R8A8_UNORM;
    desc.DSVFormat = DXGI_FORMAT_D32_FLOAT;
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = mask;
    desc.DepthStencilState.DepthEnable = depth_test ? TRUE : FALSE;
    desc.DepthStencilState.DepthWriteMask = depth_write ? D3D12_DEPTH_WRITE_MASK_ALL : D3D12_DEPTH_WRITE_MASK_ZERO;
    desc.SampleDesc.Count = 1;
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    pipelines.push_back(made);
    return made;
  }
  struct DrawOf {
    UINT vertices = 3;
    UINT color_view = 0;
    UINT depth_view = 0;
    D3D12_RECT scissor{0, 0, 64, 64};
  };
  Record draw(const ComPtr<ID3D12PipelineState>& with, DrawOf of) const {
    return [=](ID3D12GraphicsCommandList* list) {
      const auto rtv = color_view(of.color_view);
      const auto dsv = depth_view(of.depth_view);
      const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
      list->OMSetRenderTargets(1, &rtv, FALSE, &dsv);
      list->SetPipelineState(with.Get());
      list->RSSetViewports(1, &viewport);
      list->RSSetScissorRects(1, &of.scissor);
      list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
      list->DrawInstanced(of.vertices, 1, 0, 0);
    };
  }
  /// Of hazards alone: states of targets are somebody else's.
  Texts found() {
    other->finish();
    finish();
    Texts texts;
    for (const Said& message : said()) {
      if (message.id == D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE) texts.push_back(message.text);
    }
    return texts;
  }
  ComPtr<ID3D12Resource> color, simultaneous, depth;
  ComPtr<ID3D12DescriptorHeap> color_heap, depth_heap;
  std::vector<ComPtr<ID3D12PipelineState>> pipelines;
  std::unique_ptr<Lane> other;
};

}  // namespace

TEST_CASE("hazards: draws write the targets that they are bound to, where they are", "[d3d12][hazards]") {
  Targets app;
  using DrawOf = Targets::DrawOf;
  constexpr UINT8 all = D3D12_COLOR_WRITE_ENABLE_ALL;
  const auto both = [&](const ComPtr<ID3D12PipelineState>& first, DrawOf a, const ComPtr<ID3D12PipelineState>& second,
                        DrawOf b) {
    app.direct.execute("first", app.draw(first, a));
    app.other->execute("second", app.draw(second, b));
    return app.found();
  };
  const auto colored = app.pipeline(all, false, false);
  const auto masked = app.pipeline(0, false, false);
  const auto tested = app.pipeline(0, true, false);
  const auto written = app.pipeline(0, true, true);

  const Texts texts = both(colored, {}, colored, {});
  REQUIRE(texts.size() == 1);
  // One engine runs both queues, one after the other.
  CHECK(has(texts[0], "used before its fence: subresource 0 of texture \"color\": DrawInstanced of list \"first\""));
  CHECK(both(colored, {}, masked, {}).empty());
  CHECK(both(colored, {}, colored, {0}).empty());                          // no vertices
  CHECK(both(colored, {}, colored, {3, 0, 0, {64, 64, 64, 64}}).empty());  // no pixels
  CHECK(both(colored, {3, 0, 0, {0, 0, 32, 64}}, colored, {3, 0, 0, {32, 0, 64, 64}}).empty());
  CHECK(both(colored, {3, 1}, colored, {3, 1}).empty());  // at other texels, perhaps
  CHECK(both(written, {}, tested, {}).size() == 1);
  CHECK(both(tested, {}, tested, {}).empty());
  CHECK(both(written, {3, 0, 1}, written, {3, 0, 1}).empty());  // a view to read alone
}

TEST_CASE("hazards: draws of a bundle write the targets of the list that executes it", "[d3d12][hazards]") {
  Targets app;
  const auto pipeline = app.pipeline(D3D12_COLOR_WRITE_ENABLE_ALL, false, false);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  bundle->SetPipelineState(pipeline.Get());
  bundle->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  bundle->DrawInstanced(3, 1, 0, 0);
  REQUIRE(bundle->Close() == S_OK);
  app.direct.execute("with a bundle", [&](ID3D12GraphicsCommandList* list) {
    const auto rtv = app.color_view();
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    list->OMSetRenderTargets(1, &rtv, FALSE, nullptr);
    list->RSSetViewports(1, &viewport);
    list->ExecuteBundle(bundle.Get());
  });
  app.other->execute("clear", [&](ID3D12GraphicsCommandList* list) {
    const float black[4] = {};
    const D3D12_RECT corner{60, 60, 64, 64};
    list->ClearRenderTargetView(app.color_view(), black, 1, &corner);
  });
  const Texts texts = app.found();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "DrawInstanced of list \"with a bundle\""));
  CHECK(has(texts[0], "ClearRenderTargetView of list \"clear\""));
}

TEST_CASE("hazards: a transition is a write of its subresources", "[d3d12][hazards]") {
  Targets app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto upload = [&](UINT subresource) {
    return [&, subresource](ID3D12GraphicsCommandList* list) {
      D3D12_TEXTURE_COPY_LOCATION to{app.color.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
      to.SubresourceIndex = subresource;
      D3D12_TEXTURE_COPY_LOCATION source{from.Get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {}};
      const UINT extent = 64U >> subresource;
      source.PlacedFootprint = {0, {DXGI_FORMAT_B8G8R8A8_UNORM, extent, extent, 1, 256}};
      list->CopyTextureRegion(&to, 0, 0, 0, &source, nullptr);
    };
  };
  const auto barrier = [&](UINT subresource) {
    return [&, subresource](ID3D12GraphicsCommandList* list) {
      D3D12_RESOURCE_BARRIER one{};
      one.Transition = {app.color.Get(), subresource, D3D12_RESOURCE_STATE_COMMON,
                        D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE};
      list->ResourceBarrier(1, &one);
    };
  };
  app.one.execute("upload", upload(1));
  app.direct.execute("use", barrier(0));
  CHECK(app.found().empty());
  app.one.execute("upload", upload(0));
  app.direct.execute("use", barrier(D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES));
  const Texts texts = app.found();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "subresource 0 of texture \"color\""));
  CHECK(has(texts[0], "ResourceBarrier of list \"use\" on queue2 (\"3D\") writes"));
  app.one.execute("upload", upload(0));
  app.one.signal();
  app.direct.wait(app.one);
  app.direct.execute("use", barrier(D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES));
  CHECK(app.found().empty());
}

TEST_CASE("hazards: boxes of one subresource that have no texel in common need no order", "[d3d12][hazards]") {
  HazardProgram app;
  const auto texture = app.texture(DXGI_FORMAT_R32_UINT, 64, 64);
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
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
  const auto from = app.named_buffer("from", size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto zero = app.buffer(size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
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
    app.one.execute("write", app.copy(shared, from, size));
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
      list->CopyBufferRegion(shared.Get(), 0, from.Get(), 0, size);
    });
    app.one.execute("write", app.copy(shared, from, size));
    CHECK(found().empty());
    app.direct.execute("not skipped", [&](ID3D12GraphicsCommandList* list) {
      list->SetPredication(zero.Get(), 0, D3D12_PREDICATION_OP_NOT_EQUAL_ZERO);
      list->CopyBufferRegion(shared.Get(), 0, from.Get(), 0, size);
    });
    app.one.execute("write", app.copy(shared, from, size));
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
    app.one.execute("behind them", app.copy(shared, from, size - 28, 28));  // 2 commands end at byte 16 + 12
    CHECK(found().empty());
    app.compute.execute("indirect", indirect);
    app.one.execute("in them", app.copy(shared, from, size - 24, 24));
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

TEST_CASE("hazards: the fences of a removed device order nothing, and nobody is told of it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", size);
  const auto back = app.buffer(size, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("write", app.copy(shared, from, size));
  app.one.signal();
  app.compute.wait(app.one);
  app.compute.execute("read", app.copy(back, shared, size));
  ComPtr<ID3D12Device5> device;
  REQUIRE(app.device.As(&device) == S_OK);
  device->RemoveDevice();
  Sleep(10);
  device->SetEventOnMultipleFenceCompletion(app.one.fence.GetAddressOf(), &app.one.value, 1,
                                            D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, nullptr);
  for (const auto& message : app.said()) CHECK(message.id != D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE);
}

TEST_CASE("hazards: a resource that goes while the GPU uses it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  auto gone = app.named_buffer("gone", size);
  const bool evicted = GENERATE(false, true);
  const auto end = [&] {
    if (!evicted) {
      gone.Reset();
      return;
    }
    ID3D12Pageable* const objects[] = {gone.Get()};
    REQUIRE(app.device->Evict(1, objects) == S_OK);
  };
  SECTION("too early") {
    app.one.execute(
        "write", [&](ID3D12GraphicsCommandList* list) { list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, size); });
    end();
    const auto said = app.said();
    REQUIRE(said.size() == 1);
    CHECK(said[0].id == (evicted ? D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE
                                 : D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE));
    CHECK(has(said[0].text, std::string(evicted ? "ID3D12Device::Evict" : "ID3D12Resource::Release") +
                                ": list \"write\" on queue0 (\"one\") uses buffer \"gone\""));
  }
  SECTION("after its end") {
    app.one.execute(
        "write", [&](ID3D12GraphicsCommandList* list) { list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, size); });
    app.one.finish();
    end();
    CHECK(app.said().empty());
  }
  SECTION("of a removed device") {
    app.one.execute(
        "write", [&](ID3D12GraphicsCommandList* list) { list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, size); });
    ComPtr<ID3D12Device5> device;
    REQUIRE(app.device.As(&device) == S_OK);
    device->RemoveDevice();
    app.said();
    end();
    CHECK(app.said().empty());
  }
  if (!evicted) gone.Reset();
}

TEST_CASE("hazards: a heap that is evicted while the GPU uses a resource in it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(size, D3D12_HEAP_TYPE_UPLOAD);
  const D3D12_HEAP_DESC desc{size, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  REQUIRE(heap->SetName(L"home") == S_OK);
  const D3D12_RESOURCE_DESC buffer = from->GetDesc();
  ComPtr<ID3D12Resource> placed;
  REQUIRE(app.device->CreatePlacedResource(heap.Get(), 0, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)) == S_OK);
  ID3D12Pageable* const objects[] = {heap.Get()};
  app.one.execute("write", app.copy(placed, from, size));
  REQUIRE(app.device->Evict(1, objects) == S_OK);
  const auto said = app.said();
  REQUIRE(said.size() == 1);
  CHECK(said[0].id == D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE);
  CHECK(has(said[0].text, "uses heap \"home\""));
  app.one.finish();
  REQUIRE(app.device->Evict(1, objects) == S_OK);
  CHECK(app.said().empty());
}
