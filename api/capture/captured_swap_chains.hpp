// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/capture_batch.hpp"
#include "scheduler/config/context_config.hpp"
#include "scheduler/display/display_config.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/fences/fence.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace fenceline {

/// Swap chains as a capture says them: the first to which a queue presents on the primary output is the queue's own,
/// others are `swap_chains`. Each has a fence that counts its frames.
class CapturedSwapChains {
 public:
  /// What of a present, or of a fence of frames, the capture can say.
  struct Place {
    std::string name;   ///< of one of `swap_chains`; empty: the queue's own
    bool is_its_queue;  ///< the first that presented to it
  };

  /// Objects go into the batch, which outlives this.
  CapturedSwapChains(CaptureBatch& batch, const DisplayConfig& display) : batch_(batch), display_(display) {}

  /// `before`: frames that it has had.
  void created(SwapChainId chain, const SwapChainPlace& place, FenceId frames, std::uint64_t before);
  /// The queue presents to it. The first time it is in the capture from now on, with a fence of the name `frames`, by a
  /// name that is not among `taken`, of queues and swap chains. Nothing: its compositor cannot be said.
  std::optional<Place> presents(SwapChainId chain, ContextId queue, const std::string& queue_name,
                                const std::string& frames, std::set<std::string>& taken);

  bool is_there(SwapChainId chain) const { return chains_.at(chain).queue.has_value(); }  ///< in the capture
  bool counts_frames(FenceId fence) const { return of_fences_.count(fence) > 0; }
  FenceId frames_of(SwapChainId chain) const { return chains_.at(chain).frames; }
  /// Frames that a swap chain had before the capture, by the fence that counts them; 0 of other fences.
  std::uint64_t frames_before(FenceId fence) const;
  /// By which a step that closes it names it.
  const std::string& name(SwapChainId chain) const;
  std::string output_name(OutputId output) const;

 private:
  struct Chain {
    SwapChainPlace place;
    FenceId frames{};
    std::uint64_t before = 0;
    std::optional<ContextId> queue = {};  // that presented to it first
    std::string queue_name = {};
    std::string name = {};  // of one of `swap_chains`; empty: the queue's own
  };

  CaptureBatch& batch_;
  const DisplayConfig& display_;
  std::map<SwapChainId, Chain> chains_;
  std::map<FenceId, SwapChainId> of_fences_;
  std::set<ContextId> with_own_;  // queues
};

}  // namespace fenceline
