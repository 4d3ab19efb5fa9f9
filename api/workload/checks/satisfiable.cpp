// SPDX-License-Identifier: Apache-2.0
#include "api/workload/checks/satisfiable.hpp"

#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace fenceline {
namespace {

/// A signal or wait that a CPU thread put into a queue.
struct Submitted {
  bool wait;
  std::uint32_t fence;
  std::uint64_t value;
  std::string pointer;
};

/// What someone is stuck at.
struct Blocked {
  std::uint32_t fence;
  std::uint64_t value;
  std::string pointer;
};

/// The timelines without time.
class Untimed {
 public:
  explicit Untimed(const Program& program) : program_(program) {
    for (const FenceInfo& fence : program.fences) {
      // Frames come to the screen by themselves.
      reached_.push_back(fence.frames_of.empty() ? fence.initial_value : std::numeric_limits<std::uint64_t>::max());
    }
    for (const Timeline& timeline : program.queue_timelines) queues_.push_back({TimelineCursor(timeline), {}});
    for (const Timeline& timeline : program.cpu_timelines) cpus_.emplace_back(timeline);
  }

  void run() {
    for (bool progress = true; progress;) {
      progress = false;
      for (Queue& queue : queues_) progress |= run_queue(queue);
      for (TimelineCursor& cpu : cpus_) progress |= run_cpu(cpu);
    }
  }

  /// Queues first, then CPU threads.
  std::size_t agents() const { return queues_.size() + cpus_.size(); }
  const std::string& owner(std::size_t agent) const {
    return agent < queues_.size() ? program_.queue_timelines[agent].owner
                                  : program_.cpu_timelines[agent - queues_.size()].owner;
  }
  std::optional<Blocked> blocked(std::size_t agent) const {
    if (agent >= queues_.size()) return blocked_at(cpus_[agent - queues_.size()]);
    const Queue& queue = queues_[agent];
    if (!queue.own.at_end()) return blocked_at(queue.own);
    if (queue.submitted.empty()) return std::nullopt;
    return Blocked{queue.submitted.front().fence, queue.submitted.front().value, queue.submitted.front().pointer};
  }
  std::uint64_t reached(std::uint32_t fence) const { return reached_[fence]; }

