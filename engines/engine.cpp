// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include "engines/command/requested_level.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fenceline {

namespace {
LevelSchedules schedules_of(const EngineConfig& config) {
  return {LevelSchedule(config.graphics_preemption), LevelSchedule(config.compute_preemption),
          LevelSchedule(config.copy_preemption)};
}
}  // namespace

Engine::Engine(sc_core::sc_module_name module_name, const EngineConfig& config, EventLog& log)
    : sc_module(module_name),
      config_(config),
      clock_(ClockDomain::of_mhz(config.clock_mhz)),
      log_(log),
      agenda_("agenda"),
      parts_{*this,
             *this,
             config_,
             clock_,
             agenda_,
             EngineLog(log, name()),
             schedules_of(config),
             ps_of_ns(config.indirect_fetch_ns),
             Callback::to<&Engine::set_escalation>(this)},
      settle_("settle", Callback::to<&Engine::settle>(this)),
      escalation_("escalation", Callback::to<&Engine::escalate>(this)) {
  for (std::uint32_t i = 0; i < config.hardware_queues; ++i) {
    queues_.push_back(std::make_unique<HardwareQueue>(parts_, i));
  }
}

void Engine::change(const EngineConfig& config) {
  const std::uint32_t allocation_kib = config_.context_state.allocation_kib;
  config_.graphics_preemption = config.graphics_preemption;
  config_.compute_preemption = config.compute_preemption;
  config_.copy_preemption = config.copy_preemption;
  config_.context_state = config.context_state;
  config_.context_state.allocation_kib = allocation_kib;
  parts_.schedules = schedules_of(config_);
  settle_.request();
}

void Engine::submit(std::uint32_t queue, DmaPacket packet) {
  FENCELINE_ASSERT(has_room(queue), std::string(name()) + ": packet for a full hardware queue");
  queues_[queue]->submit(std::move(packet));
}

void Engine::rerank(std::uint32_t context, int priority, int in_process_priority) {
  for (const auto& queue : queues_) queue->rerank(context, priority, in_process_priority);
}

void Engine::preempt(std::uint32_t queue, PreemptionLevel finest) {
  queues_[queue]->preempt(finest);
  settle_.request();
}

void Engine::deepen(std::uint32_t queue, PreemptionLevel finest) {
  if (!preempting(queue)) return;
  queues_[queue]->deepen(finest);
  settle_.request();
}

void Engine::reset() {
  for (const auto& queue : queues_) queue->reset();
  set_escalation();
}

/// Requests count once everything else at their moment has happened, in whatever order it comes.
void Engine::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Engine::settled>(this)); }

void Engine::settled(std::uint64_t) {
  as_method([this] {
    for (const auto& queue : queues_) queue->request_counts();
    set_escalation();
  });
}

void Engine::escalate(std::uint64_t) {
  for (const auto& queue : queues_) queue->try_stop();
  set_escalation();
}

/// A timer of its own instead of the agenda's: it is taken back once the engine has stopped, so that the simulation
/// ends with its work.
void Engine::set_escalation(std::uint64_t) {
  std::uint64_t next_ps = Timer::never;
  for (const auto& queue : queues_) next_ps = std::min(next_ps, queue->next_escalation_ps());
  escalation_.set(next_ps);
}

const char* Engine::level_name(PreemptionLevel level) const { return fenceline::level_name(level, classes().front()); }

void Engine::move_state(std::uint64_t, Callback done) { agenda_.at(now_ps(), done); }

std::uint64_t Engine::front_end_cycles(const Command*, const Command&) const { return config_.command_cycles; }

}  // namespace fenceline
