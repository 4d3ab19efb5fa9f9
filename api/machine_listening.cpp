// SPDX-License-Identifier: Apache-2.0
// Machine, whoever listens to what it is told.
#include "api/machine_parts.hpp"
#include "api/work_listener.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline {

WorkListener* Machine::listener() const { return parts_->listener; }

WorkMoment Machine::moment() const { return {now_ps(), parts_->slices, parts_->kernel.simulating()}; }

bool Machine::watch_fence(FenceId fence, std::uint64_t value, const std::shared_ptr<FenceWaiter>& watcher,
                          std::uint64_t token) {
  std::vector<std::shared_ptr<FenceWaiter>>& kept = parts_->watchers;
  if (std::find(kept.begin(), kept.end(), watcher) == kept.end()) kept.push_back(watcher);
  return parts_->hardware->fences.wait(fence, value, *watcher, token);
}

void Machine::listen(WorkListener* listener) {
  parts_->listener = listener;
  FenceUnit& fences_here = parts_->hardware->fences;
  if (listener == nullptr) return fences_here.when_others_signal(nullptr);
  fences_here.when_others_signal(
      [this](FenceId fence, std::uint64_t value) { parts_->listener->others_signalled(moment(), fence, value); });
  parts_->queues.for_each([&](std::uint32_t number, const Parts::Queue& queue) {
    listener->queue_created(static_cast<ContextId>(number), queue.config);
  });
  for (std::size_t i = 0; i < display().count(); ++i) {
    const auto chain = static_cast<SwapChainId>(i);
    listener->swap_chain_created(chain, {}, display().fence_of(chain));
  }
  for (std::size_t i = 0; i < fences().count(); ++i) {
    const auto fence = static_cast<FenceId>(i);
    if (!fences().freed(fence)) listener->fence_created(fence, fences().name_of(fence), fences().value(fence));
  }
}

}  // namespace fenceline
