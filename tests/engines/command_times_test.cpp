// SPDX-License-Identifier: Apache-2.0
// What engines tell of when commands ran: the pieces that the log has, by their place in the list.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Piece = std::tuple<std::uint64_t, std::uint64_t>;

/// Notes what it hears, in order.
struct Notes final : CommandEffects {
  void ended(std::size_t command) override { completed.push_back(command); }
  void skip(std::size_t) override {}
  bool skips(std::size_t) override { return false; }
  const IndirectCall* call(std::size_t) override { return nullptr; }
  void finish() override {}
  void timestamp(std::uint32_t, std::uint64_t) override {}
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override {
    pieces.emplace_back(start_ps, end_ps);
    commands.push_back(command);
  }
  std::vector<Piece> pieces;
  std::vector<std::size_t> commands;
  std::vector<std::size_t> completed;
};

struct CommandPieces final : LogSink {
  void span(const EventLog&, const Span& span) override {
    if (span.kind != SpanKind::command) return;
    pieces.emplace_back(span.start_ps, span.end_ps);
    stopped += span.stopped ? 1 : 0;
  }
  std::vector<Piece> pieces;
  int stopped = 0;
};

}  // namespace

TEST_CASE("effects: they hear of each piece of a command that has run, by the command's place", "[engines]") {
  const bool preempted = GENERATE(false, true);
  CommandStream stream;
  stream.name = "list";
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].work.cycles = 1000;
  stream.indirect_calls.push_back({Dispatch{0, 4}, 2, 12, false, false});
  stream.commands = {Dispatch{0, 8}, Barrier{}, ExecuteIndirect{0}, Dispatch{0, 1}};
  const auto notes = std::make_shared<Notes>();
  PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(
                                           stopping_at(plain_engine<ComputeEngineConfig>(), PreemptionLevel::group)));
  CommandPieces spans;
  bench.top().log.attach(spans);
  DmaPacket packet = packet_of(1, std::move(stream));
  packet.effects = notes.get();
  bench.submit(0, 0, std::move(packet));
  if (preempted) {
    bench.preempt(1500 * ns);
    bench.resubmit(1000 * ns);
  }
  bench.kernel.run_to_end();
  bench.top().log.detach(spans);

  CHECK(notes->pieces == spans.pieces);
  CHECK((spans.stopped > 0) == preempted);
  CHECK(notes->completed == std::vector<std::size_t>{0, 2, 3});
  // The ExecuteIndirect's own access to memory, and its two dispatches.
  std::vector<std::size_t> expected{0, 2, 2, 2, 3};
  if (preempted) expected.insert(expected.begin(), 0);
  CHECK(notes->commands == expected);
}
