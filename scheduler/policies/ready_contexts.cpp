// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/ready_contexts.hpp"

namespace fenceline {

void ReadyContexts::add(const ReadyContext& one) {
  if (many_) {
    many_->add(one);
    return;
  }
  few_.push_back(one);
  if (few_.size() <= listed_) return;
  many_.emplace(*policy_);
  for (const ReadyContext& each : few_) many_->add(each);
  few_.clear();
}

void ReadyContexts::remove(std::uint32_t context) {
  if (!many_) {
    few_.erase(listed(context));
    return;
  }
  many_->remove(context);
  if (many_->size() > listed_ / 2) return;  // not there and back with each that comes and goes
  few_ = many_->all();
  many_.reset();
}

void ReadyContexts::update(const ReadyContext& one) {
  if (many_) {
    many_->update(one);
  } else {
    *listed(one.context) = one;
  }
}

void ReadyContexts::move_process(std::uint32_t process, std::uint32_t height, const Arrival& arrival) {
  if (many_) {
    many_->move_process(process, height, arrival);
    return;
  }
  for (ReadyContext& one : few_) {
    if (one.process == process && height_of(one.rank) == height) one.process_arrival = arrival;
  }
}

std::size_t ReadyContexts::of_process(std::uint32_t process) const {
  if (many_) {
    const auto known = many_->processes().find(process);
    return known != many_->processes().end() ? known->second : 0;
  }
  return static_cast<std::size_t>(
      std::count_if(few_.begin(), few_.end(), [&](const ReadyContext& one) { return one.process == process; }));
}

std::uint32_t ReadyContexts::process_after(std::uint32_t process) const {
  if (many_) {
    const auto& processes = many_->processes();
    auto next = process == none ? processes.begin() : processes.upper_bound(process);
    if (next == processes.end()) next = processes.begin();
    return next->first != process ? next->first : none;
  }
  const auto distance = [&](std::uint32_t other) { return other - (process + 1); };  // it wraps
  std::uint32_t next = none;
  for (const ReadyContext& one : few_) {
    if (one.process == process) continue;
    if (next == none || distance(one.process) < distance(next)) next = one.process;
  }
  return next;
}

}  // namespace fenceline
