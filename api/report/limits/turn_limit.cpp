// SPDX-License-Identifier: Apache-2.0
#include "api/report/limits/turn_limit.hpp"

#include "api/report/turns/turn_waits.hpp"
#include "scheduler/policies/policy_traits.hpp"
#include "sim/config/json_pointer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fenceline {
namespace {

const BandConfig& band_of(const BandConfigs& bands, std::uint8_t band) {
  const std::array<const BandConfig*, priority_bands> all = {&bands.idle, &bands.normal, &bands.focus, &bands.realtime};
  return *all.at(band);
}

constexpr std::array<const char*, priority_bands> band_names = {"idle", "normal", "focus", "realtime"};

/// The queue with this context: the end of its path. Null: it is none of the workload's.
const QueueConfig* queue_of(const std::map<std::string, QueueConfig>& queues, const std::string& path) {
  const QueueConfig* longest = nullptr;  // names may have dots
  for (const auto& [name, queue] : queues) {
    const std::string end = "." + name;
    if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) continue;
    if (longest == nullptr || name.size() > longest->name.size()) longest = &queue;
  }
  return longest;
}

TurnLimit of_band(const BandConfigs& bands, const TurnTime& turn, const char* key, double BandConfig::*value) {
  const bool quantum = turn.knob == TurnKnob::quantum || turn.knob == TurnKnob::process_quantum;
  return {quantum ? "quantum" : "grace", fmt::format("/scheduler/bands/{}/{}", band_names.at(turn.band), key),
          band_of(bands, turn.band).*value, turn.waited_ps};
}

std::optional<TurnLimit> of_queue(const QueueConfig* queue, const TurnTime& turn) {
  if (queue == nullptr) return {};
  const auto its = [&](const char* what, const char* key, const std::optional<double>& us) -> std::optional<TurnLimit> {
    if (!us) return {};
    return TurnLimit{what, pointer_to(pointer_to("/workload/queues", queue->name), key), *us, turn.waited_ps};
  };
  switch (turn.knob) {
    case TurnKnob::quantum: return its("quantum", "quantum_us", queue->quantum_us);
    case TurnKnob::grace: return its("grace", "grace_us", queue->grace_us);
    case TurnKnob::same_priority_grace: return its("grace", "grace_same_priority_us", queue->grace_same_priority_us);
    case TurnKnob::process_quantum:
    case TurnKnob::process_grace:
    case TurnKnob::rank:
    case TurnKnob::floor: break;
  }
  return {};
}

TurnLimit limit_of(const SchedulerConfig& scheduler, const std::map<std::string, QueueConfig>& queues, TurnTime turn) {
  if (turn.knob == TurnKnob::floor) {
    return {"floor of the normal band", "/scheduler/target_normal_band_percentage",
            scheduler.target_normal_band_percentage, turn.waited_ps};
  }
  const bool slices = traits_of(scheduler.policy).context_slices();
  if (slices) turn.knob = TurnKnob::quantum;  // of contexts, whosoever they are, and without a grace
  if (std::optional<TurnLimit> own = of_queue(queue_of(queues, turn.queue), turn)) return *std::move(own);
  if (slices) return {"quantum", "/scheduler/time_slice_us", scheduler.time_slice_us, turn.waited_ps};
  switch (turn.knob) {
    case TurnKnob::quantum: return of_band(scheduler.bands, turn, "quantum_us", &BandConfig::quantum_us);
    case TurnKnob::process_quantum:
      return of_band(scheduler.bands, turn, "process_quantum_us", &BandConfig::process_quantum_us);
    case TurnKnob::process_grace:
      return of_band(scheduler.bands, turn, "process_grace_us", &BandConfig::process_grace_us);
    case TurnKnob::grace:
    case TurnKnob::same_priority_grace:
    case TurnKnob::rank:
    case TurnKnob::floor: break;  // a queue's own, or none
  }
  return of_band(scheduler.bands, turn, "grace_us", &BandConfig::grace_us);
}

}  // namespace

TurnLimit turn_limit(const SchedulerConfig& scheduler, const std::map<std::string, QueueConfig>& queues,
                     const std::vector<TurnTime>& turns) {
  std::map<std::string, TurnLimit> limits;  // by pointer
  for (const TurnTime& turn : turns) {
    if (turn.knob == TurnKnob::rank) continue;
    TurnLimit limit = limit_of(scheduler, queues, turn);
    const auto [known, is_new] = limits.try_emplace(limit.pointer, limit);
    if (!is_new) known->second.waited_ps += turn.waited_ps;
  }
  TurnLimit most;
  for (const auto& [pointer, limit] : limits) {
    if (limit.waited_ps > most.waited_ps) most = limit;
  }
  return most;
}

std::uint64_t rank_wait_ps(const std::vector<TurnTime>& turns) {
  std::uint64_t waited_ps = 0;
  for (const TurnTime& turn : turns) waited_ps += turn.knob == TurnKnob::rank ? turn.waited_ps : 0;
  return waited_ps;
}

}  // namespace fenceline
