// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/fence_history.hpp"
#include "api/d3d12/hazards/queue_clock.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

/// Which executions of a device's queues happen before which, by D3D12's rules alone: a queue's own are in order; a
/// signal comes after all before it on its queue, and what follows a wait after the signal that ended it; what the CPU
/// submits comes after all that it had seen of fences by then. Simulated times do not count, so that what is in order
/// on one machine is on every one.
///
/// Where more than one reading is possible, more is in order: all threads of the program know what one of them has
/// seen, and an event counts as seen when it is set (programs may poll its descriptor).
///
/// Queues and fences are numbered by who calls, packets of a queue increase.
class QueueOrder {
 public:
  /// A fence that has not been named before is at `value`. Those before it have been.
  void add_fence(std::uint64_t value) { fences_.emplace_back(value); }
  std::size_t fences() const { return fences_.size(); }

  // The CPU submits.
  void submit_execution(std::uint32_t queue, std::uint64_t packet);
  void submit_wait(std::uint32_t queue, std::uint64_t packet, std::uint32_t fence, std::uint64_t value);
  /// Or whatever else takes place once everything before it is complete.
  void submit_signal(std::uint32_t queue, std::uint64_t packet);
  // It moves a fence, or sees where one is.
  /// Where frames have been presented with the fence the display moves it, and tells the CPU.
  void cpu_signals(std::uint32_t fence, std::uint64_t value);
  /// Another adapter moves it, with whatever it knows of this one's queues: all that they have come to.
  void another_signals(std::uint32_t fence, std::uint64_t value);
  /// Another adapter may know from now on what the fence's last signaller did.
  void tell_another(std::uint32_t fence) { told_.join(fences_[fence].history.last()); }
  /// The CPU has seen something of another adapter, and with that what this one's queues have told others.
  void cpu_sees_another() { cpu_learns(told_); }
  void cpu_sees_value(std::uint32_t fence);
  /// An event of the fence reaching the value is set, or a thread goes on.
  void cpu_sees_reached(std::uint32_t fence, std::uint64_t value);

  // The machine works.
  /// What an execution knows, and as what others know of it.
  struct Execution {
    std::uint64_t number;
    const QueueClock& before;  ///< valid until the next call
  };
  Execution executed(std::uint32_t queue, std::uint64_t packet);
  void signalled(std::uint32_t queue, std::uint64_t packet, std::uint32_t fence, std::uint64_t value);
  /// The frame of a queue that the fence counts is ready for the screen.
  void presented(std::uint32_t queue, std::uint64_t packet, std::uint32_t fence);

  /// What everything that is executed from now on knows, on other queues than the one that it is about.
  QueueClock horizon() const;

 private:
  struct Packet {
    enum class What : std::uint8_t { execution, wait, signal };
    std::uint64_t id;
    What what;
    std::shared_ptr<const QueueClock> cpu;  // what it knew
    QueueClock brought{};                   // wait: by its end
  };
  struct Queue {
    QueueClock clock;
    std::uint64_t executions = 0;
    std::deque<Packet> packets;                   // not reached yet
    std::map<std::uint64_t, QueueClock> signals;  // reached and not taken place yet, by packet
  };
  /// A wait that its fence has not ended yet.
  struct Wait {
    std::uint64_t value;
    std::uint32_t queue;
    std::uint64_t packet;
  };
  struct Fence {
    explicit Fence(std::uint64_t value) : history(value) {}
    FenceHistory history;
    QueueClock frames;  // of those presented
    std::vector<Wait> waits;
  };
  Queue& queue_of(std::uint32_t index);
  Packet& submit(std::uint32_t queue, std::uint64_t packet, Packet::What what);
  void reach(Queue& queue, std::uint32_t index, std::uint64_t packet);
  QueueClock take_place(std::uint32_t queue, std::uint64_t packet);
  void move(Fence& fence, std::uint64_t value, const QueueClock& clock);
  void cpu_learns(const QueueClock& clock);

  std::vector<Queue> queues_;
  std::vector<Fence> fences_;
  std::shared_ptr<const QueueClock> cpu_ = std::make_shared<QueueClock>();
  QueueClock told_;  // what other adapters can know
};

}  // namespace fenceline::d3d12
