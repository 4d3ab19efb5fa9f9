// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_engine.hpp"

#include "sim/assert.hpp"

namespace fenceline {

void describe(Fields& f, CopyEngineConfig& c) {
  f.about("a copy node: drives copies only");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("preemption", c.copy_preemption, "where copies stop");
  f.optional("setup_cycles", c.setup_cycles, "cycles of every copy before its first byte moves", between(0, 1e9));
}

CopyEngine::CopyEngine(sc_core::sc_module_name module_name, const CopyEngineConfig& config, Memory& memory,
                       EventLog& log)
    : Engine(module_name, config, log), setup_cycles_(config.setup_cycles), memory_(memory) {}

void CopyEngine::start(std::uint32_t id, const DmaPacket& packet, const Command& command, const CommandRemainder* left,
                       Callback done) {
  const auto whole = copy_cost(command);
  FENCELINE_ASSERT(whole, std::string(name()) + ": a copy engine was given " + name_of(command));
  CopyCost cost = *whole;
  if (left != nullptr) cost.bytes = left->bytes;
  const std::uint32_t slot = running_.add({cost, pcie_share(cost.route, packet.cost), done, true, false, 0, id});
  slot_of_[id] = slot;
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  agenda().at<&CopyEngine::set_up>(clock().after(now, setup_cycles_) + packet.cost.copy_setup_ps, this, slot);
}

void CopyEngine::set_up(std::uint64_t slot) {
  Running& copy = running_[slot];
  copy.setting_up = false;
  if (copy.stopped) {
    running_.remove(slot);
    return;
  }
  copy.transfer =
      memory_.copy(copy.cost.route, copy.cost.bytes, copy.pcie_share, Callback::to<&CopyEngine::moved>(this, slot));
}

void CopyEngine::moved(std::uint64_t slot) {
  const Running copy = running_[slot];
  running_.remove(slot);
  slot_of_.erase(copy.id);
  copy.done();
}

void CopyEngine::halt(std::uint32_t id, PreemptionLevel) {
  const std::uint32_t slot = slot_of_.at(id);
  Running& copy = running_[slot];
  CommandRemainder left;
  left.bytes = copy.cost.bytes;
  if (copy.setting_up) {
    copy.stopped = true;
  } else {
    const auto bytes = memory_.cancel(copy.transfer);
    if (!bytes) return;  // its last byte has passed
    left.bytes = *bytes;
    running_.remove(slot);
  }
  slot_of_.erase(id);
  halted(id, left);
}

void CopyEngine::move_state(std::uint64_t bytes, Callback done) {
  memory_.move_state(bytes, engine_config().context_state.gb_per_s, done);
}

}  // namespace fenceline
