// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/state_steps.hpp"

#include <algorithm>

namespace fenceline::d3d12 {

void StateSteps::add_access(const States& states, const std::string& resource, UINT first, UINT count,
                            D3D12_RESOURCE_STATES needed) {
  if (states == nullptr) return;
  Step step{Step::What::access, states, resource};
  step.first = first;
  step.count = count;
  step.needed = needed;
  steps_.push_back(std::move(step));
}

void StateSteps::add_transition(const States& states, const std::string& resource,
                                const D3D12_RESOURCE_TRANSITION_BARRIER& barrier, D3D12_RESOURCE_BARRIER_FLAGS flags) {
  if (states == nullptr) return;
  Step step{Step::What::transition, states, resource};
  step.barrier = barrier;
  step.flags = flags;
  steps_.push_back(std::move(step));
}

void StateSteps::add_end(const States& states) {
  if (states != nullptr) steps_.push_back({Step::What::end, states, {}});
}

void StateSteps::apply(TypeClass by, const Tell& tell) const {
  std::vector<ResourceStates*> told;
  const auto say = [&](const Step& step, const std::optional<StateProblem>& problem) {
    if (!problem || std::find(told.begin(), told.end(), step.states.get()) != told.end()) return;
    told.push_back(step.states.get());
    tell(step.resource, *problem);
  };
  for (const Step& step : steps_) {
    switch (step.what) {
      case Step::What::access:
        for (UINT i = 0; i < step.count; ++i) say(step, step.states->access(step.first + i, step.needed, by));
        break;
      case Step::What::transition: say(step, step.states->transition(step.barrier, step.flags, by)); break;
      case Step::What::end: step.states->end_tracking(); break;
    }
  }
  for (const Step& step : steps_) step.states->decay();
}

}  // namespace fenceline::d3d12
