// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

constexpr std::int64_t least_reaction_ps = 1'000'000;  // of a host that waits: it waited for something that had ended

}  // namespace

KinetoHost::KinetoHost(const KinetoTrace& trace, const KinetoSchedule& schedule, const KinetoWork& work,
                       const std::string& context, const std::string& prefix, Workload& workload)
    : trace_(trace),
      schedule_(schedule),
      work_(work),
      context_(context),
      prefix_(prefix),
      workload_(workload),
      base_ns_(schedule.lists.front().start_ns),
      submission_(schedule.lists.size(), Submission::at_once),
      anchor_(schedule.lists.size(), none),
      next_(schedule.lists.size(), none),
      signal_(schedule.lists.size(), 0),
      signals_(schedule.streams.size(), 0) {
  for (const KinetoStream& stream : schedule.streams) {
    several_contexts_ = several_contexts_ || stream.context != schedule.streams.front().context;
  }
}

std::string KinetoHost::stream_name(std::uint32_t stream) const {
  const KinetoStream& one = schedule_.streams[stream];
  const std::string own = fmt::format("stream{}", one.stream);
  return several_contexts_ ? fmt::format("context{}.{}", one.context, own) : own;
}

void KinetoHost::write() {
  plan();
  number_signals();
  std::vector<Thread> threads(schedule_.streams.size());
  for (std::uint32_t stream = 0; stream < threads.size(); ++stream) {
    Thread& thread = threads[stream];
    // The trace's first operation starts a launch after the workload does.
    thread.at_ps = -work_.costs_of(schedule_.lists.front().stream).launch_ps;
    thread.queue = prefix_ + stream_name(stream);
    thread.cpu.name = prefix_ + "host." + stream_name(stream);
    QueueInfo queue;
    queue.name = thread.queue;
    queue.type = QueueType::compute;
    queue.path = work_.costs_of(stream).path;
    queue.process = context_;
    workload_.queues.push_back(std::move(queue));
    if (signals_[stream] > 0) workload_.fences.push_back({thread.queue, 0});
  }
  for (std::uint32_t list = 0; list < schedule_.lists.size(); ++list)
    submit(list, threads[schedule_.lists[list].stream]);
  for (std::uint32_t stream = 0; stream < threads.size(); ++stream) {
    flush(threads[stream], work_.costs_of(stream).call_ps);
    workload_.cpus.push_back(std::move(threads[stream].cpu));
  }
}

