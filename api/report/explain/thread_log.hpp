// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/play/step_listener.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

struct LoadedWorkload;

/// When the CPU threads of a run came to which of their steps. Memory grows with the run.
class ThreadLog final : public StepListener {
 public:
  /// A step that a thread came to.
  struct Place {
    std::size_t thread;  ///< of the workload
    std::size_t step;    ///< that it came to, from 0
  };
  /// What a thread did.
  struct Did {
    std::uint64_t at_ps;  ///< it began
    Step::Kind kind;      ///< its step
    std::uint32_t fence;  ///< of a step that has one: of the program
    std::uint64_t value;  ///< of the fence
  };

  /// The threads are those of this workload, which outlives the object. Without it nothing is known of any.
  void know(const LoadedWorkload& loaded) { loaded_ = &loaded; }
  bool known() const { return loaded_ != nullptr; }

  void queue_begins(std::size_t queue, const TimelineCursor& at) override;
  void thread_begins(std::size_t thread, const TimelineCursor& at, std::uint64_t at_ps) override;
  void thread_acts(std::size_t thread, std::uint64_t at_ps) override;

  /// The step that has just queued this packet. Unset: no thread has.
  std::optional<Place> queueing(const QueuedRecord& queued) const;
  /// The step that raises a fence now to this value. Unset: none does.
  std::optional<Place> raising(const std::string& fence, std::uint64_t value, std::uint64_t at_ps) const;

  std::string name(std::size_t thread) const;  ///< as the workload has it
  /// What the thread was at then. Unset: it had not begun.
  std::optional<Place> at(std::size_t thread, std::uint64_t at_ps) const;
  const Did& did(const Place& place) const { return threads_[place.thread].did[place.step]; }
  /// When the thread went on behind that; 0: it never did.
  std::uint64_t end_of(const Place& place) const;
  std::string fence_of(const Did& did) const;  ///< its name
  /// How often the thread came to a step.
  std::size_t steps(std::size_t thread) const { return threads_[thread].did.size(); }
  /// The thread that would still have signalled the fence to at least this value when the run was over, and the step
  /// behind its last one. Unset: none would.
  std::optional<Place> to_signal(const std::string& fence, std::uint64_t value) const;

 private:
  struct Thread {
    std::vector<Did> did;
    std::optional<TimelineCursor> last;
    bool acted = false;  // the last step
  };
  const LoadedWorkload* loaded_ = nullptr;
  std::vector<Thread> threads_;
  std::optional<std::size_t> acting_;  // the thread that did something last
  std::uint64_t acted_ps_ = 0;
};

}  // namespace fenceline
