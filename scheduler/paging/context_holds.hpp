// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/state/context.hpp"

#include <cstdint>

namespace fenceline {

/// How contexts are kept from their nodes, by the scheduler above.
class ContextHolds {
 public:
  virtual ~ContextHolds() = default;
  /// Nothing of the context goes to its node until it is resumed by everybody who has suspended it, and what is
  /// there is asked to stop. True: nothing is.
  virtual bool suspend(std::uint32_t context, Suspender by) = 0;
  /// It goes on when its turn comes, unless somebody else has suspended it.
  virtual void resume(std::uint32_t context, Suspender by) = 0;
  /// Nothing of the context is on its node, or nothing but what a wait holds up there that cannot be stopped.
  virtual bool stopped(std::uint32_t context) const = 0;
};

}  // namespace fenceline
