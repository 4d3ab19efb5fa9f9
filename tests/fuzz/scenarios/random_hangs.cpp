// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config.hpp"
#include "tests/fuzz/random_scenario.hpp"
#include "tests/support/units.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace fenceline::testing {
namespace {

class Hangs {
 public:
  Hangs(Scenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed) {}

  void add() {
    if (!one_in(3)) return;
    make_rules();
    make_dependents();
    // Where a driver has no contexts all queues of a process are one.
    std::map<std::string, bool> exempt;
    for (QueueConfig& queue : scenario_.queues) {
      queue.disable_gpu_timeout = exempt.try_emplace(queue.process, one_in(5)).first->second;
    }
    for (std::uint64_t left = below(5); left > 0; --left) add_culprit();
    for (std::uint64_t left = below(4); left > 0; --left) {
      Step step;
      step.what = Step::What::create_device;
      step.queue = below(scenario_.queues.size());
      step.at_ps = below(2 * ms);
      scenario_.steps.push_back(step);
    }
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(),
                     [](const Step& a, const Step& b) { return a.at_ps < b.at_ps; });
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(choices.size()));
  }

  void make_rules() {
    TdrConfig& tdr = scenario_.machine.tdr;
    tdr.level = TdrLevel::recover;  // whatever the policy
    tdr.delay_us = scenario_.machine.scheduler.preemption_timeout_us = one_of({5.0, 30.0, 100.0, 400.0});
    tdr.too_long_us = one_of({50.0, 200.0, 1000.0});
    tdr.dependent_wait_us = one_of({0.0, 20.0, 200.0});
    tdr.engine_reset = one_in(2) ? EngineResets::supported : enum_names(EngineResets{})[below(3)].first;
    tdr.engine_reset_us = one_of({0.0, 3.0, 50.0});
    tdr.adapter_reset_us = one_of({0.0, 10.0, 200.0});
    tdr.limit_count = one_of({0U, 1U, 2U, 5U, 1000U});
    tdr.limit_time_us = one_of({100.0, 1000.0, 1e6});
    tdr.debug_mode = one_in(3) ? TdrDebugMode::recover_always : TdrDebugMode::recover;
  }

  void make_dependents() {
    const std::vector<std::string> names = node_names(scenario_.machine.engines);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EngineConfig& engine = std::visit([](auto& one) -> EngineConfig& { return one; }, scenario_.machine.engines[i]);
      for (const std::string& other : names) {
        if (other != names[i] && one_in(4)) engine.dependent_nodes.push_back(other);
      }
    }
  }

  /// Executed by a queue that times out: nothing else would ever end it.
  void add_culprit() {
    Step step;
    step.queue = below(scenario_.queues.size());
    if (scenario_.queues[step.queue].disable_gpu_timeout) return;
    std::vector<std::size_t> lists;  // of the queue's type
    const std::string type = std::string(name_of(scenario_.queues[step.queue].type)) + " list";
    for (std::size_t i = 0; i < scenario_.lists.size(); ++i) {
      if (scenario_.lists[i]->name.rfind(type, 0) == 0) lists.push_back(i);
    }
    auto list = std::make_shared<CommandStream>(*scenario_.lists[lists[below(lists.size())]]);
    auto& commands = list->commands;
    commands.insert(commands.begin() + static_cast<std::ptrdiff_t>(below(commands.size() + 1)), culprit(*list, step));
    step.list = scenario_.lists.size();
    list->name += " as " + std::to_string(step.list);
    step.at_ps = below(400 * us);
    scenario_.lists.push_back(std::move(list));
    scenario_.steps.push_back(step);
  }

  Command culprit(CommandStream& list, const Step& step) {
    if (one_in(3)) {
      FaultingAccess access;
      access.address = below(1 << 20);
      access.write = one_in(2);
      access.adapter_reset = one_in(4);
      list.faulting_accesses.push_back(access);
      return PageFault{static_cast<std::uint32_t>(list.faulting_accesses.size() - 1)};
    }
    if (one_in(2) || scenario_.queues[step.queue].type == QueueType::copy) return Hang{};
    ComputePipeline runaway;
    runaway.name = "runaway";
    runaway.group.threads = 64;
    runaway.work.cycles = 1'000'000;
    list.compute_pipelines.push_back(runaway);
    return Dispatch{static_cast<std::uint32_t>(list.compute_pipelines.size() - 1), 1 + below(20)};
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
};

}  // namespace

Scenario with_hangs(Scenario scenario, std::uint64_t seed) {
  Hangs(scenario, seed).add();
  return scenario;
}

}  // namespace fenceline::testing
