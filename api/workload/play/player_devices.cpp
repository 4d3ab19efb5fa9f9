// SPDX-License-Identifier: Apache-2.0
// Player, what becomes of removed devices.
#include "api/machine.hpp"
#include "api/workload/play/played_swap_chains.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::vector<std::string>> fence_owners(const Program& program) {
  std::vector<std::vector<std::string>> owners(program.fences.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (!program.fences[i].process.empty()) owners[i].push_back(program.fences[i].process);
  }
  for (const auto* timelines : {&program.queue_timelines, &program.cpu_timelines}) {
    for (const Timeline& timeline : *timelines) {
      for (const StepBlock& block : timeline.blocks) {
        for (const Step& step : block.steps) {
          if (step.kind != Step::Kind::queue_signal || !program.fences[step.fence].process.empty()) continue;
          owners[step.fence].push_back(program.queues[step.queue].process);
        }
      }
    }
  }
  return owners;
}

void Player::device_removed(const std::string& process) {
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (has(owners_[i], process)) machine_.end_fence(fences_[i]);
  }
  swap_chains_->discard_frames(process);
}

void Player::create_device(const Step& step) {
  const std::string& process = process_of(program_, step);
  if (!machine_.create_device(process)) return;
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (has(owners_[i], process)) machine_.restart_fence(fences_[i], program_.fences[i].initial_value);
  }
}

}  // namespace fenceline
