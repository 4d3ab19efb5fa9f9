// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"
#include "engines/command/dma_packet.hpp"
#include "scheduler/fences/fence.hpp"
#include "sim/callback.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <memory>

namespace fenceline {

/// What takes place together on several contexts, or tells somebody.
struct JointEnd {
  std::uint32_t awaited = 1;  ///< packets that are not there yet
  Callback reached{};         ///< present: the display's
  Callback dropped{};         ///< present: the same, where it never takes place
};

/// One entry of a context's software queue: a command list to run, a fence to signal or to wait for, a frame to
/// present.
struct QueuePacket {
  static constexpr std::uint32_t of_context = ~std::uint32_t{0};
  static constexpr std::uint64_t no_time = ~std::uint64_t{0};

  PacketType type = PacketType::render;
  bool rejected = false;  ///< its next piece would leak bindings
  std::uint32_t preemptions = 0;
  std::uint32_t pieces = 0;          ///< render: that have been submitted
  std::uint32_t queue = of_context;  ///< to which it was submitted, where several share the context: the number of it
  std::uint64_t id = 0;
  std::shared_ptr<const CommandStream> stream;  ///< render
  std::shared_ptr<CommandEffects> effects;      ///< render: of this execution; null: none
  FenceId fence{};                              ///< signal, wait; present: of the swap chain's frames
  std::uint32_t wait_slot = 0;                  ///< wait: the scheduler's note of when it was satisfied
  std::uint64_t value = 0;                      ///< signal, wait; present: the frame
  std::shared_ptr<JointEnd> joint;              ///< signal of several, present; null: it is alone
  std::unique_ptr<Progress> progress;           ///< where one that was preempted goes on
  std::uint64_t submission_fence_id = 0;
  std::uint64_t hardware_ps = 0;  ///< of the submission that started it
  std::uint64_t submitted_ps = 0;
  std::uint64_t head_ps = no_time;   ///< became the first of its context
  std::uint64_t ready_ps = no_time;  ///< nothing of its own context holds it back

  /// A piece of it has ended, and the next one has not been submitted.
  bool between_pieces() const {
    return progress != nullptr && progress->piece_end == progress->cursor.command && progress->halted.empty();
  }
};

}  // namespace fenceline
