// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/cohorts.hpp"
#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/rules/grid_state.hpp"
#include "engines/shader_array/rules/plain_sm.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "engines/shader_array/rules/taken_groups.hpp"
#include "engines/shader_array/rules/waiting_grids.hpp"
#include "sim/slots.hpp"

#include <map>
#include <vector>

namespace fenceline {

/// The rules of the shader array as they are meant, with every SM and every thread group an object of its own and a
/// step for each event. Slow. Change a rule here first, and run it with `"simulate": "rules"`; tests hold
/// ShortcutDispatcher against this one.
///
/// Places groups breadth-first: on the SMs with the fewest resident warps, the lowest index first. Grids of one
/// distributor (the 3D engine's for vertices and pixels, the compute work distributor for thread groups) go in order:
/// no group of a later grid starts before the last group of an earlier one has a place. Where both distributors want
/// the same place, the 3D engine's gets it. Among thread groups the higher rank goes first, then those of 3D queues
/// where the machine says so, then who came first. Vertices and pixels come and go as warps: what starting and retiring
/// thread groups costs is none of theirs.
///
/// A draw's pixels come as PixelFlow says. The next batch comes no sooner than all of the last one have places: the
/// rasteriser waits.
///
/// Where a thread group leaves its place the next one of the grid is sent there: when pixels or vertices take the place
/// and no other is left on this SM, it waits, one group on each SM. Source: bench/hardware, fill_overlap: a
/// dispatch of two waves ends after a draw that keeps its SMs full, though others have room, by the time of one group.
class RulesDispatcher : public Dispatcher {
 public:
  explicit RulesDispatcher(const ShaderArrayConfig& config)
      : config_(config), sms_(config.sms), waiting_(grids_, config_) {}

  std::uint32_t launch(const Grid& grid, const GridRemainder* left) override;
  void halt(std::uint32_t grid, PreemptionLevel level, bool at_edge) override;
  void rerank(std::uint64_t packet, int priority, int in_process_priority) override {
    waiting_.rerank(packet, priority, in_process_priority);
  }
  bool is_resident(std::uint32_t grid) const override { return grids_[grid].running > 0; }
  bool is_shut_out(std::uint32_t grid) const override { return grids_[grid].is_shut_out(); }
  std::uint64_t first_start(std::uint32_t grid) const override { return grids_[grid].first_start; }
  std::vector<std::uint32_t> accessing(std::uint32_t grid) const override;
  void break_off_memory(std::uint32_t cohort, const CohortMemory& left) override { broken_off_[cohort] = left; }
  void end_memory(std::uint32_t cohort) override { memory_ended_.push_back(cohort); }
  void step(std::uint64_t cycle, bool waves_logged) override;
  std::uint64_t next() const override { return next_; }
  const Cohort& cohort(std::uint32_t index) const override { return cohorts_[index]; }
  const Grid& grid(std::uint32_t index) const override { return grids_[index].grid; }
  std::uint64_t resident_threads() const override { return threads_of(grids_); }
  std::uint64_t groups_run() const override { return groups_run_; }

 private:
  struct Halt {
    std::uint32_t grid;
    PreemptionLevel level;
    bool after_placing;
  };

  void end_groups();
  void end(std::uint32_t sm, PlainGroup& group);
  void end_memory();
  void place(bool waves_logged);
  void place_grid(std::uint32_t grid, std::size_t kept, bool& blocked, bool waves_logged);
  void place_sent(std::uint32_t grid, bool its_turn, bool waves_logged);
  std::vector<std::uint32_t> take_places(const GridState& state, std::uint64_t groups);
  void begin_fresh(std::uint32_t grid, std::uint32_t sm, bool waves_logged);
  bool place_saved(std::uint32_t grid, bool waves_logged);
  void begin(std::uint32_t sm, PlainGroup group, std::uint64_t bytes, bool drifts, bool waves_logged);
  void begin_halts(bool after_placing);
  void take_off(std::uint32_t grid, PreemptionLevel level);
  void end_grids();
  void tell_ends();
  void look_ahead();

  ShaderArrayConfig config_;
  std::vector<PlainSm> sms_;
  Slots<GridState> grids_;
  Cohorts cohorts_;
  std::vector<std::uint32_t> known_;  // grids that are not over
  WaitingGrids waiting_;
  std::vector<std::uint32_t> over_;                   // grids that the last step ended, whose owners may not know yet
  std::vector<std::uint32_t> memory_ended_;           // cohorts, since the last step
  std::map<std::uint32_t, std::uint64_t> told_;       // ends of foretold grids, by grid
  std::map<std::uint32_t, CohortMemory> broken_off_;  // by cohort, since the last step
  std::vector<Halt> halts_;                           // asked for since the last step
  std::uint64_t launched_ = 0;
  std::uint64_t groups_run_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t next_ = never;
};

}  // namespace fenceline
