// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/represented_contexts.hpp"

#include <algorithm>

namespace fenceline {
namespace {

bool is_in(const std::vector<std::uint32_t>& sorted, std::uint32_t one) {
  return std::binary_search(sorted.begin(), sorted.end(), one);
}

void sort_once(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The first of a set that is not named, or its end.
template <class Set>
auto first_unnamed(const Set& set, const std::vector<std::uint32_t>& named) {
  return std::find_if(set.begin(), set.end(), [&](const auto& entry) { return !is_in(named, entry.second); });
}

}  // namespace

/// Ranks of contexts count against their own process first.
bool RepresentedContexts::counts_processes() const { return policy_->ranks == Ranks::own_process; }

RepresentedContexts::HeightKey RepresentedContexts::height_key(const ReadyContext& one) const {
  return {policy_->has_ranks() ? height_of(one.rank) : 0, one.waits};
}

int RepresentedContexts::group_key(const ReadyContext& one) const {
  return policy_->has_ranks() ? one.rank.in_process : 0;
}

RepresentedContexts::Order RepresentedContexts::order_of(const Known& known) const {
  switch (policy_->equals) {
    case Equals::turns: return {known.one.arrival.at_ps, known.one.arrival.packet, known.sequence};
    case Equals::longest_idle: return {known.one.last_submission, 0, known.sequence};
    case Equals::oldest_packet: break;
  }
  return {known.one.packet, 0, known.sequence};
}

void RepresentedContexts::add(const ReadyContext& one) {
  const Known known{one, next_sequence_++};
  known_.emplace(one.context, known);
  ++processes_[one.process];
  insert(known);
}

void RepresentedContexts::remove(std::uint32_t context) {
  const auto known = known_.find(context);
  erase(known->second);
  const auto process = processes_.find(known->second.one.process);
  if (--process->second == 0) processes_.erase(process);
  known_.erase(known);
}

void RepresentedContexts::update(const ReadyContext& one) {
  Known& known = known_.find(one.context)->second;
  erase(known);
  known.one = one;
  insert(known);
}

void RepresentedContexts::move_process(std::uint32_t process, std::uint32_t height, const Arrival& arrival) {
  if (!counts_processes()) return;
  for (const bool waits : {false, true}) {
    const auto found = heights_.find({height, waits});
    if (found == heights_.end()) continue;
    const auto one = found->second.processes.find(process);
    if (one == found->second.processes.end()) continue;
    one->second.arrival = arrival;
    stand(found->second, process);
  }
}

std::vector<ReadyContext> RepresentedContexts::all() const {
  std::vector<const Known*> order;
  order.reserve(known_.size());
  for (const auto& [context, known] : known_) order.push_back(&known);
  std::sort(order.begin(), order.end(), [](const Known* a, const Known* b) { return a->sequence < b->sequence; });
  std::vector<ReadyContext> result;
  result.reserve(order.size());
  for (const Known* known : order) result.push_back(known->one);
  return result;
}

void RepresentedContexts::insert(const Known& known) {
  Height& height = heights_[height_key(known.one)];
  const std::uint32_t process = process_key(known.one);
  OfProcess& of_process = height.processes[process];
  of_process.arrival = known.one.process_arrival;
  Group& group = of_process.groups[group_key(known.one)];
  group.by_order.insert({order_of(known), known.one.context});
  group.by_wait.insert({known.one.ready_ps, known.one.context});
  stand(height, process);
}

void RepresentedContexts::erase(const Known& known) {
  const auto height = heights_.find(height_key(known.one));
  const auto process = height->second.processes.find(process_key(known.one));
  const auto group = process->second.groups.find(group_key(known.one));
  group->second.by_order.erase({order_of(known), known.one.context});
  group->second.by_wait.erase({known.one.ready_ps, known.one.context});
  if (group->second.by_order.empty()) process->second.groups.erase(group);
  stand(height->second, process->first);
  if (height->second.processes.empty()) heights_.erase(height);
}

/// What the process holds has changed: its place among the others.
void RepresentedContexts::stand(Height& height, std::uint32_t process) {
  const auto found = height.processes.find(process);
  OfProcess& one = found->second;
  if (one.stands) {
    height.by_order.erase(one.in_order);
    height.by_wait.erase(one.waiting);
  }
  if (one.groups.empty()) {
    height.processes.erase(found);
    return;
  }
  one.waiting = {~std::uint64_t{0}, process};
  Order first = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
  for (const auto& [in_process, group] : one.groups) {
    one.waiting = std::min(one.waiting, {group.by_wait.begin()->first, process});
    first = std::min(first, group.by_order.begin()->first);
  }
  if (policy_->process_turns) first = {one.arrival.at_ps, one.arrival.packet, process};
  one.in_order = {first, process};
  one.stands = true;
  height.by_order.insert(one.in_order);
  height.by_wait.insert(one.waiting);
}

std::vector<std::uint32_t> RepresentedContexts::representatives(const Named& named) const {
  std::vector<std::uint32_t> result = named.contexts;
  for (const auto& [key, height] : heights_) {
    std::vector<std::uint32_t> processes = {0};
    if (counts_processes()) {
      processes = named.processes;
      named.owners({key.first, Peers::processes, 0}, processes);
      sort_once(processes);
      const auto first = first_unnamed(height.by_order, processes);
      const auto longest = first_unnamed(height.by_wait, processes);
      if (first != height.by_order.end()) processes.insert(processes.end(), {first->second, longest->second});
      sort_once(processes);
    }
    for (const std::uint32_t process : processes) {
      const auto one = height.processes.find(process);
      if (one != height.processes.end()) represent(one->second, key, process, named, result);
    }
  }
  sort_once(result);
  result.erase(std::remove_if(result.begin(), result.end(), [&](std::uint32_t one) { return !contains(one); }),
               result.end());
  std::sort(result.begin(), result.end(),
            [this](std::uint32_t a, std::uint32_t b) { return known_.at(a).sequence < known_.at(b).sequence; });
  return result;
}

void RepresentedContexts::represent(const OfProcess& one, const HeightKey& height, std::uint32_t process,
                                    const Named& named, std::vector<std::uint32_t>& out) const {
  for (const auto& [in_process, group] : one.groups) {
    std::vector<std::uint32_t> apart = named.contexts;
    named.owners(context_peers(*policy_, height.first, in_process, process), apart);
    sort_once(apart);
    out.insert(out.end(), apart.begin(), apart.end());
    const auto first = first_unnamed(group.by_order, apart);
    if (first == group.by_order.end()) continue;
    out.push_back(first->second);
    out.push_back(first_unnamed(group.by_wait, apart)->second);
  }
}

}  // namespace fenceline
