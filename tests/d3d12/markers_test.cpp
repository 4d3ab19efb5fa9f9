// SPDX-License-Identifier: Apache-2.0
// PIX's events and markers of D3D12 programs: BeginEvent, EndEvent and SetMarker of lists and queues.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/marker_text.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/machine.hpp"
#include "api/public/pix3.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/debugged.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// The markers that the log is told, and when packets come.
class Marks final : public LogSink {
 public:
  explicit Marks(ID3D12Device* device)
      : log_(d3d12::com_cast<d3d12::Device>(static_cast<ID3D12Device11*>(device))->machine().log()) {
    log_.attach(*this);
  }
  ~Marks() override { log_.detach(*this); }
  void queued(const EventLog&, const QueuedRecord& queued) override {
    if (queued.type == PacketType::render) told.emplace_back("list");
  }
  void marker(const EventLog& log, const MarkerRecord& marker) override {
    std::string text =
        marker.packet == 0 ? name_of(marker.kind) : fmt::format("{} {}", marker.command, name_of(marker.kind));
    if (marker.kind != MarkerKind::end) text += fmt::format(" {}", log.text(marker.name));
    if (marker.color != 0) text += fmt::format(" {:08x}", marker.color);
    told.push_back(text);
  }
  std::vector<std::string> told;

 private:
  EventLog& log_;
};

}  // namespace

TEST_CASE("markers: lists, bundles and queues have theirs in the log", "[d3d12][markers]") {
  App app;
  Marks marks(app.device.Get());
  const auto queue = app.queue(direct_type);
  const auto from = app.buffer(4096, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(4096);
  const auto bundle_allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.list(bundle_allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  PIXBeginEvent(bundle.Get(), PIX_COLOR_INDEX(5), "bundle %d", 1);
  PIXEndEvent(bundle.Get());
  REQUIRE(bundle->Close() == S_OK);
  const auto allocator = app.allocator(direct_type);
  const auto list = app.list(allocator.Get(), direct_type);
  {
    PIXScopedEvent(list.Get(), PIX_COLOR(255, 128, 0), L"upload %ls", L"\u00fcber");
    list->CopyResource(to.Get(), from.Get());
    PIXSetMarker(list.Get(), 0, "half");
    list->CopyResource(to.Get(), from.Get());
  }
  list->ExecuteBundle(bundle.Get());
  const char raw[] = "raw";
  list->BeginEvent(1, raw, sizeof(raw));  // as programs do without PIX's functions, with no color
  list->EndEvent();
  REQUIRE(list->Close() == S_OK);
  PIXBeginEvent(queue.Get(), PIX_COLOR_DEFAULT, "frame");
  ID3D12CommandList* const lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  PIXSetMarker(queue.Get(), PIX_COLOR_DEFAULT, L"submitted");
  PIXEndEvent(queue.Get());
  const std::vector<std::string> expected = {"BeginEvent frame",
                                             "list",
                                             "0 BeginEvent upload \xc3\xbc"
                                             "ber ffff8000",
                                             "1 SetMarker half",
                                             "2 EndEvent",
                                             "2 BeginEvent bundle 1 00000005",
                                             "2 EndEvent",
                                             "2 BeginEvent raw",
                                             "2 EndEvent",
                                             "SetMarker submitted",
                                             "EndEvent"};
  CHECK(marks.told == expected);

  // Recorded anew into the same memory, without: none are left.
  const auto fence = app.fence();
  REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  REQUIRE(allocator->Reset() == S_OK);
  REQUIRE(list->Reset(allocator.Get(), nullptr) == S_OK);
  list->CopyResource(to.Get(), from.Get());
  REQUIRE(list->Close() == S_OK);
  marks.told.clear();
  queue->ExecuteCommandLists(1, lists);
  CHECK(marks.told == std::vector<std::string>{"list"});
  REQUIRE(queue->Signal(fence.Get(), 2) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(2, nullptr) == S_OK);
}

TEST_CASE("markers: what does not fit together is told, and takes nothing down", "[d3d12][markers]") {
  App app;
  Marks marks(app.device.Get());
  const auto queue = app.queue(copy_type);
  const auto allocator = app.allocator(copy_type);
  const auto list = app.list(allocator.Get(), copy_type);
  list->EndEvent();
  PIXBeginEvent(list.Get(), 0, "outer");
  PIXBeginEvent(list.Get(), 0, "inner");
  list->SetMarker(2, "\x01\x02", 2);  // a blob of PIX's own
  REQUIRE(list->Close() == S_OK);
  list->BeginEvent(1, "late", 5);  // closed: nothing
  ID3D12CommandList* const lists[] = {list.Get()};
  queue->EndEvent();
  queue->ExecuteCommandLists(1, lists);
  CHECK(marks.told == std::vector<std::string>{"list", "0 BeginEvent outer", "0 BeginEvent inner", "0 SetMarker marker",
                                               "0 EndEvent", "0 EndEvent"});
  const auto fence = app.fence();
  REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
}

TEST_CASE("markers: texts are UTF-8, whatever bytes a program gives", "[d3d12][markers]") {
  CHECK(d3d12::utf8_of_narrow({"a\xff\xc3\xbc\0b", 6}) == "a\xEF\xBF\xBD\xc3\xbc");
  CHECK(d3d12::utf8_of_narrow("") == "");
  const wchar_t wide[] = {L'a', static_cast<wchar_t>(0xD800), static_cast<wchar_t>(0x1F600), 0, L'b'};
  CHECK(d3d12::utf8_of_wide(wide, sizeof(wide)) == "a\xEF\xBF\xBD\xF0\x9F\x98\x80");
  CHECK(d3d12::utf8_of_wide(wide, 3) == "");
}
