// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/needed_names.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>
#include <vector>

namespace fenceline {
namespace {

// What a step or command may name.
constexpr auto names_queue = [](const auto& one) -> decltype(static_cast<void>(one.queue)) {};
constexpr auto names_process = [](const auto& one) -> decltype(static_cast<void>(one.process)) {};
constexpr auto names_fence = [](const auto& one) -> decltype(static_cast<void>(one.fence)) {};
constexpr auto names_pipeline = [](const auto& one) -> decltype(static_cast<void>(one.pipeline)) {};
constexpr auto names_lists = [](const auto& one) -> decltype(static_cast<void>(one.lists)) {};
constexpr auto names_swap_chain = [](const auto& one) -> decltype(static_cast<void>(one.swap_chain)) {};
constexpr auto names_resource = [](const auto& one) -> decltype(static_cast<void>(one.resource)) {};
constexpr auto names_resources = [](const auto& one) -> decltype(static_cast<void>(one.resources)) {};
constexpr auto has_steps = [](const auto& one) -> decltype(static_cast<void>(one.steps)) {};
template <class Names, class One>
constexpr bool does(const Names&) {
  return std::is_invocable_v<Names, const One&>;
}

struct OfStep {
  NeededNames& needed;
  template <class One>
  void operator()(const One& step) const {
    if constexpr (does<decltype(has_steps), One>(has_steps)) {
      for (const auto& inner : step.steps) std::visit(*this, inner);
    }
    if constexpr (does<decltype(names_queue), One>(names_queue)) needed.queues.insert(step.queue);
    if constexpr (does<decltype(names_swap_chain), One>(names_swap_chain)) needed.swap_chains.insert(step.swap_chain);
    if constexpr (does<decltype(names_process), One>(names_process)) needed.processes.insert(step.process);
    if constexpr (does<decltype(names_fence), One>(names_fence)) needed.fences.insert(step.fence);
    if constexpr (does<decltype(names_pipeline), One>(names_pipeline)) needed.pipelines.insert(step.pipeline);
    if constexpr (does<decltype(names_lists), One>(names_lists)) {
      needed.lists.insert(step.lists.begin(), step.lists.end());
    }
    if constexpr (does<decltype(names_resource), One>(names_resource)) needed.resources.insert(step.resource);
    if constexpr (does<decltype(names_resources), One>(names_resources)) {
      needed.resources.insert(step.resources.begin(), step.resources.end());
    }
  }
};

struct OfCommand {
  NeededNames& needed;
  template <class One>
  void operator()(const One& command) const {
    const auto add = [&](const std::string& name) { needed.resources.insert(name); };
    command.for_each_resource(add);
    if (const auto* const effects = effects_of(command)) {
      for (const EffectInfo& effect : *effects) for_each_name(effect, add);
    }
    if constexpr (does<decltype(names_pipeline), One>(names_pipeline)) needed.pipelines.insert(command.pipeline);
    if constexpr (std::is_same_v<One, ExecuteIndirectCommand>) std::visit(*this, command.command);
    if constexpr (std::is_same_v<One, ExecuteBundleCommand>) needed.lists.insert(command.bundle);
    if constexpr (std::is_same_v<One, RepeatCommand>) {
      for (const SimpleCommandInfo& inner : command.commands) std::visit(*this, inner);
    }
  }
};

void add_of_list(const CommandListInfo& list, NeededNames& needed) {
  for (const CommandInfo& command : list.commands) std::visit(OfCommand{needed}, command);
  needed.resources.insert(list.uses.begin(), list.uses.end());
  for (const PatchInfo& patch : list.patches) needed.resources.insert(patch.resource);
}

template <class Thing>
void keep(std::vector<Thing>& things, const std::set<std::string>& names) {
  const auto is_left_out = [&](const Thing& thing) { return names.count(thing.name) == 0; };
  things.erase(std::remove_if(things.begin(), things.end(), is_left_out), things.end());
}

}  // namespace

NeededNames::NeededNames(const Workload& workload) {
  for (const QueueInfo& queue : workload.queues) {
    if (!queue.timeline.empty()) queues.insert(queue.name);
    for (const QueueStep& step : queue.timeline) std::visit(OfStep{*this}, step);
  }
  for (const CpuInfo& cpu : workload.cpus) {
    for (const CpuStep& step : cpu.timeline) std::visit(OfStep{*this}, step);
  }
  for (const DeadlineInfo& deadline : workload.deadlines) fences.insert(deadline.fence);
  for (const FenceInfo& fence : workload.fences) {
    if (!fence.frames_of.empty() && fences.count(fence.name) > 0) swap_chains.insert(fence.frames_of);
  }
  const auto is_others = [&](const std::string& name) {
    const auto has_it = [&](const SwapChainInfo& chain) { return chain.name == name; };
    return std::any_of(workload.swap_chains.begin(), workload.swap_chains.end(), has_it);
  };
  for (const std::string& name : swap_chains) {
    if (!name.empty() && !is_others(name)) queues.insert(name);
  }
  for (const SwapChainInfo& chain : workload.swap_chains) {
    if (swap_chains.count(chain.name) == 0) continue;
    queues.insert(chain.queue);
    queues.insert(chain.composed_by);
  }
  for (const FenceInfo& fence : workload.fences) {  // swap chains are called as it is
    if (fence.frames_of.empty()) continue;
    if (queues.count(fence.frames_of) + swap_chains.count(fence.frames_of) > 0) fences.insert(fence.name);
  }
  for (const QueueInfo& queue : workload.queues) {  // which is never a window's itself
    if (queues.count(queue.name) > 0) queues.insert(queue.composed_by);
  }
  for (const QueueInfo& queue : workload.queues) {
    if (queues.count(queue.name) > 0) processes.insert(queue.process);
  }
  for (const FenceInfo& fence : workload.fences) {
    if (fences.count(fence.name) > 0) processes.insert(fence.process);
  }
  for (const CommandListInfo& list : workload.command_lists) {
    if (list.type != CommandListType::bundle && lists.count(list.name) > 0) add_of_list(list, *this);
  }
  for (const CommandListInfo& list : workload.command_lists) {
    if (list.type == CommandListType::bundle && lists.count(list.name) > 0) add_of_list(list, *this);
  }
}

void drop_unneeded(Workload& workload) {
  const NeededNames needed(workload);
  keep(workload.queues, needed.queues);
  keep(workload.swap_chains, needed.swap_chains);
  keep(workload.command_lists, needed.lists);
  keep(workload.compute_pipelines, needed.pipelines);
  keep(workload.graphics_pipelines, needed.pipelines);
  keep(workload.fences, needed.fences);
  keep(workload.processes, needed.processes);
  const auto is_left_out = [&](const Resource& resource) {
    return std::visit([&](const auto& one) { return needed.resources.count(one.name) == 0; }, resource);
  };
  auto& resources = workload.resources;
  resources.erase(std::remove_if(resources.begin(), resources.end(), is_left_out), resources.end());
  auto& cpus = workload.cpus;
  cpus.erase(std::remove_if(cpus.begin(), cpus.end(), [](const CpuInfo& cpu) { return cpu.timeline.empty(); }),
             cpus.end());
}

}  // namespace fenceline
