// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_scenario.hpp"
#include "tests/support/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <variant>

namespace fenceline::testing {
namespace {

/// Whether the scenario has more than transfers, and what: what it has beside them does not depend on it.
class Operations {
 public:
  explicit Operations(std::uint64_t seed) : random_(~seed), has_(one_in(2)) {}
  bool has() const { return has_; }
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 random_;
  bool has_;
};

class Memory {
 public:
  Memory(Scenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed), operations_(seed) {}

  void add() {
    if (!one_in(3)) return;
    make_rules();
    make_allocations();
    for (std::size_t i = 0; i < scenario_.lists.size(); ++i) {
      auto& list = scenario_.lists[i];
      list = with_uses(operations_.has() && may_discard(i) ? *with_discards(*list) : *list);
    }
    for (const Step& step : scenario_.steps) {
      if (step.what != Step::What::execute) continue;
      const auto& used = scenario_.lists[step.list]->memory.allocations;
      scenario_.known[scenario_.queues[step.queue].process].insert(used.begin(), used.end());
    }
    add_steps();
    add_changes();
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  void make_rules() {
    VideoMemoryConfig& memory = scenario_.machine.video_memory;
    memory.dedicated_mib = 1 + static_cast<std::uint32_t>(below(3));
    memory.shared_mib = 64;
    memory.page_kib = one_in(2) ? 4 : 64;
    memory.residency = one_in(2) ? ResidencyModel::allocation_list : ResidencyModel::device_list;
    memory.over_commit = one_in(3) ? OverCommit::demote : OverCommit::page;
    memory.eviction = static_cast<EvictionPolicy>(below(3));
    memory.window_mib = 1;
    memory.paging_operations = 1 + static_cast<std::uint32_t>(below(6));
    memory.turn_us = static_cast<double>(below(200));
    if (operations_.has() && operations_.one_in(2)) memory.aperture = ApertureUse::on_use;
    memory.convert_page_tables = operations_.has() && operations_.one_in(2);
    if (!one_in(3)) return;
    memory.device_context_kib = one_in(2) ? 0 : 1 + static_cast<std::uint32_t>(below(300));
    for (NodeConfig& node : scenario_.machine.engines) {
      const std::uint32_t kib = one_in(3) ? 0 : 1 + static_cast<std::uint32_t>(below(400));
      std::visit([kib](auto& engine) { engine.context_state.allocation_kib = kib; }, node);
    }
  }

  void make_allocations() {
    for (std::uint64_t left = 2 + below(8); left > 0; --left) {
      AllocationConfig allocation;
      allocation.name = fmt::format("allocation {}", scenario_.allocations.size());
      allocation.bytes = 1 + below(one_in(8) ? 4 << 20 : 700 << 10);
      allocation.priority = one_in(3) ? static_cast<std::uint32_t>(below(4)) : normal_residency_priority;
      allocation.written = !one_in(3);
      allocation.fill = operations_.has() && operations_.one_in(3);
      scenario_.allocations.push_back(allocation);
    }
  }

  /// No copy queue executes the list.
  bool may_discard(std::size_t list) const {
    return std::none_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const Step& step) {
      return step.what == Step::What::execute && step.list == list &&
             scenario_.queues[step.queue].type == QueueType::copy;
    });
  }
  std::shared_ptr<const CommandStream> with_discards(const CommandStream& list) {
    auto stream = std::make_shared<CommandStream>(list);
    for (std::size_t left = operations_.below(4); left > 0; --left) {
      const std::size_t at = operations_.below(stream->commands.size() + 1);
      stream->commands.insert(stream->commands.begin() + static_cast<std::ptrdiff_t>(at), Discard{});
      StreamSplits& splits = stream->splits;
      if (splits.offsets) {
        for (std::size_t& offset : *splits.offsets) offset += offset > at ? 1 : 0;
      }
      for (auto& [first, end] : splits.bundles) {
        end += end > at ? 1 : 0;
        first += first >= at ? 1 : 0;
      }
      for (PatchLocation& patch : splits.patches) patch.command += patch.command >= at ? 1 : 0;
    }
    return stream;
  }

