// SPDX-License-Identifier: Apache-2.0
#include "api/queue_rules.hpp"

#include "engines/residency.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

const char* name_of(QueueType type) { return enum_names(type)[static_cast<std::size_t>(type)].second; }

// Source: D3D12's table of methods per command list type (facts d3d12-multi-engine, section 6).
bool allowed(const Command& command, QueueType type) {
  if (type == QueueType::direct) return true;
  if (std::holds_alternative<Draw>(command) || std::holds_alternative<DrawIndexed>(command)) return false;
  if (type == QueueType::compute) return true;
  return !std::holds_alternative<Dispatch>(command) && !std::holds_alternative<Clear>(command);
}

bool runs_on(const NodeConfig& node, QueueType type) {
  switch (type) {
    case QueueType::direct: return std::holds_alternative<GraphicsEngineConfig>(node);
    case QueueType::compute: return std::holds_alternative<ComputeEngineConfig>(node);
    case QueueType::copy: return std::holds_alternative<CopyEngineConfig>(node);
  }
  return false;
}

std::string refusal(const QueueConfig& queue, const MachineConfig& machine) {
  const auto& nodes = machine.engines;
  if (std::none_of(nodes.begin(), nodes.end(), [&](const NodeConfig& node) { return runs_on(node, queue.type); })) {
    return fmt::format("machine \"{}\" has no node for {} queues", machine.name, name_of(queue.type));
  }
  const std::string& path = queue.path.empty() ? machine.default_path : queue.path;
  if (machine.submission_paths.count(path) == 0) {
    return fmt::format("machine \"{}\" has no submission path \"{}\"", machine.name, path);
  }
  return {};
}

std::string refusal(const CommandStream& stream, QueueType type, const MachineConfig& machine) {
  for (std::size_t i = 0; i < stream.commands.size(); ++i) {
    const Command& command = stream.commands[i];
    if (!allowed(command, type)) {
      return fmt::format("command {} ({}) is not allowed on a {} queue", i, name_of(command), name_of(type));
    }
    if (!has_pipeline(stream, command)) return fmt::format("command {} names a pipeline the list does not have", i);
    const auto* dispatch = std::get_if<Dispatch>(&command);
    if (dispatch == nullptr) continue;
    const ComputePipeline& pipeline = stream.compute_pipelines[dispatch->pipeline];
    if (pipeline.group.threads == 0 || pipeline.work.bytes_in_flight_per_thread == 0) {
      return fmt::format("pipeline {} has groups without threads or threads that can have no access in flight",
                         in_quotes(pipeline.name));
    }
    if (groups_per_sm(pipeline.group, machine.shader_array) == 0) {
      return fmt::format(
          "a group of pipeline \"{}\" ({} threads, {} registers a thread, {} shared bytes) fits on no SM",
          pipeline.name, pipeline.group.threads, pipeline.group.registers_per_thread, pipeline.group.shared_bytes);
    }
  }
  return {};
}

}  // namespace fenceline
