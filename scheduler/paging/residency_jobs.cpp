// SPDX-License-Identifier: Apache-2.0
// Residency, the family of functions that make room: who is next, what moves for it, and whose turn it is.
#include "scheduler/paging/residency.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "sim/members.hpp"

#include <algorithm>
#include <optional>
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

/// Nothing has moved for the device just now: nothing will, before something else changes. With `demote` that could
/// depend on what is in use: not where nobody could make room for what is used in place.
bool is_settled(const Segment& segment, const VideoMemoryConfig& config, const DeviceList& list) {
  if (config.over_commit == OverCommit::page) return true;
  std::uint64_t smallest = ~std::uint64_t{0};
  std::uint32_t highest = 0;
  for (const auto& [allocation, count] : list.counts) {
    const Allocation& one = segment[allocation];
    if (count == 0 || one.where == Residence::resident) continue;
    smallest = std::min(smallest, one.bytes);
    highest = std::max(highest, one.priority);
  }
  if (smallest == ~std::uint64_t{0}) return true;  // all is there
  if (smallest <= segment.bytes() - segment.resident_bytes()) return false;
  for (std::uint32_t i = 0; i < segment.allocations(); ++i) {
    const Allocation& one = segment[i];
    if (one.where == Residence::resident && (one.evicted || one.priority < highest)) return false;
  }
  return true;
}

}  // namespace

