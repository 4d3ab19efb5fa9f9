// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// What the commands of a list do besides taking time comes in the order in which they were recorded: commands overlap
/// in time, but an effect takes place once everything that was recorded before it has, or was skipped.
class EffectOrder {
 public:
  /// So many effects, in their order; none has happened.
  explicit EffectOrder(std::size_t effects) : states_(effects, State::waits) {}

  /// The work of the effect's command has ended, or the command is skipped: `apply(effect)` for each whose turn has
  /// come.
  template <class Apply>
  void settle(std::size_t effect, bool skipped, Apply&& apply) {
    states_[effect] = skipped ? State::skipped : State::complete;
    for (; next_ < states_.size() && states_[next_] != State::waits; ++next_) {
      if (states_[next_] == State::complete) apply(next_);
    }
  }

 private:
  enum class State : std::uint8_t { waits, skipped, complete };
  std::vector<State> states_;
  std::size_t next_ = 0;
};

}  // namespace fenceline
