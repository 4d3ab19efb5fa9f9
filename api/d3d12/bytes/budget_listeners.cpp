// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/budget_listeners.hpp"

#include "api/d3d12/host/event_handle.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace fenceline::d3d12 {
namespace {

std::uint32_t next_cookie() {
  static std::atomic<std::uint32_t> cookies{0};
  return ++cookies;
}

}  // namespace

std::uint32_t BudgetListeners::add_event(HANDLE event) {
  events_.push_back({next_cookie(), event, event_generation(event)});
  return events_.back().cookie;
}

void BudgetListeners::remove_event(std::uint32_t cookie) {
  const auto is = [cookie](const Event& one) { return one.cookie == cookie; };
  events_.erase(std::remove_if(events_.begin(), events_.end(), is), events_.end());
}

void BudgetListeners::set_events() {
  for (const Event& one : events_) {
    if (event_generation(one.handle) == one.generation) set_event(one.handle);
  }
}

void BudgetListeners::add_call(std::function<void()> call, std::uint32_t& cookie) {
  cookie = next_cookie();
  const auto made = std::make_shared<Call>(Call{cookie, std::move(call)});
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    calls_.push_back(made);
  }
  deliver(*made);
}

bool BudgetListeners::remove_call(std::uint32_t cookie) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto is = [cookie](const std::shared_ptr<Call>& one) { return one->cookie == cookie; };
  const auto found = std::find_if(calls_.begin(), calls_.end(), is);
  if (found == calls_.end()) return false;
  const std::shared_ptr<Call> removed = *found;
  calls_.erase(found);
  removed->removed = true;
  const auto here = std::this_thread::get_id();
  returned_.wait(lock, [&] { return removed->caller == std::thread::id{} || removed->caller == here; });
  return true;
}

void BudgetListeners::call() {
  std::vector<std::shared_ptr<Call>> all;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    all = calls_;
  }
  for (const std::shared_ptr<Call>& one : all) deliver(*one);
}

/// Who finds that it is being called leaves the call to who does that.
void BudgetListeners::deliver(Call& one) {
  std::unique_lock<std::mutex> lock(mutex_);
  ++one.outstanding;
  if (one.caller != std::thread::id{}) return;
  one.caller = std::this_thread::get_id();
  for (; one.outstanding > 0 && !one.removed; --one.outstanding) {
    lock.unlock();
    one.made();
    lock.lock();
  }
  one.caller = {};
  returned_.notify_all();
}

}  // namespace fenceline::d3d12
