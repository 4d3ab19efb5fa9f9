// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/task_news.hpp"

#include <chrono>
#include <utility>

namespace fenceline {

TaskNews::TaskNews(std::function<void()> left) : left_(std::move(left)) {}

void TaskNews::leave(std::function<void()> call) {
  {
    const std::lock_guard held(mutex_);
    calls_.push_back(std::move(call));
    any_ = true;
  }
  arrived_.notify_all();
  if (left_) left_();
}

void TaskNews::take() {
  while (true) {
    std::function<void()> call;
    {
      const std::lock_guard held(mutex_);
      if (calls_.empty()) return;
      call = std::move(calls_.front());
      calls_.pop_front();
      any_ = !calls_.empty();
    }
    call();
  }
}

void TaskNews::wait() {
  constexpr auto at_most = std::chrono::milliseconds(5);
  std::unique_lock held(mutex_);
  arrived_.wait_for(held, at_most, [this] { return !calls_.empty(); });
}

}  // namespace fenceline
