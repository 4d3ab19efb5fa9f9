// SPDX-License-Identifier: Apache-2.0
// Player, its steps about video memory (docs/residency.md).
#include "api/machine.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/play/player_thread.hpp"
#include "api/workload/program.hpp"

#include <stdexcept>

namespace fenceline {

void create_allocations(Machine& machine, const ProgramMemory& memory) {
  if (memory.allocations.empty()) return;
  if (machine.allocations() > 0) {
    throw std::invalid_argument("play: the machine has resources of another program, and numbers are given once");
  }
  for (const AllocationConfig& allocation : memory.allocations) machine.create_allocation(allocation);
  for (const auto& [process, known] : memory.known) {
    for (const std::uint32_t allocation : known) machine.know_allocation(process, allocation);
  }
}

/// False: the thread goes on when all is there.
bool Player::make_resident(std::uint64_t index) {
  PlayerThread& thread = threads_[index];
  const Step& step = thread.cursor.step();
  if (thread.waiting) {
    thread.waiting = false;  // it has just been woken
    return true;
  }
  const std::string& process = process_of(program_, step);
  if (machine_.device_removed(process)) return true;
  std::function<void()> done;
  if (step.fence != Step::no_fence) {
    done = [this, life = std::weak_ptr<bool>(life_), fence = fences_[step.fence], value = thread.cursor.value()] {
      if (!life.expired()) machine_.signal(fence, value);
    };
  } else {
    done = [this, life = std::weak_ptr<bool>(life_), index] {
      if (life.expired()) return;
      if (threads_[index].captured) return wake(index);
      machine_.call_at(machine_.now_ps(), Callback::to<&Player::run_thread>(this, index));
    };
  }
  const bool called = machine_.make_resident(process, step.allocations, step.deny_overbudget, std::move(done));
  thread.waiting = called && step.fence == Step::no_fence;
  return !thread.waiting;
}

void change_residency(Machine& machine, const Program& program, const Step& step) {
  if (step.kind == Step::Kind::set_residency_priority) {
    machine.set_residency_priority(step.allocations, step.residency_priority);
  } else if (step.kind == Step::Kind::evict) {
    machine.evict(process_of(program, step), step.allocations);
  } else {
    machine.set_video_memory_reservation(process_of(program, step), step.reserved_mib << 20);
  }
}

}  // namespace fenceline
