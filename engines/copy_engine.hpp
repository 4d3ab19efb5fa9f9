// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/copy_cost.hpp"
#include "engines/engine.hpp"
#include "engines/memory.hpp"
#include "sim/slots.hpp"

namespace fenceline {

struct CopyEngineConfig : EngineConfig {
  static constexpr const char* type_name = "copy";
  CopyEngineConfig() { commands_in_flight = 1; }
  std::uint32_t setup_cycles = 1500;
};
void describe(Fields& f, CopyEngineConfig& c);

/// Moves bytes between memories. Copies of one packet run one after another unless the configuration lets more fly.
class CopyEngine final : public Engine {
 public:
  CopyEngine(sc_core::sc_module_name name, const CopyEngineConfig& config, Memory& memory, EventLog& log);

 private:
  struct SettingUp {
    CopyCost cost;
    double pcie_share;
    Callback done;
  };
  void start(const DmaPacket& packet, const Command& command, Callback done) override;
  void set_up(std::uint64_t slot);

  std::uint32_t setup_cycles_;
  Memory& memory_;
  Slots<SettingUp> setting_up_;
};

}  // namespace fenceline
