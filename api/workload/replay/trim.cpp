// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/trim.hpp"

#include "api/workload/beats.hpp"
#include "api/workload/replay/chosen_steps.hpp"
#include "api/workload/replay/lasting_steps.hpp"
#include "api/workload/replay/needed_names.hpp"
#include "api/workload/replay/open_events.hpp"
#include "api/workload/replay/queue_steps.hpp"
#include "api/workload/replay/work_order.hpp"
#include "sim/config_error.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {
namespace {

double us_of(std::uint64_t ps) { return static_cast<double>(ps) / 1e6; }

/// A range of an order's events, from `from` up to `to`, and the time that becomes 0.
struct Cut {
  std::size_t from;
  std::size_t to;
  std::uint64_t at_ps;
};

Cut cut_of(const WorkOrder& order, const ReplayRange& range) {
  Cut cut{0, order.events.size(), 0};
  if (range.from) cut.from = events_before(*range.from, order, "--from");
  if (range.to) cut.to = events_before(*range.to, order, "--to");
  if (cut.from >= cut.to && !order.events.empty()) {
    if (!range.to) throw ConfigError("--from", "", "a point with work behind it", text_of(*range.from));
    const std::string from = range.from ? text_of(*range.from) : "the beginning";
    throw ConfigError("--to", "", fmt::format("a point behind {}", from), text_of(*range.to));
  }
  if (cut.from > 0) cut.at_ps = order.events[cut.from - 1].at_ps;
  return cut;
}

/// What of each timeline is in a range.
struct ChosenWork {
  std::vector<std::vector<StepPlace>> places;  ///< by timeline of the order
  std::vector<std::vector<QueueStep>> given;   ///< by queue: by CPU threads before the range
  std::vector<std::vector<CpuStep>> begun;     ///< by CPU thread: the rest of work that had begun
};

/// The step need not be there: what it waits for has been before the range.
bool is_over(const WorkOrder& order, const WorkEvent& event, const Cut& cut) {
  if (waits(event)) return event.reached_by <= cut.from;
  if (event.kind != Step::Kind::sleep_until) return false;
  const Step& step = order.step_of(event);
  return step.until_ps + step.until_step_ps * (event.place.iteration - step.from_iteration) <= cut.at_ps;
}

ChosenWork chosen_work(const Workload& workload, const WorkOrder& order, const Cut& cut) {
  ChosenWork chosen;
  chosen.places.resize(order.timelines.size());
  chosen.given.resize(order.queues);
  chosen.begun.resize(order.timelines.size() - order.queues);
  for (std::size_t i = cut.from; i < cut.to; ++i) {
    const WorkEvent& event = order.events[i];
    if (cut.from > 0 && is_over(order, event, cut)) continue;
    if (event.timeline >= order.queues && event.queue != WorkEvent::no_queue && event.submitted < cut.from) {
      chosen.given[event.queue].push_back(queue_step_at(workload, order, event));
    } else if (event.kind == Step::Kind::work && event.at_ps - event.took_ps < cut.at_ps) {
      const std::uint64_t rest_ps = event.at_ps - cut.at_ps;
      if (rest_ps > 0) chosen.begun[event.timeline - order.queues].push_back(CpuWork{us_of(rest_ps)});
    } else {
      chosen.places[event.timeline].push_back(event.place);
    }
  }
  for (auto& places : chosen.places) std::sort(places.begin(), places.end());
  return chosen;
}

/// How far each fence has come at least once, by the first events.
std::vector<std::uint64_t> highest_values(const Workload& workload, const WorkOrder& order, std::size_t events) {
  std::vector<std::uint64_t> values = fence_values(workload, order, 0);
  for (std::size_t i = 0; i < events; ++i) {
    const WorkEvent& event = order.events[i];
    if (signals(event)) values[event.fence] = std::max(values[event.fence], event.value);
  }
  return values;
}

/// The times of a deadline that are in the range; none: count 0.
DeadlineInfo part_of(const DeadlineInfo& deadline, std::uint64_t before, std::uint64_t reached, const Cut& cut) {
  const bool begins_later = cut.from > 0;
  DeadlineInfo part = deadline;
  part.count = 0;
  for (std::uint64_t i = 0; i < deadline.count; ++i) {
    const std::uint64_t value = deadline.value + deadline.value_step * i;
    const std::uint64_t due_ps = ps_of_us(deadline.us) + ps_of_us(deadline.us_step) * i;
    if ((begins_later && value <= before) || value > reached || due_ps < cut.at_ps) continue;
    if (part.count++ > 0) continue;
    part.value = value;
    if (i > 0 || cut.at_ps > 0) part.us = us_of(due_ps - cut.at_ps);
  }
  return part;
}

void cut_deadlines(Workload& result, const Workload& workload, const WorkOrder& order, const Cut& cut) {
  const std::vector<std::uint64_t> before = highest_values(workload, order, cut.from);
  const std::vector<std::uint64_t> reached = highest_values(workload, order, cut.to);
  result.deadlines.clear();
  for (const DeadlineInfo& deadline : workload.deadlines) {
    const auto is_its = [&](const FenceInfo& fence) { return fence.name == deadline.fence; };
    const auto fence = std::find_if(workload.fences.begin(), workload.fences.end(), is_its) - workload.fences.begin();
    const auto index = static_cast<std::size_t>(fence);
    if (index == workload.fences.size()) continue;
    const DeadlineInfo part = part_of(deadline, before[index], reached[index], cut);
    if (part.count > 0) result.deadlines.push_back(part);
  }
}

/// By name of a fence that counts frames: how many its swap chain has been given by the first events, where it has.
std::map<std::string, std::uint64_t> frames_before(const Workload& workload, const WorkOrder& order,
                                                   std::size_t events) {
  std::vector<std::uint64_t> presents(order.queues + workload.swap_chains.size());
  for (std::size_t i = 0; i < events; ++i) {
    if (order.events[i].kind == Step::Kind::present) ++presents[order.step_of(order.events[i]).swap_chain];
  }
  std::map<std::string, std::uint64_t> frames;
  const auto chains = frame_chains(workload);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i] && presents[*chains[i]] > 0) frames[workload.fences[i].name] = presents[*chains[i]];
  }
  return frames;
}

