// SPDX-License-Identifier: Apache-2.0
// Residency, the family of functions that make room: who is next, what moves for it, and whose turn it is.
#include "scheduler/paging/residency.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace fenceline {

namespace {

/// What was evicted since the call is not wanted any more.
void keep_wanted(std::vector<std::uint32_t>& targets, const DeviceList& list) {
  const auto unwanted = [&](std::uint32_t one) { return !list.wants(one); };
  targets.erase(std::remove_if(targets.begin(), targets.end(), unwanted), targets.end());
}

}  // namespace

/// What happens at a moment comes first: packets that become ready at it are prepared in the order of their numbers.
void Residency::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Residency::settled>(this)); }

void Residency::time_is_up(std::uint64_t) { settle_.request(); }

void Residency::settled(std::uint64_t) {
  as_method([this] {
    while (step()) {
    }
  });
}

/// True: something has changed, and there may be more to do at this moment.
bool Residency::step() {
  drop_stale();
  for (Held& one : held_) release(one);
  if (answer_call()) return true;
  if (job_ && job_->outstanding > 0) return false;
  std::optional<Job> next = job_ ? std::exchange(job_, {}) : next_job();
  if (!next) return false;
  return begin(std::move(*next));
}

/// A call of which nothing has to move is over when those of its device before it are. True: there was one.
bool Residency::answer_call() {
  std::set<std::uint32_t> earlier;
  if (job_ && job_->call) earlier.insert(job_->process);
  for (auto call = calls_.begin(); call != calls_.end(); ++call) {
    if (!earlier.insert(call->process).second || in_transit(call->targets)) continue;
    keep_wanted(call->targets, device(call->process));
    const Plan nothing = plan(*call);
    if (!nothing.complete || !nothing.moves.empty()) continue;
    segment_ = nothing.after;
    const std::function<void()> done = std::move(call->done);
    calls_.erase(call);
    if (done) done();
    return true;
  }
  return false;
}

/// One of them is on its way, whichever.
bool Residency::in_transit(const std::vector<std::uint32_t>& allocations) const {
  if (!job_ || job_->outstanding == 0) return false;
  return std::any_of(job_->moves.begin(), job_->moves.end(), [&](const PagingMove& move) {
    return std::find(allocations.begin(), allocations.end(), move.allocation) != allocations.end();
  });
}

/// Packets that are not the first of their context any more are not waited for.
void Residency::drop_stale() {
  const auto is_stale = [&](const Held& one) {
    if (!s_.contexts.contains(one.context)) return true;
    const auto& queue = s_.contexts[one.context].software_queue;
    return queue.empty() || queue.front().id != one.packet;
  };
  held_.erase(std::remove_if(held_.begin(), held_.end(), is_stale), held_.end());
  for (std::uint32_t process = 0; process < devices_.size(); ++process) {
    const auto is_its = [&](const Held& one) { return one.process == process; };
    if (std::none_of(held_.begin(), held_.end(), is_its)) devices_[process].waits_since_ps = DeviceList::never;
  }
  if (!job_ || job_->call || job_->outstanding > 0) return;
  const bool wanted = std::any_of(held_.begin(), held_.end(), [&](const Held& one) {
    return job_->packet != 0 ? one.packet == job_->packet : one.process == job_->process;
  });
  if (wanted) return;
  job_.reset();
  end_turn();
}

/// What has to be there for the packet, which is the first of its context.
Residency::Job Residency::job_of(const Held& held) const {
  Job job;
  job.process = held.process;
  job.since_ps = held.since_ps;
  if (config_.residency == ResidencyModel::device_list) {
    job.targets = targets_of(held.process);
  } else {
    job.packet = held.packet;
    job.targets = used_by(s_.contexts[held.context].software_queue.front());
  }
  return job;
}

/// The packet runs if nothing has to move for it; else it, or its device, waits from now on.
void Residency::release(Held& held) {
  if (held.released) return;
  const Job job = job_of(held);
  const Plan found = plan(job);
  DeviceList& list = device(held.process);
  if (!found.complete || !found.moves.empty() || in_transit(job.targets)) {
    if (list.waits_since_ps == DeviceList::never) list.waits_since_ps = now_ps();
    return;
  }
  if (list.closed) return;
  segment_ = found.after;
  list.waits_since_ps = DeviceList::never;
  held.released = true;
  s_.wake(held.context);
}

