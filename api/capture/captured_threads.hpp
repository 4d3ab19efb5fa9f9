// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/work_listener.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <vector>

namespace fenceline {

/// The CPU timelines of a capture: of each thread that calls the machine what it does, when, and what it waited for.
/// Time in between is work, whatever the thread did: computed, slept, or waited for another thread outside of the
/// machine.
///
/// Played (Player::play_captured), threads act in the order of their time, then of how often they let others go first,
/// then of their numbers. Where the program's own acted otherwise at one moment, work of 0 is put in front.
class CapturedThreads {
 public:
  /// `add` is given each step of the thread with that number; `begin` is told its number and name before its first.
  CapturedThreads(std::uint64_t start_ps, std::function<void(std::size_t thread, nlohmann::json step)> add,
                  std::function<void(const std::string& name)> begin)
      : start_ps_(start_ps), add_(std::move(add)), begin_(std::move(begin)) {}

  /// The calling thread does that at this moment.
  void act(const WorkMoment& at, nlohmann::json step);
  /// The calling thread waited, as `step` says, from `since_ps` on. Whoever plays that goes on at `told_ps`; the thread
  /// itself at `at`, or later.
  void waited(const WorkMoment& at, const nlohmann::json& step, std::uint64_t since_ps, std::uint64_t told_ps);
  /// The calling thread has not seen such a value of the fence before. It may be the first that it does.
  bool is_news(const WorkMoment& at, FenceId fence, std::uint64_t value);
  /// The fence is to be set to the value: where it goes down, what threads saw before may be news again.
  void signalled(FenceId fence, std::uint64_t value);

 private:
  struct Thread {
    std::size_t number = 0;
    std::uint64_t now_ps = 0;  // up to where its steps come
    std::uint64_t slice = 0;   // of the machine, when it acted last
    bool may_join = true;      // what it does next in this moment is done with what it did last, in any slice
    std::uint64_t turn = 0;    // how often it has let others go first in this moment
    std::map<FenceId, std::uint64_t> seen = {};
  };
  Thread& calling(const WorkMoment& at);
  void advance(Thread& thread, std::uint64_t time_ps);
  void let_others_go(Thread& thread);

  const std::uint64_t start_ps_;
  std::function<void(std::size_t thread, nlohmann::json step)> add_;
  std::function<void(const std::string& name)> begin_;
  std::map<std::thread::id, Thread> threads_;
  Thread inside_;  // what is done from inside the simulation
  bool inside_begun_ = false;
  std::size_t count_ = 0;
  std::uint64_t last_ps_ = 0;  // of what was done last, and its place in that moment
  std::uint64_t last_turn_ = 0;
  std::size_t last_number_ = 0;
};

}  // namespace fenceline
