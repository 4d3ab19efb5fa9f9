// SPDX-License-Identifier: Apache-2.0
#include "api/workload/play/played_swap_chains.hpp"

#include "api/machine.hpp"
#include "api/workload/program.hpp"
#include "scheduler/display/display.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {

PlayedSwapChains::PlayedSwapChains(Machine& machine, const Program& program)
    : machine_(machine), program_(program), chains_(program.screens.size()), closed_(program.screens.size()) {}

SwapChainId PlayedSwapChains::of(std::uint32_t index) {
  std::optional<SwapChainId>& chain = chains_[index];
  if (!chain) {
    const ProgramScreen& screen = program_.screens[index];
    SwapChainPlace place{output_named(machine_.config().display, screen.output).value(), {}};
    if (screen.compositor) place.composed_by = of(*screen.compositor);
    const auto named = std::find(program_.frames_of.begin(), program_.frames_of.end(), index);
    const std::string& name = named != program_.frames_of.end()
                                  ? program_.fences[static_cast<std::size_t>(named - program_.frames_of.begin())].name
                                  : screen.name;
    chain = machine_.create_swap_chain(name, nullptr, place);
  }
  return *chain;
}

void PlayedSwapChains::close(std::uint32_t index) {
  if (chains_[index] && !closed_[index]) machine_.close_swap_chain(*chains_[index]);
  closed_[index] = true;
}

void PlayedSwapChains::begin_pass() {
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (closed_[i] && chains_[i]) machine_.reopen_swap_chain(*chains_[i]);
    closed_[i] = false;
  }
}

void PlayedSwapChains::discard_frames(const std::string& process) {
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const bool is_its = program_.queues[program_.screens[i].queue].process == process;
    if (chains_[i] && is_its) machine_.discard_frames(*chains_[i]);
  }
}

std::uint64_t PlayedSwapChains::presented(std::uint32_t index) const {
  return chains_[index] ? machine_.display().presented(*chains_[index]).presented : 0;
}

}  // namespace fenceline
