// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/knobs/knob_facts.hpp"
#include "scheduler/recovery/tdr_config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// When a parameter cannot matter: the conditions that the rules of silent_knob_rules.cpp name.
namespace fenceline::silent_knob_conditions {

using Facts = KnobFacts;
/// Tokens of a parameter's pointer, as far as a rule's pattern reaches.
using Tokens = std::vector<std::string>;
inline std::size_t number(const std::string& token) { return std::stoul(token); }

// --- what a run does ---------------------------------------------------------------------------------------------

template <bool ListUse::*member>
inline bool none_has(const Facts& facts, const Tokens&) {
  return facts.uses && !(facts.uses->all.lists.*member);
}
/// `/engines/N/...`
inline const PartUse* node_of(const Facts& facts, const Tokens& at) {
  return facts.uses ? &facts.uses->nodes[number(at[1])] : nullptr;
}
template <bool ListUse::*member>
inline bool node_has_none(const Facts& facts, const Tokens& at) {
  const PartUse* node = node_of(facts, at);
  return node != nullptr && !(node->lists.*member);
}
inline bool node_unused(const Facts& facts, const Tokens& at) {
  const PartUse* node = node_of(facts, at);
  return node != nullptr && node->queues == 0;
}
inline bool one_queue(const Facts& facts, const Tokens& at) {
  const PartUse* node = node_of(facts, at);
  return node != nullptr && node->queues < 2;
}
/// `/submission_paths/NAME/KIND/...`
inline const PartUse* path_of(const Facts& facts, const Tokens& at) {
  static const PartUse unused;
  if (!facts.uses) return nullptr;
  const auto path = facts.uses->paths.find(at[1]);
  if (path == facts.uses->paths.end()) return &unused;
  return &path->second[at[2] == "graphics" ? 0 : at[2] == "compute" ? 1 : 2];
}
template <bool ListUse::*member>
inline bool path_has_none(const Facts& facts, const Tokens& at) {
  const PartUse* path = path_of(facts, at);
  return path != nullptr && !(path->lists.*member);
}

inline bool one_kind_dispatches(const Facts& facts, const Tokens&) {
  if (!facts.uses) return false;
  bool dispatch[2] = {false, false};
  for (std::size_t i = 0; i < facts.uses->nodes.size(); ++i) {
    const bool graphics = std::holds_alternative<GraphicsEngineConfig>(facts.machine.engines[i]);
    dispatch[graphics ? 1 : 0] |= facts.uses->nodes[i].lists.dispatches;
  }
  return !(dispatch[0] && dispatch[1]);
}

inline bool l2_keeps_none(const Facts& facts, const Tokens&) { return facts.machine.memory.l2.hit_bytes == 0; }
inline bool reuses_none(const Facts& facts, const Tokens&) {
  return facts.uses && !facts.uses->all.lists.reuses && !facts.uses->all.lists.within_device;
}
/// `/memory/caches/L/...`
inline bool cache_keeps_none(const Facts& facts, const Tokens& at) {
  return facts.machine.memory.caches->at(number(at[2])).hit_bytes == 0;
}
inline bool no_cache_keeps(const Facts& facts, const Tokens&) { return !keeps_any(facts.machine.memory); }

// --- what pipelines say ------------------------------------------------------------------------------------------

/// `/workload/compute_pipelines/N/...` or `/workload/graphics_pipelines/N/STAGE/...`
inline const ShaderCost& shader_of(const Facts& facts, const Tokens& at) {
  if (at[1] == "compute_pipelines") return facts.workload->compute_pipelines[number(at[2])].work.shader;
  const GraphicsPipeline& pipeline = facts.workload->graphics_pipelines[number(at[2])];
  return at[3] == "vertex_shader" ? pipeline.vertex_shader : pipeline.pixel_shader;
}
inline bool samples_none(const Facts& facts, const Tokens& at) { return shader_of(facts, at).texture_samples == 0; }
inline bool samples_no_bytes(const Facts& facts, const Tokens& at) {
  return samples_none(facts, at) || shader_of(facts, at).texture_bytes_per_sample == 0;
}
inline bool streams_none(const Facts& facts, const Tokens& at) {
  return facts.workload->compute_pipelines[number(at[2])].work.vram_bytes == 0;
}
inline bool groups_move_none(const Facts& facts, const Tokens& at) {
  return streams_none(facts, at) && samples_no_bytes(facts, at);
}

// --- timeouts ----------------------------------------------------------------------------------------------------

inline bool never_times_out(const Facts& facts, const Tokens&) {
  return level_of(facts.machine.tdr, facts.scheduler().policy) == TdrLevel::off;
}
inline bool limits_nothing(const Facts& facts, const Tokens&) {
  const TdrConfig& tdr = facts.machine.tdr;
  return tdr.level == TdrLevel::bugcheck || tdr.debug_mode != TdrDebugMode::recover;
}
inline bool resets_no_engine(const Facts& facts, const Tokens&) {
  return facts.machine.tdr.engine_reset == EngineResets::unsupported;
}
inline bool no_dependents(const Facts& facts, const Tokens&) {
  const auto& engines = facts.machine.engines;
  return std::all_of(engines.begin(), engines.end(),
                     [](const NodeConfig& node) { return engine_config(node).dependent_nodes.empty(); });
}

// --- turns and preemption ----------------------------------------------------------------------------------------

inline std::optional<std::size_t> band_of(const std::string& name) {
  const auto& names = enum_names(PriorityBand{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i].second) return i;
  }
  return {};
}
/// `/scheduler/bands/BAND/...`: some engine has a queue of the band for which this holds.
template <class Holds>
inline bool no_node(const Facts& facts, const Tokens& at, Holds holds) {
  const std::size_t band = *band_of(at[2]);
  return facts.uses && std::none_of(facts.uses->nodes.begin(), facts.uses->nodes.end(),
                                    [&](const PartUse& node) { return node.in_band[band] > 0 && holds(node, band); });
}
inline bool no_bands(const Facts& facts, const Tokens&) { return !facts.policy().bands; }
inline bool band_empty(const Facts& facts, const Tokens& at) {
  return no_node(facts, at, [](const PartUse&, std::size_t) { return true; });
}
inline bool both_bands(const PartUse& node) {
  return node.in_band[static_cast<std::size_t>(PriorityBand::normal)] > 0 &&
         node.in_band[static_cast<std::size_t>(PriorityBand::focus)] > 0;
}
inline bool no_turns_of_queues(const Facts& facts, const Tokens& at) {
  return no_node(facts, at, [](const PartUse& node, std::size_t band) {
    return node.shared_by_queues[band] || (band == static_cast<std::size_t>(PriorityBand::focus) && both_bands(node));
  });
}
inline bool no_turns_of_processes(const Facts& facts, const Tokens& at) {
  return no_node(facts, at, [](const PartUse& node, std::size_t band) { return node.shared_by_processes[band]; });
}
inline bool none_waits_for_band(const Facts& facts, const Tokens& at) {
  return no_node(facts, at, [](const PartUse& node, std::size_t) { return node.queues > 1; });
}
inline bool no_floor(const Facts& facts, const Tokens&) {
  return facts.uses && std::none_of(facts.uses->nodes.begin(), facts.uses->nodes.end(), both_bands);
}
inline bool no_focus(const Facts& facts, const Tokens&) {
  return facts.uses && facts.uses->all.in_band[static_cast<std::size_t>(PriorityBand::focus)] == 0;
}
inline bool splits_none(const Facts& facts, const Tokens&) { return !facts.scheduler().dma_buffer_kib; }
inline bool looks_for_no_leaks(const Facts& facts, const Tokens& at) {
  return splits_none(facts, at) || facts.scheduler().caps.no_dma_patching;
}
inline bool never_presents(const Facts& facts, const Tokens&) { return facts.uses && facts.uses->all.presents == 0; }
inline bool looks_at_none(const Facts& facts, const Tokens&) { return !facts.policy().has_ranks(); }
inline bool no_slices(const Facts& facts, const Tokens&) {
  return !facts.policy().process_slices && !facts.policy().context_slices();
}
inline bool no_runlists(const Facts& facts, const Tokens&) { return !facts.policy().process_slices; }
inline bool no_timeout(const Facts& facts, const Tokens&) { return !facts.policy().stop_timeout; }

