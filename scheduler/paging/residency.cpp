// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/residency.hpp"

#include "scheduler/paging/adapted_stream.hpp"
#include "scheduler/residency/content_uses.hpp"
#include "sim/kernel/now.hpp"
#include "sim/members.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

Segment::Rules rules_of(const VideoMemoryConfig& config) {
  Segment::Rules rules;
  rules.bytes = config.dedicated_mib * mib;
  rules.page_bytes = std::uint64_t{config.page_kib} << 10;
  rules.over_commit = config.over_commit;
  rules.eviction = config.eviction;
  rules.aperture = config.aperture;
  rules.small_pages_outside = config.convert_page_tables && config.page_kib > 4;
  rules.unwanted_first = config.residency == ResidencyModel::device_list;
  return rules;
}

}  // namespace

Residency::Residency(SchedulerState& state, const PagingConfig& config, PagingPort& port)
    : s_(state),
      config_(config.memory),
      enabled_(config.enabled),
      nodes_(config.nodes),
      port_(port),
      rules_{std::uint64_t{config_.page_kib} << 10, config_.window_mib * mib, config_.paging_operations},
      splitter_(state.config),
      segment_(rules_of(config_)),
      contexts_(state, config_, segment_),
      conversion_(state, port.holds()),
      room_log_(
          state, contexts_, devices_, [this](std::uint32_t one) { return name_of(one); },
          [this](const Context& context) { return is_prepared(context); }),
      settle_("residency", Callback::to<&Residency::settle>(this)),
      timer_("turns", Callback::to<&Residency::settle>(this)) {}

DeviceList& Residency::device(std::uint32_t process) {
  if (process >= devices_.size()) devices_.resize(process + 1);
  return devices_[process];
}

std::uint32_t Residency::create(const AllocationConfig& config) {
  Allocation allocation;
  allocation.bytes = config.bytes;
  allocation.priority = config.priority;
  allocation.dirty = config.written;
  allocation.evicted = config.not_resident;
  allocation.fills = config.fill;
  allocation.hangs = config.paging_hangs;
  allocation.initialised = !config.fill;
  const std::uint32_t index = segment_.create(allocation, now_ps());
  known_as_.push_back({config.name, config.address});
  if (enabled_ && segment_[index].where != Residence::resident) active_ = true;
  return index;
}

void Residency::context_created(std::uint32_t context) {
  if (!enabled_) return;
  contexts_.created(context);
  conversion_.created(context);
  active_ = active_ || contexts_.any();
}

void Residency::know(std::uint32_t process, std::uint32_t allocation) {
  DeviceList& list = device(process);
  const std::uint32_t count = segment_[allocation].evicted ? 0 : 1;
  if (list.counts.emplace(allocation, count).second && count > 0) list.wanted_bytes += segment_[allocation].bytes;
  ++state_;
}

void Residency::remove(std::uint32_t allocation) {
  for (DeviceList& list : devices_) {
    if (list.wants(allocation)) list.wanted_bytes -= segment_[allocation].bytes;
    list.counts.erase(allocation);
  }
  ++state_;
  holds_.erase(allocation);
  segment_[allocation].evicted = true;
  removed_.push_back(allocation);
  something_left();
}

bool Residency::make_resident(std::uint32_t process, const std::vector<std::uint32_t>& allocations,
                              bool deny_overbudget, std::function<void()> done) {
  DeviceList& list = device(process);
  const std::set<std::uint32_t> named(allocations.begin(), allocations.end());
  std::uint64_t usage = usage_bytes(process);
  for (const std::uint32_t one : named) usage += list.wants(one) ? 0 : segment_[one].bytes;
  const std::uint64_t most =
      deny_overbudget ? budget_bytes(process) : (std::uint64_t{config_.dedicated_mib} + config_.shared_mib) * mib;
  if (usage > most) {
    ++list.figures.out_of_memory;
    list.figures.bytes_to_trim = usage - most;
    return false;
  }
  for (const std::uint32_t one : allocations) {
    if (++list.counts[one] == 1) list.wanted_bytes += segment_[one].bytes;
    segment_[one].evicted = false;
  }
  ++state_;
  if (!active_) {  // all is there
    if (done) done();
    return true;
  }
  Job call{};
  call.process = process;
  call.call = true;
  call.since_ps = now_ps();
  call.targets.assign(named.begin(), named.end());
  call.done = std::move(done);
  calls_.push_back(std::move(call));
  settle_.request();
  return true;
}

