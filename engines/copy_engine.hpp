// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/copy_engine_config.hpp"
#include "engines/engine.hpp"
#include "engines/memory/memory.hpp"
#include "engines/pcie_share.hpp"
#include "sim/slots.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Moves bytes between memories. Copies of one packet run one after another unless the configuration lets more fly. One
/// that is stopped between two transfers goes on with the bytes that are left, after a new setup; one that is stopped
/// while it is set up, with what is left of that.
class CopyEngine final : public Engine {
 public:
  CopyEngine(sc_core::sc_module_name name, const CopyEngineConfig& config, Memory& memory, EventLog& log);

 private:
  struct Running {
    CopyCost cost;
    double pcie_share = 1;
    Callback done;
    std::optional<TransferRemainder> left;  // when it went on
    bool setting_up = true;
    std::uint64_t start_ps = 0;
    std::uint64_t set_up_ps = 0;  // when it is set up
    bool stopped = false;         // while it was set up
    std::uint32_t transfer = 0;   // of the memory
  };
  void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
             Callback done) override;
  void halt(std::uint32_t id, PreemptionLevel level) override;
  bool has_worked(std::uint32_t id, PreemptionLevel level) const override;
  WorkClass class_of(const Command&) const override { return WorkClass::copy; }
  std::vector<WorkClass> classes() const override { return {WorkClass::copy}; }
  void move_state(std::uint64_t bytes, Callback done) override;
  void set_up(std::uint64_t slot);
  void moved(std::uint64_t slot);

  std::uint32_t setup_cycles_;
  Memory& memory_;
  Slots<Running> running_;
  std::vector<std::uint32_t> slot_of_;  // by command
};

}  // namespace fenceline
