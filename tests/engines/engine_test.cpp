// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include "tests/engines/engine_contract.hpp"
#include "tests/engines/stopping/requested_level_contract.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

template <class Kind, class Config>
MakeContractEngine kind() {
  return [](const EngineConfig& common) {
    Config config;
    static_cast<EngineConfig&>(config) = common;
    return engine_of<Kind>(config);
  };
}

}  // namespace

TEST_CASE("copy engine: keeps the contract of engines", "[engines]") {
  engine_contract(kind<CopyEngine, CopyEngineConfig>());
}

TEST_CASE("compute engine: keeps the contract of engines", "[engines]") {
  engine_contract(kind<ComputeEngine, ComputeEngineConfig>());
}

TEST_CASE("3D engine: keeps the contract of engines", "[engines]") {
  engine_contract(kind<GraphicsEngine, GraphicsEngineConfig>());
}

TEST_CASE("copy engine: stops as fine as it is asked to", "[engines]") {
  requested_level_contract(kind<CopyEngine, CopyEngineConfig>());
}

TEST_CASE("compute engine: stops as fine as it is asked to", "[engines]") {
  requested_level_contract(kind<ComputeEngine, ComputeEngineConfig>());
}

TEST_CASE("3D engine: stops as fine as it is asked to", "[engines]") {
  requested_level_contract(kind<GraphicsEngine, GraphicsEngineConfig>());
}

TEST_CASE("engine: commands and packets are spans of the log that tile nothing twice", "[engines]") {
  struct Spans : LogSink {
    void span(const EventLog&, const Span& span) override {
      if (span.kind == SpanKind::packet) packets.push_back(span);
      if (span.kind == SpanKind::command) commands.push_back(span);
    }
    std::vector<Span> packets;
    std::vector<Span> commands;
  } spans;
  ComputeEngineConfig config;
  KernelOf<Board> bench(BoardConfig{}, engine_of<ComputeEngine>(config));
  bench.enter([&](Board& board) {
    board.log.attach(spans);
    board.engine->submit(0, packet_of(7, contract::copies(4, 1000), {500, 500, 0}));
  });
  bench.kernel.run_to_end();
  const DmaPacket& packet = bench.top().completed.at(0).packet;
  REQUIRE(spans.packets.size() == 1);
  CHECK(spans.packets[0].id == 7);
  CHECK(spans.packets[0].start_ps == packet.started_ps);
  CHECK(spans.packets[0].end_ps == packet.finished_ps);
  CHECK(bench.top().log.text(spans.packets[0].track) == "top.engine");
  REQUIRE(spans.commands.size() == 4);  // barriers and time stamps are none
  for (const Span& command : spans.commands) {
    CHECK(command.id == 7);
    CHECK(command.start_ps >= packet.started_ps);
    CHECK(command.end_ps <= packet.finished_ps);
    CHECK(bench.top().log.text(command.name) == "CopyBufferRegion");
  }
}
