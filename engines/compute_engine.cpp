// SPDX-License-Identifier: Apache-2.0
#include "engines/compute_engine.hpp"

#include "engines/access_cost.hpp"
#include "engines/copy_cost.hpp"
#include "sim/assert.hpp"

namespace fenceline {

void describe(Fields& f, ComputeEngineConfig& c) {
  f.about("a compute node: dispatches, copies and clears");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("compute_preemption", c.compute_preemption, "where dispatches and what goes with them stop");
}

Grid grid_of(const DmaPacket& packet) {
  Grid grid;
  grid.priority = packet.priority;
  grid.order = packet.id;
  grid.label = packet.label;
  return grid;
}

bool start_compute_command(const DmaPacket& packet, const Command& command, ShaderArray& array, Memory& memory,
                           Callback done) {
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
    const ComputePipeline& pipeline = packet.stream->compute_pipelines[dispatch->pipeline];
    Grid grid = grid_of(packet);
    grid.groups = dispatch->groups;
    grid.footprint = pipeline.group;
    grid.work = pipeline.work;
    grid.done = done;
    array.launch(grid);
    return true;
  }
  if (const auto cost = copy_cost(command)) {
    memory.copy(cost->route, cost->bytes, pcie_share(cost->route, packet.cost), done);
    return true;
  }
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    const IndirectCall& call = packet.stream->indirect_calls[indirect->call];
    const std::uint64_t bytes = argument_bytes(call, packet.cursor.inner);
    if (call.arguments_in_host) {
      memory.copy(CopyRoute::host_to_device, bytes, pcie_share(CopyRoute::host_to_device, packet.cost), done);
    } else {
      memory.access_vram(bytes, done);
    }
    return true;
  }
  if (const auto bytes = access_bytes(command)) {
    memory.access_vram(*bytes, done);
    return true;
  }
  return false;
}

ComputeEngine::ComputeEngine(sc_core::sc_module_name module_name, const ComputeEngineConfig& config, ShaderArray& array,
                             Memory& memory, EventLog& log)
    : Engine(module_name, config, log), array_(array), memory_(memory) {}

void ComputeEngine::start(std::uint32_t, const DmaPacket& packet, const Command& command, const CommandRemainder*,
                          Callback done) {
  const bool started = start_compute_command(packet, command, array_, memory_, done);
  FENCELINE_ASSERT(started, std::string(name()) + ": a compute engine was given " + name_of(command));
}

WorkClass ComputeEngine::class_of(const Command&) const { return WorkClass::compute; }

void ComputeEngine::move_state(std::uint64_t bytes, Callback done) {
  memory_.move_state(bytes, engine_config().context_state.gb_per_s, done);
}

}  // namespace fenceline
