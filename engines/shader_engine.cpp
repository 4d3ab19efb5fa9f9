// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_engine.hpp"

#include "engines/pcie_share.hpp"
#include "sim/assert.hpp"

#include <string>
#include <utility>

namespace fenceline {

ShaderEngine::ShaderEngine(sc_core::sc_module_name module_name, const EngineConfig& config, ShaderArray& array,
                           Memory& memory, EventLog& log)
    : Engine(module_name, config, log), array_(array), memory_(memory) {}

void ShaderEngine::start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued,
                         const CommandRemainder* left, Callback done) {
  if (id >= running_.size()) running_.resize(id + 1);
  running_[id] = begin(id, packet, issued, left, done);
}

ShaderEngine::Running ShaderEngine::begin(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued,
                                          const CommandRemainder* left, Callback done) {
  const Command& command = *issued.command;
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
    const ComputePipeline* const variant = issued.variant.compute;
    const ComputePipeline& own = packet.stream->compute_pipelines[dispatch->pipeline];
    return start_grid(id, packet, dispatch->groups, variant != nullptr ? *variant : own,
                      left != nullptr ? &left->grid : nullptr, done);
  }
  const TransferRemainder* bytes_left = left != nullptr && left->bytes ? &*left->bytes : nullptr;
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    return read_arguments(packet, *indirect, bytes_left, done);
  }
  if (const auto cost = copy_cost(command)) {
    const double share = pcie_share(cost->route, packet.cost);
    return {Running::What::transfer, memory_.copy(cost->route, cost->bytes, share, done, bytes_left)};
  }
  const auto bytes = access_bytes(command);
  FENCELINE_ASSERT(bytes, std::string(name()) + ": was given " + name_of(command));
  return {Running::What::transfer, memory_.access_vram(*bytes, done, bytes_left)};
}

ShaderEngine::Running ShaderEngine::start_grid(std::uint32_t id, const DmaPacket& packet, std::uint64_t groups,
                                               const ComputePipeline& pipeline, const GridRemainder* left,
                                               Callback done) {
  Grid grid = grid_of(packet);
  grid.groups = groups;
  grid.footprint = pipeline.group;
  grid.work = pipeline.work;
  grid.done = done;
  grid.owner = this;
  grid.tag = id;
  return {Running::What::grid, array_.launch(grid, left)};
}

ShaderEngine::Running ShaderEngine::read_arguments(const DmaPacket& packet, const ExecuteIndirect& indirect,
                                                   const TransferRemainder* left, Callback done) {
  const IndirectCall& call = packet.stream->indirect_calls[indirect.call];
  const std::uint64_t bytes = argument_bytes(call);
  if (!call.arguments_in_host) return {Running::What::transfer, memory_.access_vram(bytes, done, left)};
  const double share = pcie_share(CopyRoute::host_to_device, packet.cost);
  return {Running::What::transfer, memory_.copy(CopyRoute::host_to_device, bytes, share, done, left)};
}

Grid ShaderEngine::grid_of(const DmaPacket& packet) const {
  Grid grid;
  grid.priority = packet.priority;
  grid.in_process_priority = packet.in_process_priority;
  grid.process = packet.process;
  grid.order = packet.id;
  grid.label = packet.label;
  return grid;
}

void ShaderEngine::halt(std::uint32_t id, PreemptionLevel level) {
  const Running running = running_[id];
  if (running.what == Running::What::grid) {
    if (traits_of(level).has(level_rule::stops_commands)) {
      array_.halt(running.index, level);
    } else if (!array_.is_resident(running.index)) {
      array_.halt(running.index, PreemptionLevel::thread);  // nothing of it has to come to an end
    }
    return;
  }
  if (!traits_of(level).has(level_rule::stops_commands) && memory_.has_begun(running.index)) return;
  CommandRemainder left;
  left.bytes = memory_.cancel(running.index);
  if (!left.bytes) return;  // its last byte has passed
  halted(id, std::move(left));
}

void ShaderEngine::reranked(const DmaPacket& packet) {
  array_.rerank(packet.id, packet.priority, packet.in_process_priority);
}

bool ShaderEngine::has_worked(std::uint32_t id, PreemptionLevel level) const {
  const Running running = running_[id];
  if (running.what == Running::What::grid) return array_.has_worked(running.index, level);
  return memory_.has_moved(running.index);
}

void ShaderEngine::grid_halted(std::uint64_t id, GridRemainder grid) {
  CommandRemainder left;
  left.state = state_of(grid);
  left.grid = std::move(grid);
  halted(static_cast<std::uint32_t>(id), std::move(left));
}

StateBytes ShaderEngine::state_of(const GridRemainder& left) const {
  return {0, left.register_bytes, left.shared_bytes, left.threads * engine_config().context_state.thread_bytes};
}

void ShaderEngine::move_state(std::uint64_t bytes, Callback done) {
  memory_.move_state(bytes, engine_config().context_state.gb_per_s, done);
}

}  // namespace fenceline