/// What happens at a moment comes first: packets that become ready at it are prepared in the order of their numbers.
void Residency::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Residency::settled>(this)); }

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
  if (job_ && job_->outstanding > 0) {
    if (job_->suspends && conversion_.stopped()) start_moves();
    return false;
  }
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
    const auto is_there = [this](std::uint32_t one) { return segment_[one].where == Residence::resident; };
    if (!std::all_of(call->targets.begin(), call->targets.end(), is_there)) {
      Plan nothing = plan(*call);
      if (!nothing.complete || !nothing.moves.empty()) continue;
      segment_ = std::move(nothing.after);
    }
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
  return std::any_of(allocations.begin(), allocations.end(), [this](std::uint32_t one) {
    return std::binary_search(job_->moving.begin(), job_->moving.end(), one);
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
  room_log_.over(job_->waits_for_room, job_->waiter(config_));
  job_.reset();
  end_turn();
}

/// What has to be there for the packet, which is the first of its context.
Residency::Job Residency::job_of(const Held& held) const {
  Job job;
  job.process = held.process;
  job.since_ps = held.since_ps;
  job.targets = contexts_.of(held.context);
  const bool of_device = config_.residency == ResidencyModel::device_list;
  if (!of_device) job.packet = held.packet;
  const std::vector<std::uint32_t> others =
      of_device ? list_of(devices_, held.process)
                : used_next(held.context, s_.contexts[held.context].software_queue.front());
  job.targets.insert(job.targets.end(), others.begin(), others.end());
  return job;
}

/// The packet runs if nothing has to move for it (true) and nobody else has a turn; else it, or its device, waits from
/// now on.
bool Residency::release(Held& held) {
  if (held.released) return true;
  const bool comes_in = job_ && job_->outstanding > 0 && job_->packet == 0 && !job_->call;
  if (comes_in && job_->process == held.process) return false;  // what its device waits for is on its way
  const Job job = job_of(held);
  DeviceList& list = device(held.process);
  std::optional<Plan> found;
  if (!in_transit(job.targets)) found = plan(job);
  if (!found || !found->complete || !found->moves.empty()) {
    if (list.waits_since_ps == DeviceList::never) list.waits_since_ps = now_ps();
    return false;
  }
  if (list.closed || queue_turn_) return true;
  segment_ = std::move(found->after);
  if (config_.residency == ResidencyModel::device_list && is_settled(segment_, config_, list)) list.settled_at = state_;
  list.waits_since_ps = DeviceList::never;
  held.released = true;
  s_.wake(held.context);
  return true;
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

/// What has to be there for the device: what its contexts with a packet that waits keep, and its list.
std::vector<std::uint32_t> Residency::needs_of(std::uint32_t process) const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> since;
  for (const Held& one : held_) {
    if (one.process == process && !one.released && !one.by_turn) since.emplace_back(one.since_ps, one.context);
  }
  std::sort(since.begin(), since.end());
  std::vector<std::uint32_t> waiting;
  waiting.reserve(since.size());
  for (const auto& [since_ps, context] : since) waiting.push_back(context);
  const std::vector<std::uint32_t> listed = list_of(devices_, process);
  std::uint64_t beside = 0;
  if (config_.over_commit == OverCommit::page) {
    for (const std::uint32_t one : listed) beside += segment_[one].bytes;
  }
  std::vector<std::uint32_t> needed = contexts_.of_device(waiting, beside);
  needed.insert(needed.end(), listed.begin(), listed.end());
  return needed;
}

/// True: it is over already, with nothing moved.
bool Residency::begin(Job job) {
  if (job.call) {
    keep_wanted(job.targets, device(job.process));
  } else if (job.packet == 0) {
    job.targets = needs_of(job.process);
  }
  Plan found = plan(job);
  if (!found.complete && take_turn(job)) found = plan(job);
  const bool moves = !found.moves.empty() && (found.complete || job.packet != 0);
  if (moves || found.complete) {
    segment_ = std::move(found.after);
    room_log_.over(job.waits_for_room, job.waiter(config_));
  } else {
    room_log_.waits(job.waits_for_room, job.waiter(config_), found.after);
  }
  job.moves = moves ? std::move(found.moves) : std::vector<PagingMove>{};
  job_ = std::move(job);
  if (!moves) {
    if (found.complete) {
      finish();
    } else if (config_.residency == ResidencyModel::allocation_list || contexts_.any()) {
      // What is behind a wait on the hardware is in use as long as that waits.
      s_.contexts.for_each([this](std::uint32_t index, const Context&) { port_.withdraw(index, false); });
    }
    return found.complete;
  }
  job_->outstanding = 1;  // nothing else is begun
  for (const PagingMove& move : job_->moves) job_->moving.push_back(move.allocation);
  std::sort(job_->moving.begin(), job_->moving.end());
  ++state_;
  for (const PagingMove& move : job_->moves) job_->names.push_back(s_.log.name(name_of(move.allocation)));
  job_->suspends = conversion_.begin(job_->moves, devices_);
  if (conversion_.stopped()) start_moves();
  return false;
}

/// Nothing of what has to be suspended is on hardware.
void Residency::start_moves() {
  job_->suspends = false;
  const std::vector<std::uint32_t> loaded = contexts_.unload(job_->moves);
  if (loaded.empty() || s_.config.hardware_scheduling) {
    submit_moves();
  } else {
    job_->switches = loaded.size();
    const auto nothing = std::make_shared<CommandStream>();
    nothing->name = "context switch";
    for (const std::uint32_t node : loaded) port_.submit(PacketType::context_switch, node, nothing, nullptr);
  }
}

void Residency::switched() {
  if (job_ && job_->switches > 0 && --job_->switches == 0) submit_moves();
}

/// Nothing that moves is of a context that is loaded.
void Residency::submit_moves() {
  ResidencyStatistics& figures = device(job_->process).figures;
  for (const PagingMove& move : job_->moves) {
    switch (move.operation) {
      case PagingOperation::in:
      case PagingOperation::promote: figures.in_bytes += move.bytes; break;
      case PagingOperation::init:
      case PagingOperation::fill: figures.initialised_bytes += move.bytes; break;
      case PagingOperation::place:
      case PagingOperation::map:
      case PagingOperation::unmap: break;
      case PagingOperation::out: figures.out_bytes += move.bytes; break;
      case PagingOperation::drop: figures.dropped_bytes += move.bytes; break;
      case PagingOperation::demote: (move.copied ? figures.out_bytes : figures.dropped_bytes) += move.bytes; break;
    }
  }
  job_->under_way = std::make_shared<PagingMoves>(job_->moves, std::exchange(job_->names, {}),
                                                  s_.device_name(job_->process), rules_, s_.log);
  const std::shared_ptr<PagingMoves> under_way = job_->under_way;
  job_->outstanding = under_way->buffers() * nodes_.size();
  figures.paging_packets += job_->outstanding;
  for (std::size_t i = 0; i < under_way->buffers(); ++i) {
    for (const std::uint32_t node : nodes_) {
      const bool first = node == nodes_.front();  // of linked adapters: it tells of the moves
      const std::uint64_t packet =
          port_.submit(PacketType::paging, node, under_way->buffer(i), first ? under_way->effects_of(i) : nullptr);
      under_way->submitted(i, packet);
    }
  }
}

void Residency::paged() {
  if (!job_ || --job_->outstanding > 0) return;
  for (std::size_t i = 0; i < job_->moves.size(); ++i) {
    const std::uint32_t moved = job_->moves[i].allocation;
    if (!comes_in(job_->moves[i].operation) || (is_context(moved) && !segment_.has_context(moved))) continue;
    Allocation& one = segment_[moved];
    one.came_in_ps = job_->under_way->end_ps(i);
    if (!one.used) one.recent_ps = one.came_in_ps;
  }
  conversion_.end();
  job_->moves.clear();
  job_->moving.clear();
  job_->under_way.reset();
  ++state_;
  something_left();
  settle_.request();
}

/// All that the job is for is there.
void Residency::finish() {
  const Job job = std::exchange(job_, {}).value();
  if (job.packet == 0 && !job.call) {
    DeviceList& list = device(job.process);
    list.complete_ps = now_ps();
    list.turn.begins();
    list.waits_since_ps = DeviceList::never;
  }
  const bool was_turn = queue_turn_;
  end_turn();
  if (was_turn) had_turn_.clear();
  for (Held& one : held_) {
    if (one.released || (job.packet != 0 ? one.packet != job.packet : one.process != job.process || job.call)) continue;
    const std::vector<std::uint32_t> own = contexts_.of(one.context);
    const auto is_target = [&](std::uint32_t of) { return contains(job.targets, of); };
    if (!std::all_of(own.begin(), own.end(), is_target)) continue;
    one.released = true;
    if (was_turn) had_turn_.push_back(one.context);
    s_.wake(one.context);
  }
  if (job.done) job.done();
}

void Residency::end_turn() {
  for (DeviceList& one : devices_) one.closed = false;
  for (Held& one : held_) one.by_turn = false;
  if (std::exchange(queue_turn_, false)) {
    queue_turn_ended_ps_ = now_ps();
    queue_turn_length_.begins();
  }
  timer_.set(Timer::never);
}

/// Where others are in its way for too long it gets its turn: nothing of devices that are (rule 15), or of any queue
/// but those that wait with it (rule 15a), goes to hardware any more. True: something has changed.
bool Residency::take_turn(const Job& job) {
  const bool of_list = config_.residency == ResidencyModel::device_list;
  const bool of_devices = of_list && config_.over_commit == OverCommit::page;
  const bool lacks_context = std::any_of(job.targets.begin(), job.targets.end(), [this](std::uint32_t one) {
    return is_context(one) && segment_[one].where != Residence::resident;
  });
  const bool of_queues = !queue_turn_ && (job.packet != 0 || lacks_context);
  if (!of_devices && !of_queues) return false;
  const std::uint64_t turn_ps = ps_of_us(config_.turn_us);
  std::uint64_t from_ps = job.since_ps + turn_ps;
  for (std::uint32_t i = 0; of_devices && i < devices_.size(); ++i) {
    const DeviceList& other = devices_[i];
    if (i != job.process && is_busy(i)) from_ps = std::max(from_ps, other.complete_ps + other.turn.of(turn_ps));
  }
  if (from_ps > now_ps()) {
    timer_.set(from_ps);
    return false;
  }
  bool changed = false;
  from_ps = std::max(from_ps, queue_turn_ended_ps_ + queue_turn_length_.of(turn_ps));
  if (of_queues && from_ps > now_ps()) {
    timer_.set(from_ps);
  } else if (of_queues && !port_.held_up()) {
    queue_turn_ = changed = true;
  }
  for (std::uint32_t other = 0; of_devices && other < devices_.size(); ++other) {
    if (other == job.process || devices_[other].closed || !is_busy(other)) continue;
    devices_[other].closed = changed = true;
  }
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    const bool is_closed = queue_turn_ ? !s_.is_system(index) : device(SchedulerState::process_index(context)).closed;
    if (is_closed) port_.withdraw(index, true);
  });
  return changed;
}

}  // namespace fenceline