/// The first of those that wait, by the moment since when they do; nothing: none does.
std::optional<Residency::Job> Residency::next_job() {
  const bool of_devices = config_.residency == ResidencyModel::device_list;
  const Held* first = nullptr;
  std::uint64_t first_since_ps = 0;
  for (const Held& one : held_) {
    if (one.released) continue;
    const std::uint64_t since_ps = of_devices ? device(one.process).waits_since_ps : one.since_ps;
    if (since_ps == DeviceList::never) continue;  // all is there, and another device has its turn
    if (first != nullptr && std::tie(first_since_ps, first->packet) <= std::tie(since_ps, one.packet)) continue;
    first = &one;
    first_since_ps = since_ps;
  }
  if (!calls_.empty() && (first == nullptr || calls_.front().since_ps <= first_since_ps)) {
    Job call = std::move(calls_.front());
    calls_.erase(calls_.begin());
    return call;
  }
  if (first == nullptr) return {};
  Job job = job_of(*first);
  job.since_ps = first_since_ps;
  return job;
}

/// The device's list, in order of resources.
std::vector<std::uint32_t> Residency::targets_of(std::uint32_t process) const {
  std::vector<std::uint32_t> targets;
  if (process >= devices_.size()) return targets;
  for (const auto& [allocation, count] : devices_[process].counts) {
    if (count > 0) targets.push_back(allocation);
  }
  return targets;
}

