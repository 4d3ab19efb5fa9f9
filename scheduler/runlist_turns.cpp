// SPDX-License-Identifier: Apache-2.0
#include "scheduler/runlist_turns.hpp"

#include "sim/kernel/now.hpp"

#include <algorithm>
#include <optional>

namespace fenceline {

/// The process behind the present one, in order of creation, that has a packet ready; Runlist::none if nobody else has.
std::uint32_t RunlistTurns::next_process(const Runlist& runlist) const {
  const auto distance = [&](std::uint32_t process) { return process - (runlist.process + 1); };  // it wraps
  std::uint32_t next = Runlist::none;
  for (const std::uint32_t node : runlist.nodes) {
    std::uint32_t one = s_.nodes[node].ready.process_after(runlist.process);
    if (one == s_.system_process) one = s_.nodes[node].ready.process_after(one);  // it has no turns
    if (one == Runlist::none || one == runlist.process) continue;
    if (next == Runlist::none || distance(one) < distance(next)) next = one;
  }
  return next;
}

/// The process has packets on the engines, or ready for them.
bool RunlistTurns::busy(const Runlist& runlist) const {
  return std::any_of(runlist.nodes.begin(), runlist.nodes.end(), [&](std::uint32_t index) {
    const Node& node = s_.nodes[index];
    const bool running =
        std::any_of(node.queues.begin(), node.queues.end(), [](const NodeQueue& queue) { return queue.packets > 0; });
    return running || node.ready.of_process(runlist.process) > 0;
  });
}

/// Windows 7 model: a list that is split is between the submission of its first piece and its end.
bool RunlistTurns::kept_together(const Runlist& runlist) const {
  if (s_.config.caps.preemption_aware) return false;
  return std::any_of(runlist.nodes.begin(), runlist.nodes.end(), [&](std::uint32_t node) {
    const std::vector<NodeQueue>& queues = s_.nodes[node].queues;
    return std::any_of(queues.begin(), queues.end(),
                       [](const NodeQueue& queue) { return queue.split_context != NodeQueue::none; });
  });
}

/// Packets of the process wait behind those that run.
bool RunlistTurns::has_queued(const Runlist& runlist) const {
  return std::any_of(runlist.nodes.begin(), runlist.nodes.end(), [&](std::uint32_t node) {
    const std::vector<std::uint32_t>& there = s_.nodes[node].on_hardware;
    return std::any_of(there.begin(), there.end(), [&](std::uint32_t index) {
      const Context& context = s_.contexts[index];
      if (SchedulerState::process_index(context) != runlist.process) return false;
      return context.in_flight.size() > 1 || !context.software_queue.empty();
    });
  });
}

/// How far the process whose turn it is has come on the runlist's engines.
RunlistView RunlistTurns::view(const Runlist& runlist) const {
  RunlistView view;
  view.now_ps = now_ps();
  view.slice_ps = s_.processes[runlist.process].slice_ps;
  view.busy = busy(runlist);
  view.has_queued = has_queued(runlist);
  for (const std::uint32_t index : runlist.nodes) {
    const Engine& engine = *s_.nodes[index].engine;
    for (std::uint32_t queue = 0; queue < s_.nodes[index].queues.size(); ++queue) {
      if (engine.packets_in(queue) == 0) continue;
      const std::optional<std::uint64_t> running_ps = engine.running_since_ps(queue);
      view.running_since_ps = std::min(view.running_since_ps, running_ps.value_or(RunlistView::nothing));
      view.loading = view.loading || !running_ps;
    }
  }
  return view;
}

void RunlistTurns::consider() {
  for (std::uint32_t index = 0; index < s_.runlists.size(); ++index) {
    if (!s_.runlists[index].switching) consider(index);
  }
}

void RunlistTurns::consider(std::uint32_t index) {
  Runlist& runlist = s_.runlists[index];
  const std::uint32_t next = next_process(runlist);
  if (next == Runlist::none) {
    runlist.demanded = false;
  } else if (runlist.process == Runlist::none) {  // the first of all: nothing to switch from
    runlist.process = next;
    runlist.slice_end_ps = now_ps() + s_.processes[next].slice_ps;
    tell(runlist, ProcessTurnRecord::What::begins, next);
    consider(index);
  } else if (!kept_together(runlist) && turn_is_over(runlist, view(runlist))) {
    stop_process(index);
  }
}

void RunlistTurns::stop_process(std::uint32_t index) {
  Runlist& runlist = s_.runlists[index];
  runlist.switching = true;
  runlist.answers = 1;
  tell(runlist, ProcessTurnRecord::What::ends, runlist.process);
  for (const std::uint32_t node_of : runlist.nodes) {
    Node& node = s_.nodes[node_of];
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      if (node.queues[queue].packets == 0 && !node.queues[queue].awaits_answer) continue;
      const DmaPacket* first = node.engine->first_packet(queue);
      if (first != nullptr && first->context == node.system_context) continue;  // it is stopped for nobody
      ++runlist.answers;
      const bool deepens = preemptor_.only_withholds(node, queue);
      if (node.queues[queue].awaits_answer && !deepens) continue;
      preemptor_.count_attempt(node, queue, 0, PreemptionAttempt::success);
      if (deepens) {
        preemptor_.deepen(node, queue, PreemptionReason::runlist, {node.first_packet_id(queue), 0});
      } else {
        preemptor_.request(node, queue, PreemptionReason::runlist, {});
      }
    }
  }
  answered(index);
}

void RunlistTurns::answered(std::uint32_t index) {
  Runlist& runlist = s_.runlists[index];
  if (--runlist.answers > 0) return;
  const std::uint32_t next = next_process(runlist);
  const std::uint32_t loaded = next == Runlist::none ? runlist.process : next;
  tell(runlist, ProcessTurnRecord::What::loads, loaded);
  s_.agenda.at<&RunlistTurns::activate>(now_ps() + s_.processes[loaded].switch_ps, this, index);
}

void RunlistTurns::activate(std::uint64_t index) {
  Runlist& runlist = s_.runlists[index];
  const std::uint32_t next = next_process(runlist);
  if (next != Runlist::none) runlist.process = next;
  runlist.switching = runlist.demanded = runlist.late = false;
  runlist.slice_end_ps = now_ps() + s_.processes[runlist.process].slice_ps;
  tell(runlist, ProcessTurnRecord::What::begins, runlist.process);
  s_.round.request();
}

/// On each of its engines.
void RunlistTurns::tell(const Runlist& runlist, ProcessTurnRecord::What what, std::uint32_t process) const {
  if (!s_.log.enabled()) return;
  for (const std::uint32_t node : runlist.nodes) {
    s_.log.turn({what, s_.nodes[node].log_name, s_.processes[process].name, now_ps()});
  }
}

std::uint64_t RunlistTurns::next_end_ps() const {
  std::uint64_t next_ps = Node::never;
  for (const Runlist& runlist : s_.runlists) {
    if (runlist.demanded && !runlist.switching && !kept_together(runlist))
      next_ps = std::min(next_ps, runlist.slice_end_ps);
  }
  return next_ps;
}

}  // namespace fenceline
