// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

json work_of(std::uint64_t ps) { return {{"type", "work"}, {"us", static_cast<double>(ps) / 1e6}}; }

}  // namespace

CapturedThreads::Thread& CapturedThreads::calling(const WorkMoment& at) {
  const bool is_new = at.inside ? !std::exchange(inside_begun_, true) : threads_.count(std::this_thread::get_id()) == 0;
  Thread& thread = at.inside ? inside_ : threads_[std::this_thread::get_id()];
  if (!is_new) return thread;
  thread.number = count_++;
  thread.now_ps = start_ps_;
  begin_(at.inside ? "driver" : fmt::format("thread{}", thread.number));
  // Of what a further one did before nothing is known: it begins at a time of its own.
  if (thread.number > 0 && at.now_ps > start_ps_) {
    add_(thread.number, {{"type", "sleep_until"}, {"us", static_cast<double>(at.now_ps - start_ps_) / 1e6}});
    thread.now_ps = at.now_ps;
  }
  return thread;
}

void CapturedThreads::advance(Thread& thread, std::uint64_t time_ps) {
  if (time_ps <= thread.now_ps) return;
  add_(thread.number, work_of(time_ps - thread.now_ps));
  thread.now_ps = time_ps;
  thread.turn = 0;
  thread.may_join = true;
}

void CapturedThreads::let_others_go(Thread& thread) {
  add_(thread.number, work_of(0));
  ++thread.turn;
}

void CapturedThreads::act(const WorkMoment& at, json step) {
  Thread& thread = calling(at);
  advance(thread, at.now_ps);
  if (!thread.may_join && thread.slice != at.slice) let_others_go(thread);
  if (last_ps_ == at.now_ps) {
    while (std::tie(thread.turn, thread.number) < std::tie(last_turn_, last_number_)) let_others_go(thread);
  }
  add_(thread.number, std::move(step));
  thread.slice = at.slice;
  thread.may_join = false;
  last_ps_ = at.now_ps;
  last_turn_ = thread.turn;
  last_number_ = thread.number;
}

void CapturedThreads::waited(const WorkMoment& at, const json& step, std::uint64_t since_ps, std::uint64_t told_ps) {
  Thread& thread = calling(at);
  const std::uint64_t since = std::max(since_ps, thread.now_ps);
  if (since < told_ps && told_ps <= at.now_ps) {
    advance(thread, since);
    add_(thread.number, step);
    thread.now_ps = told_ps;
    thread.turn = 0;
    thread.may_join = true;
    return;
  }
  // Nothing was to be waited for, or it knows before the operating system tells: then all that is known is that it goes
  // on then, and the fence is there. Whoever plays it goes on at once, in the turn that it has.
  if (since == at.now_ps || told_ps > at.now_ps) return act(at, step);
  advance(thread, since);
  add_(thread.number, step);
}

bool CapturedThreads::is_news(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  if (value == 0) return false;  // no thread begins with that
  std::uint64_t& seen = calling(at).seen[fence];
  return std::exchange(seen, std::max(seen, value)) < value;
}

void CapturedThreads::signalled(FenceId fence, std::uint64_t value) {
  for (auto& [id, thread] : threads_) {
    const auto seen = thread.seen.find(fence);
    if (seen != thread.seen.end()) seen->second = std::min(seen->second, value);
  }
}

}  // namespace fenceline
