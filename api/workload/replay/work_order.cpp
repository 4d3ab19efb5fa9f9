// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/work_order.hpp"

#include "api/workload/beats.hpp"
#include "api/workload/replay/fence_history.hpp"
#include "api/workload/step_resolver.hpp"
#include "sim/config_error.hpp"
#include "sim/time_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace fenceline {
namespace {

/// From one vertical blank to the next, where nobody knows the machine.
constexpr std::uint64_t vblank_ps = 1'000'000'000'000 / 60;

/// A step that a queue is to come to.
struct Submitted {
  TimelineCursor cursor;
  std::uint32_t timeline;
  std::uint64_t number;   ///< less: submitted before
  std::size_t submitted;  ///< events before that
  std::size_t changes;    ///< of its fence before that
};

struct QueueState {
  TimelineCursor own;
  std::deque<Submitted> given = {};  ///< by CPU threads
};

struct CpuState {
  TimelineCursor cursor;
  bool begun = false;       ///< its step
  std::size_t changes = 0;  ///< of the fence that it waits for, before that
  std::uint64_t took_ps = 0;
};

/// Work whose GPU and calls take no time (docs/replay.md, rules 1 to 5).
class Untimed {
 public:
  Untimed(const Workload& workload, WorkOrder& order) : order_(order) {
    for (const FenceInfo& fence : workload.fences) fences_.emplace_back(fence.initial_value);
    const std::size_t count = order.queues + workload.swap_chains.size();
    presents_.resize(count);
    submitted_presents_.resize(count);
    closed_.resize(count);
    frames_of_.resize(count, Step::no_fence);
    const auto chains = frame_chains(workload);
    for (std::uint32_t i = 0; i < fences_.size(); ++i) {
      if (chains[i] && frames_of_[*chains[i]] == Step::no_fence) frames_of_[*chains[i]] = i;
      stands_for_.push_back(chains[i] ? frames_of_[*chains[i]] : i);
    }
    for (std::size_t i = 0; i < order.queues; ++i) count_presents(order.timelines[i]);
    waiting_.resize(fences_.size());
    for (std::size_t i = 0; i < order.timelines.size(); ++i) {
      if (i < order.queues) {
        queues_.push_back({TimelineCursor(order.timelines[i])});
      } else {
        cpus_.push_back({TimelineCursor(order.timelines[i])});
      }
    }
  }

  void run() {
    for (std::uint32_t i = 0; i < queues_.size(); ++i) look_at_queue(i);
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) threads_.insert({0, i});
    while (!ready_.empty() || !threads_.empty()) {
      if (!ready_.empty()) {
        const std::uint32_t queue = ready_.begin()->second;
        ready_.erase(ready_.begin());
        run_queue(queue);
      } else {
        const auto [at_ps, cpu] = *threads_.begin();
        threads_.erase(threads_.begin());
        now_ps_ = at_ps;
        run_cpu(cpu);
      }
    }
  }

  /// A wait that lasts for ever, if there is one.
  void check(const std::string& file) const {
    for (std::uint32_t i = 0; i < queues_.size(); ++i) {
      if (const auto head = head_of(i)) refuse(head->cursor, order_.timelines[i].owner, file);
    }
    for (const CpuState& cpu : cpus_) {
      if (!cpu.cursor.at_end()) refuse(cpu.cursor, cpu.cursor.timeline().owner, file);
    }
  }

 private:
  std::optional<Submitted> head_of(std::uint32_t queue) const {
    const QueueState& state = queues_[queue];
    if (!state.own.at_end()) return Submitted{state.own, queue, queue, 0, 1};
    if (!state.given.empty()) return state.given.front();
    return {};
  }

  /// It can go on, or waits for a fence, or has nothing.
  void look_at_queue(std::uint32_t queue) {
    const auto head = head_of(queue);
    if (!head) return;
    const Step& step = head->cursor.step();
    const bool is_wait = step.kind == Step::Kind::queue_wait;
    if (is_wait && !history(step).reached(head->cursor.value(), head->changes)) {
      waiting_[stands_for_[step.fence]].push_back(queue);
    } else {
      ready_.insert({head->number, queue});
    }
  }

