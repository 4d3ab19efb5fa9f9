// SPDX-License-Identifier: Apache-2.0
#include "scheduler/removed_devices.hpp"

#include "sim/kernel/now.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace fenceline {

void RemovedDevices::remove(std::uint32_t index, RemovalReason reason, std::uint64_t episode, bool blocks) {
  Process& process = s_.processes[index];
  if (process.removed) return;
  process.removed = true;
  RecoveryRecord record{};
  record.step = RecoveryRecord::Step::device_removed;
  record.episode = episode;
  record.at_ps = now_ps();
  record.process = s_.device_name(index);
  record.reason = s_.log.name(name_of(reason));
  s_.log.recovery(record);
  if (blocks && !std::exchange(process.blocked, true)) {
    record.step = RecoveryRecord::Step::process_blocked;
    record.reason = s_.log.name("0x142");
    s_.log.recovery(record);
  }
  cancel(index, episode);
  if (told_) told_(static_cast<ProcessId>(index), reason);
}

bool RemovedDevices::create(std::uint32_t index) {
  Process& process = s_.processes[index];
  if (!process.removed || process.blocked) return false;
  process.removed = false;
  process.fault.reset();
  RecoveryRecord record{};
  record.step = RecoveryRecord::Step::device_created;
  record.at_ps = now_ps();
  record.process = s_.device_name(index);
  s_.log.recovery(record);
  return true;
}

void RemovedDevices::cancel(std::uint32_t process, std::uint64_t episode) {
  std::vector<std::uint32_t> contexts;
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    if (SchedulerState::process_index(context) == process) contexts.push_back(index);
  });
  for (const std::uint32_t index : contexts) cancel_context(index, episode);
}

/// Signals and presents behind a packet that is on a node are in no hardware queue either.
void RemovedDevices::cancel_context(std::uint32_t index, std::uint64_t episode) {
  Context& context = s_.contexts[index];
  if (context.ready) queues_.withdraw(index);
  std::deque<QueuePacket> packets;
  for (Context::InFlight& one : context.in_flight) {
    for (QueuePacket& signal : std::exchange(one.signals, {})) packets.push_back(std::move(signal));
    // A wait holds its hardware queue for a fence that may never come.
    if (one.packet.type == PacketType::wait) {
      s_.node_of(context).engine->release(context.hardware_queue, one.packet.id);
    }
  }
  for (QueuePacket& packet : std::exchange(context.software_queue, {})) packets.push_back(std::move(packet));
  if (context.in_flight.empty()) queues_.let_split_go(index);
  for (const QueuePacket& packet : packets) {
    if (packet.between_pieces()) s_.node_of(context).engine->drop(context.hardware_queue, packet.id);
    const bool command = has_commands(packet.type);  // DxgkDdiCancelCommand is told of it
    RecoveryRecord record{};
    record.step = RecoveryRecord::Step::cancelled;
    record.episode = episode;
    record.at_ps = now_ps();
    record.node = s_.node_of(context).log_name;
    record.process = s_.device_name(SchedulerState::process_index(context));
    record.queue = log_.log_name_of(context);
    record.packet = packet.id;
    record.fence_id = packet.submission_fence_id;
    if (command) s_.log.recovery(record);
    queues_.discard(context, packet, nullptr, PacketStatus::discarded);
  }
  s_.wake(index);
}

}  // namespace fenceline