std::uint64_t Residency::evict(std::uint32_t process, const std::vector<std::uint32_t>& allocations) {
  DeviceList& list = device(process);
  std::uint64_t underflows = 0;
  for (const std::uint32_t one : allocations) {
    std::uint32_t& count = list.counts[one];
    if (count == 0) {
      ++underflows;
      continue;
    }
    if (--count > 0) continue;
    list.wanted_bytes -= segment_[one].bytes;
    segment_[one].evicted =
        std::none_of(devices_.begin(), devices_.end(), [one](const DeviceList& other) { return other.wants(one); });
    active_ = enabled_;
  }
  ++state_;
  list.figures.evict_underflow += underflows;
  something_left();
  return underflows;
}

void Residency::hold(std::uint32_t allocation) { ++holds_[allocation]; }

void Residency::let_go(std::uint32_t allocation) {
  const auto held = holds_.find(allocation);
  if (held == holds_.end()) return;  // it is gone
  if (--held->second == 0) holds_.erase(held);
  something_left();
}

void Residency::set_priority(const std::vector<std::uint32_t>& allocations, std::uint32_t priority) {
  for (const std::uint32_t one : allocations) segment_[one].priority = priority;
  ++state_;
}

std::vector<std::uint32_t> Residency::owners_of_moves(std::uint64_t packet) const {
  std::vector<std::uint32_t> owners;
  if (!job_ || !job_->under_way) return owners;
  for (const std::size_t move : job_->under_way->moves_of(packet)) {
    const std::uint32_t allocation = job_->moves[move].allocation;
    if (is_context(allocation)) {
      if (segment_.has_context(allocation)) add_once(owners, contexts_.process_of(allocation));
      continue;
    }
    for (std::uint32_t process = 0; process < devices_.size(); ++process) {
      if (devices_[process].knows(allocation)) add_once(owners, process);
    }
  }
  std::sort(owners.begin(), owners.end());
  return owners;
}

const std::vector<std::uint32_t>& used_by(const Segment& segment, const QueuePacket& packet) {
  static const std::vector<std::uint32_t> none;
  if (packet.type != PacketType::render) return none;
  const StreamMemory& memory = packet.stream->memory;
  return memory.allocations_end <= segment.allocations() ? memory.allocations : none;
}

bool Residency::may_run(std::uint32_t context, const QueuePacket& packet) {
  if (!active_ || packet.type != PacketType::render || runs_back_to_back(s_.config, packet)) return true;
  const auto known = std::find_if(held_.begin(), held_.end(), [&](const Held& one) { return one.packet == packet.id; });
  if (known != held_.end()) {
    if (!known->released) return false;
    device(known->process).figures.waited_ps += now_ps() - known->since_ps;
    held_.erase(known);
    return true;
  }
  const std::uint32_t process = SchedulerState::process_index(s_.contexts[context]);
  const bool of_device = config_.residency == ResidencyModel::device_list;
  const auto all_there = [this](const std::vector<std::uint32_t>& all) {
    const auto resident = [this](std::uint32_t one) { return segment_[one].where == Residence::resident; };
    return std::all_of(all.begin(), all.end(), resident) && !in_transit(all);
  };
  const bool there =
      all_there(contexts_.of(context)) && (of_device ? device(process).settled_at == state_ && !device(process).closed
                                                     : all_there(used_next(context, packet)));
  if (there && !queue_turn_) return true;
  Held held{now_ps(), packet.id, context, process};
  held.by_turn = release(held) && queue_turn_;
  if (held.released) return true;
  held_.push_back(held);
  settle_.request();
  return false;
}

void Residency::handed_over(std::uint32_t context, const QueuePacket& packet) {
  for (const std::uint32_t one : used_next(context, packet)) {
    segment_[one].recent_ps = now_ps();
    segment_[one].used = true;
  }
  if (contexts_.any()) contexts_.handed_over(context, packet.stream);
  device(SchedulerState::process_index(s_.contexts[context])).turn.ran();
  if (contains(had_turn_, context)) {
    queue_turn_length_.ran();
    had_turn_.clear();
  }
  if (enabled_ && nodes_.size() == 1 && packet.stream->memory.discards) active_ = discards_ = true;
}

