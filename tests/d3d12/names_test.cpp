// SPDX-License-Identifier: Apache-2.0
// Names that programs give to objects reach the log, and with it all files.
#include "api/d3d12/core/newcomer.hpp"
#include "tests/d3d12/display/game.hpp"
#include "tests/support/shell.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// What the log says of queues, fences and lists, and what ran.
class Names final : public LogSink {
 public:
  explicit Names(ID3D12Device* device)
      : log_(d3d12::com_cast<d3d12::Device>(static_cast<ID3D12Device11*>(device))->machine().log()) {
    log_.attach(*this, EventLog::Detail::commands);
  }
  ~Names() override { log_.detach(*this); }
  void packet(const EventLog& log, const PacketRecord& record) override {
    contexts.insert(std::string(log.text(record.context)));
    labels.insert(std::string(log.text(record.label)));
  }
  void span(const EventLog& log, const Span& span) override { spans.insert(std::string(log.text(span.name))); }

  std::set<std::string> contexts, labels, spans;

 private:
  EventLog& log_;
};

bool any_has(const std::set<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("names: what is named when it is made has its name in the log", "[d3d12][names]") {
  App app;
  const Names names(app.device.Get());
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  REQUIRE(queue->SetName(L"async lighting") == S_OK);
  const auto other = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto fence = app.fence();
  REQUIRE(fence->SetName(L"lit") == S_OK);
  const std::string code = shader_of(5, 100);
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = {code.data(), code.size()};
  ComPtr<ID3D12PipelineState> pipeline;
  REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline)) == S_OK);
  REQUIRE(pipeline->SetName(L"tiles") == S_OK);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COMPUTE);
  REQUIRE(list->SetName(L"frame 1") == S_OK);
  list->SetPipelineState(pipeline.Get());
  list->Dispatch(4, 1, 1);
  REQUIRE(list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
  const auto done = app.fence();
  REQUIRE(other->Signal(done.Get(), 1) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(names.contexts == std::set<std::string>{"adapter.scheduler.queue0_async_lighting", "adapter.scheduler.queue1"});
  CHECK(names.labels.count("frame 1") == 1);
  CHECK(any_has(names.labels, "fence0_lit"));
  CHECK(any_has(names.labels, "fence1"));
  CHECK(names.spans.count("tiles") == 1);
}

TEST_CASE("names: queues and fences are numbered and come in order of creation, whether they are named or not",
          "[d3d12][names]") {
  App app;
  const Names names(app.device.Get());
  std::vector<ComPtr<ID3D12CommandQueue>> queues;
  for (const wchar_t* name : {L"", L"b", L"", L"a", L"b"}) {
    queues.push_back(app.queue(D3D12_COMMAND_LIST_TYPE_COPY));
    if (*name != 0) REQUIRE(queues.back()->SetName(name) == S_OK);
  }
  app.queue(D3D12_COMMAND_LIST_TYPE_COPY);  // gone before the machine hears of it
  const auto fence = app.fence();
  // The last one first.
  for (std::size_t i = queues.size(); i-- > 0;) {
    REQUIRE(queues[i]->Signal(fence.Get(), queues.size() - i) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(queues.size() - i, nullptr) == S_OK);
  }
  CHECK(names.contexts == std::set<std::string>{"adapter.scheduler.queue0", "adapter.scheduler.queue1_b",
                                                "adapter.scheduler.queue2", "adapter.scheduler.queue3_a",
                                                "adapter.scheduler.queue4_b"});
}

TEST_CASE("names: fences that nobody uses come and go", "[d3d12][names]") {
  const App app;
  for (int i = 0; i < 3; ++i) {
    ComPtr<ID3D12Fence> unused;
    REQUIRE(app.device->CreateFence(7, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&unused)) == S_OK);
    if (i == 1) CHECK(unused->GetCompletedValue() == 7);
  }
  CHECK(references(app.device.Get()) == 1);
}

TEST_CASE("names: paths have letters, digits, _ and - alone", "[d3d12][names]") {
  CHECK(d3d12::machine_name("queue", 3, "") == "queue3");
  CHECK(d3d12::machine_name("queue", 12, "Copy-Queue_7") == "queue12_Copy-Queue_7");
  CHECK(d3d12::machine_name("fence", 0, "a.b \"c\",/d") == "fence0_a_b__c___d");
  CHECK(d3d12::machine_name("fence", 1, "\xc3\xa4") == "fence1___");  // UTF-8, byte by byte
}

TEST_CASE("names: they stand in every file of a run directory that tells of them", "[d3d12][names]") {
  const Shell shell;
  REQUIRE(shell
              .run("FENCELINE_MACHINE=tiny FENCELINE_HTML=1 FENCELINE_VCD=1 FENCELINE_OUT=out " +
                   Shell::quoted(FENCELINE_PROBE_PROGRAM))
              .code == 0);
  for (const char* file : {"report.json", "trace.json", "packets.csv", "log.txt", "timeline.html", "waves.vcd"}) {
    INFO(file);
    CHECK(contents_of(shell.work() / "out" / file).find("queue0_uploads") != std::string::npos);
  }
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out" / "report.json"));
  CHECK(report["statistics"]["fences"][0]["fence"] == "fence0_uploaded");
}