  /// The agent that still has a signal of the fence to at least this value ahead of it.
  std::optional<std::size_t> signaller(std::uint32_t fence, std::uint64_t value) const {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      if (signals_later(queues_[i].own, fence, value)) return i;
      for (const Submitted& submitted : queues_[i].submitted) {
        if (!submitted.wait && submitted.fence == fence && submitted.value >= value) return i;
      }
    }
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
      if (signals_later(cpus_[i], fence, value)) return queues_.size() + i;
    }
    return std::nullopt;
  }

 private:
  struct Queue {
    TimelineCursor own;
    std::deque<Submitted> submitted;  // by CPU threads
  };

  void signal(std::uint32_t fence, std::uint64_t value) { reached_[fence] = std::max(reached_[fence], value); }

  bool run_queue(Queue& queue) {
    bool progress = false;
    for (; !queue.own.at_end(); queue.own.next(), progress = true) {
      const Step& step = queue.own.step();
      if (step.kind == Step::Kind::queue_wait && reached_[step.fence] < queue.own.value()) return progress;
      if (step.kind == Step::Kind::queue_signal) signal(step.fence, queue.own.value());
    }
    for (; !queue.submitted.empty(); queue.submitted.pop_front(), progress = true) {
      const Submitted& next = queue.submitted.front();
      if (next.wait && reached_[next.fence] < next.value) return progress;
      if (!next.wait) signal(next.fence, next.value);
    }
    return progress;
  }

  bool run_cpu(TimelineCursor& cpu) {
    bool progress = false;
    for (; !cpu.at_end(); cpu.next(), progress = true) {
      const Step& step = cpu.step();
      switch (step.kind) {
        case Step::Kind::fence_wait:
          if (reached_[step.fence] < cpu.value()) return progress;
          break;
        case Step::Kind::fence_signal: signal(step.fence, cpu.value()); break;
        case Step::Kind::set_background_processing_mode:
          if (step.mode.has_event) signal(step.fence, cpu.value());
          break;
        case Step::Kind::make_resident:
          if (step.fence != Step::no_fence) signal(step.fence, cpu.value());
          break;
        case Step::Kind::queue_signal:
        case Step::Kind::queue_wait:
          queues_[step.queue].submitted.push_back(
              {step.kind == Step::Kind::queue_wait, step.fence, cpu.value(), cpu.pointer()});
          break;
        case Step::Kind::execute:
        case Step::Kind::present:
        case Step::Kind::begin_event:
        case Step::Kind::end_event:
        case Step::Kind::set_marker:
        case Step::Kind::input:
        case Step::Kind::compose:
        case Step::Kind::close_swap_chain:
        case Step::Kind::wait_vblank:
        case Step::Kind::work:
        case Step::Kind::sleep_until:
        case Step::Kind::create_device:
        case Step::Kind::evict:
        case Step::Kind::set_residency_priority:
        case Step::Kind::set_video_memory_reservation:
        case Step::Kind::wait_for_budget_change:
        case Step::Kind::focus:
        case Step::Kind::set_priority:
        case Step::Kind::set_process_priority:
        case Step::Kind::queue_processing_work:
        case Step::Kind::create_pipeline_states:
        case Step::Kind::shader_cache_control:
        case Step::Kind::update_driver:
        case Step::Kind::write: break;
      }
    }
    return progress;
  }

  static std::optional<Blocked> blocked_at(const TimelineCursor& cursor) {
    if (cursor.at_end()) return std::nullopt;
    return Blocked{cursor.step().fence, cursor.value(), cursor.pointer()};
  }

  const Program& program_;
  std::vector<std::uint64_t> reached_;  // by fence: highest value so far
  std::vector<Queue> queues_;
  std::vector<TimelineCursor> cpus_;
};

/// From whoever is stuck to whoever holds the signal, until nobody does or somebody comes twice: throws then. Those
/// that were `seen` before have been told of.
void follow(const Untimed& untimed, std::size_t agent, const Program& program, const std::string& file,
            std::vector<bool>& seen) {
  std::vector<std::size_t> chain;
  while (!seen[agent]) {
    seen[agent] = true;
    const Blocked blocked = *untimed.blocked(agent);
    const std::string& fence = program.fences[blocked.fence].name;
    const auto signaller = untimed.signaller(blocked.fence, blocked.value);
    if (!signaller) {
      throw ConfigError(
          file, blocked.pointer,
          fmt::format("a value that fence {} reaches, at most {}", in_quotes(fence), untimed.reached(blocked.fence)),
          fmt::format("{}, for which {} would wait for ever", blocked.value, untimed.owner(agent)));
    }
    chain.push_back(agent);
    const auto again = std::find(chain.begin(), chain.end(), *signaller);
    if (again != chain.end()) {
      std::string found = "a cycle";
      for (auto i = again; i != chain.end(); ++i) {
        const Blocked at = *untimed.blocked(*i);
        const std::size_t next = i + 1 == chain.end() ? *again : *(i + 1);
        found +=
            fmt::format("{} {} waits for fence {} to reach {}, which {} signals later", i == again ? ":" : ";",
                        untimed.owner(*i), in_quotes(program.fences[at.fence].name), at.value, untimed.owner(next));
      }
      throw ConfigError(file, untimed.blocked(*again)->pointer, "waits that can all be satisfied", found);
    }
    agent = *signaller;
  }
}

}  // namespace

void check_waits(const Program& program, const std::string& file) {
  Untimed untimed(program);
  untimed.run();
  ConfigErrors errors;
  std::vector<bool> seen(untimed.agents());
  for (std::size_t agent = 0; agent < untimed.agents(); ++agent) {
    if (untimed.blocked(agent)) errors.keep([&] { follow(untimed, agent, program, file, seen); });
  }
  errors.throw_any();
}

}  // namespace fenceline
