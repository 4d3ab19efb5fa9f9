// SPDX-License-Identifier: Apache-2.0
#include "scheduler/residency/content_uses.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

bool is_discard(const AllocationUse& use) { return use.as == AllocationUse::As::discard; }

}  // namespace

ContentUses::ContentUses(std::shared_ptr<const CommandStream> list, Tell tell)
    : list_(std::move(list)), tell_(std::move(tell)) {
  for (const AllocationUse& use : list_->memory.uses) {
    if (use.command != AllocationUse::of_list) events_.push_back({use.command, use.allocation, is_discard(use), false});
  }
}

template <class Action>
void ContentUses::each_of(std::size_t command, const Action& action) {
  const auto first = std::lower_bound(events_.begin(), events_.end(), command,
                                      [](const Event& one, std::size_t wanted) { return one.command < wanted; });
  for (auto i = static_cast<std::size_t>(first - events_.begin()); i < events_.size(); ++i) {
    if (events_[i].command != command) return;
    action(i);
  }
}

void ContentUses::ended(std::size_t command) {
  for (; passed_ < events_.size() && events_[passed_].command < command; ++passed_) {
    if (is_front_end_only(list_->commands[events_[passed_].command])) is_over(passed_);
  }
  each_of(command, [this](std::size_t i) { is_over(i); });
}

void ContentUses::skipped(std::size_t command) {
  each_of(command, [this](std::size_t i) {
    events_[i].over = true;
    settle(events_[i].allocation);
  });
}

void ContentUses::finished() {
  for (std::size_t i = 0; i < events_.size(); ++i) is_over(i);
}

void ContentUses::is_over(std::size_t event) {
  if (std::exchange(events_[event].over, true)) return;
  const std::uint32_t allocation = events_[event].allocation;
  const auto discarded = discards_.find(allocation);
  if (events_[event].discards) {
    discards_[allocation] = {event, true};
  } else if (discarded == discards_.end()) {
    tell_(allocation, true);
  } else if (event > discarded->second.event) {
    discarded->second.waits = false;
    tell_(allocation, true);
  }
  settle(allocation);
}

/// A discard takes effect once all before it that use the allocation are over.
void ContentUses::settle(std::uint32_t allocation) {
  const auto discarded = discards_.find(allocation);
  if (discarded == discards_.end() || !discarded->second.waits) return;
  const auto end = events_.begin() + static_cast<std::ptrdiff_t>(discarded->second.event);
  const auto is_open = [&](const Event& one) { return one.allocation == allocation && !one.over; };
  if (std::any_of(events_.begin(), end, is_open)) return;
  discarded->second.waits = false;
  tell_(allocation, false);
}

}  // namespace fenceline
