// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_trace.hpp"
#include "api/import/lone_command.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Of each operation the part of its speed that it had in the company of other streams: what it takes alone over what
/// it took; above 0, at most 1. Copies and memsets have 1: they take what the machine takes.
using KinetoShares = std::vector<double>;

/// A first guess: where kernels of several streams ran at once and want more places than the whole machine has, each
/// ran slower for it.
struct GuessedShares {
  KinetoShares shares;
  bool company = false;  ///< kernels of two streams ran at one time
};
GuessedShares guessed_shares(const KinetoTrace& trace, const KinetoSchedule& schedule, const LoneCommands& lone);

/// How far one set of shares is from another, in the mean over the kernels' time: 0, equal, to 1.
double difference(const KinetoShares& one, const KinetoShares& other, const KinetoTrace& trace);

}  // namespace fenceline
