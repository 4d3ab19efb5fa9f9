// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/compute_engine.hpp"
#include "engines/copy_engine.hpp"
#include "engines/engine.hpp"
#include "engines/graphics_engine.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"
#include "tests/support/units.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::testing {

struct BoardConfig {
  ShaderArrayConfig array;
  MemoryConfig memory;
};

/// Memory, a shader array and one engine, with a listener that only takes notes.
class Board : public sc_core::sc_module, public EngineListener {
 public:
  using MakeEngine = std::function<std::unique_ptr<Engine>(Board&)>;
  struct Completed {
    std::uint32_t queue;
    DmaPacket packet;
    std::uint64_t at_ps;
  };
  struct Preempted {
    std::uint32_t queue;
    PreemptionReport report;
    std::vector<DmaPacket> packets;
    std::uint64_t at_ps;
  };

  Board(sc_core::sc_module_name module_name, const BoardConfig& config, const MakeEngine& make)
      : sc_module(module_name),
        memory("memory", config.memory, log),
        array("array", config.array, memory, log),
        script("script"),
        engine(make(*this)) {
    engine->set_listener(*this);
  }

  void packet_completed(Engine&, std::uint32_t queue, DmaPacket packet) override {
    completed.push_back({queue, std::move(packet), now_ps()});
    if (on_completed) on_completed();
  }
  void packets_preempted(Engine&, std::uint32_t queue, const PreemptionReport& report,
                         std::vector<DmaPacket> packets) override {
    preempted.push_back({queue, report, std::move(packets), now_ps()});
    if (on_preempted) on_preempted(preempted.back());
  }
  void queue_reset(Engine&, std::uint32_t queue, std::vector<DmaPacket> packets) override {
    resets.push_back({queue, std::move(packets), now_ps()});
    if (on_reset) on_reset(resets.back());
  }
  void got_stuck(Engine&, std::uint32_t queue, bool page_fault) override {
    stuck.push_back({queue, page_fault, now_ps()});
  }
  void phase_changed(Engine&, std::uint32_t queue, Phase from, Phase to) override {
    if (queue == 0) changes.emplace_back(from, to);
  }

  EventLog log;
  Memory memory;
  ShaderArray array;
  Script script;
  std::unique_ptr<Engine> engine;
  std::vector<Completed> completed;
  std::vector<Preempted> preempted;
  std::vector<std::pair<Phase, Phase>> changes;  // of hardware queue 0
  struct Reset {
    std::uint32_t queue;
    std::vector<DmaPacket> packets;
    std::uint64_t at_ps;
  };
  struct Stuck {
    std::uint32_t queue;
    bool page_fault;
    std::uint64_t at_ps;
  };
  std::vector<Reset> resets;
  std::vector<Stuck> stuck;
  std::function<void(Reset&)> on_reset;
  std::function<void()> on_completed;
  std::function<void(Preempted&)> on_preempted;
};

/// What one kind of engine is made of, on the board.
template <class Kind, class Config>
Board::MakeEngine engine_of(const Config& config) {
  return [config](Board& board) -> std::unique_ptr<Engine> {
    if constexpr (std::is_same_v<Kind, CopyEngine>) {
      return std::make_unique<Kind>("engine", config, board.memory, board.log);
    } else {
      return std::make_unique<Kind>("engine", config, board.array, board.memory, board.log);
    }
  };
}

/// A cycle of what runs at 1 GHz.
constexpr std::uint64_t cycle_ps = ns;

/// A board whose SMs run at 1 GHz.
inline BoardConfig gigahertz_board() {
  BoardConfig config;
  config.array.clock_mhz = 1000;
  return config;
}

/// An engine that runs at 1 GHz.
template <class Config>
Config gigahertz_engine() {
  Config config;
  config.clock_mhz = 1000;
  return config;
}

inline DmaPacket packet_of(std::uint64_t id, CommandStream stream, SubmissionCost cost = {}) {
  DmaPacket packet;
  packet.id = id;
  packet.submission_fence_id = id;
  packet.stream = std::make_shared<const CommandStream>(std::move(stream));
  packet.cost = cost;
  return packet;
}

/// A packet that has run alone on the board, from `cursor` on.
template <class Kind, class Config>
DmaPacket run_alone(const BoardConfig& board_config, const Config& config, CommandStream stream, Cursor cursor = {}) {
  KernelOf<Board> bench(board_config, engine_of<Kind>(config));
  bench.enter([&](Board& board) {
    DmaPacket packet = packet_of(1, std::move(stream));
    packet.cursor = cursor;
    board.engine->submit(0, std::move(packet));
  });
  bench.kernel.run_to_end();
  return bench.top().completed.at(0).packet;
}

/// Time on the engine, from the first start to the end and without the pauses.
inline std::uint64_t running_ps(const DmaPacket& packet) {
  return packet.finished_ps - packet.started_ps - packet.preempted_ps;
}

}  // namespace fenceline::testing
