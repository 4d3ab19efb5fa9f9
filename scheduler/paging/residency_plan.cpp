// SPDX-License-Identifier: Apache-2.0
// Residency, the family of functions that say what would move: who may make room, and for what.
#include "scheduler/paging/residency.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {

namespace {

/// Those that stay in system memory where all of them do not fit together: of a device the ones of lowest priority, of
/// equals the last; of a packet the last ones that it uses.
std::vector<std::uint32_t> beyond(const Segment& segment, std::vector<std::uint32_t> all, bool by_priority) {
  if (by_priority) {
    std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (is_context(a) != is_context(b)) return is_context(a);
      return segment[a].priority != segment[b].priority ? segment[a].priority > segment[b].priority : a < b;
    });
  }
  std::vector<std::uint32_t> result;
  std::uint64_t bytes = 0;
  for (const std::uint32_t one : all) {
    if (segment[one].bytes <= segment.bytes() - bytes) {
      bytes += segment[one].bytes;
    } else {
      result.push_back(one);
    }
  }
  return result;
}

}  // namespace

/// What would move for it now, and how things stand then. A packet's allocations come in one by one, a device's all or
/// none.
Residency::Plan Residency::plan(const Job& job) {
  mark_in_use();
  Plan plan{segment_, {}, true};
  const bool pages = config_.over_commit == OverCommit::page;
  const bool of_device = job.packet == 0;
  std::vector<std::uint32_t> kept;  // the job's contexts, then what else may not make room for it
  std::copy_if(job.targets.begin(), job.targets.end(), std::back_inserter(kept), is_context);
  std::vector<std::uint32_t> needed = of_device ? kept : job.targets;
  if (of_device) {
    const std::vector<std::uint32_t> listed = list_of(devices_, job.process);
    needed.insert(needed.end(), listed.begin(), listed.end());
  }
  // Beside what contexts keep not all of a packet's allocations may fit either.
  const bool leaves_out = pages || (!of_device && !kept.empty());
  const std::vector<std::uint32_t> outside =
      leaves_out ? beyond(segment_, needed, of_device) : std::vector<std::uint32_t>{};
  if (pages || !of_device) kept = needed;
  const VictimOrder order = [&](std::uint32_t one) -> std::optional<std::uint32_t> {
    std::uint32_t place = 0;
    const std::uint32_t owner = is_context(one) ? contexts_.process_of(one) : SchedulerState::none;
    for (std::uint32_t other = 0; other < devices_.size(); ++other) {
      if (other == job.process || !(other == owner || devices_[other].wants(one))) continue;
      const bool busy = is_busy(other);
      if (busy && other != owner) return {};
      if (busy || devices_[other].closed) {
        place = 2;
      } else if (devices_[other].waits_since_ps != DeviceList::never) {
        place = std::max<std::uint32_t>(place, 1);
      }
    }
    return place;
  };
  const bool by_device = of_device && pages && config_.residency == ResidencyModel::device_list;
  // What is used in place all the same makes room as others do.
  for (const std::uint32_t one : outside) plan.after[one].left_out = true;
  for (const std::uint32_t one : kept) plan.after[one].kept = !plan.after[one].left_out;
  Victims victims(by_device ? order : VictimOrder{});
  for (const std::uint32_t target : job.targets) {
    if (plan.after[target].left_out) {
      plan.after.use_in_place(target, plan.moves);
      continue;
    }
    const auto moves = plan.after.bring_in(target, victims, now_ps());
    if (!moves) {
      plan.complete = false;
      break;
    }
    plan.moves.insert(plan.moves.end(), moves->begin(), moves->end());
    if (!pages && !moves->empty()) plan.after[target].kept = true;
  }
  for (const std::uint32_t one : outside) plan.after.demote(one);
  return plan;
}

/// The context's first packet has what it needs: it is ready, is about to be, or is between pieces that run back to
/// back (Windows 7 model).
bool Residency::is_prepared(const Context& context) const {
  if (context.software_queue.empty()) return false;
  const QueuePacket& first = context.software_queue.front();
  const auto is_released = [&](const Held& one) { return one.released && one.packet == first.id; };
  return has_commands(first.type) &&
         (context.ready || runs_back_to_back(s_.config, first) || std::any_of(held_.begin(), held_.end(), is_released));
}

/// Something of the process is ready, or on hardware. Waits use nothing, and might be for what is held.
bool Residency::is_busy(std::uint32_t process) const {
  const auto runs = [](const Context::InFlight& one) { return has_commands(one.packet.type); };
  bool busy = false;
  s_.contexts.for_each([&](std::uint32_t, const Context& context) {
    if (busy || SchedulerState::process_index(context) != process) return;
    busy = is_prepared(context) || std::any_of(context.in_flight.begin(), context.in_flight.end(), runs);
  });
  return busy;
}

/// Allocations of packets that are in a hardware queue, or have been prepared.
void Residency::mark_in_use() {
  segment_.forget_uses();
  for (const auto& [allocation, times] : holds_) segment_[allocation].in_use = true;
  const auto mark = [&](std::uint32_t context, const QueuePacket& packet) {
    if (packet.type != PacketType::render) return;
    for (const std::uint32_t one : used_by(segment_, packet)) segment_[one].in_use = true;
    for (const std::uint32_t one : contexts_.of(context)) segment_[one].in_use = true;
  };
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    for (const Context::InFlight& one : context.in_flight) mark(index, one.packet);
    if (is_prepared(context)) mark(index, context.software_queue.front());
  });
}

}  // namespace fenceline
