// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "scheduler/paging/content_effects.hpp"
#include "scheduler/paging/context_allocations.hpp"
#include "scheduler/paging/device_list.hpp"
#include "scheduler/paging/page_table_conversion.hpp"
#include "scheduler/paging/paging_config.hpp"
#include "scheduler/paging/paging_moves.hpp"
#include "scheduler/paging/paging_port.hpp"
#include "scheduler/paging/room_log.hpp"
#include "scheduler/paging/turn_length.hpp"
#include "scheduler/residency/allocation.hpp"
#include "scheduler/residency/segment.hpp"
#include "scheduler/residency/video_memory_config.hpp"
#include "scheduler/splitting/splitter.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// The packet is between two pieces of its list, which run back to back (Windows 7 model).
inline bool runs_back_to_back(const SchedulerConfig& config, const QueuePacket& packet) {
  return !config.caps.preemption_aware && packet.type == PacketType::render && packet.between_pieces();
}

/// Allocations that the packet uses. None where its stream is of another adapter's program: its numbers say nothing
/// here.
const std::vector<std::uint32_t>& used_by(const Segment& segment, const QueuePacket& packet);

/// What is in video memory, and who has to wait for it (docs/residency.md): preparations, one at a time on the adapter.
class Residency {
 public:
  Residency(SchedulerState& state, const PagingConfig& config, PagingPort& port);

  // What programs do.
  /// Its number, from 0 on. Resident where it finds room.
  std::uint32_t create(const AllocationConfig& config);
  /// The device of the process knows the allocation: from now on it has a count.
  void know(std::uint32_t process, std::uint32_t allocation);
  /// It is gone, from every list: nothing that uses it runs or is to run.
  void remove(std::uint32_t allocation);
  /// ID3D12Device's MakeResident: `done` is called from inside the simulation, perhaps before this returns, once all is
  /// there. False: it fails, changes nothing, and `done` is not called; the process's figures say by how much.
  bool make_resident(std::uint32_t process, const std::vector<std::uint32_t>& allocations, bool deny_overbudget,
                     std::function<void()> done);
  /// ID3D12Device's Evict. Returns how many had no count.
  std::uint64_t evict(std::uint32_t process, const std::vector<std::uint32_t>& allocations);
  /// It makes no room as long as it is held; held twice it is let go of twice.
  void hold(std::uint32_t allocation);
  void let_go(std::uint32_t allocation);
  void set_priority(const std::vector<std::uint32_t>& allocations, std::uint32_t priority);

  // What contexts ask and tell.
  /// It keeps something in video memory, perhaps, until it is freed.
  void context_created(std::uint32_t context);
  void context_freed(std::uint32_t context) { contexts_.freed(context); }  ///< nothing is known of it from now on
  /// Something is not in video memory, or need not be. Else there is nothing to ask and to tell but `handed_over`.
  bool active() const { return active_; }
  /// The packet waits for what it needs.
  bool holds(std::uint64_t packet) const {
    return std::any_of(held_.begin(), held_.end(), [packet](const Held& one) { return one.packet == packet; });
  }
  /// The packet, first of its context and with its waits satisfied, has what it needs. False: the context is woken.
  bool may_run(std::uint32_t context, const QueuePacket& packet);
  /// How many commands of the packet, from `from` on, find what they use in video memory together: any number, where
  /// all of them do, and where lists are not split for it (rule 8).
  std::size_t commands_that_fit(std::uint32_t context, const QueuePacket& packet, std::size_t from) const;
  /// From which command the packet goes on, and up to which.
  std::pair<std::size_t, std::size_t> next_piece(std::uint32_t context, const QueuePacket& packet) const;
  /// What it uses there, in order of first use.
  std::vector<std::uint32_t> used_next(std::uint32_t context, const QueuePacket& packet) const;
  /// The packet of the context goes to a hardware queue now.
  void handed_over(std::uint32_t context, const QueuePacket& packet);
  /// There is something that `handed_over` is to hear of.
  bool hears_of(const QueuePacket& packet) const {
    return packet.type == PacketType::render &&
           (active_ || contexts_.any() || !packet.stream->memory.allocations.empty());
  }
  /// Its commands as they run where its allocations are now; `dma` knows how far it is, and who hears of them.
  std::shared_ptr<const CommandStream> stream_of(const Context& context, const QueuePacket& packet, DmaPacket& dma);
  /// The packet has ended, and is never seen again.
  void ended(std::uint32_t process, const QueuePacket& packet, bool completed);
  /// A packet is in no hardware queue any more: what it used may make room; or moves are over, or an allocation is
  /// gone.
  void something_left();
  /// The scheduler knows that a paging packet has ended.
  void paged();
  /// The same of a context switch.
  void switched();
  /// Processes whose devices know what the paging packet, which is under way, moves; in their order.
  std::vector<std::uint32_t> owners_of_moves(std::uint64_t packet) const;
  /// The adapter has been reset: video memory is empty, what was on its way is not any more, and who waits for it has
  /// no device (rule 35).
  void purged();

