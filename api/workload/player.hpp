// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "api/workload/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Plays a program on a machine, once: queue timelines are submitted at the machine's present time, CPU threads start
/// then and run as simulated threads.
class Player : private FenceWaiter {
 public:
  /// Creates the program's fences, processes and queues on the machine. Both must outlive the player.
  Player(Machine& machine, const Program& program);

  /// Plays to the end. False when queues or CPU threads wait for ever; `deadlock()` says for what.
  bool play();
  /// One sentence per queue or CPU thread that waits.
  std::vector<std::string> deadlock() const;

  ContextId queue(std::size_t index) const { return queues_[index]; }
  FenceId fence(std::size_t index) const { return fences_[index]; }

 private:
  struct Thread {
    TimelineCursor cursor;
    bool waiting = false;
  };
  void submit_queue_timelines(std::uint64_t);
  void run_thread(std::uint64_t thread);
  void submit(const TimelineCursor& cursor);
  std::string holding_threads(FenceId fence, std::uint64_t value) const;
  void fence_reached(std::uint64_t thread, Signaller by) override;

  Machine& machine_;
  const Program& program_;
  std::uint64_t call_ps_;
  std::uint64_t wake_ps_;
  std::uint64_t start_ps_ = 0;     // of play
  std::vector<FenceId> fences_;    // by fence of the program
  std::vector<ContextId> queues_;  // by queue of the program
  std::vector<Thread> threads_;
};

}  // namespace fenceline
