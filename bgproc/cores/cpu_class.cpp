// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_class.hpp"

#include <algorithm>

namespace fenceline {

void CpuClass::add(CpuThread& thread, std::uint64_t now_ps) {
  thread.placed = this;
  order_.insert({thread.key(), &thread});
  thread.since_ps = now_ps;
  thread.rate = 0;
  if (!shared_) return;
  thread.end = passed(now_ps) + thread.left;
  ends_.insert({thread.end, {thread.key(), &thread}});
}

void CpuClass::stop(CpuThread& thread, std::uint64_t now_ps) {
  thread.left = left_of(thread, now_ps);
  thread.placed = nullptr;
  order_.find(thread.key())->second = nullptr;
  if (shared_) ends_.erase({thread.end, {thread.key(), &thread}});
}

void CpuClass::set_shared(std::uint64_t rate, std::uint64_t now_ps) {
  if (shared_) {
    passed_ = passed(now_ps);
  } else {
    for (const auto& [key, thread] : order_) {
      thread->left = left_of(*thread, now_ps);
      thread->end = passed_ + thread->left;
      ends_.insert({thread->end, {key, thread}});
    }
  }
  shared_ = true;
  rate_ = rate;
  since_ps_ = now_ps;
}

void CpuClass::set_own(const std::function<std::uint64_t(std::uint64_t)>& rate_of, std::uint64_t now_ps) {
  std::uint64_t number = 0;
  for (const auto& [key, thread] : order_) {
    thread->left = left_of(*thread, now_ps);
    thread->since_ps = now_ps;
    thread->rate = rate_of(number++);
  }
  shared_ = false;
  ends_.clear();
}

RatedWork CpuClass::left_of(const CpuThread& thread, std::uint64_t now_ps) const {
  if (shared_) return thread.end - std::min(thread.end, passed(now_ps));
  return thread.left - std::min(thread.left, RatedWork{thread.rate} * (now_ps - thread.since_ps));
}

void CpuClass::add_ready(std::uint64_t now_ps, std::vector<CpuThread*>& ready) const {
  if (shared_) {
    const RatedWork now = passed(now_ps);
    for (auto one = ends_.begin(); one != ends_.end() && one->first <= now; ++one) ready.push_back(one->second.second);
    return;
  }
  for (const auto& [key, thread] : order_) {
    if (thread != nullptr && left_of(*thread, now_ps) == 0) ready.push_back(thread);
  }
}

std::optional<RatedWork> CpuClass::next_end(std::uint64_t now_ps) const {
  std::optional<RatedWork> next;
  const auto take = [&](RatedWork left, std::uint64_t rate) {
    if (rate == 0) return;
    const RatedWork until = (left + rate - 1) / rate;
    next = next ? std::min(*next, until) : until;
  };
  if (shared_) {
    if (!ends_.empty()) take(ends_.begin()->first - passed(now_ps), rate_);
  } else {
    for (const auto& [key, thread] : order_) take(left_of(*thread, now_ps), thread->rate);
  }
  return next;
}

}  // namespace fenceline
