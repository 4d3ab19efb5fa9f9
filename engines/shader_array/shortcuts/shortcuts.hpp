// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline {

/// Which of the ways to come to what the rules say in less time are taken. Results do not depend on it: each can be
/// left out, so that tests can compare.
struct Shortcuts {
  bool equal_sms = true;        ///< SMs in the same state are simulated as one
  bool steady_state = true;     ///< periods in which everything repeats itself are left out
  bool room_ahead = true;       ///< what residents leave of an SM's units is worked out when they change, not each step
  bool ends_beforehand = true;  ///< while nobody waits for a place, ends of groups are no steps
};

}  // namespace fenceline
