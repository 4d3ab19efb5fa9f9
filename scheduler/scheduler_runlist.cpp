// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions by which processes take turns on a runlist's engines.
//
// A process keeps the engines for a time slice while another waits. While nobody waits, a slice that ends begins anew
// as long as the process has packets queued behind those that run; a process without any has had its turn, and gives
// way at once. Source: measured on an H200, see configs/machines/h200.json.
#include "scheduler/scheduler.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {
bool Scheduler::may_run(const Node& node, const Context& context) const {
  if (node.runlist == none) return true;
  const Runlist& runlist = runlists_[node.runlist];
  return !runlist.switching && runlist.process == static_cast<std::uint32_t>(context.config.process);
}

/// The process behind the present one, in order of creation, that has a packet ready; `none` if nobody else has.
std::uint32_t Scheduler::next_process(const Runlist& runlist) const {
  const auto distance = [&](std::uint32_t process) { return process - (runlist.process + 1); };  // it wraps
  std::uint32_t next = none;
  for (const std::uint32_t node : runlist.nodes) {
    const std::uint32_t one = nodes_[node].ready.process_after(runlist.process);
    if (one == none) continue;
    if (next == none || distance(one) < distance(next)) next = one;
  }
  return next;
}

/// The process has packets on the engines, or ready for them.
bool Scheduler::busy(const Runlist& runlist) const {
  return std::any_of(runlist.nodes.begin(), runlist.nodes.end(), [&](std::uint32_t index) {
    const Node& node = nodes_[index];
    const bool running = std::any_of(node.queues.begin(), node.queues.end(),
                                     [](const HardwareQueue& queue) { return queue.packets > 0; });
    return running || node.ready.of_process(runlist.process) > 0;
  });
}

/// Packets of the process wait behind those that run.
bool Scheduler::has_queued(const Runlist& runlist) const {
  return std::any_of(runlist.nodes.begin(), runlist.nodes.end(), [&](std::uint32_t node) {
    const std::vector<std::uint32_t>& there = nodes_[node].on_hardware;
    return std::any_of(there.begin(), there.end(), [&](std::uint32_t index) {
      const Context& context = contexts_[index];
      if (static_cast<std::uint32_t>(context.config.process) != runlist.process) return false;
      return context.in_flight.size() > 1 || !context.software_queue.empty();
    });
  });
}

void Scheduler::consider(std::uint32_t index) {
  Runlist& runlist = runlists_[index];
  if (runlist.switching) return;
  const std::uint32_t next = next_process(runlist);
  if (next == none) {
    runlist.demanded = false;
    return;
  }
  if (runlist.process == none) {  // the first of all: nothing to switch from
    runlist.process = next;
    runlist.slice_end_ps = now_ps() + processes_[next].slice_ps;
    consider(index);
    return;
  }
  if (!busy(runlist)) {
    stop_process(index);
    return;
  }
  if (!runlist.demanded && now_ps() > runlist.slice_end_ps && has_queued(runlist)) {
    const std::uint64_t slice_ps = processes_[runlist.process].slice_ps;
    runlist.slice_end_ps += slice_ps * ((now_ps() - runlist.slice_end_ps) / slice_ps + 1);
  }
  if (now_ps() >= runlist.slice_end_ps && !grant_late_slice(runlist)) {
    stop_process(index);
  } else {
    runlist.demanded = true;
  }
}

/// A process whose state is still being loaded when its slice ends gets one that begins with its first command: else
/// processes whose slices are shorter would take turns for ever and never run.
bool Scheduler::grant_late_slice(Runlist& runlist) const {
  const std::uint64_t slice_ps = processes_[runlist.process].slice_ps;
  std::uint64_t since_ps = never;
  bool loading = false;
  for (const std::uint32_t index : runlist.nodes) {
    const Node& node = nodes_[index];
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      if (node.engine->packets_in(queue) == 0) continue;
      const std::optional<std::uint64_t> running_ps = node.engine->running_since_ps(queue);
      if (running_ps) since_ps = std::min(since_ps, *running_ps);
      loading = loading || !running_ps;
    }
  }
  if (since_ps == never && loading) {
    runlist.late = true;
    runlist.slice_end_ps = now_ps() + slice_ps;
    return true;
  }
  if (!std::exchange(runlist.late, false) || since_ps == never || since_ps + slice_ps <= now_ps()) return false;
  runlist.slice_end_ps = since_ps + slice_ps;
  return true;
}

void Scheduler::stop_process(std::uint32_t index) {
  Runlist& runlist = runlists_[index];
  runlist.switching = true;
  runlist.answers = 1;
  for (const std::uint32_t node_of : runlist.nodes) {
    Node& node = nodes_[node_of];
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      if (node.queues[queue].packets == 0 && !node.queues[queue].preempting) continue;
      ++runlist.answers;
      if (node.queues[queue].preempting) continue;
      count_attempt(node, queue, 0, PreemptionAttempt::success);
      request(node_of, queue, PreemptionReason::runlist, {});
    }
  }
  answered(index);
}

/// One of the runlist's hardware queues has stopped.
void Scheduler::answered(std::uint32_t index) {
  Runlist& runlist = runlists_[index];
  if (--runlist.answers > 0) return;
  const std::uint32_t next = next_process(runlist);
  const std::uint32_t loaded = next == none ? runlist.process : next;
  agenda_.at<&Scheduler::activate>(now_ps() + processes_[loaded].switch_ps, this, index);
}

void Scheduler::activate(std::uint64_t index) {
  Runlist& runlist = runlists_[index];
  const std::uint32_t next = next_process(runlist);
  if (next != none) runlist.process = next;
  runlist.switching = runlist.demanded = runlist.late = false;
  runlist.slice_end_ps = now_ps() + processes_[runlist.process].slice_ps;
  schedule_.request();
}

}  // namespace fenceline
