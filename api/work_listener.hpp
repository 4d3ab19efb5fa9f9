// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/queue_rules.hpp"
#include "engines/command/command_effects.hpp"
#include "scheduler/config/context_config.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/fences/fence.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace fenceline {

class StreamBytes;

/// When a machine is told something.
struct WorkMoment {
  std::uint64_t now_ps = 0;  ///< its simulated time
  std::uint64_t slice = 0;   ///< how often it had been simulated: what it is told in one slice it is told at once
  bool inside = false;       ///< from inside the simulation, not by a thread of the program's
};

/// Hears what a machine is told to do, as GPU work: what its queues get, in order, and what CPU threads do to fences
/// and what they wait for. All of a program's GPU work passes here, whatever interface it came by. Called by the thread
/// that calls the machine, before the machine does it; it may not call the machine, but ask it. The machine calls it
/// first for each queue, fence and swap chain that is there when it begins to listen.
class WorkListener {
 public:
  virtual ~WorkListener() = default;

  /// Machine::create_queue.
  virtual void queue_created(ContextId queue, const QueueConfig& config) = 0;
  /// Machine::create_fence; `value` is where it stands.
  virtual void fence_created(FenceId fence, const std::string& name, std::uint64_t value) = 0;
  /// Machine::create_swap_chain; `frames` is its frame fence.
  virtual void swap_chain_created(SwapChainId chain, const SwapChainPlace& place, FenceId frames) = 0;

  /// Machine::execute, with the effects and bytes that it was given; returns the effects that are to be used, which may
  /// pass what they hear on to the given ones.
  virtual std::shared_ptr<CommandEffects> executed(const WorkMoment& at, ContextId queue,
                                                   const std::shared_ptr<const CommandStream>& stream,
                                                   std::shared_ptr<CommandEffects> effects,
                                                   const std::shared_ptr<StreamBytes>& bytes) = 0;
  /// Machine::signal of a queue.
  virtual void queue_signalled(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) = 0;
  /// Machine::wait of a queue.
  virtual void queue_waited(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) = 0;
  /// Machine::mark, of what is something.
  virtual void queue_marked(const WorkMoment& at, ContextId queue, const Marker& marker) = 0;
  /// Machine::present.
  virtual void presented(const WorkMoment& at, ContextId queue, SwapChainId chain, const Frame& frame) = 0;
  /// Machine::signal of the CPU's.
  virtual void cpu_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) = 0;
  /// Another machine has signalled a fence that this one has, too. From inside the simulation, when it does here what a
  /// signal by the CPU would do.
  virtual void others_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) = 0;
  /// Machine::end_fence and release_fence: what waits for it goes on.
  virtual void fence_ended(const WorkMoment& at, FenceId fence) = 0;
  /// Machine::end_fences.
  virtual void all_fences_ended(const WorkMoment& at) = 0;
  /// Machine::close_swap_chain.
  virtual void swap_chain_closed(SwapChainId chain) = 0;
  /// Machine::on_fence: a CPU thread will be told once the fence is there, which it is not yet.
  virtual void cpu_awaits(FenceId fence, std::uint64_t value) = 0;

  // What only the interface knows by which the program waits: it calls these itself (Machine::listener).
  /// The calling thread was held up from `since_ps` on until the fence had come to the value, of which CPU threads were
  /// told at `told_ps`. It goes on at `at`, or later.
  virtual void thread_waited(const WorkMoment& at, FenceId fence, std::uint64_t value, std::uint64_t since_ps,
                             std::uint64_t told_ps) = 0;
  /// The calling thread has seen that the fence stands there.
  virtual void thread_saw(const WorkMoment& at, FenceId fence, std::uint64_t value) = 0;
  /// The calling thread was held up from `since_ps` on until the output's vertical blank, of which it was told at
  /// `told_ps`.
  virtual void thread_waited_vblank(const WorkMoment& at, OutputId output, std::uint64_t since_ps,
                                    std::uint64_t told_ps) = 0;
};

}  // namespace fenceline
