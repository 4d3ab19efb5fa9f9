// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/compute_engine.hpp"
#include "engines/copy_engine.hpp"
#include "engines/graphics_engine.hpp"
#include "tests/engines/board.hpp"
#include "tests/engines/random_lists.hpp"

#include <cstdint>
#include <type_traits>

namespace fenceline::testing {

template <class Granularity>
void random_preemption(RandomLists& random, ClassPreemption<Granularity>& preemption) {
  const auto names = enum_names(Granularity{});
  const auto level = [&](std::uint64_t step) { return names[step].first; };
  const std::uint64_t finest = random.one_in(2) ? names.size() - 1 : random.below(names.size());
  preemption.granularity = level(finest);
  if (finest == 0 || random.one_in(2)) return;
  preemption.escalation.push_back({level(random.below(finest)), 0});
  preemption.escalation.push_back({level(finest), static_cast<double>(1 + random.below(3000)) / 1000});
}

/// Any costs, and any levels with or without a coarser one before.
template <class Config>
Config random_engine(RandomLists& random) {
  Config config;
  config.clock_mhz = random.one_in(2) ? 1000 : 1755;
  config.hardware_queues = 1 + random.below32(2);
  config.hardware_queue_depth = 1 + random.below32(3);
  config.command_cycles = random.below32(3) * 50;
  config.barrier_cycles = random.below32(3) * 50;
  config.commands_in_flight = random.one_in(2) ? 128 : 1 + random.below32(4);
  config.indirect_fetch_ns = static_cast<double>(random.below(300));
  config.context_state.bytes = random.one_in(3) ? 0 : random.below(5000);
  config.context_state.thread_bytes = random.below32(3) * 8;
  config.context_state.save_us = static_cast<double>(random.below(3)) * 0.1;
  config.context_state.restore_us = static_cast<double>(random.below(3)) * 0.1;
  random_preemption(random, config.graphics_preemption);
  random_preemption(random, config.compute_preemption);
  random_preemption(random, config.copy_preemption);
  if constexpr (std::is_same_v<Config, CopyEngineConfig>) {
    config.setup_cycles = random.below32(300);
    if (random.one_in(2)) config.commands_in_flight = 3;
  }
  if constexpr (std::is_same_v<Config, GraphicsEngineConfig>) {
    config.write_back_bytes = 1;
    config.pipeline_change_cycles = config.dispatch_switch_cycles = random.below32(2) * 30;
  }
  return config;
}

inline BoardConfig random_board(RandomLists& random) {
  BoardConfig board;
  board.array = random.config();
  board.array.memory_group_overhead_ns = static_cast<double>(random.below(300));
  const double latency_ns = static_cast<double>(random.below(50));
  board.memory.vram = {static_cast<double>(100 + random.below(900)), latency_ns, ChannelSharing::fair,
                       static_cast<double>(random.below(4))};
  board.memory.l2.hit_bytes = random.below(2) * (1 << 14);
  board.memory.l2.miss_bytes = 1 << 17;
  board.memory.device_copy_setup_ns = static_cast<double>(random.below(2) * 100);
  return board;
}

}  // namespace fenceline::testing