/// Of steps that are there. What they wait for is in the range.
struct CountAnew {
  const std::map<std::string, std::uint64_t>& before;
  template <class One>
  void operator()(One& step) const {
    if constexpr (std::is_same_v<One, QueueRepeat> || std::is_same_v<One, CpuRepeat>) {
      for (auto& inner : step.steps) std::visit(*this, inner);
    } else if constexpr (std::is_base_of_v<FenceValue, One>) {
      const auto frames = before.find(step.fence);
      if (frames != before.end()) step.value -= frames->second;
    }
  }
};

void count_frames_anew(Workload& result, const std::map<std::string, std::uint64_t>& before) {
  for (QueueInfo& queue : result.queues) {
    for (QueueStep& step : queue.timeline) std::visit(CountAnew{before}, step);
  }
  for (CpuInfo& cpu : result.cpus) {
    for (CpuStep& step : cpu.timeline) std::visit(CountAnew{before}, step);
  }
  for (DeadlineInfo& deadline : result.deadlines) {
    const auto frames = before.find(deadline.fence);
    if (frames != before.end()) deadline.value -= frames->second;
  }
}

/// Each queue begins in the regions in which the range finds it. `needed`: queues that the range has.
std::vector<std::vector<QueueStep>> begun_events(const Workload& workload, const WorkOrder& order, std::size_t events,
                                                 const std::set<std::string>& needed) {
  OpenEvents open(order.queues);
  for (std::size_t i = 0; i < events; ++i) open.add(order, order.events[i]);
  std::vector<std::vector<QueueStep>> begun(order.queues);
  for (std::uint32_t i = 0; i < order.queues; ++i) {
    if (needed.count(workload.queues[i].name) == 0) continue;
    for (const OpenEvents::Event& event : open.of(i)) begun[i].emplace_back(event.step);
  }
  return begun;
}

template <class Item>
void put_before(std::vector<Item>& items, std::vector<Item>&& first) {
  first.insert(first.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  items = std::move(first);
}

}  // namespace

ReplayRange range_of(const std::string& from, const std::string& to) {
  ReplayRange range;
  if (!from.empty()) range.from = point_of(from, "--from");
  if (!to.empty()) range.to = point_of(to, "--to");
  return range;
}

Workload trimmed(const Workload& workload, const ReplayRange& range, const std::string& file) {
  if (keeps_beats(workload)) return trimmed(with_times_of_beats(workload, file), range, file);
  const WorkOrder order = order_of(workload, file);
  const Cut cut = cut_of(order, range);
  if (cut.from == 0 && cut.to == order.events.size()) return workload;
  ChosenWork chosen = chosen_work(workload, order, cut);
  Workload result = workload;
  for (std::size_t i = 0; i < result.queues.size(); ++i) {
    result.queues[i].timeline = chosen_steps(workload.queues[i].timeline, chosen.places[i], cut.at_ps);
    auto& timeline = result.queues[i].timeline;
    timeline.insert(timeline.end(), chosen.given[i].begin(), chosen.given[i].end());
  }
  for (std::size_t i = 0; i < result.cpus.size(); ++i) {
    result.cpus[i].timeline = chosen_steps(workload.cpus[i].timeline, chosen.places[order.queues + i], cut.at_ps);
    put_before(result.cpus[i].timeline, std::move(chosen.begun[i]));
  }
  const std::vector<std::uint64_t> values = fence_values(workload, order, cut.from);
  for (std::size_t i = 0; i < result.fences.size(); ++i) {
    if (result.fences[i].frames_of.empty()) result.fences[i].initial_value = values[i];
  }
  cut_deadlines(result, workload, order, cut);
  count_frames_anew(result, frames_before(workload, order, cut.from));
  const NeededNames needed(result);
  auto begun = begun_events(workload, order, cut.from, needed.queues);
  for (std::size_t i = 0; i < result.queues.size(); ++i) put_before(result.queues[i].timeline, std::move(begun[i]));
  auto lasting = lasting_steps(workload, order, cut.from, needed);
  for (std::size_t i = 0; i < result.cpus.size(); ++i) put_before(result.cpus[i].timeline, std::move(lasting[i]));
  drop_unneeded(result);
  return result;
}

}  // namespace fenceline