  void run_queue(std::uint32_t queue) {
    const Submitted head = *head_of(queue);
    WorkEvent event = event_of(head.cursor, head.timeline);
    event.queue = queue;
    event.submitted = head.submitted;
    if (waits(event)) event.reached_by = *fences_[event.fence].reached(event.value, head.changes);
    const std::uint32_t chain = head.cursor.step().swap_chain;
    if (event.kind == Step::Kind::present && !closed_[chain]) {
      event.fence = frames_of_[chain];
      event.value = ++presents_[chain];
    }
    QueueState& state = queues_[queue];
    if (state.own.at_end()) {
      state.given.pop_front();
    } else {
      state.own.next();
    }
    add(event);
    look_at_queue(queue);
  }

  /// The thread's next step: it begins, if it takes time or waits, or comes.
  void run_cpu(std::uint32_t index) {
    CpuState& cpu = cpus_[index];
    if (cpu.cursor.at_end()) return;
    const Step& step = cpu.cursor.step();
    const auto timeline = static_cast<std::uint32_t>(order_.queues + index);
    if (!std::exchange(cpu.begun, true)) {
      cpu.changes = step.kind == Step::Kind::fence_wait ? history(step).changes() : 0;
      cpu.took_ps = time_of(cpu.cursor);
      if (cpu.took_ps > 0) {
        threads_.insert({now_ps_ + cpu.took_ps, index});
        return;
      }
    }
    WorkEvent event = event_of(cpu.cursor, timeline);
    event.took_ps = cpu.took_ps;
    if (step.kind == Step::Kind::fence_wait) {
      const auto reached = history(step).reached(event.value, cpu.changes);
      if (!reached) {
        waiting_[event.fence].push_back(timeline);
        return;
      }
      event.reached_by = *reached;
    }
    const TimelineCursor cursor = cpu.cursor;
    cpu.cursor.next();
    cpu.begun = false;
    threads_.insert({now_ps_, index});
    if (is_for_queue(step.kind)) {
      const std::size_t changes = step.kind == Step::Kind::queue_wait ? history(step).changes() : 0;
      if (step.kind == Step::Kind::present) ++submitted_presents_[step.swap_chain];
      const bool first = !head_of(step.queue);
      queues_[step.queue].given.push_back({cursor, timeline, queues_.size() + given_++, order_.events.size(), changes});
      if (first) look_at_queue(step.queue);
    } else {
      if (step.kind == Step::Kind::close_swap_chain && !closed_[step.swap_chain]) {
        closed_[step.swap_chain] = true;
        event.fence = frames_of_[step.swap_chain];
        event.value = submitted_presents_[step.swap_chain] + 1;
      }
      add(event);
    }
  }

