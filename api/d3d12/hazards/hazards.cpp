// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/hazards.hpp"

#include "api/d3d12/host/host.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr std::size_t least_to_forget = 1024;
constexpr std::size_t most_told = 4096;

std::vector<Hazards*>& every_adapters() {
  static auto* const all = new std::vector<Hazards*>;  // devices may outlive static objects
  return *all;
}

/// A message that names a resource says more than one that names no more than memory.
const AccessedPart& subject(const PastAccess& earlier, const PastAccess& later) {
  const bool named = earlier.access.part.resource->kind != AccessedResource::Kind::memory;
  return named ? earlier.access.part : later.access.part;
}

bool same(const AccessedResource& one, const AccessedResource& other) {
  if (one.kind != AccessedResource::Kind::memory || other.kind != AccessedResource::Kind::memory) return &one == &other;
  return !one.memory.owner_before(other.memory) && !other.memory.owner_before(one.memory);
}

/// What the two have in common, in words: bytes of a buffer, or subresources.
std::string common_part(const PastAccess& one, const PastAccess& other) {
  const AccessedPart& part = subject(one, other);
  const std::string what = describe(*part.resource, part.name);
  const bool same = one.access.part.resource == other.access.part.resource;
  if (part.resource->kind == AccessedResource::Kind::texture && same) {
    const auto end_of = [](const AccessedPart& of) { return of.first_subresource + of.subresources; };
    const std::uint32_t first = std::max(one.access.part.first_subresource, other.access.part.first_subresource);
    const std::uint32_t last = std::min(end_of(one.access.part), end_of(other.access.part)) - 1;
    return first == last ? fmt::format("subresource {} of {}", first, what)
                         : fmt::format("subresources {} to {} of {}", first, last, what);
  }
  const std::uint64_t offset = part.resource->offset;
  const std::uint64_t first = std::max({one.region.begin, other.region.begin, offset}) - offset;
  const std::uint64_t last = std::min(one.region.end(), other.region.end()) - offset - 1;
  std::string text = fmt::format("bytes {} to {} of {}", first, last, what);
  const AccessedPart& second = &part == &one.access.part ? other.access.part : one.access.part;
  if (!same && second.resource->kind != AccessedResource::Kind::memory) {
    text += fmt::format(", which are {}'s, too", describe(*second.resource, second.name));
  }
  return text;
}

std::string told_of(const PastAccess& access) {
  return fmt::format("{} of list \"{}\" on {} {} from {} us to {} us", access.access.command, access.by->list,
                     access.by->queue, access.access.writes ? "writes" : "reads", TimeText(access.start_ps).view(),
                     TimeText(access.end_ps).view());
}

/// Both were under way at some time. A moment belongs to what it borders on.
bool at_one_time(const PastAccess& one, const PastAccess& other) {
  const std::uint64_t from = std::max(one.start_ps, other.start_ps);
  const std::uint64_t to = std::min(one.end_ps, other.end_ps);
  const bool moment = one.start_ps == one.end_ps || other.start_ps == other.end_ps;
  return moment ? from <= to : from < to;
}

}  // namespace

Hazards::Hazards(Machine& machine, Tell tell) : machine_(machine), tell_(std::move(tell)), forget_at_(least_to_forget) {
  const Host::Lock lock = Host::instance().lock();
  machine_.log().attach(*this, EventLog::Detail::packets);
  every_adapters().push_back(this);
}

Hazards::~Hazards() {
  const Host::Lock lock = Host::instance().lock();
  machine_.log().detach(*this);
  every_adapters().erase(std::find(every_adapters().begin(), every_adapters().end(), this));
}

/// The CPU has seen something of this adapter.
void Hazards::others_learn() const {
  for (Hazards* one : every_adapters()) {
    if (one != this) one->order_.cpu_sees_another();
  }
}

std::uint32_t Hazards::queue_of(LogName path) {
  return queues_.emplace(path, static_cast<std::uint32_t>(queues_.size())).first->second;
}

/// Fences that have been created since.
void Hazards::find_fences() {
  const FenceUnit& fences = machine_.fences();
  for (; known_fences_ < fences.count(); ++known_fences_) {
    const auto fence = static_cast<FenceId>(known_fences_);
    if (!fences.freed(fence)) {
      fences_.emplace(fences.log_name_of(fence), static_cast<std::uint32_t>(known_fences_));
    }
    order_.add_fence(fences.value(fence));
  }
}

std::uint32_t Hazards::fence_of(LogName path) {
  find_fences();
  return fences_.at(path);
}

void Hazards::submitted(std::uint64_t packet, const std::string& queue_name, std::shared_ptr<const AccessTimes> list) {
  auto by = std::make_shared<ExecutedList>(ExecutedList{list->stream().name, queue_name});
  running_.push_back({std::move(list), std::move(by), last_queue_, packet});
}

