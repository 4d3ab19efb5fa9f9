// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/states/resource_states.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// What the commands of a list need of resources' states, and how its barriers change them, in the order recorded.
class StateSteps {
 public:
  using States = std::shared_ptr<ResourceStates>;
  /// Says what is wrong: the resource's name, and the problem.
  using Tell = std::function<void(const std::string& resource, const StateProblem& problem)>;

  void clear() { steps_.clear(); }
  /// Null states are not tracked.
  void add_access(const States& states, const std::string& resource, UINT first, UINT count,
                  D3D12_RESOURCE_STATES needed);
  void add_transition(const States& states, const std::string& resource,
                      const D3D12_RESOURCE_TRANSITION_BARRIER& barrier, D3D12_RESOURCE_BARRIER_FLAGS flags);
  /// The resource is used in ways that states do not describe (enhanced barriers): it is not tracked from here on.
  void add_end(const States& states);

  /// The list has been executed by a queue of that class: moves the states on, and decays them. Each resource is told
  /// of once a list.
  void apply(TypeClass by, const Tell& tell) const;

 private:
  struct Step {
    enum class What : std::uint8_t { access, transition, end };
    What what;
    States states;
    std::string resource;
    UINT first = 0;
    UINT count = 0;
    D3D12_RESOURCE_STATES needed{};
    D3D12_RESOURCE_TRANSITION_BARRIER barrier{};
    D3D12_RESOURCE_BARRIER_FLAGS flags{};
  };
  std::vector<Step> steps_;
};

}  // namespace fenceline::d3d12