namespace {

/// Those that stay in system memory where all of them do not fit together: of a device the ones of lowest priority, of
/// equals the last; of a packet the last ones that it uses.
std::vector<std::uint32_t> beyond(const Segment& segment, std::vector<std::uint32_t> all, bool by_priority) {
  if (by_priority) {
    std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
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

bool is_in(const std::vector<std::uint32_t>& all, std::uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

/// What would move for it now, and how things stand then. A packet's allocations come in one by one, a device's all or
/// none.
Residency::Plan Residency::plan(const Job& job) {
  mark_in_use();
  Plan plan{segment_, {}, true};
  const bool pages = config_.over_commit == OverCommit::page;
  const bool of_device = job.packet == 0;
  const std::vector<std::uint32_t> needed = of_device ? targets_of(job.process) : job.targets;
  const std::vector<std::uint32_t> outside = pages ? beyond(segment_, needed, of_device) : std::vector<std::uint32_t>{};
  std::vector<std::uint32_t> kept = pages || !of_device ? needed : std::vector<std::uint32_t>{};
  const VictimOrder order = [&](std::uint32_t one) -> std::optional<std::uint32_t> {
    std::uint32_t place = 0;
    for (std::uint32_t other = 0; other < devices_.size(); ++other) {
      if (other == job.process || !devices_[other].wants(one)) continue;
      if (is_busy(other)) return {};
      if (devices_[other].closed) {
        place = 2;
      } else if (devices_[other].waits_since_ps != DeviceList::never) {
        place = std::max<std::uint32_t>(place, 1);
      }
    }
    return place;
  };
  const bool by_device = of_device && pages && config_.residency == ResidencyModel::device_list;
  // What is used in place all the same makes room as others do.
  kept.erase(std::remove_if(kept.begin(), kept.end(), [&](std::uint32_t one) { return is_in(outside, one); }),
             kept.end());
  for (const std::uint32_t target : job.targets) {
    if (is_in(outside, target)) continue;
    const auto moves = plan.after.bring_in(target, kept, now_ps(), by_device ? order : VictimOrder{});
    if (!moves) {
      plan.complete = false;
      break;
    }
    plan.moves.insert(plan.moves.end(), moves->begin(), moves->end());
    if (!pages && !moves->empty()) kept.push_back(target);
  }
  for (const std::uint32_t one : outside) plan.after.use_in_place(one);
  for (PagingMove& move : plan.moves) {
    if (!comes_in(move.operation) && is_in(outside, move.allocation)) move.operation = PagingOperation::demote;
  }
  return plan;
}

/// True: it is over already, with nothing moved.
bool Residency::begin(Job job) {
  if (job.call) {
    keep_wanted(job.targets, device(job.process));
  } else if (job.packet == 0) {
    job.targets = targets_of(job.process);
  }
  Plan found = plan(job);
  if (!found.complete && job.packet == 0 && take_turn(job)) found = plan(job);
  const bool moves = !found.moves.empty() && (found.complete || job.packet != 0);
  if (moves || found.complete) segment_ = found.after;
  job.moves = moves ? std::move(found.moves) : std::vector<PagingMove>{};
  job_ = std::move(job);
  if (!moves) {
    if (found.complete) {
      finish();
    } else if (config_.residency == ResidencyModel::allocation_list) {
      // What is behind a wait on the hardware is in use as long as that waits.
      s_.contexts.for_each([this](std::uint32_t index, const Context&) { port_.withdraw(index, false); });
    }
    return found.complete;
  }
  ResidencyStatistics& figures = device(job_->process).figures;
  std::vector<LogName> names;
  for (const PagingMove& move : job_->moves) {
    names.push_back(s_.log.name(known_as_[move.allocation].name));
    switch (move.operation) {
      case PagingOperation::in:
      case PagingOperation::promote: figures.in_bytes += move.bytes; break;
      case PagingOperation::out: figures.out_bytes += move.bytes; break;
      case PagingOperation::drop: figures.dropped_bytes += move.bytes; break;
      case PagingOperation::demote: (move.copied ? figures.out_bytes : figures.dropped_bytes) += move.bytes; break;
    }
  }
  s_.paging_for = job_->process;
  job_->under_way = std::make_shared<PagingMoves>(job_->moves, names, s_.device_name(job_->process), rules_, s_.log);
  const std::shared_ptr<PagingMoves> under_way = job_->under_way;
  job_->outstanding = under_way->buffers();
  figures.paging_packets += under_way->buffers();
  for (std::size_t i = 0; i < under_way->buffers(); ++i) {
    under_way->submitted(i, port_.page(under_way->buffer(i), under_way->effects_of(i)));
  }
  return false;
}

void Residency::paged() {
  if (!job_ || --job_->outstanding > 0) return;
  for (std::size_t i = 0; i < job_->moves.size(); ++i) {
    if (!comes_in(job_->moves[i].operation)) continue;
    Allocation& one = segment_[job_->moves[i].allocation];
    one.came_in_ps = one.recent_ps = job_->under_way->end_ps(i);
  }
  s_.paging_for = SchedulerState::none;
  job_->moves.clear();
  job_->under_way.reset();
  something_left();
  settle_.request();
}

void Residency::purged() {
  std::vector<Job> over;
  if (job_ && job_->call) over.push_back(std::move(*job_));
  job_.reset();
  std::move(calls_.begin(), calls_.end(), std::back_inserter(over));
  calls_.clear();
  s_.paging_for = SchedulerState::none;
  something_left();
  end_turn();
  for (const Job& call : over) {
    if (call.done) call.done();
  }
}

/// All that the job is for is there.
void Residency::finish() {
  const Job job = std::exchange(job_, {}).value();
  if (job.packet == 0 && !job.call) {
    DeviceList& list = device(job.process);
    list.complete_ps = now_ps();
    list.waits_since_ps = DeviceList::never;
  }
  end_turn();
  for (Held& one : held_) {
    if (one.released || (job.packet != 0 ? one.packet != job.packet : one.process != job.process || job.call)) continue;
    one.released = true;
    s_.wake(one.context);
  }
  if (job.done) job.done();
}

void Residency::end_turn() {
  for (DeviceList& one : devices_) one.closed = false;
  timer_.set(Timer::never);
}

/// Where others with something to do are in the device's way: nothing of them goes to hardware any more once its turn
/// has come. True: something has changed.
bool Residency::take_turn(const Job& job) {
  if (config_.over_commit != OverCommit::page || config_.residency != ResidencyModel::device_list) return false;
  std::uint64_t from_ps = job.since_ps;
  for (std::uint32_t other = 0; other < devices_.size(); ++other) {
    if (other != job.process && is_busy(other)) from_ps = std::max(from_ps, devices_[other].complete_ps);
  }
  from_ps += ps_of_us(config_.turn_us);
  if (from_ps > now_ps()) {
    timer_.set(from_ps);
    return false;
  }
  bool changed = false;
  for (std::uint32_t other = 0; other < devices_.size(); ++other) {
    if (other == job.process || devices_[other].closed || !is_busy(other)) continue;
    devices_[other].closed = changed = true;
  }
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    if (device(SchedulerState::process_index(context)).closed) port_.withdraw(index, true);
  });
  return changed;
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
  for (std::uint32_t i = 0; i < segment_.allocations(); ++i) segment_[i].in_use = false;
  const auto mark = [&](const QueuePacket& packet) {
    for (const std::uint32_t one : used_by(packet)) segment_[one].in_use = true;
  };
  s_.contexts.for_each([&](std::uint32_t, const Context& context) {
    for (const Context::InFlight& one : context.in_flight) mark(one.packet);
    if (is_prepared(context)) mark(context.software_queue.front());
  });
}

}  // namespace fenceline