void Hazards::queued(const EventLog&, const QueuedRecord& record) {
  if (record.type == PacketType::paging) return;  // what the system moves the program does not see
  const std::uint32_t queue = queue_of(record.context);
  if (record.type == PacketType::wait) {
    return order_.submit_wait(queue, record.packet, fence_of(record.fence), record.fence_value);
  }
  if (record.type != PacketType::render) return order_.submit_signal(queue, record.packet);
  order_.submit_execution(queue, record.packet);
  last_queue_ = queue;
}

void Hazards::packet(const EventLog&, const PacketRecord& record) {
  if (record.type != PacketType::signal && record.type != PacketType::present) return;
  const std::uint32_t queue = queue_of(record.context);
  const std::uint32_t fence = fence_of(record.label);
  if (record.type != PacketType::signal) return order_.presented(queue, record.id, fence);
  order_.signalled(queue, record.id, fence, record.fence_value);
  if (machine_.fences().shared(static_cast<FenceId>(fence))) order_.tell_another(fence);
  queue_signals_ = true;  // the fence moves next, and says so
}

void Hazards::counter(const EventLog&, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  find_fences();
  const auto fence = fences_.find(counter.track);
  if (fence == fences_.end() || std::exchange(queue_signals_, false)) return;
  // The CPU, or whoever has it, too, on another adapter.
  if (machine_.fences().shared(static_cast<FenceId>(fence->second))) {
    return order_.another_signals(fence->second, counter.value);
  }
  order_.cpu_signals(fence->second, counter.value);
  others_learn();
}

void Hazards::cpu_sees_value(FenceId fence) {
  find_fences();
  order_.cpu_sees_value(static_cast<std::uint32_t>(fence));
  others_learn();
}

void Hazards::cpu_sees_reached(FenceId fence, std::uint64_t value) {
  find_fences();
  order_.cpu_sees_reached(static_cast<std::uint32_t>(fence), value);
  others_learn();
}

void Hazards::executed(const AccessTimes& list) {
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [&](const Running& running) { return running.accesses.get() == &list; });
  if (found == running_.end()) return;
  const Running running = std::move(*found);
  running_.erase(found);
  const QueueOrder::Execution execution = order_.executed(running.queue, running.packet);
  list.for_each(now_ps(), [&](const TimedAccess& timed) {
    auto past = std::make_shared<PastAccess>();
    past->access = timed.access;
    past->region = timed.region;
    past->start_ps = timed.start_ps;
    past->end_ps = timed.end_ps;
    past->queue = running.queue;
    past->execution = execution.number;
    past->by = running.by;
    history_.add(past, execution.before, [&](const PastAccess& earlier) { collide(earlier, *past, running.packet); });
  });
  if (history_.size() > forget_at_) forget();
}

void Hazards::forget() {
  const QueueClock known = order_.horizon();
  history_.forget(known);
  forget_at_ = std::max(least_to_forget, 2 * history_.size());
}

void Hazards::collide(const PastAccess& earlier, const PastAccess& later, std::uint64_t packet) {
  const AccessedResourcePtr& resource = subject(earlier, later).resource;
  const auto known = std::find_if(told_.begin(), told_.end(), [&](const Told& told) {
    return same(*told.resource, *resource) && told.queue == earlier.queue && told.execution == earlier.execution &&
           told.other == later.queue;
  });
  if (known != told_.end()) return;
  if (told_.size() == most_told) told_.erase(told_.begin(), told_.begin() + most_told / 2);
  told_.push_back({resource, earlier.queue, earlier.execution, later.queue});

  const bool swap = later.start_ps < earlier.start_ps;
  const PastAccess& first = swap ? later : earlier;
  const PastAccess& second = swap ? earlier : later;
  const char* kind = "used before its fence";
  const char* end = "no fence says that the one comes after the other";
  if (at_one_time(first, second)) {
    kind = first.access.writes && second.access.writes ? "unsynchronised writes" : "read of bytes being written";
    end = "no fence keeps them apart";
  }
  tell_({D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE, kind,
         fmt::format("ID3D12CommandQueue::ExecuteCommandLists: {}: {}: {}, and {}; {}", kind,
                     common_part(earlier, later), told_of(first), told_of(second), end),
         packet});
}

void Hazards::ends(const std::function<bool(const Accesses&)>& uses, const std::string& what, const char* method,
                   D3D12_MESSAGE_ID id) {
  const auto user = std::find_if(running_.begin(), running_.end(),
                                 [&](const Running& running) { return uses(running.accesses->accesses()); });
  if (user == running_.end()) return;
  tell_({id, "end of a resource in use",
         fmt::format("{}: list \"{}\" on {} uses {}, and the GPU has not finished it at {} us", method, user->by->list,
                     user->by->queue, what, TimeText(now_ps()).view()),
         user->packet});
}

}  // namespace fenceline::d3d12