  // Figures.
  const Segment& segment() const { return segment_; }
  const std::vector<DeviceList>& devices() const { return devices_; }  ///< by process
  DeviceList& device(std::uint32_t process);
  std::uint64_t usage_bytes(std::uint32_t process) const;       ///< on its list
  std::uint64_t budget_bytes(std::uint32_t process) const;      ///< local
  std::vector<std::uint64_t> budgets() const;                   ///< the same, by process
  ResidencyStatistics statistics(std::uint32_t process) const;  ///< of the process
  ResidencyStatistics statistics() const;                       ///< of the adapter
  std::string name_of(std::uint32_t allocation) const {
    return is_context(allocation) ? contexts_.name_of(allocation) : known_as_[allocation].name;
  }

 private:
  struct Held {
    std::uint64_t since_ps;
    std::uint64_t packet;
    std::uint32_t context;
    std::uint32_t process;
    bool released = false;
    bool by_turn = false;  ///< all was there, and another queue had its turn
  };
  /// Something is being made resident: for a packet, a device, or a call of make_resident.
  struct Job {
    std::uint32_t process = 0;
    std::uint64_t packet = 0;  ///< 0: not for one packet
    bool call = false;
    std::uint64_t since_ps = 0;
    std::vector<std::uint32_t> targets;  ///< in order
    std::function<void()> done;
    bool suspends = false;        ///< contexts that have to stop first
    std::size_t switches = 0;     ///< context switches that come first
    std::size_t outstanding = 0;  ///< paging packets
    std::vector<PagingMove> moves;
    std::vector<std::uint32_t> moving;  ///< what these move, in the order of numbers
    std::vector<LogName> names;         ///< of what moves, each as it was called when the moves were decided
    std::shared_ptr<PagingMoves> under_way;
    RoomLog::Wait waits_for_room{};
    RoomLog::Waiter waiter(const VideoMemoryConfig& config) const {
      const bool by_device =
          packet == 0 && config.over_commit == OverCommit::page && config.residency == ResidencyModel::device_list;
      return {process, packet, by_device};
    }
  };
  struct Plan {
    Segment after;
    std::vector<PagingMove> moves;
    bool complete;  ///< nothing is missing once these are made
  };

  void settle(std::uint64_t);
  void settled(std::uint64_t);
  bool step();
  void drop_stale();
  bool release(Held& held);
  bool answer_call();
  bool in_transit(const std::vector<std::uint32_t>& allocations) const;
  Job job_of(const Held& held) const;
  std::optional<Job> next_job();
  std::vector<std::uint32_t> needs_of(std::uint32_t process) const;
  Plan plan(const Job& job);
  bool begin(Job job);
  void start_moves();
  void submit_moves();
  void finish();
  bool take_turn(const Job& job);
  void end_turn();
  bool is_busy(std::uint32_t process) const;
  bool is_prepared(const Context& context) const;
  void mark_in_use();

  SchedulerState& s_;
  const VideoMemoryConfig& config_;
  bool enabled_;
  std::vector<std::uint32_t> nodes_;  // whose engines move: of each linked adapter one
  PagingPort& port_;
  PagingBufferRules rules_;
  Splitter splitter_;
  Segment segment_;
  ContextAllocations contexts_;
  PageTableConversion conversion_;
  struct KnownAs {
    std::string name;
    std::uint64_t address;
  };
  std::vector<KnownAs> known_as_;                 // by allocation
  std::map<std::uint32_t, std::uint32_t> holds_;  // how often each allocation is held
  std::vector<std::uint32_t> removed_;            // whose room is not free yet: they are on their way
  std::vector<DeviceList> devices_;
  RoomLog room_log_;
  std::uint64_t state_ = 1;  // another one whenever lists, places or priorities have changed
  bool queue_turn_ = false;  // nothing but what it is for goes to hardware
  std::uint64_t queue_turn_ended_ps_ = 0;
  TurnLength queue_turn_length_;         // of what was prepared then
  std::vector<std::uint32_t> had_turn_;  // contexts of that, of which nothing has been handed over yet
  bool active_ = false;                  // something is not in video memory, or need not be
  bool discards_ = false;                // something is without its content, perhaps: packets are heard
  std::uint64_t purged_bytes_ = 0;
  std::vector<Held> held_;
  std::vector<Job> calls_;  // that wait, in order
  std::optional<Job> job_;
  std::map<std::uint64_t, std::shared_ptr<CommandStream>> adapted_;  // by packet
  std::map<std::uint64_t, std::shared_ptr<ContentEffects>> heard_;   // by packet
  DeltaCall settle_;
  Timer timer_;
};

}  // namespace fenceline
