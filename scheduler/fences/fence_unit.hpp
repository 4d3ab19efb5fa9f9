// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/fences/fence.hpp"
#include "scheduler/fences/fence_waits.hpp"
#include "scheduler/fences/shared_fence.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/log.hpp"
#include "sim/numbered.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// Fences with 64-bit values that only signals move, up or down, from the CPU or a queue.
///
/// A wait holds until the fence is at its value or above. It is counted from the moment it is registered: once the
/// fence has reached the value, a later rewind does not take that back. A wait registered after a rewind is compared
/// with the lower value. Source: spec multi-engine synchronization, "Fences"; vkd3d-proton's test of signal
/// availability for the time from which a queue's wait counts.
///
/// Queues go on as soon as the fence has moved; CPU threads when the operating system has handled the interrupt of a
/// GPU's signal. It keeps MonitoredValue = (smallest value a CPU thread waits for) - 1, or the highest value if nobody
/// waits: lowered with each wait, raised once it knows of the signal. A signal in between may interrupt for nothing,
/// but none that a thread waits for goes without. Every signal of a fence that other machines have, too, interrupts,
/// for who waits there is not known here.
///
/// A fence that has been ended stands at its highest value, whatever is signalled afterwards. One that is released
/// ends, and is freed when no packet names it any more; while something listens to the log it is kept, for a run's
/// files tell of all fences.
class FenceUnit : public sc_core::sc_module {
 public:
  /// Without fences.
  FenceUnit(sc_core::sc_module_name name, FenceKind kind, EventLog& log);
  ~FenceUnit() override;

  /// `name` is for people; it need not be unique.
  FenceId create(const std::string& name, std::uint64_t initial_value);
  /// One that other machines have, too. It stands where they do.
  FenceId create(const std::string& name, std::shared_ptr<SharedFence> shared);
  /// How many have been created.
  std::size_t count() const { return fences_.numbers(); }
  /// It has been released, and nothing is known of it.
  bool freed(FenceId fence) const { return !fences_.contains(static_cast<std::uint32_t>(fence)); }
  /// The highest value of one that is freed. What else is asked of a fence needs one that is not.
  std::uint64_t value(FenceId fence) const { return freed(fence) ? nobody_waits : at(fence).value; }
  const std::string& name_of(FenceId fence) const { return at(fence).name; }   ///< as it was created
  LogName log_name_of(FenceId fence) const { return log_name_of(at(fence)); }  ///< path of the fence
  /// Signals so far.
  std::uint64_t signals(FenceId fence) const { return at(fence).signals; }
  /// Interrupts that its signals have raised.
  std::uint64_t interrupts(FenceId fence) const { return at(fence).interrupts; }
  std::uint64_t monitored_value(FenceId fence) const {
    return at(fence).monitored_value;
  }                                               ///< from which on a signal raises an interrupt
  FenceKind fence_kind() const { return kind_; }  ///< monitored or native

  /// A signal of this value by a node would raise an interrupt.
  bool interrupts_at(FenceId fence, std::uint64_t value) const {
    return kind_ == FenceKind::monitored || at(fence).shared != nullptr || value > at(fence).monitored_value;
  }
  /// Takes effect at once; satisfied waits are told in the order they were registered, CPU threads at `dpc_ps`, when
  /// the interrupt of a node's signal has been handled (picoseconds; what has passed is now).
  void signal(FenceId fence, std::uint64_t value, Signaller by, std::uint64_t dpc_ps = 0);
  /// The interrupts of the node's signals are handled now.
  void flush(Signaller node);
  /// Of a queue. True: already satisfied, the waiter is not called. Else it is called once, when the value is reached.
  bool wait(FenceId fence, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token);
  /// Of a CPU thread, for which the fence monitors the value. True: already satisfied, the waiter is not called. Else
  /// it is called once, when the value is reached.
  bool cpu_wait(FenceId fence, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token);
  /// The fence goes to its highest value for good, and what waits for it goes on. Others that it is shared with stay
  /// where they are; they still hear of signals by this machine's queues.
  void end(FenceId fence);
  void end_all();  ///< all of them
  /// One that has been ended stands at that value, and signals move it again.
  void restart(FenceId fence, std::uint64_t value);
  /// Nobody but packets names the fence from now on: it ends.
  void release(FenceId fence);
  /// A packet names the fence, until `let_go`.
  void hold(FenceId fence) { ++fences_[static_cast<std::uint32_t>(fence)].held; }
  void let_go(FenceId fence);  ///< the packet is gone

