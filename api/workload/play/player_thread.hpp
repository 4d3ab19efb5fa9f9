// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// A CPU thread and how far it is.
struct PlayerThread {
  PlayerThread(const Timeline& timeline, bool is_captured) : cursor(timeline), captured(is_captured) {}
  TimelineCursor cursor;
  bool waiting = false;
  bool told = false;                      // the listener, of this step
  bool slept = false;                     // and has not called anything since
  std::uint64_t created = 0;              // pipeline states of this step
  std::optional<BegunCreation> creating;  // the next of them
  bool captured = false;                  // it acts from outside the simulation
  std::optional<std::uint64_t> due_ps;    // captured: when it goes on; unset: it waits, or is at its end
  std::uint64_t turn = 0;                 // captured: how often it has let others of that moment go first
  bool steady = false;  // what it was told last in this iteration: no further measurements are desired
};

/// The captured thread whose turn comes first; their number: none is due.
std::size_t next_captured(const std::vector<PlayerThread>& threads);

}  // namespace fenceline