/// Decides how each list is submitted, and what the host waits for where it waits.
void KinetoHost::plan() {
  std::vector<std::uint32_t> by_end(schedule_.lists.size());
  for (std::uint32_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::stable_sort(by_end.begin(), by_end.end(), [this](std::uint32_t a, std::uint32_t b) {
    return schedule_.lists[a].end_ns < schedule_.lists[b].end_ns;
  });
  std::vector<std::uint32_t> previous(schedule_.streams.size(), none);
  std::size_t ended = 0;
  for (std::uint32_t i = 0; i < schedule_.lists.size(); ++i) {
    const KinetoList& list = schedule_.lists[i];
    const KinetoCosts& costs = work_.costs_of(list.stream);
    // What the machine's copies do faster than measured leaves its stream idle as well.
    const std::uint32_t before = std::exchange(previous[list.stream], i);
    std::int64_t ready_ps = before == none ? 0 : end_ps(before);
    if (before != none) next_[before] = i;
    for (const std::uint32_t waited : list.waits) ready_ps = std::max(ready_ps, end_ps(waited));
    const std::int64_t idle_ps = start_ps(i) - ready_ps;
    const bool other_engine = !list.waits.empty();
    const std::int64_t explained_ps = (other_engine ? engine_gap_ns : follow_gap_ns) * 1000;

    const std::int64_t reaction_ps =
        std::max(least_reaction_ps, costs.retire_ps + costs.wake_ps + costs.call_ps + costs.launch_ps);
    while (ended < by_end.size() &&
           schedule_.lists[by_end[ended]].end_ns * 1000 <= list.start_ns * 1000 - reaction_ps) {
      ++ended;
    }
    if (idle_ps <= explained_ps) continue;
    submission_[i] = Submission::at_its_time;
    if (idle_ps < host_wait_ns * 1000 || ended == 0) continue;
    submission_[i] = Submission::after_its_anchor;
    anchor_[i] = by_end[ended - 1];
  }
}

/// A fence a stream, one value for each list that somebody waits for.
void KinetoHost::number_signals() {
  std::vector<bool> waited_for(schedule_.lists.size(), false);
  for (std::uint32_t i = 0; i < schedule_.lists.size(); ++i) {
    for (const std::uint32_t list : schedule_.lists[i].waits) waited_for[list] = true;
    if (anchor_[i] != none) waited_for[anchor_[i]] = true;
  }
  for (std::uint32_t i = 0; i < schedule_.lists.size(); ++i) {
    if (waited_for[i]) signal_[i] = ++signals_[schedule_.lists[i].stream];
  }
}

void KinetoHost::flush(Thread& thread, std::int64_t call_ps) const {
  if (thread.pending.lists.empty()) return;
  thread.pending.queue = thread.queue;
  thread.cpu.timeline.emplace_back(std::exchange(thread.pending, {}));
  thread.at_ps += call_ps;
}

/// The innermost region that both are in.
std::uint32_t KinetoHost::common(std::uint32_t region, std::uint32_t other) const {
  while (region != other) {
    std::uint32_t& inner = region > other ? region : other;
    inner = trace_.regions[inner].outer;
  }
  return region;
}

/// The queue's regions end that are not around this one; those that are, and have not begun, begin.
void KinetoHost::go_to(std::uint32_t region, Thread& thread, std::int64_t call_ps) const {
  if (region == thread.region) return;
  flush(thread, call_ps);
  const std::uint32_t both = common(region, thread.region);
  for (; thread.region != both; thread.region = trace_.regions[thread.region].outer) {
    CpuEndEvent end;
    end.queue = thread.queue;
    thread.cpu.timeline.emplace_back(end);
  }
  std::vector<std::uint32_t> inside;
  for (std::uint32_t one = region; one != both; one = trace_.regions[one].outer) inside.push_back(one);
  for (auto one = inside.rbegin(); one != inside.rend(); ++one) {
    CpuBeginEvent begin;
    begin.queue = thread.queue;
    begin.name = trace_.regions[*one].name;
    thread.cpu.timeline.emplace_back(std::move(begin));
  }
  thread.region = region;
}

void KinetoHost::submit(std::uint32_t index, Thread& thread) {
  const KinetoList& list = schedule_.lists[index];
  const KinetoCosts& costs = work_.costs_of(list.stream);
  const auto fence_of = [this](std::uint32_t other) { return prefix_ + stream_name(schedule_.lists[other].stream); };
  if (submission_[index] == Submission::after_its_anchor) {
    flush(thread, costs.call_ps);
    CpuFenceWait wait;
    wait.fence = fence_of(anchor_[index]);
    wait.value = signal_[anchor_[index]];
    thread.cpu.timeline.emplace_back(wait);
    const std::int64_t retire_ps = work_.costs_of(schedule_.lists[anchor_[index]].stream).retire_ps;
    const std::int64_t reached_ps = end_ps(anchor_[index]) + retire_ps;
    if (reached_ps > thread.at_ps) thread.at_ps = reached_ps + costs.wake_ps;  // else nobody sleeps
    thread.at_ps += costs.call_ps;
  }
  if (submission_[index] != Submission::at_once) {
    flush(thread, costs.call_ps);
    const std::int64_t calls_ps = static_cast<std::int64_t>(list.waits.size()) * costs.call_ps;
    const std::int64_t busy_ps = start_ps(index) - costs.launch_ps - calls_ps - thread.at_ps;
    if (busy_ps > 0) {
      CpuWork work;
      work.us = static_cast<double>(busy_ps) / 1e6;
      thread.cpu.timeline.emplace_back(work);
      thread.at_ps += busy_ps;
    }
  }
  go_to(list.region, thread, costs.call_ps);
  for (const std::uint32_t waited : list.waits) {
    flush(thread, costs.call_ps);
    CpuQueueWait wait;
    wait.queue = thread.queue;
    wait.fence = fence_of(waited);
    wait.value = signal_[waited];
    thread.cpu.timeline.emplace_back(wait);
    thread.at_ps += costs.call_ps;
  }
  thread.pending.lists.push_back(work_.name_of(index));
  if (signal_[index] != 0) {
    flush(thread, costs.call_ps);
    CpuQueueSignal signal;
    signal.queue = thread.queue;
    signal.fence = thread.queue;
    signal.value = signal_[index];
    thread.cpu.timeline.emplace_back(signal);
    thread.at_ps += costs.call_ps;
  }
  const std::uint32_t next = next_[index];
  go_to(next == none ? 0 : common(list.region, schedule_.lists[next].region), thread, costs.call_ps);
}

}  // namespace fenceline