  std::shared_ptr<const CommandStream> with_uses(const CommandStream& list) {
    auto stream = std::make_shared<CommandStream>(list);
    StreamMemory& memory = stream->memory;
    for (std::size_t i = 0; i < list.commands.size(); ++i) {
      if (std::holds_alternative<Discard>(list.commands[i])) {
        const auto discarded = static_cast<std::uint32_t>(operations_.below(scenario_.allocations.size()));
        memory.uses.push_back({i, discarded, AllocationUse::As::discard});
        memory.discards = true;
        continue;
      }
      if (traits_of(list.commands[i]).work == CommandWork::stuck || !one_in(4)) continue;
      const auto allocation = static_cast<std::uint32_t>(below(scenario_.allocations.size()));
      const bool copies = copy_cost(list.commands[i]).has_value();
      // The end of a copy that lies in video memory.
      const bool from_device = copies && (copy_cost(list.commands[i])->route == CopyRoute::device_to_device ||
                                          copy_cost(list.commands[i])->route == CopyRoute::device_to_host);
      const bool to_device = copies && copy_cost(list.commands[i])->route == CopyRoute::host_to_device;
      if (copies && !from_device && !to_device) continue;
      memory.uses.push_back({i, allocation,
                             from_device ? AllocationUse::As::source
                             : to_device ? AllocationUse::As::destination
                                         : AllocationUse::As::other});
    }
    for (std::uint64_t left = below(3); left > 0; --left) {
      memory.uses.push_back({AllocationUse::of_list, static_cast<std::uint32_t>(below(scenario_.allocations.size()))});
    }
    for (const AllocationUse& use : memory.uses) {
      auto& all = memory.allocations;
      if (std::find(all.begin(), all.end(), use.allocation) == all.end()) all.push_back(use.allocation);
      memory.allocations_end = std::max(memory.allocations_end, use.allocation + 1);
    }
    return stream;
  }

  /// What no list uses comes and goes, and counts of what is used go up.
  void add_steps() {
    const auto spare = static_cast<std::uint32_t>(scenario_.allocations.size());
    scenario_.allocations.push_back({"spare", 1 + below(1 << 20), normal_residency_priority, one_in(2), one_in(2)});
    scenario_.allocations.back().fill = operations_.has() && operations_.one_in(2);
    for (std::uint64_t left = below(12); left > 0; --left) {
      Step step;
      step.queue = below(scenario_.queues.size());
      auto& known = scenario_.known[scenario_.queues[step.queue].process];
      known.insert(spare);
      step.what = one_in(2) ? Step::What::make_resident : Step::What::evict;
      step.list = spare;
      if (step.what == Step::What::make_resident && one_in(3)) {
        auto one = known.begin();
        std::advance(one, static_cast<std::ptrdiff_t>(below(known.size())));
        step.list = *one;
      }
      step.at_ps = below(2 * ms);
      scenario_.steps.push_back(step);
    }
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(),
                     [](const Step& a, const Step& b) { return a.at_ps < b.at_ps; });
  }

  /// Priorities change, and memory is reserved; where hangs are recovered from some moves never end.
  void add_changes() {
    std::mt19937_64 changes(operations_.below(~std::uint64_t{0}));
    const auto choice = [&changes](std::uint64_t limit) { return changes() % limit; };
    for (std::uint64_t left = choice(6); left > 0; --left) {
      Step step;
      step.queue = choice(scenario_.queues.size());
      step.what = choice(3) == 0 ? Step::What::reserve : Step::What::set_residency_priority;
      step.list = choice(scenario_.allocations.size());
      step.value = step.what == Step::What::reserve ? choice(4 << 20) : choice(4);
      step.at_ps = choice(2 * ms);
      scenario_.steps.push_back(step);
    }
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(),
                     [](const Step& a, const Step& b) { return a.at_ps < b.at_ps; });
    if (scenario_.machine.tdr.level != TdrLevel::recover || scenario_.machine.tdr.too_long_us <= 0) return;
    for (AllocationConfig& one : scenario_.allocations) {
      if (choice(8) == 0) one.paging_hangs = 1 + static_cast<std::uint32_t>(choice(2));
    }
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
  Operations operations_;
};

}  // namespace

Scenario with_memory(Scenario scenario, std::uint64_t seed) {
  Memory(scenario, seed ^ 0x9e3779b97f4a7c15U).add();
  return scenario;
}

}  // namespace fenceline::testing
