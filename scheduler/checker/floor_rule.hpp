// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/schedule_model.hpp"
#include "scheduler/checker/violations.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// The rule of the normal band's floor (16), of one node: of the time in which both bands want it each has its part.
///
/// What is owed to the normal band grows while the focus band runs, up to the part of one window, and shrinks to
/// nothing while the normal band runs. A band that runs on beyond that, though it could have been stopped, has had too
/// much. The rule leaves open whether time in which an engine drains, saves and restores counts; a run is wrong if it
/// is by each way to count.
///
/// Only nodes with one hardware queue are judged, and of those only such as can withhold packets at least: elsewhere
/// both bands run side by side, or nothing is stopped.
class FloorRule {
 public:
  /// Model and violations live longer.
  FloorRule(const ScheduleModel& model, std::size_t node, Violations& violations)
      : model_(model), node_(node), violations_(violations) {}

  /// Takes note of whether both bands want the node.
  void look_at_bands();
  /// What is owed is not known any more: nothing is judged until both bands have wanted the node for two windows.
  void forget();
  /// A piece of the packet has run.
  void check(const ScheduleModel::Packet& packet, const Span& span);

 private:
  static constexpr std::uint64_t never = ScheduleModel::never;

  /// Ways to count what the bands have of the time.
  enum Way : std::size_t {
    until_asked,       // a piece until it was asked to stop
    whole_piece,       // a piece until it had stopped
    with_time_before,  // so, and the time between pieces, as if the focus band had run
    ways
  };

  /// What the bands have of it, counted in one of these ways.
  struct Share {
    double owed_ps = 0;            // to the normal band
    double focus_too_much_ps = 0;  // that it ran beyond its part
    double normal_too_much_ps = 0;
  };

  const ScheduleModel& model_;
  std::size_t node_;
  Violations& violations_;
  std::uint64_t both_since_ps_ = never;             // both bands want the node
  std::vector<std::array<std::uint64_t, 2>> both_;  // earlier such times, from and to, since the last piece's end
  std::uint64_t last_ps_ = 0;                       // end of the last piece
  std::array<Share, ways> shares_{};
  double unsure_ps_ = 0;           // of the time in which both want it, until what is owed is sure again
  std::uint32_t late_starts_ = 0;  // focus pieces in a row that began while the normal band was due
  bool told_ = false;
};

}  // namespace fenceline
