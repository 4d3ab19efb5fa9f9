// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// Where a hardware queue is with its front packet.
enum class Phase : std::uint8_t {
  idle,       ///< no packet is there
  loading,    ///< what a piece before has left is saved, its launch passes, then a switch to its context, a restore of
              ///< its state, as far as each is needed: uninterrupted
  launching,  ///< what the packet's launch takes passes
  running,    ///< its commands are fetched, issued and executed
  retiring,   ///< they are complete, and what its retirement takes passes
  halting,    ///< a request to preempt stops what runs, and no command is issued any more
  flushing,   ///< everything has stopped and is not yet complete
  saving,     ///< the packet's state is saved
  resetting,  ///< the engine is reset: what runs is stopped where it stands, and nothing is saved
};
constexpr std::size_t phases = 9;

/// The name of a phase: "idle".
constexpr const char* name_of(Phase phase) {
  constexpr std::array<const char*, phases> names = {"idle",    "loading",  "launching", "running",  "retiring",
                                                     "halting", "flushing", "saving",    "resetting"};
  return names[static_cast<std::size_t>(phase)];
}

/// A way from one phase to another.
struct PhaseChange {
  Phase from;
  Phase to;
  const char* when;
};

/// All of them: what is not here does not happen.
constexpr std::array<PhaseChange, 23> phase_changes = {{
    {Phase::idle, Phase::launching, "a packet comes that needs nothing loaded"},
    {Phase::idle, Phase::loading,
     "a packet comes with state to restore, or of another context where a switch takes time"},
    {Phase::launching, Phase::running, "the launch is over"},
    {Phase::launching, Phase::saving, "a request turns the packet back: there is nothing to save"},
    {Phase::loading, Phase::running, "the context is there, and so is what the packet was stopped with"},
    {Phase::running, Phase::retiring, "all commands are complete, or the condition of a wait holds"},
    {Phase::running, Phase::halting, "a request may stop what runs"},
    {Phase::halting, Phase::running, "what ran has ended, and nothing is left to be issued"},
    {Phase::halting, Phase::flushing, "what ran has stopped, and something that ended is not yet complete"},
    {Phase::halting, Phase::saving, "what ran has stopped"},
    {Phase::flushing, Phase::saving, "everything that ended is complete"},
    {Phase::saving, Phase::idle, "state is saved: the request is answered with the packets"},
    {Phase::retiring, Phase::idle, "no packet is behind it"},
    {Phase::retiring, Phase::launching, "the packet behind it needs nothing loaded"},
    {Phase::retiring, Phase::loading,
     "the packet behind it has state to restore, or is of another context where a switch takes time"},
    {Phase::loading, Phase::resetting, "a reset"},
    {Phase::launching, Phase::resetting, "a reset"},
    {Phase::running, Phase::resetting, "a reset"},
    {Phase::retiring, Phase::resetting, "a reset"},
    {Phase::halting, Phase::resetting, "a reset"},
    {Phase::flushing, Phase::resetting, "a reset"},
    {Phase::saving, Phase::resetting, "a reset"},
    {Phase::resetting, Phase::idle, "nothing runs any more"},
}};

constexpr bool can_change(Phase from, Phase to) {
  for (const PhaseChange& change : phase_changes) {
    if (change.from == from && change.to == to) return true;
  }
  return false;
}

}  // namespace fenceline
