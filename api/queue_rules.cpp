// SPDX-License-Identifier: Apache-2.0
#include "api/queue_rules.hpp"

#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fenceline {
namespace {

bool has_pipeline(const CommandStream& stream, const Command& command) {
  if (const auto* draw = std::get_if<Draw>(&command)) return draw->pipeline < stream.graphics_pipelines.size();
  if (const auto* draw = std::get_if<DrawIndexed>(&command)) {
    return draw->draw.pipeline < stream.graphics_pipelines.size();
  }
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
    return dispatch->pipeline < stream.compute_pipelines.size();
  }
  return true;
}

/// What stands against the groups of a dispatch; empty: nothing.
std::string dispatch_refusal(const CommandStream& stream, const Command& command, const ShaderArrayConfig& array) {
  const auto* dispatch = std::get_if<Dispatch>(&command);
  if (dispatch == nullptr) return {};
  const ComputePipeline& pipeline = stream.compute_pipelines[dispatch->pipeline];
  if (pipeline.group.threads == 0 || pipeline.work.bytes_in_flight_per_thread == 0) {
    return fmt::format("pipeline {} has groups without threads or threads that can have no access in flight",
                       in_quotes(pipeline.name));
  }
  if (groups_that_fit(pipeline.group, array) == 0) {
    return fmt::format("a group of pipeline \"{}\" ({} threads, {} registers a thread, {} shared bytes) fits on no SM",
                       pipeline.name, pipeline.group.threads, pipeline.group.registers_per_thread,
                       pipeline.group.shared_bytes);
  }
  return {};
}

}  // namespace

const char* name_of(QueueType type) { return enum_names(type)[static_cast<std::size_t>(type)].second; }
const char* name_of(CommandListType type) { return enum_names(type)[static_cast<std::size_t>(type)].second; }

const NodePath& node_path(const SubmissionPath& path, const NodeConfig& node) {
  if (std::holds_alternative<GraphicsEngineConfig>(node)) return path.graphics;
  if (std::holds_alternative<ComputeEngineConfig>(node)) return path.compute;
  return path.copy;
}

std::uint32_t paging_node_of(const MachineConfig& machine) {
  const std::string& named = machine.video_memory.paging_node;
  const std::vector<std::string> names = node_names(machine.engines);
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (named.empty() ? std::holds_alternative<CopyEngineConfig>(machine.engines[i]) : names[i] == named) return i;
  }
  return 0;
}

bool allowed(const Command& command, CommandListType type) {
  const ListTypes& lists = traits_of(command).lists;
  switch (type) {
    case CommandListType::direct: return lists.direct;
    case CommandListType::compute: return lists.compute;
    case CommandListType::copy: return lists.copy;
    case CommandListType::bundle: return lists.bundle;
  }
  return false;
}

bool runs_on(const NodeConfig& node, QueueType type) {
  switch (type) {
    case QueueType::direct: return std::holds_alternative<GraphicsEngineConfig>(node);
    case QueueType::compute: return std::holds_alternative<ComputeEngineConfig>(node);
    case QueueType::copy: return std::holds_alternative<CopyEngineConfig>(node);
  }
  return false;
}

bool preemptible(const MachineConfig& machine, QueueType type) {
  return std::none_of(machine.engines.begin(), machine.engines.end(), [&](const NodeConfig& node) {
    if (!runs_on(node, type)) return false;
    const EngineConfig& engine = engine_config(node);
    switch (type) {
      case QueueType::direct: return engine.graphics_preemption.granularity == GraphicsPreemption::none;
      case QueueType::compute: return engine.compute_preemption.granularity == ComputePreemption::none;
      case QueueType::copy: return engine.copy_preemption.granularity == CopyPreemption::none;
    }
    return false;
  });
}

std::vector<std::uint32_t> nodes_of(const std::vector<QueueConfig>& queues, const MachineConfig& machine) {
  std::vector<std::uint32_t> result;
  std::array<std::size_t, 3> of_type{};
  for (const QueueConfig& queue : queues) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < machine.engines.size(); ++i) {
      if (runs_on(machine.engines[i], queue.type)) nodes.push_back(i);
    }
    result.push_back(nodes[of_type[static_cast<std::size_t>(queue.type)]++ % nodes.size()]);
  }
  return result;
}

std::string d3d12_path(const MachineConfig& machine) {
  constexpr const char* vulkan = "vulkan_queue";
  return machine.submission_paths.count(vulkan) > 0 ? vulkan : machine.default_path;
}

std::string refusal(const QueueConfig& queue, const MachineConfig& machine) {
  const auto& nodes = machine.engines;
  if (std::none_of(nodes.begin(), nodes.end(), [&](const NodeConfig& node) { return runs_on(node, queue.type); })) {
    return fmt::format("machine \"{}\" has no node for {} queues", machine.name, name_of(queue.type));
  }
  if (queue.node_mask == 0 || queue.node_mask >> machine.linked_adapters != 0) {
    return fmt::format("node_mask {}: expected bits of the {} linked adapters, at least one", queue.node_mask,
                       machine.linked_adapters);
  }
  const std::string& path = queue.path.empty() ? machine.default_path : queue.path;
  if (machine.submission_paths.count(path) == 0) {
    return fmt::format("machine \"{}\" has no submission path \"{}\"", machine.name, path);
  }
  if (queue.priority == QueuePriority::global_realtime && !preemptible(machine, queue.type)) {
    return fmt::format(
        "priority global_realtime needs an engine that can be preempted; the granularity of machine \"{}\" for {} "
        "queues is none",
        machine.name, name_of(queue.type));
  }
  const auto wrong = [](const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
    return fmt::format("{}: expected {} to {}, found {}", what, least, most, value);
  };
  if (queue.in_process_priority && std::abs(*queue.in_process_priority) > highest_in_process_priority) {
    return wrong("in_process_priority", *queue.in_process_priority, -highest_in_process_priority,
                 highest_in_process_priority);
  }
  if (queue.realtime_level && *queue.realtime_level > highest_realtime_level) {
    return wrong("realtime_level", *queue.realtime_level, 0, highest_realtime_level);
  }
  return {};
}

std::string refusal(const CommandStream& stream, QueueType type, const MachineConfig& machine) {
  for (std::size_t i = 0; i < stream.commands.size(); ++i) {
    const Command* command = &stream.commands[i];
    if (!allowed(*command, command_list_type(type))) {
      return fmt::format("command {} ({}) is not allowed on a {} queue", i, name_of(*command), name_of(type));
    }
    if (const auto* indirect = std::get_if<ExecuteIndirect>(command)) {
      if (indirect->call >= stream.indirect_calls.size()) {
        return fmt::format("command {} names an indirect call the list does not have", i);
      }
      command = &stream.indirect_calls[indirect->call].command;
      if (!traits_of(*command).has(command_rule::repeatable) || !allowed(*command, command_list_type(type))) {
        return fmt::format("command {} (ExecuteIndirect) repeats {}, which is not allowed on a {} queue", i,
                           name_of(*command), name_of(type));
      }
    }
    if (!has_pipeline(stream, *command)) return fmt::format("command {} names a pipeline the list does not have", i);
    std::string reason = dispatch_refusal(stream, *command, machine.shader_array);
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace fenceline
