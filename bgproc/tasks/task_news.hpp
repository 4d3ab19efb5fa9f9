// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace fenceline {

/// What threads outside of the simulation have to tell it: calls that are made inside it, in the order in which they
/// were left, once it takes them. `leave`, `any` and `wait` from any thread, `take` from the simulation's.
class TaskNews {
 public:
  /// `left` is called after each `leave`, on its thread and without a lock; it may be empty.
  explicit TaskNews(std::function<void()> left = {});
  void leave(std::function<void()> call);
  /// Makes the calls that were left until now, also those that they leave. One that takes itself makes those that are
  /// next.
  void take();
  bool any() const { return any_; }
  /// Until something is left, for a few milliseconds at most.
  void wait();

 private:
  std::function<void()> left_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> calls_;
  std::atomic<bool> any_{false};  // of calls_: asked far more often than there are any
};

}  // namespace fenceline