  /// Of a queue's own timeline, all of which is submitted before anything else is.
  void count_presents(const Timeline& timeline) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        if (step.kind != Step::Kind::present) continue;
        submitted_presents_[step.swap_chain] += block.count - std::min(block.count, step.from_iteration);
      }
    }
  }

  const FenceHistory& history(const Step& step) const { return fences_[stands_for_[step.fence]]; }

  static bool is_for_queue(Step::Kind kind) {
    return kind == Step::Kind::execute || kind == Step::Kind::queue_signal || kind == Step::Kind::queue_wait ||
           kind == Step::Kind::present || is_marker(kind);
  }

  /// What the step takes. Simulated time ends somewhere.
  std::uint64_t time_of(const TimelineCursor& cursor) const {
    return std::min(unlimited_time_of(cursor), max_time_ps - now_ps_);
  }
  std::uint64_t unlimited_time_of(const TimelineCursor& cursor) const {
    const Step& step = cursor.step();
    if (step.kind == Step::Kind::work) return step.work_ps;
    if (step.kind == Step::Kind::wait_vblank) return vblank_ps;
    if (step.kind == Step::Kind::sleep_until) return cursor.until_ps() - std::min(cursor.until_ps(), now_ps_);
    return 0;
  }

  WorkEvent event_of(const TimelineCursor& cursor, std::uint32_t timeline) const {
    const Step& step = cursor.step();
    WorkEvent event;
    event.kind = step.kind;
    event.timeline = timeline;
    event.place = cursor.place();
    event.at_ps = now_ps_;
    const bool waits = step.kind == Step::Kind::queue_wait || step.kind == Step::Kind::fence_wait;
    if (waits || (step.fence != Step::no_fence && fenceline::signals(step, step.fence))) {
      event.fence = stands_for_[step.fence];
      event.value = cursor.value();
    }
    return event;
  }

  void add(const WorkEvent& event) {
    order_.events.push_back(event);
    if (!signals(event)) return;
    fences_[event.fence].signal(event.value, order_.events.size());
    for (const std::uint32_t waiter : std::exchange(waiting_[event.fence], {})) {
      if (waiter < queues_.size()) {
        look_at_queue(waiter);
      } else {
        run_again(waiter - static_cast<std::uint32_t>(queues_.size()));
      }
    }
  }

  /// The thread looks again whether its fence is there.
  void run_again(std::uint32_t cpu) { threads_.insert({now_ps_, cpu}); }

  void refuse(const TimelineCursor& at, const std::string& owner, const std::string& file) const {
    const FenceHistory& fence = history(at.step());
    throw ConfigError(file, at.pointer(),
                      fmt::format("a wait that what comes before it in the order of the work satisfies; its fence "
                                  "reaches {} at most",
                                  fence.highest()),
                      fmt::format("{}, for which {} would wait for ever", at.value(), owner));
  }

  WorkOrder& order_;
  std::vector<FenceHistory> fences_;
  std::vector<std::uint32_t> stands_for_;            // by fence: of those that count a swap chain's frames the first
  std::vector<std::uint32_t> frames_of_;             // by swap chain: that fence
  std::vector<std::uint64_t> presents_;              // by swap chain, so far
  std::vector<std::uint64_t> submitted_presents_;    // the same: those that queues have not come to among them
  std::vector<bool> closed_;                         // by swap chain
  std::vector<std::vector<std::uint32_t>> waiting_;  // by fence: timelines
  std::vector<QueueState> queues_;
  std::vector<CpuState> cpus_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> ready_;    // number of the next step, queue
  std::set<std::pair<std::uint64_t, std::uint32_t>> threads_;  // when, CPU thread
  std::uint64_t now_ps_ = 0;
  std::uint64_t given_ = 0;  // steps, by CPU threads to queues
};

}  // namespace

std::vector<std::optional<std::uint32_t>> frame_chains(const Workload& workload) {
  std::map<std::string, std::uint32_t> chains;
  for (const QueueInfo& queue : workload.queues) chains.emplace(queue.name, chains.size());
  for (const SwapChainInfo& chain : workload.swap_chains) chains.emplace(chain.name, chains.size());
  std::vector<std::optional<std::uint32_t>> result;
  for (const FenceInfo& fence : workload.fences) {
    const auto found = chains.find(fence.frames_of);
    result.push_back(found != chains.end() ? std::optional(found->second) : std::nullopt);
  }
  return result;
}

bool signals(const WorkEvent& event) { return event.fence != Step::no_fence && !waits(event); }

WorkOrder order_of(const Workload& workload, const std::string& file) {
  if (keeps_beats(workload)) return order_of(with_times_of_beats(workload, file), file);
  WorkOrder order;
  StepResolver resolver(workload, file);
  order.queues = workload.queues.size();
  for (std::uint32_t i = 0; i < workload.queues.size(); ++i) {
    order.timelines.push_back(resolver.timeline(workload.queues[i], i));
  }
  for (std::uint32_t i = 0; i < workload.cpus.size(); ++i) {
    order.timelines.push_back(resolver.timeline(workload.cpus[i], i));
  }
  resolver.throw_errors();
  Untimed untimed(workload, order);
  untimed.run();
  untimed.check(file);
  return order;
}

std::vector<std::uint64_t> fence_values(const Workload& workload, const WorkOrder& order, std::size_t events) {
  std::vector<std::uint64_t> values;
  for (const FenceInfo& fence : workload.fences) values.push_back(fence.initial_value);
  for (std::size_t i = 0; i < events; ++i) {
    if (signals(order.events[i])) values[order.events[i].fence] = order.events[i].value;
  }
  return values;
}

}  // namespace fenceline
