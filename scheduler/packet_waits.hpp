// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/slots.hpp"

#include <cstdint>

namespace fenceline {

/// Packets that wait for fences: which of them have been satisfied, and when that counts.
///
/// A wait is satisfied from its fence's value on, even while it is still behind other packets. A context at its head
/// goes on when the scheduler knows; one on the hardware when the signal has reached it.
class PacketWaits final : public FenceWaiter {
 public:
  explicit PacketWaits(SchedulerState& state) : s_(state) {}

  /// The packet, a wait of the context's, is about to be enqueued.
  void add(std::uint32_t context, QueuePacket& packet);
  /// It is over.
  void remove(const QueuePacket& packet);
  /// It is thrown away, maybe before its fence is there.
  void drop(const QueuePacket& packet);
  /// It is a wait whose fence is not there.
  bool blocks(const QueuePacket& packet) const {
    return packet.type == PacketType::wait && !waits_[packet.wait_slot].reached;
  }
  /// The fence has been there. True: the scheduler knows; else the context is woken when it does.
  bool known(const QueuePacket& packet, std::uint32_t context);
  /// It goes to the hardware: whether its condition holds there. If that is to come it is told to the engine then.
  bool released_on_hardware(const QueuePacket& packet);
  /// A signal is about to be told of: whoever is held back by it on the CPU's side learns of it then.
  void signal_known_at(std::uint64_t at_ps) { signal_known_ps_ = at_ps; }

  void fence_reached(std::uint64_t slot, Signaller by) override;

 private:
  struct Wait {
    std::uint32_t context = 0;
    bool reached = false;
    std::uint64_t release_ps = 0;  // of one on the hardware
    std::uint64_t known_ps = 0;    // when the scheduler learns of it, which holds the others back
    std::uint64_t packet = 0;      // id
    bool dropped = false;          // nobody's: it stays until the fence is there
  };
  std::uint64_t hop_ps(const Wait& wait, Signaller by);
  static bool on_hardware(const Context& context, const Wait& wait);
  void release(std::uint64_t slot);
  void wake(std::uint64_t context) { s_.wake(static_cast<std::uint32_t>(context)); }

  SchedulerState& s_;
  Slots<Wait> waits_;
  std::uint64_t released_at_ps_ = 0;   // when a signal last released a waiting context
  std::uint32_t released_ = 0;         // how many it has released at that moment
  std::uint64_t signal_known_ps_ = 0;  // of the signal that is being told of
};

}  // namespace fenceline
