// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/room_log.hpp"

#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

RoomLog::RoomLog(SchedulerState& state, const ContextAllocations& contexts, const std::vector<DeviceList>& devices,
                 NameOf name_of, IsPrepared is_prepared)
    : s_(state),
      contexts_(contexts),
      devices_(devices),
      name_of_(std::move(name_of)),
      is_prepared_(std::move(is_prepared)) {}

/// Packets on hardware, or prepared, that have in use what could make room.
std::vector<RoomRecord::Holder> RoomLog::holders(const Waiter& waiter, const Segment& segment) const {
  std::vector<RoomRecord::Holder> holders;
  const auto add = [&](std::uint32_t context, const QueuePacket& packet) {
    if (packet.type != PacketType::render) return;
    std::vector<std::uint32_t> used;
    const StreamMemory& memory = packet.stream->memory;
    if (memory.allocations_end <= segment.allocations()) used = memory.allocations;
    const std::vector<std::uint32_t> own = contexts_.of(context);
    used.insert(used.end(), own.begin(), own.end());
    const std::uint32_t process = SchedulerState::process_index(s_.contexts[context]);
    if (waiter.by_device && process != waiter.process) {
      const std::vector<std::uint32_t> listed = list_of(devices_, process);
      used.insert(used.end(), listed.begin(), listed.end());
    }
    const auto first = std::find_if(used.begin(), used.end(), [&](std::uint32_t one) {
      return segment[one].where == Residence::resident && !segment[one].kept;
    });
    if (first != used.end()) holders.push_back({packet.id, s_.log.name(name_of_(*first))});
  };
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    for (const Context::InFlight& one : context.in_flight) add(index, one.packet);
    if (is_prepared_(context)) add(index, context.software_queue.front());
  });
  std::sort(holders.begin(), holders.end(),
            [](const RoomRecord::Holder& a, const RoomRecord::Holder& b) { return a.packet < b.packet; });
  return holders;
}

void RoomLog::waits(Wait& wait, const Waiter& waiter, const Segment& segment) {
  if (!s_.log.enabled()) return;
  std::vector<RoomRecord::Holder> now = holders(waiter, segment);
  if (wait.told && wait.holders == now) return;
  wait.told = true;
  wait.holders = std::move(now);
  s_.log.room({RoomRecord::Where::memory, s_.device_name(waiter.process), waiter.packet, wait.holders, true, now_ps()});
}

void RoomLog::over(Wait& wait, const Waiter& waiter) {
  if (!std::exchange(wait.told, false)) return;
  wait.holders.clear();
  s_.log.room({RoomRecord::Where::memory, s_.device_name(waiter.process), waiter.packet, {}, false, now_ps()});
}

}  // namespace fenceline
