// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/paging/context_allocations.hpp"
#include "scheduler/paging/device_list.hpp"
#include "scheduler/residency/segment.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/room_record.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fenceline {

/// Tells the log who has the room in video memory that something waits for (RoomRecord).
class RoomLog {
 public:
  /// What waits, and what the log has been told of it.
  struct Wait {
    std::vector<RoomRecord::Holder> holders{};
    bool told = false;
  };
  /// Who waits.
  struct Waiter {
    std::uint32_t process = 0;
    std::uint64_t packet = 0;  ///< 0: the process's device
    bool by_device = false;    ///< lists of other devices stay as long as something of them runs
  };
  /// An allocation's name.
  using NameOf = std::function<std::string(std::uint32_t)>;
  /// The context's first packet has what it needs.
  using IsPrepared = std::function<bool(const Context&)>;

  RoomLog(SchedulerState& state, const ContextAllocations& contexts, const std::vector<DeviceList>& devices,
          NameOf name_of, IsPrepared is_prepared);

  /// It does. `segment`: as it would be, with what has to stay for it marked.
  void waits(Wait& wait, const Waiter& waiter, const Segment& segment);
  /// It does no more.
  void over(Wait& wait, const Waiter& waiter);

 private:
  std::vector<RoomRecord::Holder> holders(const Waiter& waiter, const Segment& segment) const;

  SchedulerState& s_;
  const ContextAllocations& contexts_;
  const std::vector<DeviceList>& devices_;
  NameOf name_of_;
  IsPrepared is_prepared_;
};

}  // namespace fenceline
