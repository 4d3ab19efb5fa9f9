// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_engine.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"

#include <utility>

namespace fenceline {

CopyEngine::CopyEngine(sc_core::sc_module_name module_name, const CopyEngineConfig& config, Memory& memory,
                       EventLog& log)
    : Engine(module_name, config, log), setup_cycles_(config.setup_cycles), memory_(memory) {}

void CopyEngine::start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued,
                       const CommandRemainder* left, Callback done) {
  const Command& command = *issued.command;
  const auto cost = copy_cost(command);
  FENCELINE_ASSERT(cost, std::string(name()) + ": a copy engine was given " + name_of(command));
  Running copy;
  copy.cost = *cost;
  copy.pcie_share = pcie_share(cost->route, packet.cost);
  copy.done = done;
  if (left != nullptr) copy.left = left->bytes;
  if (id >= slot_of_.size()) slot_of_.resize(id + 1);
  slot_of_[id] = running_.add(copy);
  const std::uint64_t now = now_ps();
  std::uint64_t set_up_ps = clock().after(now, setup_cycles_) + packet.cost.copy_setup_ps;
  if (left != nullptr && left->set_up_ps) set_up_ps = now + *left->set_up_ps;
  running_[slot_of_[id]].start_ps = now;
  running_[slot_of_[id]].set_up_ps = set_up_ps;
  agenda().at<&CopyEngine::set_up>(set_up_ps, this, slot_of_[id]);
}

void CopyEngine::set_up(std::uint64_t slot) {
  Running& copy = running_[slot];
  copy.setting_up = false;
  if (copy.stopped) {
    running_.remove(slot);
    return;
  }
  copy.transfer = memory_.copy(copy.cost.route, copy.cost.bytes, copy.pcie_share,
                               Callback::to<&CopyEngine::moved>(this, slot), copy.left ? &*copy.left : nullptr);
}

void CopyEngine::moved(std::uint64_t slot) {
  const Callback done = running_[slot].done;
  running_.remove(slot);
  done();
}

void CopyEngine::halt(std::uint32_t id, PreemptionLevel level) {
  const std::uint32_t slot = slot_of_[id];
  Running& copy = running_[slot];
  CommandRemainder left;
  if (copy.setting_up) {
    copy.stopped = true;
    left.bytes = copy.left;
    left.set_up_ps = copy.set_up_ps - now_ps();
  } else {
    if (!traits_of(level).has(level_rule::stops_commands) && memory_.has_begun(copy.transfer)) return;
    left.bytes = memory_.cancel(copy.transfer);
    if (!left.bytes) return;  // its last byte has passed
    running_.remove(slot);
  }
  halted(id, std::move(left));
}

bool CopyEngine::has_worked(std::uint32_t id, PreemptionLevel) const {
  const Running& copy = running_[slot_of_[id]];
  return copy.setting_up ? now_ps() > copy.start_ps : memory_.has_moved(copy.transfer);
}

void CopyEngine::move_state(std::uint64_t bytes, Callback done) {
  memory_.move_state(bytes, engine_config().context_state.gb_per_s, done);
}

}  // namespace fenceline
