// SPDX-License-Identifier: Apache-2.0
// Variants of pipeline states that a submitter chooses when a draw or dispatch begins.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Gives draws and dispatches these pipeline states, and counts who asks.
struct Chooser final : CommandEffects {
  void ended(std::size_t) override {}
  void skip(std::size_t) override {}
  bool skips(std::size_t) override { return false; }
  const IndirectCall* call(std::size_t) override { return nullptr; }
  void finish() override {}
  void timestamp(std::uint32_t, std::uint64_t) override {}
  PipelineVariant variant(std::size_t command, const Command& begins) override {
    asked.push_back(command);
    if (std::holds_alternative<Dispatch>(begins)) return {compute, nullptr};
    return {nullptr, graphics};
  }
  std::vector<std::size_t> asked;
  const ComputePipeline* compute = nullptr;
  const GraphicsPipeline* graphics = nullptr;
};

ComputePipeline taking(std::uint64_t cycles) {
  ComputePipeline pipeline;
  pipeline.work.cycles = cycles;
  return pipeline;
}

GraphicsPipeline shading(double instructions) {
  GraphicsPipeline pipeline;
  pipeline.pixel_shader.alu_instructions = instructions;
  return pipeline;
}

/// Dispatches, by themselves and by an ExecuteIndirect, and draws with a barrier between.
CommandStream stream_of(const ComputePipeline& compute, const GraphicsPipeline& graphics) {
  CommandStream stream;
  stream.compute_pipelines = {compute};
  stream.graphics_pipelines = {graphics};
  stream.indirect_calls.push_back({Dispatch{0, 3}, 2, 12, false, false});
  stream.commands = {Dispatch{0, 8}, Barrier{}, ExecuteIndirect{0}, Barrier{}, Draw{0, 3, 1, 1, 4000, 4000}};
  return stream;
}

/// When it is over, with stops at these moments.
std::uint64_t end_ps(const CommandStream& stream, CommandEffects* effects, PreemptionLevel level,
                     const std::vector<std::uint64_t>& stops_ps) {
  PreemptionBench bench(plain_board(),
                        engine_of<GraphicsEngine>(stopping_at(plain_engine<GraphicsEngineConfig>(), level)));
  DmaPacket packet = packet_of(1, stream);
  packet.effects = effects;
  bench.submit(0, 0, std::move(packet));
  for (const std::uint64_t at_ps : stops_ps) bench.preempt(at_ps);
  bench.resubmit(100 * ns);
  bench.kernel.run_to_end();
  return bench.completed(1).finished_ps;
}

}  // namespace

TEST_CASE("variants: a draw or dispatch costs what the variant says, also when it was stopped in between",
          "[engines]") {
  const ComputePipeline own = taking(1000);
  const ComputePipeline fast = taking(400);
  const GraphicsPipeline own_draw = shading(900);
  const GraphicsPipeline fast_draw = shading(300);
  for (const PreemptionLevel level : {PreemptionLevel::command, PreemptionLevel::group, PreemptionLevel::thread}) {
    for (const auto& stops_ps :
         std::vector<std::vector<std::uint64_t>>{{}, {700 * ns}, {300 * ns, 2100 * ns, 3300 * ns}}) {
      Chooser chooser;
      chooser.compute = &fast;
      chooser.graphics = &fast_draw;
      CAPTURE(static_cast<int>(level), stops_ps.size());
      CHECK(end_ps(stream_of(own, own_draw), &chooser, level, stops_ps) ==
            end_ps(stream_of(fast, fast_draw), nullptr, level, stops_ps));
      CHECK(chooser.asked == std::vector<std::size_t>{0, 2, 2, 4});  // once each, however often it is stopped
      CHECK(end_ps(stream_of(own, own_draw), nullptr, level, stops_ps) >
            end_ps(stream_of(fast, fast_draw), nullptr, level, stops_ps));
    }
  }
}

TEST_CASE("variants: where none is chosen the stream's pipeline state is executed", "[engines]") {
  Chooser none;
  const CommandStream stream = stream_of(taking(1000), shading(900));
  CHECK(end_ps(stream, &none, PreemptionLevel::group, {}) == end_ps(stream, nullptr, PreemptionLevel::group, {}));
  CHECK(none.asked.size() == 4);
}
