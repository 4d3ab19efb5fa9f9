// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/play/case_player.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// A list on a Vulkan queue of its own, and a CPU thread that waits for its fence ("<list> seen"); `gated`: the queue
/// waits for the fence "gate" first.
void submit_alone(WorkloadBuilder& builder, QueueType type, const std::string& list, std::vector<CommandInfo> commands,
                  bool gated = false);

/// The draws of async_overlap: a list "draw" that covers so many pixels.
void submit_overlapped_draw(WorkloadBuilder& builder, std::uint64_t pixels, bool gated = false);

/// How many pixels the draws of async_overlap cover was not written down. It is taken to be as many as make them alone
/// take the time that they took alone.
class FittedDraw {
 public:
  std::uint64_t pixels(CasePlayer& player, double alone_us);

 private:
  std::map<double, std::uint64_t> pixels_;
};

}  // namespace fenceline
