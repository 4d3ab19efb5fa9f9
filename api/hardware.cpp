// SPDX-License-Identifier: Apache-2.0
#include "api/hardware.hpp"

#include "api/queue_rules.hpp"
#include "engines/command/requested_level.hpp"
#include "engines/compute_engine.hpp"
#include "engines/copy_engine.hpp"
#include "engines/graphics_engine.hpp"
#include "sim/duration.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

namespace fenceline {
namespace {

/// The Windows 7 model withholds queued packets at most.
template <class Granularity>
void keep_coarse(ClassPreemption<Granularity>& preemption) {
  if (!traits_of(static_cast<PreemptionLevel>(preemption.granularity)).has(level_rule::stops_packets)) return;
  preemption = {};
}

/// What the engine does on this machine: its own configuration within what the scheduler's model allows.
NodeConfig within(const SchedulerConfig& scheduler, NodeConfig node, const std::string& link) {
  std::visit(
      [&](EngineConfig& engine) {
        if (!engine.runlist.empty() && !link.empty()) engine.runlist = link + "." + engine.runlist;
        if (scheduler.caps.hw_queue_packet_cap) {
          engine.hardware_queue_depth = std::min(engine.hardware_queue_depth, *scheduler.caps.hw_queue_packet_cap);
        }
        if (scheduler.caps.preemption_aware) return;
        keep_coarse(engine.graphics_preemption);
        keep_coarse(engine.compute_preemption);
        keep_coarse(engine.copy_preemption);
      },
      node);
  return node;
}

}  // namespace

void change_engine(Engine& engine, const SchedulerConfig& scheduler, const NodeConfig& node) {
  engine.change(engine_config(within(scheduler, node, "")));
}

namespace {

std::unique_ptr<Engine> make_engine(const std::string& name, const NodeConfig& node, ShaderArray& array, Memory& memory,
                                    EventLog& log) {
  struct Make {
    const char* name;
    ShaderArray& array;
    Memory& memory;
    EventLog& log;
    std::unique_ptr<Engine> operator()(const GraphicsEngineConfig& config) const {
      return std::make_unique<GraphicsEngine>(name, config, array, memory, log);
    }
    std::unique_ptr<Engine> operator()(const ComputeEngineConfig& config) const {
      return std::make_unique<ComputeEngine>(name, config, array, memory, log);
    }
    std::unique_ptr<Engine> operator()(const CopyEngineConfig& config) const {
      return std::make_unique<CopyEngine>(name, config, memory, log);
    }
  };
  return std::visit(Make{name.c_str(), array, memory, log}, node);
}

}  // namespace

std::vector<std::unique_ptr<Engine>> make_engines(const MachineConfig& config, const std::string& link,
                                                  ShaderArray& array, Memory& memory, EventLog& log) {
  const auto names = node_names(config.engines);
  std::vector<std::unique_ptr<Engine>> engines;
  for (std::size_t i = 0; i < config.engines.size(); ++i) {
    engines.push_back(make_engine(names[i], within(config.scheduler, config.engines[i], link), array, memory, log));
  }
  return engines;
}

PagingConfig paging_of(const MachineConfig& machine) {
  PagingConfig paging;
  paging.memory = machine.video_memory;
  paging.enabled = true;
  const auto path = machine.submission_paths.find(machine.default_path);
  for (const NodeConfig& node : machine.engines) {
    if (path != machine.submission_paths.end()) paging.paths.push_back(node_path(path->second, node));
  }
  for (std::uint32_t link = 0; link < machine.linked_adapters; ++link) {
    paging.nodes.push_back(paging_node_of(machine) + link * static_cast<std::uint32_t>(machine.engines.size()));
  }
  return paging;
}

LinkedAdapter::LinkedAdapter(sc_core::sc_module_name module_name, const MachineConfig& config, EventLog& log)
    : sc_module(module_name),
      memory("memory", config.memory, log),
      shader_array("shader_array", config.shader_array, memory, log),
      engines(make_engines(config, basename(), shader_array, memory, log)) {}

Hardware::Hardware(sc_core::sc_module_name module_name, const MachineConfig& config, EventLog& log)
    : sc_module(module_name),
      memory("memory", config.memory, log),
      shader_array("shader_array", config.shader_array, memory, log),
      fences("fences", config.scheduler.fences, log),
      display("display", config.display, ps_of_us(config.scheduler.isr_us) + ps_of_us(config.scheduler.dpc_us), fences,
              log),
      host("host"),
      cpu("cpu", config.host.cpu) {
  engines = make_engines(config, {}, shader_array, memory, log);
  for (std::uint32_t link = 1; link < config.linked_adapters; ++link) {
    links.push_back(std::make_unique<LinkedAdapter>(link_name(link).c_str(), config, log));
  }
  scheduler =
      std::make_unique<Scheduler>("scheduler", config.scheduler, nodes(), fences, log, config.tdr, paging_of(config));
}

std::vector<Engine*> Hardware::nodes() const {
  std::vector<Engine*> nodes;
  for (const auto& engine : engines) nodes.push_back(engine.get());
  for (const auto& link : links) {
    for (const auto& engine : link->engines) nodes.push_back(engine.get());
  }
  return nodes;
}

PreemptionLevel stops_at(const MachineConfig& machine, const NodeConfig& node) {
  const auto of_class = [](const auto& preemption) {
    const LevelSchedule levels(preemption);
    return levels.level_after(0) == PreemptionLevel::none ? PreemptionLevel::none : levels.finest();
  };
  const EngineConfig& config = engine_config(node);
  PreemptionLevel level = std::holds_alternative<CopyEngineConfig>(node) ? of_class(config.copy_preemption)
                                                                         : of_class(config.compute_preemption);
  if (std::holds_alternative<GraphicsEngineConfig>(node)) {
    level = std::min(level, of_class(config.graphics_preemption));
  }
  for (const auto& [name, path] : machine.submission_paths) {
    for (const auto& finest :
         {path.graphics.finest_preemption, path.compute.finest_preemption, path.copy.finest_preemption}) {
      level = std::min(level, static_cast<PreemptionLevel>(finest));
    }
  }
  return level;
}

}  // namespace fenceline
