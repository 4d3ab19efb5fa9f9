// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "engines/command/progress.hpp"
#include "engines/shader_array/rules/grid.hpp"
#include "sim/tally.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace fenceline {

/// SM cycle of what does not happen.
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Groups of one grid that get their places at one moment, of one that drifts in one part of the SMs: one transfer for
/// the memory accesses of all.
struct Cohort {
  std::uint32_t grid;
  std::uint64_t start;  ///< SM cycle
  std::uint64_t groups;
  std::uint64_t running;
  std::uint64_t end;                       ///< of the groups that have ended
  std::uint64_t bytes = 0;                 ///< of memory accesses that the groups have not moved yet
  std::optional<std::uint32_t> part = {};  ///< of the SMs; unset: it is in all of them
};
/// What is left of a cohort's memory accesses when they are broken off.
struct CohortMemory {
  std::uint64_t bytes = 0;
  std::uint64_t cycles = 0;  ///< SM cycles, where all bytes have been moved
};
/// A grid that is `foretold` ends; after that it has no name any more.
struct ForetoldGrid {
  GridOwner* owner;
  std::uint64_t tag;
  std::uint64_t end;  ///< SM cycle
};
/// A grid that has stopped before its end.
struct HaltedGrid {
  Grid grid;
  GridRemainder left;
};

/// What a step of the dispatcher brought about.
struct DispatchEvents {
  std::vector<std::uint32_t> starting;  ///< cohorts whose memory accesses begin, by when their grids were launched
  std::vector<Cohort> ended;   ///< whose last group ended: all when waves are logged, else those that access memory
  std::vector<Grid> finished;  ///< whose last group retired, in the order of their packets
  std::vector<Grid> waiting;   ///< of dispatches launched since the step before, some groups without a place
  std::vector<Grid> placed;    ///< of dispatches, whose last group got a place
  std::vector<ForetoldGrid> foretold;  ///< whose end is known now, or comes sooner than was told
  std::vector<HaltedGrid> halted;      ///< that have stopped before their end
  void clear();
  /// In an order that does not depend on which SMs were simulated as one.
  void sort_ended();
};

/// Which group runs on which SM and when, in SM clock cycles. No SystemC: whoever drives it says which cycle it is,
/// moves the bytes and tells when they have been moved. RulesDispatcher is the rules; ShortcutDispatcher comes to the
/// same in less time. docs/model.md has what the rules stand on.
class Dispatcher {
 public:
  Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  virtual ~Dispatcher() = default;

  /// At least one group must fit on an empty SM. Takes effect with the next step, after what is due by then anyway.
  /// With `left` it goes on where it was halted. The answer names the grid until it is finished or halted.
  virtual std::uint32_t launch(const Grid& grid, const GridRemainder* left) = 0;
  /// Stops the grid with the next step, after what is due by then, unless that is its end. Asked for `at_edge`, at that
  /// step's very cycle, groups that get their places with it count as begun; else they get none. At level `group` what
  /// has begun, group or triangle, goes on to its end; at `thread` groups that have a place and not begun lose it; at
  /// `shader` all groups lose theirs, once `end_memory` has been told what is left of their accesses. Again with a
  /// finer level: so much sooner.
  virtual void halt(std::uint32_t grid, PreemptionLevel level, bool at_edge) = 0;
  /// The packet's grids have another rank from the next step on, after what is due by then: those that wait for places
  /// wait as if they had come with it.
  virtual void rerank(std::uint64_t packet, int priority, int in_process_priority) = 0;
  /// Groups of the grid had places, as of the last step.
  virtual bool is_resident(std::uint32_t grid) const = 0;
  /// Groups of the grid want places, and none of them has had one since the launch, as of the last step.
  virtual bool is_shut_out(std::uint32_t grid) const = 0;
  /// Packets of which groups have places, as of the last step.
  const Tally& residents() const { return residents_; }
  /// When the first of its groups began since the launch; `never` as long as none has a place.
  virtual std::uint64_t first_start(std::uint32_t grid) const = 0;
  /// Cohorts of the grid whose memory accesses are under way.
  virtual std::vector<std::uint32_t> accessing(std::uint32_t grid) const = 0;
  /// The cohort's memory accesses are broken off. For a grid that is halted at level `shader`.
  virtual void break_off_memory(std::uint32_t cohort, const CohortMemory& left) = 0;
  /// All bytes of the cohort have been moved. Takes effect with the next step.
  virtual void end_memory(std::uint32_t cohort) = 0;

  /// Everything that is due by `cycle`, which is not before the last step's, and what was told since that.
  virtual void step(std::uint64_t cycle, bool waves_logged) = 0;
  /// The SM cycle of the next step; `never` until a launch or an end of memory accesses.
  virtual std::uint64_t next() const = 0;
  /// Of the last step.
  const DispatchEvents& events() const { return events_; }

  virtual const Cohort& cohort(std::uint32_t index) const = 0;
  /// The grid of a cohort, until the next launch.
  virtual const Grid& grid(std::uint32_t index) const = 0;
  /// Groups placed.
  virtual std::uint64_t groups_run() const = 0;
  /// Threads of the groups that have places, as of the last step, which was told that waves are logged.
  virtual std::uint64_t resident_threads() const = 0;

 protected:
  DispatchEvents events_;
  Tally residents_;  // packets, once for each grid that has places
};

}  // namespace fenceline