std::shared_ptr<const CommandStream> Residency::stream_of(const Context& context, const QueuePacket& packet,
                                                          DmaPacket& dma) {
  if (!active_ || used_by(segment_, packet).empty()) return packet.stream;
  const CommandStream& recorded = *packet.stream;
  if (discards_) {
    std::shared_ptr<ContentEffects>& heard = heard_[packet.id];
    if (heard == nullptr || !dma.begun()) {
      heard = std::make_shared<ContentEffects>(segment_, packet.stream, packet.effects);
    }
    dma.effects = heard.get();
  }
  const std::uint32_t process = SchedulerState::process_index(context);
  const DeviceList& list = device(process);
  const bool faults = config_.residency == ResidencyModel::device_list;
  const auto now = [&](std::uint32_t one) {
    if (faults && list.knows(one) && !list.wants(one)) {
      return AllocationNow{UsedNow::not_resident, 0, known_as_[one].name, known_as_[one].address};
    }
    if (segment_[one].where != Residence::demoted) return AllocationNow{};
    return AllocationNow{UsedNow::in_place, segment_[one].bytes, known_as_[one].name, known_as_[one].address};
  };
  auto known = adapted_.find(packet.id);
  const auto& used = recorded.memory.allocations;
  const auto is_plain = [&](std::uint32_t one) { return now(one).used == UsedNow::in_video_memory; };
  if (known == adapted_.end()) {
    if (std::all_of(used.begin(), used.end(), is_plain)) return packet.stream;
    known = adapted_.emplace(packet.id, std::make_shared<CommandStream>(recorded)).first;
    // Those that had begun go on as commands of the copy.
    for (HaltedCommand& halted : dma.halted) {
      if (halted.index < recorded.commands.size() && halted.command == &recorded.commands[halted.index]) {
        halted.command = &known->second->commands[halted.index];
      }
    }
  }
  adapt(*known->second, recorded, dma.cursor.command + (dma.cursor.entered ? 1 : 0), now);
  return known->second;
}

void Residency::ended(std::uint32_t process, const QueuePacket& packet, bool completed) {
  const auto adapted = adapted_.find(packet.id);
  if (adapted != adapted_.end()) {
    const std::size_t all = packet.stream->commands.size();
    if (completed) device(process).figures.remote_bytes += remote_bytes(*adapted->second, *packet.stream, 0, all);
    adapted_.erase(adapted);
  }
  if (discards_ && completed && heard_.erase(packet.id) == 0 && !used_by(segment_, packet).empty()) {
    // It was on hardware before anything was discarded: what it used counts when it ends.
    ContentUses(packet.stream, [this](std::uint32_t one, bool needed) { segment_.content(one, needed); }).finished();
  }
  if (!completed) {
    heard_.erase(packet.id);
    held_.erase(std::remove_if(held_.begin(), held_.end(), [&](const Held& one) { return one.packet == packet.id; }),
                held_.end());
  }
  something_left();
}

void Residency::something_left() {
  if (!removed_.empty()) {
    const auto free = [this](std::uint32_t one) {
      const bool there = !in_transit({one});
      if (there) segment_.remove(one);
      return there;
    };
    removed_.erase(std::remove_if(removed_.begin(), removed_.end(), free), removed_.end());
    known_as_.resize(segment_.allocations());
  }
  if (!held_.empty() || !calls_.empty() || job_) settle_.request();
}

void Residency::purged() {
  ++state_;
  if (enabled_) {
    std::vector<std::uint32_t> moving;  // to or from video memory
    if (job_) {
      for (const PagingMove& one : job_->moves) {
        const bool is_there = !is_context(one.allocation) || segment_.has_context(one.allocation);
        if (is_there && (comes_in(one.operation) || goes_out(one.operation))) moving.push_back(one.allocation);
      }
    }
    purged_bytes_ += segment_.purge(moving);
    active_ = active_ || segment_.allocations() > 0;
    discards_ = discards_ || segment_.allocations() > 0;
  }
  conversion_.end();
  std::vector<Job> over;
  if (job_) room_log_.over(job_->waits_for_room, job_->waiter(config_));
  if (job_ && job_->call) over.push_back(std::move(*job_));
  job_.reset();
  std::move(calls_.begin(), calls_.end(), std::back_inserter(over));
  calls_.clear();
  contexts_.unload_all();
  something_left();
  end_turn();
  for (const Job& call : over) {
    if (call.done) call.done();
  }
}

}  // namespace fenceline
