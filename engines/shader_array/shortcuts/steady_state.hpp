// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/shortcuts/sm_class.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Notices that SMs repeat themselves, as they soon do while one large grid runs alone, unless its groups keep a unit
/// of the SM busy and so move each other about. Given their state after every step, it keeps one and compares the later
/// ones with it; after 1, 2, 4, 8... steps it keeps a newer one (Brent's cycle detection).
class SteadyState {
 public:
  explicit SteadyState(std::uint32_t grid_change_cycles) : grid_change_cycles_(grid_change_cycles) {}

  /// After so many SM cycles and groups placed everything is as it was.
  struct Period {
    std::uint64_t cycles;
    std::uint64_t groups;
  };
  /// How the grid's groups come, if not all at once.
  struct Flow {
    std::uint64_t come;  ///< have, and wait for places
    std::uint64_t cycles_to_next;
  };
  /// `groups` counts those placed so far.
  std::optional<Period> observe(const std::vector<SmClass>& classes, const Flow& flow, std::uint64_t cycle,
                                std::uint64_t groups);
  /// Something came from outside: states before and after it are not to be compared.
  void forget() { steps_until_newer_ = 0; }

 private:
  std::uint64_t grid_change_cycles_;
  std::vector<SmClass> kept_;
  Flow kept_flow_{};
  std::uint64_t kept_cycle_ = 0;
  std::uint64_t kept_groups_ = 0;
  std::uint64_t steps_between_ = 0;
  std::uint64_t steps_until_newer_ = 0;  // 0: nothing kept
};

/// Periods of a steady state that are not simulated.
struct SkippedPeriods {
  std::uint64_t from;  ///< SM cycle of the last step before them
  SteadyState::Period period;
  std::uint64_t count;

  std::uint64_t cycles() const { return count * period.cycles; }
  /// The periods that are over before `cycle`, which is not before `from`.
  SkippedPeriods before(std::uint64_t cycle) const;
};

}  // namespace fenceline
