// SPDX-License-Identifier: Apache-2.0
// Machine, its processes' devices: how they end, and begin anew.
#include "api/machine_parts.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

void Machine::Parts::removed(ProcessId process, RemovalReason reason) {
  const auto named =
      std::find_if(processes.begin(), processes.end(), [&](const auto& one) { return one.second == process; });
  if (named == processes.end()) return;
  if (when_device_removed) when_device_removed(named->first, reason);
  const auto background_of = background.find(named->first);
  if (background_of != background.end()) background_of->second->end();
}

bool Machine::device_removed(const std::string& process) const {
  const auto known = parts_->processes.find(process);
  return known != parts_->processes.end() && scheduler().removed(known->second);
}

std::optional<FaultingAccess> Machine::page_fault(const std::string& process) const {
  const auto known = parts_->processes.find(process);
  return known != parts_->processes.end() ? scheduler().page_fault(known->second) : std::nullopt;
}

bool Machine::create_device(const std::string& process) {
  const auto known = parts_->processes.find(process);
  bool created = false;
  if (known == parts_->processes.end()) return created;
  inside([&](Hardware& hardware) { created = hardware.scheduler->create_device(known->second); });
  return created;
}

void Machine::when_device_removed(std::function<void(const std::string&, RemovalReason)> call) {
  parts_->when_device_removed = std::move(call);
}

bool Machine::bugchecked() const { return scheduler().bugchecked(); }

void Machine::discard_frames(SwapChainId chain) {
  inside([&](Hardware& hardware) { hardware.display.discard(chain); });
}

void Machine::restart_fence(FenceId fence, std::uint64_t value) {
  inside([&](Hardware& hardware) { hardware.fences.restart(fence, value); });
}

}  // namespace fenceline
