// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  Callback done;  ///< called once, when the last group has ended
};

/// The SMs that the 3D and compute engines share. Places groups breadth-first; grids of one distributor in order: no
/// group of a later grid starts before the last group of an earlier one has a place. Groups of a grid that were placed
/// at one moment run as one wave and end together, so cost grows with waves, not with groups.
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
    std::uint32_t wanted_split;
    std::uint64_t unplaced;
    std::uint64_t resident;
  };
  struct Wave {
    std::uint32_t grid;
    std::uint32_t parts;  // of ALU and memory work, still running
    std::uint64_t groups;
    std::uint64_t start_ps;
    std::vector<SmPool::Placement> placements;
  };
  void work();
  void end_wave(std::uint32_t wave);
  void admit();
  void place();
  void start_wave(std::uint32_t wave);
  void memory_done(std::uint64_t wave);
  void part_done(std::uint64_t wave);
  bool refills_itself(std::uint32_t wave) const;

  ShaderArrayConfig config_;
  ClockDomain clock_;
  std::uint64_t memory_overhead_ps_;
  Memory& memory_;
  EventLog& log_;
  LogName log_track_;
  LogName log_category_;
  Agenda agenda_;
  SmPool pool_;
  Slots<GridState> grids_;
  std::vector<std::uint32_t> arrived_;  // grids launched since the last `work`
  std::vector<std::uint32_t> pending_;  // grids with unplaced groups: highest priority first, then in order of arrival
  Slots<Wave> waves_;
  std::vector<std::uint32_t> ended_;  // waves that ended and await `work`
  std::vector<Callback> finished_;
  std::uint64_t groups_run_ = 0;
  sc_core::sc_event work_;
};

}  // namespace fenceline