  // Of fences that are shared.
  /// No fence of this machine is any other's from now on.
  void unshare();
  bool shared(FenceId fence) const { return at(fence).shared != nullptr; }  ///< with other machines
  bool shares_with(const FenceUnit& other) const;                           ///< at least one fence
  /// Signals by others that waits here have not been told of; `take_news` does it when their time has come.
  bool has_news() const { return !news_.empty(); }
  std::uint64_t news_ps() const {
    return news_.empty() ? nobody_waits : news_.front().at_ps;
  }                  ///< when the next is to be told of; the highest value: there is none
  void take_news();  ///< tells of those whose time has come
  /// From now on `heard` is told of signals by others, from inside the simulation: when the fence moves, or, where that
  /// satisfies waits here, when these are told. Nothing: of none.
  void when_others_signal(std::function<void(FenceId fence, std::uint64_t value)> heard) {
    others_signal_ = std::move(heard);
  }
  /// The fence has moved by another's signal, and waits that this satisfies have not been told.
  bool moved_ahead(FenceId fence) const { return at(fence).ahead > 0; }

 private:
  struct Fence {
    std::string name;
    mutable LogName log_name{};  // none before the log is asked for it
    std::uint64_t value;
    std::uint64_t signals = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t monitored_value = nobody_waits;
    FenceWaits waits;      // of queues
    FenceWaits cpu_waits;  // of CPU threads
    std::shared_ptr<SharedFence> shared;
    bool ended = false;
    bool released = false;
    std::uint32_t held = 0;   // by packets
    std::uint32_t ahead = 0;  // signals by others of which waits have not been told
  };
  /// A signal by another machine.
  struct News {
    std::uint64_t at_ps = 0;  // when waits are to be told
    FenceId fence{};
    std::uint64_t value = 0;
    std::uint64_t moved_ps = 0;  // when the fence moved
    bool told = false;           // whoever hears of others' signals
  };
  /// CPU threads that learn of a signal when its interrupt has been handled.
  struct Released {
    std::uint32_t fence = 0;
    Signaller by = Signaller::cpu;
    std::vector<FenceWait> waits;
  };
  static constexpr std::uint64_t nobody_waits = std::numeric_limits<std::uint64_t>::max();
  static bool add(FenceWaits& waits, const Fence& fence, const FenceWait& wait);
  static void tell(std::vector<FenceWait>& waits, Signaller by);
  static void resample(Fence& fence);
  LogName log_name_of(const Fence& fence) const;
  void free_if_gone(FenceId fence);
  void leave_others(FenceId fence);
  void handled(std::uint64_t released);
  void move(Fence& fence, std::uint64_t value, std::uint64_t at_ps);
  void tell_others(FenceId fence, std::uint64_t value, std::uint64_t told_ps);
  void hear(FenceId fence, std::uint64_t value, std::uint64_t at_ps, std::uint64_t told_ps);
  void heard(std::uint64_t news);
  void moved(std::uint64_t news);
  const Fence& at(FenceId fence) const { return fences_[static_cast<std::uint32_t>(fence)]; }

  FenceKind kind_;
  EventLog& log_;
  Agenda agenda_;
  Slots<Released> released_;
  std::vector<std::uint64_t> on_their_way_;  // of these
  std::vector<News> news_;                   // by time
  Slots<News> heard_;                        // whose time comes
  Numbered<Fence> fences_;
  std::uint64_t next_sequence_ = 0;
  std::function<void(FenceId fence, std::uint64_t value)> others_signal_;
};

}  // namespace fenceline
