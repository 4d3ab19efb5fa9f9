// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fences/fence_unit.hpp"

#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

FenceUnit::FenceUnit(sc_core::sc_module_name module_name, FenceKind kind, EventLog& log)
    : sc_module(module_name), kind_(kind), log_(log), agenda_("agenda") {}

FenceUnit::~FenceUnit() { unshare(); }

FenceId FenceUnit::create(const std::string& fence_name, std::uint64_t initial_value) {
  Fence fence;
  fence.name = fence_name;
  fence.value = initial_value;
  if (log_.enabled()) log_name_of(fence);
  return static_cast<FenceId>(fences_.add(std::move(fence)));
}

/// Names live as long as the log: what nobody listens to gets none.
LogName FenceUnit::log_name_of(const Fence& fence) const {
  if (fence.log_name == LogName{}) fence.log_name = log_.own_name(std::string(name()) + "." + fence.name);
  return fence.log_name;
}

FenceId FenceUnit::create(const std::string& fence_name, std::shared_ptr<SharedFence> shared) {
  const FenceId id = create(fence_name, shared->value_);
  shared->members_.push_back({this, id});
  fences_[static_cast<std::uint32_t>(id)].shared = std::move(shared);
  return id;
}

void FenceUnit::move(Fence& fence, std::uint64_t value, std::uint64_t at_ps) {
  if (!fence.ended) fence.value = value;
  if (log_.enabled()) log_.counter({log_name_of(fence), CounterKind::fence_value, at_ps, fence.value});
}

void FenceUnit::signal(FenceId id, std::uint64_t value, Signaller by, std::uint64_t dpc_ps) {
  const std::uint64_t now = now_ps();
  const bool from_cpu = by == Signaller::cpu;
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  ++fence.signals;
  if (!from_cpu && interrupts_at(id, value)) ++fence.interrupts;
  move(fence, value, now);
  if (fence.shared != nullptr) tell_others(id, value, from_cpu ? now : std::max(now, dpc_ps));

  std::vector<FenceWait> satisfied;
  fence.waits.take(value, satisfied);
  if (from_cpu || dpc_ps <= now) {
    fence.cpu_waits.take(value, satisfied);
    resample(fence);
  } else if (interrupts_at(id, value)) {
    // Reached now, whatever becomes of the value until the operating system looks.
    Released released{static_cast<std::uint32_t>(id), by, {}};
    fence.cpu_waits.take(value, released.waits);
    // Where nobody goes on, the value that it monitors stays as it is, or changes with an earlier interrupt.
    if (!released.waits.empty()) {
      on_their_way_.push_back(released_.add(std::move(released)));
      agenda_.at<&FenceUnit::handled>(dpc_ps, this, on_their_way_.back());
    }
  }
  tell(satisfied, by);
}

void FenceUnit::flush(Signaller node) {
  for (const std::uint64_t slot : on_their_way_) {
    if (released_[slot].by != node) continue;
    std::vector<FenceWait> waits = std::exchange(released_[slot].waits, {});  // the agenda finds nobody
    tell(waits, node);
  }
}

void FenceUnit::end(FenceId id) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (fence.ended) return;
  move(fence, nobody_waits, now_ps());
  fence.ended = true;
  std::vector<FenceWait> satisfied;
  fence.waits.take(nobody_waits, satisfied);
  fence.cpu_waits.take(nobody_waits, satisfied);
  resample(fence);
  tell(satisfied, Signaller::cpu);
}

void FenceUnit::restart(FenceId id, std::uint64_t value) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  fence.ended = false;
  move(fence, value, now_ps());
}

void FenceUnit::end_all() {
  for (std::uint32_t fence = 0; fence < fences_.numbers(); ++fence) {  // who is told may release some
    if (fences_.contains(fence)) end(static_cast<FenceId>(fence));
  }
}

void FenceUnit::release(FenceId id) {
  end(id);
  fences_[static_cast<std::uint32_t>(id)].released = true;
  free_if_gone(id);
}

void FenceUnit::let_go(FenceId id) {
  --fences_[static_cast<std::uint32_t>(id)].held;
  free_if_gone(id);
}

void FenceUnit::free_if_gone(FenceId id) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (!fence.released || fence.held > 0 || log_.enabled()) return;
  leave_others(id);
  fences_.remove(static_cast<std::uint32_t>(id));
}

/// It is no other machine's fence from now on.
void FenceUnit::leave_others(FenceId id) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (fence.shared == nullptr) return;
  auto& members = fence.shared->members_;
  const auto is_it = [&](const auto& member) { return member.unit == this && member.fence == id; };
  members.erase(std::remove_if(members.begin(), members.end(), is_it), members.end());
  fence.shared.reset();
}

