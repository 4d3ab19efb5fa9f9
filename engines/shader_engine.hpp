// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// An engine that works with the shader array: what the compute and 3D engines have in common. Dispatches run as grids;
/// copies, clears, resolves and the like go straight to memory.
class ShaderEngine : public Engine, protected GridOwner {
 public:
  ShaderEngine(sc_core::sc_module_name name, const EngineConfig& config, ShaderArray& array, Memory& memory,
               EventLog& log);

 protected:
  void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
             Callback done) override;
  /// Grids stop as Dispatcher::halt says, copies and clears at once; at level `command` those that hold nothing.
  void halt(std::uint32_t id, PreemptionLevel level) override;
  void reranked(const DmaPacket& packet) override;
  bool has_worked(std::uint32_t id, PreemptionLevel level) const override;
  void move_state(std::uint64_t bytes, Callback done) override;
  void grid_halted(std::uint64_t tag, GridRemainder left) override;
  void grid_waits(std::uint64_t tag) override { command_waits(static_cast<std::uint32_t>(tag)); }
  void grid_placed(std::uint64_t tag) override { command_placed(static_cast<std::uint32_t>(tag)); }
  /// A grid of the packet's: its place among others, its label.
  virtual Grid grid_of(const DmaPacket& packet) const;
  /// What saving the grid's groups comes to.
  StateBytes state_of(const GridRemainder& left) const;
  ShaderArray& array() { return array_; }
  const ShaderArray& array() const { return array_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

 private:
  /// What a command has under way.
  struct Running {
    enum class What : std::uint8_t { grid, transfer };
    What what;
    std::uint32_t index;  // of the grid or transfer
  };
  Running begin(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
                Callback done);
  Running start_grid(std::uint32_t id, const DmaPacket& packet, std::uint64_t groups, const ComputePipeline& pipeline,
                     const GridRemainder* left, Callback done);
  Running read_arguments(const DmaPacket& packet, const ExecuteIndirect& indirect, const TransferRemainder* left,
                         Callback done);

  ShaderArray& array_;
  Memory& memory_;
  std::vector<Running> running_;  // by command
};

}  // namespace fenceline
