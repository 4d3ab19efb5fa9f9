// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/cohorts.hpp"
#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/rules/grid_state.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "engines/shader_array/rules/taken_groups.hpp"
#include "engines/shader_array/rules/waiting_grids.hpp"
#include "engines/shader_array/shortcuts/shortcuts.hpp"
#include "engines/shader_array/shortcuts/sm_pool.hpp"
#include "engines/shader_array/shortcuts/steady_state.hpp"
#include "sim/slots.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fenceline {

/// Which group runs on which SM and when, in SM clock cycles. No SystemC: whoever drives it says which cycle it is,
/// moves the bytes and tells when they have been moved.
///
/// A group's end is known as soon as it has its place and its memory accesses are over (RoomAhead). While nobody waits
/// for a place, the ends of groups concern nobody until the last of a grid: there are no steps for them, they are made
/// up for when something comes from outside.
///
/// While one grid goes on and on in the same way, whole periods of it are skipped; whatever comes finds the state that
/// simulating every step would have led to.
///
/// What it comes to is stated at RulesDispatcher.
class ShortcutDispatcher : public Dispatcher {
 public:
  explicit ShortcutDispatcher(const ShaderArrayConfig& config, Shortcuts shortcuts = {});

  std::uint32_t launch(const Grid& grid, const GridRemainder* left) override;
  void halt(std::uint32_t grid, PreemptionLevel level, bool at_edge) override;
  void rerank(std::uint64_t packet, int priority, int in_process_priority) override {
    waiting_.rerank(packet, priority, in_process_priority);
  }
  bool is_resident(std::uint32_t grid) const override { return grids_[grid].running > 0; }
  bool is_shut_out(std::uint32_t grid) const override { return grids_[grid].is_shut_out(); }
  std::uint64_t first_start(std::uint32_t grid) const override { return grids_[grid].first_start; }
  std::vector<std::uint32_t> accessing(std::uint32_t grid) const override;
  void break_off_memory(std::uint32_t cohort, const CohortMemory& left) override;
  void end_memory(std::uint32_t cohort) override;
  void step(std::uint64_t cycle, bool waves_logged) override;
  std::uint64_t next() const override { return skipped_ ? next_ + skipped_->cycles() : next_; }
  const Cohort& cohort(std::uint32_t index) const override { return cohorts_[index]; }
  const Grid& grid(std::uint32_t index) const override { return grids_[index].grid; }
  std::uint64_t resident_threads() const override { return threads_of(grids_); }
  std::uint64_t groups_run() const override { return groups_run_; }
  const std::vector<SmClass>& classes() const { return pool_.classes(); }

 private:
  struct Halt {
    std::uint32_t grid;
    PreemptionLevel level;
    bool after_placing;
  };
  static constexpr std::uint32_t patience = 16;  // a steady state that lasts less is not worth the search
  /// A grid all whose groups have places and no memory accesses under way.
  struct Ending {
    std::uint64_t cycle;  // its last group ends; once that is past: has retired
    std::uint32_t grid;
  };
  bool from_outside() const;
  void catch_up(std::uint64_t cycle);
  void leave_out(const SkippedPeriods& periods);
  void begin_step(std::uint64_t cycle);
  bool somebody_waits(bool waves_logged) const;
  void settle_due();
  void place_and_look_ahead(bool waves_logged);
  void disturb();
  void skip_periods();
  void settle(SmClass& sms, std::uint64_t cycle);
  void end(SmClass& sms, ResidentGroup& group);
  void end_memory();
  void expect_end(std::uint32_t grid);
  void place(bool waves_logged);
  void place_pending(bool waves_logged);
  void place_sent(std::uint32_t grid, bool its_turn, bool waves_logged);
  void forget_lost_places();
  void begin_groups(std::uint32_t grid, std::uint64_t groups, bool waves_logged);
  bool place_fresh(std::uint32_t grid, bool waves_logged);
  bool place_saved(std::uint32_t grid, bool waves_logged);
  void add_fresh(SmClass& sms, std::uint32_t grid, bool waves_logged);
  void add_saved(SmClass& sms, std::uint32_t grid, const SavedGroups& saved, bool waves_logged);
  ResidentGroup& add(SmClass& sms, std::uint32_t grid);
  Cohort* begin(SmClass& sms, ResidentGroup& group, std::optional<std::uint32_t> part, std::uint64_t overhead,
                ResidentGroup::Wide instructions, std::uint64_t first, bool waves_logged);
  void end_grids();
  void finish();
  void look_ahead(bool waves_logged);
  // Halting: shortcut_dispatcher_halting.cpp.
  void begin_halts(bool after_placing);
  void take_back(std::uint32_t grid);
  void forget_grids();
  void take_off(std::uint32_t grid, PreemptionLevel level);
  void expect_anew(std::uint32_t stopped);
  std::vector<ResidentGroup::Wide> instructions_left(const SmClass& sms) const;
  template <class Stays>
  void keep(SmClass& sms, const Stays& stays, const std::vector<ResidentGroup::Wide>& instructions);
  void share_anew(SmClass& sms);
  void end_halts();

  ShaderArrayConfig config_;
  Shortcuts shortcuts_;
  SmPool pool_;
  Slots<GridState> grids_;
  WaitingGrids waiting_;
  bool places_may_fit_ = false;        // something arrived or left since groups were placed
  bool left_by_some_ = false;          // the latter, since classes were merged
  bool freed_ = false;                 // groups left in this step
  std::uint64_t next_pixels_ = never;  // of pending grids, the first batch that comes
  Cohorts cohorts_;
  std::vector<std::uint32_t> memory_ended_;  // cohorts, since the last step
  std::vector<Ending> ending_;
  std::uint64_t next_end_ = never;                    // of those, the first
  std::vector<std::uint32_t> complete_;               // grids that finish with this step
  std::vector<Halt> halts_;                           // asked for since the last step
  std::vector<std::uint32_t> halting_;                // grids
  std::vector<std::uint32_t> over_;                   // grids that the last step ended, whose owners may not know yet
  std::map<std::uint32_t, CohortMemory> broken_off_;  // by cohort, since the last step
  std::uint64_t launched_ = 0;                        // grids
  std::uint64_t cycle_ = 0;                           // of the last step
  std::uint64_t next_ = never;
  std::uint64_t groups_run_ = 0;
  std::uint32_t filling_ = 0;  // the grid that placed the last groups
  SteadyState steady_;
  std::uint32_t undisturbed_ = 0;  // steps since something came from outside, or went there
  std::optional<SkippedPeriods> skipped_;
  std::vector<std::uint32_t> placed_on_;  // scratch of place
};

}  // namespace fenceline
