// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/candidate.hpp"

#include <cstdint>

/// What policies whose equals take turns have in common.
namespace fenceline {

/// The turn is its, and not over.
inline bool keeps_turn(const Standing& turn, std::uint64_t quantum_ps) { return turn.has && turn.used_ps < quantum_ps; }

/// Whose turn it is goes first, then whoever came first, and last whose turn is over: it was, perhaps, before anybody
/// else came.
bool before_by_turn(const Standing& a, std::uint64_t a_quantum_ps, const Standing& b, std::uint64_t b_quantum_ps);

/// Of two contexts that take turns with each other.
bool before_in_process(const Candidate& a, const Candidate& b);

/// The turn is over once the quantum is used up; then there is a grace period, from then or from when the other one
/// came, whichever is later.
PreemptionVerdict after_turn(const Candidate& waiting, const Standing& turn, std::uint64_t quantum_ps,
                             std::uint64_t grace_ps);

}  // namespace fenceline
