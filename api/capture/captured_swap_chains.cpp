// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_swap_chains.hpp"

#include "api/capture/captured_lists.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace fenceline {

using nlohmann::json;

void CapturedSwapChains::created(SwapChainId chain, const SwapChainPlace& place, FenceId frames, std::uint64_t before) {
  chains_[chain] = {place, frames, before};
  of_fences_[frames] = chain;
}

std::optional<CapturedSwapChains::Place> CapturedSwapChains::presents(SwapChainId id, ContextId queue,
                                                                      const std::string& queue_name,
                                                                      const std::string& frames,
                                                                      std::set<std::string>& taken) {
  Chain& chain = chains_.at(id);
  if (chain.queue) return Place{chain.name, *chain.queue == queue};
  json further;
  const bool is_plain = chain.place.output == OutputId{} && !chain.place.composed_by;
  if (!is_plain || with_own_.count(queue) > 0) {
    further = {{"name", unique_name(frames, taken)}, {"queue", queue_name}};
    if (chain.place.composed_by) {
      const Chain& compositor = chains_.at(*chain.place.composed_by);
      if (!compositor.queue || !compositor.name.empty()) return std::nullopt;
      further["composed_by"] = compositor.queue_name;
    } else if (chain.place.output != OutputId{}) {
      further["output"] = output_name(chain.place.output);
    }
    chain.name = further["name"];
    batch_.objects.push_back({{"swap_chains", json::array({std::move(further)})}});
  } else {
    with_own_.insert(queue);
  }
  chain.queue = queue;
  chain.queue_name = queue_name;
  batch_.objects.push_back({{"fences", json::array({{{"name", frames}, {"frames_of", name(id)}}})}});
  return Place{chain.name, true};
}

std::uint64_t CapturedSwapChains::frames_before(FenceId fence) const {
  const auto chain = of_fences_.find(fence);
  return chain != of_fences_.end() ? chains_.at(chain->second).before : 0;
}

const std::string& CapturedSwapChains::name(SwapChainId id) const {
  const Chain& chain = chains_.at(id);
  return chain.name.empty() ? chain.queue_name : chain.name;
}

std::string CapturedSwapChains::output_name(OutputId output) const {
  return screens_of(display_)[static_cast<std::size_t>(output)].name;
}

}  // namespace fenceline
