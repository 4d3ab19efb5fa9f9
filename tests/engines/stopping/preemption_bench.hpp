// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/now.hpp"
#include "tests/engines/board.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// What submitting a packet costs, picoseconds, where a test does not say otherwise.
constexpr std::uint64_t launch_ps = 3 * ns;
constexpr std::uint64_t retire_ps = 2 * ns;

/// One level for each kind of work that the engine runs.
template <class Config>
Config stopping_at(Config config, PreemptionLevel graphics, PreemptionLevel compute, PreemptionLevel copy) {
  config.graphics_preemption.granularity = static_cast<GraphicsPreemption>(graphics);
  config.compute_preemption.granularity = static_cast<ComputePreemption>(compute);
  config.copy_preemption.granularity = static_cast<CopyPreemption>(copy);
  return config;
}
/// The same level for all that the engine runs.
template <class Config>
Config stopping_at(Config config, PreemptionLevel level) {
  return stopping_at(std::move(config), level, level, level);
}

/// Everything at 1 GHz, nothing but what a test asks for: one SM with two places, an instruction a cycle however many
/// share it, no launch costs, video memory of 1000 bytes a nanosecond and PCIe of 10.
inline BoardConfig plain_board() {
  BoardConfig board;
  ShaderArrayConfig& array = board.array;
  array.sms = array.graphics_sms = 1;
  array.clock_mhz = 1000;
  array.groups_per_sm = 2;
  array.alu_latency_cycles = 1;
  array.alu_lanes = 1e6;
  array.shared_bytes_reserved_per_group = 0;
  array.shared_splits_kib.clear();
  board.memory.pcie_to_device.gb_per_s = board.memory.pcie_to_host.gb_per_s = 10;
  return board;
}

/// An engine at 1 GHz, ten cycles a command, twenty a barrier; state is saved 5 ns after the stop, restored after 7,
/// a byte a nanosecond.
template <class Config>
Config plain_engine() {
  Config config;
  config.clock_mhz = 1000;
  config.command_cycles = 10;
  config.barrier_cycles = 20;
  config.hardware_queue_depth = 4;
  config.context_state.bytes = 100;
  config.context_state.thread_bytes = 2;
  config.context_state.save_us = 0.005;
  config.context_state.restore_us = 0.007;
  config.context_state.gb_per_s = 1;
  return config;
}

/// A board whose packets are submitted and preempted at given times, and what came back is submitted again.
class PreemptionBench : public KernelOf<Board> {
 public:
  PreemptionBench(const BoardConfig& config, const Board::MakeEngine& make) : KernelOf(config, make) {}

  void submit(std::uint64_t at_ps, std::uint32_t queue, DmaPacket packet) {
    enter([&](Board& board) { submit_at(board, at_ps, queue, std::move(packet)); });
  }
  /// Not while an earlier request is under way.
  void preempt(std::uint64_t at_ps, std::uint32_t queue = 0) {
    enter([&](Board& board) {
      board.script.at(at_ps, [&board, queue] {
        if (!board.engine->preempting(queue)) board.engine->preempt(queue);
      });
    });
  }
  /// All that the engine has comes back `pause_ps` later.
  void reset(std::uint64_t at_ps, std::uint64_t pause_ps) {
    enter([&](Board& board) {
      board.script.at(at_ps, [&board] { board.engine->reset(); });
      board.on_reset = [&board, pause_ps](Board::Reset& reset) {
        for (DmaPacket& packet : reset.packets) submit_at(board, now_ps() + pause_ps, reset.queue, packet);
      };
    });
  }
  /// What comes back is submitted again at the first multiple of `step_ps` that is `pause_ps` after the answer.
  void resubmit(std::uint64_t pause_ps, std::uint64_t step_ps = 1) {
    top().on_preempted = [&board = top(), pause_ps, step_ps](Board::Preempted& answer) {
      const std::uint64_t at_ps = (now_ps() + pause_ps + step_ps - 1) / step_ps * step_ps;
      for (DmaPacket& packet : answer.packets) submit_at(board, at_ps, answer.queue, packet);
    };
  }
  const DmaPacket& completed(std::uint64_t id) {
    const DmaPacket* found = nullptr;
    for (const Board::Completed& done : top().completed) {
      if (done.packet.id != id) continue;
      REQUIRE(found == nullptr);
      found = &done.packet;
    }
    REQUIRE(found != nullptr);
    return *found;
  }

 private:
  static void submit_at(Board& board, std::uint64_t at_ps, std::uint32_t queue, DmaPacket packet) {
    auto shared = std::make_shared<DmaPacket>(std::move(packet));
    board.script.at(at_ps, [&board, queue, shared] { board.engine->submit(queue, std::move(*shared)); });
  }
};

}  // namespace fenceline::testing
