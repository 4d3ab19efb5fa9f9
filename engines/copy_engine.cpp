// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_engine.hpp"

#include "sim/assert.hpp"

namespace fenceline {

void describe(Fields& f, CopyEngineConfig& c) {
  f.about("a copy node: drives copies only");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("setup_cycles", c.setup_cycles, "cycles of every copy before its first byte moves", between(0, 1e9));
}

CopyEngine::CopyEngine(sc_core::sc_module_name module_name, const CopyEngineConfig& config, Memory& memory,
                       EventLog& log)
    : Engine(module_name, config, log), setup_cycles_(config.setup_cycles), memory_(memory) {}

void CopyEngine::start(const DmaPacket& packet, const Command& command, Callback done) {
  const auto cost = copy_cost(command);
  FENCELINE_ASSERT(cost, std::string(name()) + ": a copy engine was given " + name_of(command));
  const std::uint32_t slot = setting_up_.add({*cost, pcie_share(cost->route, packet.cost), done});
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  agenda().at<&CopyEngine::set_up>(clock().after(now, setup_cycles_) + packet.cost.copy_setup_ps, this, slot);
}

void CopyEngine::set_up(std::uint64_t slot) {
  const SettingUp next = setting_up_[slot];
  setting_up_.remove(slot);
  memory_.copy(next.cost.route, next.cost.bytes, next.pcie_share, next.done);
}

}  // namespace fenceline
