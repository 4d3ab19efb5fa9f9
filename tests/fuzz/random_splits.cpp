// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_scenario.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>

namespace fenceline::testing {
namespace {

class Splits {
 public:
  Splits(Scenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed) {}

  void add() {
    SchedulerConfig& scheduler = scenario_.machine.scheduler;
    if (one_in(2)) {
      scheduler.dma_buffer_kib = 1;
      scheduler.dma_command_bytes = 200 + static_cast<std::uint32_t>(below(900));
      const bool leaks = scheduler.caps.preemption_aware && one_in(3);
      scheduler.caps.no_dma_patching = !leaks;
      for (auto& list : scenario_.lists) {
        list = with_offsets(*list);
        if (leaks && one_in(2)) list = with_patches(*list);
      }
    }
    if (!scheduler.caps.preemption_aware && one_in(3)) {
      scheduler.caps.multi_engine_aware = false;
      // Queues of a process hold each other up: one that waits might do so for what is behind it.
      const auto waits = [](const Step& step) { return step.what == Step::What::wait; };
      auto& steps = scenario_.steps;
      steps.erase(std::remove_if(steps.begin(), steps.end(), waits), steps.end());
    }
    if (!one_in(3)) return;
    scenario_.machine.linked_adapters = 2 + static_cast<std::uint32_t>(below(3));
    const std::uint64_t masks = (std::uint64_t{1} << scenario_.machine.linked_adapters) - 1;
    for (QueueConfig& queue : scenario_.queues) queue.node_mask = static_cast<std::uint32_t>(1 + below(masks));
    for (const Step& step : scenario_.steps) {  // swap chains are on the first adapter
      const bool frames = step.what == Step::What::present || step.what == Step::What::compose;
      if (frames) scenario_.queues[step.queue].node_mask |= 1;
    }
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  std::shared_ptr<const CommandStream> with_offsets(const CommandStream& list) {
    auto stream = std::make_shared<CommandStream>(list);
    const std::size_t size = stream->commands.size();
    if (one_in(3)) {
      auto& offsets = stream->splits.offsets.emplace();
      for (std::size_t command = 1; command < size; ++command) {
        if (one_in(2)) offsets.push_back(command);
      }
    }
    if (size > 2 && one_in(3)) {
      const std::size_t first = below(size - 1);
      stream->splits.bundles.emplace_back(first, first + 2 + below(size - first - 1));
    }
    return stream;
  }

  /// Slots that each command programs, and now and then one that leaks where the list is split.
  std::shared_ptr<const CommandStream> with_patches(const CommandStream& list) {
    auto stream = std::make_shared<CommandStream>(list);
    auto& patches = stream->splits.patches;
    const std::size_t size = stream->commands.size();
    const bool leaks = size > 0 && one_in(6);
    const std::size_t bound = size > 0 ? below(size) : 0;
    for (std::size_t command = 0; command < size; ++command) {
      if (leaks && command == bound) patches.push_back({command, 9, true});
      patches.push_back({command, 3, !one_in(3)});
      if (command % 2 == 0) continue;
      patches.push_back({command, 5, true});  // unbound in the same piece
      patches.push_back({command, 5, false});
    }
    return stream;
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
};

}  // namespace

Scenario with_splits(Scenario scenario, std::uint64_t seed) {
  Splits(scenario, seed).add();
  return scenario;
}

}  // namespace fenceline::testing
