// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// A CPU thread and how far it is.
struct PlayerThread {
  explicit PlayerThread(const Timeline& timeline) : cursor(timeline) {}
  TimelineCursor cursor;
  bool waiting = false;
  bool slept = false;                     // and has not called anything since
  std::uint64_t created = 0;              // pipeline states of this step
  std::optional<BegunCreation> creating;  // the next of them
  bool steady = false;  // what it was told last in this iteration: no further measurements are desired
};

}  // namespace fenceline