void FenceUnit::unshare() {
  fences_.for_each([&](std::uint32_t fence, const Fence&) { leave_others(static_cast<FenceId>(fence)); });
}

bool FenceUnit::shares_with(const FenceUnit& other) const {
  bool shares = false;
  fences_.for_each([&](std::uint32_t, const Fence& fence) {
    if (fence.shared == nullptr) return;
    const auto& members = fence.shared->members_;
    shares = shares ||
             std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.unit == &other; });
  });
  return shares;
}

void FenceUnit::tell_others(FenceId id, std::uint64_t value, std::uint64_t told_ps) {
  SharedFence& shared = *fences_[static_cast<std::uint32_t>(id)].shared;
  shared.value_ = value;
  for (const SharedFence::Member& member : shared.members_) {
    if (member.unit != this || member.fence != id) member.unit->hear(member.fence, value, now_ps(), told_ps);
  }
  Kernel::pause_running();  // what comes next there may be the waits
}

/// From inside a signal of a fence that it is shared with: what waits is told from outside, by `take_news`.
void FenceUnit::hear(FenceId id, std::uint64_t value, std::uint64_t at_ps, std::uint64_t told_ps) {
  move(fences_[static_cast<std::uint32_t>(id)], value, at_ps);
  const News news{told_ps, id, value, at_ps};
  const auto later_one = [](const News& a, const News& b) { return a.at_ps < b.at_ps; };
  news_.insert(std::upper_bound(news_.begin(), news_.end(), news, later_one), news);
}

void FenceUnit::take_news() {
  for (const News& news : news_) {
    const std::uint64_t slot = heard_.add(News(news));
    if (others_signal_ && news.moved_ps < news.at_ps) {
      agenda_.at<&FenceUnit::moved>(std::max(news.moved_ps, now_ps()), this, slot);
    }
    agenda_.at<&FenceUnit::heard>(std::max(news.at_ps, now_ps()), this, slot);
  }
  news_.clear();
}

/// Another's signal has moved the fence. Where no wait has to be told of it later that is all that it does here.
void FenceUnit::moved(std::uint64_t slot) {
  News& news = heard_[slot];
  if (freed(news.fence)) return;
  Fence& fence = fences_[static_cast<std::uint32_t>(news.fence)];
  const auto satisfies = [&](const FenceWaits& waits) { return !waits.empty() && waits.least() <= news.value; };
  if (satisfies(fence.waits) || satisfies(fence.cpu_waits)) {
    ++fence.ahead;
    return;
  }
  news.told = true;
  if (others_signal_ && !fence.ended) others_signal_(news.fence, news.value);
}

/// The operating system tells the waits of this machine of another's signal.
void FenceUnit::heard(std::uint64_t slot) {
  const News news = heard_[slot];
  heard_.remove(slot);
  if (freed(news.fence)) return;
  Fence& fence = fences_[static_cast<std::uint32_t>(news.fence)];
  if (!news.told && fence.ahead > 0) --fence.ahead;
  if (!news.told && others_signal_ && !fence.ended) others_signal_(news.fence, news.value);
  std::vector<FenceWait> satisfied;
  fence.waits.take(news.value, satisfied);
  fence.cpu_waits.take(news.value, satisfied);
  resample(fence);
  tell(satisfied, Signaller::cpu);
}

/// The operating system has handled the interrupt of a signal.
void FenceUnit::handled(std::uint64_t slot) {
  Released released = std::move(released_[slot]);
  released_.remove(slot);
  on_their_way_.erase(std::find(on_their_way_.begin(), on_their_way_.end(), slot));
  if (!freed(static_cast<FenceId>(released.fence))) resample(fences_[released.fence]);
  tell(released.waits, released.by);
}

/// DxgkDdiUpdateMonitoredValues.
void FenceUnit::resample(Fence& fence) {
  fence.monitored_value = fence.cpu_waits.empty() ? nobody_waits : fence.cpu_waits.least() - 1;
}

void FenceUnit::tell(std::vector<FenceWait>& waits, Signaller by) {
  std::sort(waits.begin(), waits.end(), [](const FenceWait& a, const FenceWait& b) { return a.sequence < b.sequence; });
  for (const FenceWait& wait : waits) wait.waiter->fence_reached(wait.token, by);
}

bool FenceUnit::wait(FenceId id, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  return add(fence.waits, fence, {value, next_sequence_++, &waiter, token});
}

bool FenceUnit::cpu_wait(FenceId id, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (add(fence.cpu_waits, fence, {value, next_sequence_++, &waiter, token})) return true;
  fence.monitored_value = std::min(fence.monitored_value, value - 1);
  return false;
}

bool FenceUnit::add(FenceWaits& waits, const Fence& fence, const FenceWait& wait) {
  if (fence.value >= wait.value) return true;
  waits.add(wait);
  return false;
}

}  // namespace fenceline
