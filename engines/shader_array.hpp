// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/group_cost.hpp"
#include "engines/memory.hpp"
#include "engines/shader_array_config.hpp"
#include "engines/sm_pool.hpp"
#include "sim/agenda.hpp"
#include "sim/callback.hpp"
#include "sim/clock_domain.hpp"
#include "sim/log.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <cstdint>
#include <vector>

namespace fenceline {

/// Work for the shader array: identical thread groups.
struct Grid {
  std::uint64_t groups = 0;
  GroupFootprint footprint;
  GroupWork work;
  int priority = 0;         ///< a higher one's groups are placed first whenever a place falls free
  std::uint64_t order = 0;  ///< the packet's id: decides among grids that arrive at the same moment
  bool graphics = false;    ///< comes from the 3D engine's distributor and stays on the graphics SMs
  LogName label{};
  Callback done;    ///< called once, when the last group has retired
  Callback placed;  ///< unless empty, called once, when the last group has a place and has been handed out
};

/// The SMs that the 3D and compute engines share. Places groups breadth-first; grids of one distributor in order: no
/// group of a later grid starts before the last group of an earlier one has a place. Where both distributors want the
/// same place, the 3D engine's gets it. Resident groups share the units of their SM (sm_share) and memory.
///
/// SMs with the same history are simulated as one (SmClass), so a uniform grid costs events for the groups of one SM,
/// not of all.
class ShaderArray : public sc_core::sc_module {
 public:
  ShaderArray(sc_core::sc_module_name name, const ShaderArrayConfig& config, Memory& memory, EventLog& log);

  /// At least one group must fit on an empty SM.
  void launch(const Grid& grid);
  const ShaderArrayConfig& config() const { return config_; }
  std::uint64_t groups_run() const { return groups_run_; }

 private:
  struct GridState {
    Grid grid;
    GroupOccupancy need;
    GroupCost cost;
    unsigned __int128 shared_work;  // of one group: ps at full speed, times full_speed
    std::uint32_t wanted_split;
    std::uint64_t unplaced;
    std::uint64_t running;     // placed and not ended
    std::uint64_t retired_ps;  // of the group that retires last, so far
    std::uint64_t launch_ps;   // between groups that start on one SM
    std::uint64_t handed_out_ps;
  };
  // Groups of one grid that start at one moment: one transfer for the memory accesses of all.
  struct Cohort {
    std::uint32_t grid;
    std::uint64_t start_ps;
    std::uint64_t groups;
    std::uint64_t running;
    std::uint64_t end_ps;
  };
  void woken();
  void work();
  void settle(SmClass& sms);
  void advance(SmClass& sms);
  void end_if_complete(SmClass& sms, ResidentGroup& group);
  void free_places(std::uint32_t index);
  void end_memory();
  void admit();
  void place();
  void hand_out(std::uint32_t grid);
  void add_group(SmClass& sms, std::uint32_t grid);
  std::uint64_t fixed_end(std::uint32_t grid) const;
  std::uint32_t cohort_of(std::uint32_t grid, std::uint64_t start_ps);
  void start_cohorts();
  void start_memory(std::uint32_t cohort);
  void look_ahead();
  void share(SmClass& sms);
  std::uint64_t next_of(const SmClass& sms) const;
  void streamed(std::uint64_t cohort);
  void memory_done(std::uint64_t cohort);
  void retired(std::uint64_t grid);

  ShaderArrayConfig config_;
  ClockDomain clock_;
  std::uint64_t launch_ps_;
  std::uint64_t warp_launch_ps_;
  std::uint64_t skew_ps_;
  std::uint64_t retire_ps_;
  std::uint64_t refill_ps_;
  std::uint64_t memory_overhead_ps_;
  Memory& memory_;
  EventLog& log_;
  LogName log_track_;
  LogName log_category_;
  Agenda agenda_;
  SmPool pool_;
  Slots<GridState> grids_;
  std::vector<std::uint32_t> arrived_;  // grids launched since the last `work`
  std::vector<std::uint32_t> pending_;  // grids with unplaced groups, in the order of placement
  Slots<Cohort> cohorts_;
  std::vector<std::uint32_t> launching_;    // cohorts that have not started
  std::vector<std::uint32_t> memory_done_;  // cohorts whose memory accesses ended and await `work`
  std::vector<std::uint32_t> finished_;     // grids
  std::uint64_t groups_run_ = 0;
  std::uint64_t now_ps_ = 0;               // of `work`
  std::vector<std::uint32_t> placed_on_;   // scratch of place
  std::vector<const GroupCost*> sharing_;  // scratch of share
  std::vector<std::uint64_t> speeds_;      // scratch of share
  std::vector<Callback> callbacks_;
  sc_core::sc_event work_;
  sc_core::sc_event wake_;
};

}  // namespace fenceline