/// Processes take turns on the node's runlist.
inline bool takes_turns(const Facts& facts, std::size_t node) {
  if (!facts.policy().process_slices) return false;
  const std::string& runlist = engine_config(facts.machine.engines[node]).runlist;
  if (runlist.empty()) return facts.uses->nodes[node].processes.size() > 1;
  const auto part = facts.uses->runlists.find(runlist);
  return part != facts.uses->runlists.end() && part->second.processes.size() > 1;
}
inline bool no_turns_on_runlists(const Facts& facts, const Tokens&) {
  if (!facts.uses || !facts.policy().process_slices) return false;
  for (std::size_t node = 0; node < facts.uses->nodes.size(); ++node) {
    if (takes_turns(facts, node)) return false;
  }
  return true;
}
inline bool no_slices_of_contexts(const Facts& facts, const Tokens&) {
  return facts.uses && facts.policy().context_slices() &&
         std::none_of(facts.uses->nodes.begin(), facts.uses->nodes.end(),
                      [](const PartUse& node) { return node.queues > 1; });
}
/// Nothing on the node has to give way to anything.
inline bool none_waits(const Facts& facts, const Tokens& at) {
  return one_queue(facts, at) && !takes_turns(facts, number(at[1]));
}
inline bool never_asked(const Facts& facts, const Tokens&) {
  return !facts.policy().has_ranks() && !facts.scheduler().hardware_waits;
}
inline PreemptionLevel finest(const EngineConfig& engine) {
  return std::max({static_cast<PreemptionLevel>(engine.graphics_preemption.granularity),
                   static_cast<PreemptionLevel>(engine.compute_preemption.granularity),
                   static_cast<PreemptionLevel>(engine.copy_preemption.granularity)});
}
/// Windows 7's model leaves granularities up to DMA buffers as they are.
inline bool withheld_at_most(const Facts& facts, const Tokens& at) {
  const EngineConfig& engine = engine_config(facts.machine.engines[number(at[1])]);
  if (facts.scheduler().caps.preemption_aware) return false;
  const auto level = at[2] == "graphics_preemption"
                         ? static_cast<PreemptionLevel>(engine.graphics_preemption.granularity)
                     : at[2] == "preemption" ? static_cast<PreemptionLevel>(engine.copy_preemption.granularity)
                                             : static_cast<PreemptionLevel>(engine.compute_preemption.granularity);
  return traits_of(level).has(level_rule::stops_packets);
}
inline bool stops_between_packets(const Facts& facts, const Tokens& at) {
  return !traits_of(finest(engine_config(facts.machine.engines[number(at[1])]))).has(level_rule::stops_packets);
}
inline bool stops_without_threads(const Facts& facts, const Tokens& at) {
  return !traits_of(finest(engine_config(facts.machine.engines[number(at[1])]))).has(level_rule::stops_groups);
}
inline bool one_step(const Facts& facts, const Tokens& at) {
  const EngineConfig& engine = engine_config(facts.machine.engines[number(at[1])]);
  const std::size_t steps = at[2] == "graphics_preemption" ? engine.graphics_preemption.escalation.size()
                            : at[2] == "preemption"        ? engine.copy_preemption.escalation.size()
                                                           : engine.compute_preemption.escalation.size();
  return steps == 1;
}

}  // namespace fenceline::silent_knob_conditions
