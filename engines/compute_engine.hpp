// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "engines/memory.hpp"
#include "engines/shader_array.hpp"

namespace fenceline {

struct ComputeEngineConfig : EngineConfig {
  static constexpr const char* type_name = "compute";
};
void describe(Fields& f, ComputeEngineConfig& c);

/// Dispatches run as grids on the shader array; copies and clears go straight to memory.
class ComputeEngine final : public Engine {
 public:
  ComputeEngine(sc_core::sc_module_name name, const ComputeEngineConfig& config, ShaderArray& array, Memory& memory,
                EventLog& log);

 private:
  void start(std::uint32_t id, const DmaPacket& packet, const Command& command, const CommandRemainder* left,
             Callback done) override;
  WorkClass class_of(const Command& command) const override;
  void move_state(std::uint64_t bytes, Callback done) override;

  ShaderArray& array_;
  Memory& memory_;
};

/// Starts what the compute and 3D engines have in common: dispatches, copies, clears, resolves and the like. False for
/// any other command.
bool start_compute_command(const DmaPacket& packet, const Command& command, ShaderArray& array, Memory& memory,
                           Callback done);
/// A grid of the packet's: its place among others, its label.
Grid grid_of(const DmaPacket& packet);

}  // namespace fenceline
