// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/context_allocations.hpp"

#include "sim/kernel/now.hpp"
#include "sim/members.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {
namespace {

/// In the order of contexts, a device's before its first context's.
std::uint32_t of_context(std::uint32_t context) { return context_bit | (context * 2 + 1); }
/// What is broadcast has one for all of its contexts.
std::uint32_t of_queue(const SchedulerState& state, std::uint32_t context) {
  const std::optional<ContextId>& first = state.contexts[context].config.broadcast_with;
  return of_context(first ? state.place_of(*first) : context);
}
std::uint32_t before_context(std::uint32_t context) { return context_bit | (context * 2); }
std::uint32_t context_of(std::uint32_t allocation) { return (allocation & ~context_bit) / 2; }
bool is_devices(std::uint32_t allocation) { return allocation % 2 == 0; }

}  // namespace

std::uint64_t ContextAllocations::bytes_of(const Context& context) const {
  return std::uint64_t{s_.node_of(context).engine->engine_config().context_state.allocation_kib} << 10;
}

void ContextAllocations::created(std::uint32_t index) {
  const Context& context = s_.contexts[index];
  const std::uint32_t process = SchedulerState::process_index(context);
  if (process == s_.system_process) return;
  devices_.resize(std::max<std::size_t>(devices_.size(), process + 1));
  if (devices_[process].contexts++ == 0 && config_.device_context_kib > 0) {
    devices_[process].first = index;
    segment_.create_context(before_context(index), std::uint64_t{config_.device_context_kib} << 10, now_ps());
    any_ = true;
  }
  if (bytes_of(context) == 0) return;
  const std::uint32_t own = of_queue(s_, index);
  const std::uint64_t there = segment_.has_context(own) ? segment_[own].bytes : 0;
  segment_.remove_context(own);
  segment_.create_context(own, std::max(there, bytes_of(context)), now_ps());
  any_ = true;
}

void ContextAllocations::freed(std::uint32_t index) {
  const std::uint32_t process = SchedulerState::process_index(s_.contexts[index]);
  if (process >= devices_.size()) return;
  segment_.remove_context(of_context(index));
  for (Loaded& one : loaded_) {
    if (one.context == index) one = {};
  }
  if (--devices_[process].contexts > 0) return;
  if (of_process(process) != SchedulerState::none) segment_.remove_context(of_process(process));
  devices_[process].first = SchedulerState::none;
}

/// None: it has none.
std::uint32_t ContextAllocations::of_process(std::uint32_t process) const {
  if (process >= devices_.size() || devices_[process].first == SchedulerState::none) return SchedulerState::none;
  return before_context(devices_[process].first);
}

std::vector<std::uint32_t> ContextAllocations::of(std::uint32_t context) const { return of_device({context}); }

std::vector<std::uint32_t> ContextAllocations::of_device(const std::vector<std::uint32_t>& contexts,
                                                         std::uint64_t beside) const {
  std::vector<std::uint32_t> result;
  if (!any_ || contexts.empty()) return result;
  std::uint64_t left = segment_.bytes();
  const std::uint32_t device = of_process(SchedulerState::process_index(s_.contexts[contexts.front()]));
  if (device != SchedulerState::none) {
    result.push_back(device);
    left -= segment_[device].bytes;
  }
  bool first = true;
  for (const std::uint32_t context : contexts) {
    const std::uint32_t own = of_queue(s_, context);
    if (!segment_.has_context(own)) continue;
    const std::uint64_t bytes = segment_[own].bytes;
    if (bytes > left || (!first && left - bytes < beside) || !add_once(result, own)) continue;
    left -= bytes;
    first = false;
  }
  return result;
}

std::uint32_t ContextAllocations::process_of(std::uint32_t allocation) const {
  if (!is_devices(allocation)) return SchedulerState::process_index(s_.contexts[context_of(allocation)]);
  const auto device = std::find_if(devices_.begin(), devices_.end(),
                                   [&](const Device& one) { return one.first == context_of(allocation); });
  return static_cast<std::uint32_t>(device - devices_.begin());
}

std::string ContextAllocations::name_of(std::uint32_t allocation) const {
  if (!is_devices(allocation)) return s_.contexts[context_of(allocation)].config.name + ".context";
  const std::string& process = s_.processes[process_of(allocation)].config.name;
  return (process.empty() ? "default" : process) + ".device";
}

void ContextAllocations::handed_over(std::uint32_t index, std::shared_ptr<const CommandStream> list) {
  const Context& context = s_.contexts[index];
  for (const std::uint32_t one : of(index)) segment_[one].recent_ps = now_ps();
  if (!segment_.has_context(of_queue(s_, index))) return;
  loaded_.resize(s_.nodes.size());
  loaded_[context.config.node] = {index, std::move(list)};
}

/// The allocation is the loaded context's, its device's, or was used by its last packet.
bool ContextAllocations::keeps(const Loaded& loaded, std::uint32_t allocation) const {
  return contains(of(loaded.context), allocation) || contains(loaded.list->memory.allocations, allocation);
}

std::vector<std::uint32_t> ContextAllocations::unload(const std::vector<PagingMove>& moves) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < loaded_.size(); ++node) {
    Loaded& loaded = loaded_[node];
    if (loaded.context == SchedulerState::none) continue;
    const bool moves_out = std::any_of(moves.begin(), moves.end(), [&](const PagingMove& move) {
      return goes_out(move.operation) && keeps(loaded, move.allocation);
    });
    if (!moves_out) continue;
    loaded = {};
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace fenceline
