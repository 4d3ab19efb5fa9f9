// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// The share of an engine's time that the normal band keeps beside the focus band: targetNormalBandPercentage of
/// DXGKARG_SETUPPRIORITYBANDS.
///
/// Counts while both bands want the engine and neither is kept from it by a higher one; what is owed is kept in
/// between. In every 10 ms of such time (reading) the focus band runs first, until the normal band is owed its part of
/// the 10 ms; then that one runs until nothing is owed. No more than that part is ever owed, and never less than
/// nothing: what an unstoppable packet took too much is not made up for beyond the window.
class BandFloor {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint64_t window_ps = 10'000'000'000;  // 10 ms

  /// What the engine does from now on.
  struct Use {
    bool contended = false;  ///< both bands want it, and no higher one has it
    bool normal_runs = false;
  };

  /// `percentage` of the time, 0 to 50; 0: there is no floor.
  explicit BandFloor(double percentage);
  /// Counts what happened since the last call, and takes note of what the engine does from `now_ps` on.
  void advance(std::uint64_t now_ps, const Use& use);
  /// The normal band gets what it is owed now, and not only when that is its part of a window.
  void yield() { normal_first_ = normal_first_ || owed_ > 0; }
  /// The normal band goes before the focus band.
  bool normal_first() const { return normal_first_; }
  /// When that changes if nothing else does; `never` if it does not.
  std::uint64_t next_change_ps() const;
  bool enabled() const { return parts_ > 0; }

 private:
  static constexpr std::uint64_t whole = 1'000'000;  // a share is kept in millionths

  std::uint64_t parts_;      // of `whole`
  std::uint64_t most_owed_;  // picoseconds x whole: normal's part of a window, less what it earns while it runs
  std::uint64_t owed_ = 0;
  std::uint64_t last_ps_ = 0;
  Use use_;
  bool normal_first_ = false;
};

}  // namespace fenceline
