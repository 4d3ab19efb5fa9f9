// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"
#include "engines/command/preemption.hpp"
#include "engines/command/progress.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace fenceline {

/// What reaching the hardware costs, by the way a queue submits its work.
struct SubmissionCost {
  std::uint64_t launch_ps = 0;  ///< from the packet's turn to its first command
  std::uint64_t retire_ps = 0;  ///< from its last command's end until fences may move and the next packet's turn comes
  /// From the end of a command's work until it is complete: paid where something waits for it, overlapped by what does
  /// not.
  std::uint64_t completion_ps = 0;
  double to_device_share = 1;  ///< of PCIe's bandwidth, for one copy at most
  double to_host_share = 1;
  std::uint64_t copy_setup_ps = 0;  ///< added to a copy engine's setup
  std::uint64_t follow_ps = 0;      ///< added to launch when the packet waited in the hardware queue behind another
  PreemptionLevel finest_level = finest_preemption_level;  ///< at which its packets are stopped at most
  std::optional<std::uint64_t> barrier_ps =
      {};  ///< of a barrier with the fetch of what follows it; unset: the engine's own
};

/// What came before a packet began or went on in this submission, besides its launch.
struct ContextLoad {
  std::uint64_t switch_ps = 0;   ///< loading another context than the one that was there
  std::uint64_t restore_ps = 0;  ///< of what the packet had been stopped with
  bool restores = false;         ///< it has state that is not there
  std::uint64_t saves = 0;       ///< packet whose state is there since the end of a piece, and is saved first; 0: none
  StateBytes restored;
};

/// A queue packet, or a piece of a split one, on its way through a node. One owner at a time; moved, never shared.
struct DmaPacket : Progress {
  std::uint64_t id = 0;                   ///< of the queue packet
  std::uint64_t submission_fence_id = 0;  ///< new for every submission to the node, increasing
  std::uint32_t context = 0;
  int priority = 0;             ///< of its groups on the shader array
  int in_process_priority = 0;  ///< the same, against its own process's
  std::uint32_t process = 0;
  LogName label{};
  std::shared_ptr<const CommandStream> stream;  ///< null: a wait, which holds the hardware queue until it is released
  CommandEffects* effects = nullptr;            ///< its submitter's; null: it takes time and nothing more
  bool released = false;                        ///< a wait's condition holds
  SubmissionCost cost;
  std::uint64_t hardware_ps = 0;  ///< entered the hardware queue in this submission
  ContextLoad load;
  /// Behind the last command of this submission.
  std::size_t end() const { return piece_end < stream->commands.size() ? piece_end : stream->commands.size(); }
  /// Further pieces of it follow this one.
  bool has_more() const { return stream != nullptr && piece_end < stream->commands.size(); }
  std::uint64_t piece_started_ps = not_started;  ///< began to run, or went on, in this submission
  std::uint64_t finished_ps = 0;
};

}  // namespace fenceline
