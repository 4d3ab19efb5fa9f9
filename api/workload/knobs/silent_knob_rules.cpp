// SPDX-License-Identifier: Apache-2.0
#include "api/workload/knobs/silent_knob_rules.hpp"

#include "api/workload/knobs/silent_knob_conditions.hpp"
#include "sim/config/json_pointer.hpp"

#include <cstdint>
#include <variant>

namespace fenceline {
namespace {

using namespace silent_knob_conditions;

// --- the rules ---------------------------------------------------------------------------------------------------

/// In the place of a parameter's tokens `*` stands for any. A pattern reaches all that is below it.
struct Rule {
  const char* pattern;
  const char* reason;
  bool (*silent)(const Facts& facts, const Tokens& at);
};

constexpr const char* no_cores = "the machine has no cores (cores is 0)";
constexpr const char* no_constants = "no command has root constants bound";
constexpr const char* only_programs = "only D3D12 programs use it";
constexpr const char* no_priorities = "this policy looks at no priorities";
constexpr const char* no_working_set = "no draw or dispatch has a working set";
constexpr const char* keeps_none = "L2 keeps nothing (l2_hit_bytes is 0)";
constexpr const char* cache_keeps = "it keeps nothing (hit_bytes is 0)";
constexpr const char* no_reuse = "nothing is accessed again and again, nor copied within video memory";
constexpr const char* no_samples = "it samples no texture";
constexpr const char* no_sample_bytes = "its texture samples have no bytes that pass L2";
constexpr const char* presents_none = "no queue presents";
constexpr const char* never_split = "no list is split: DMA buffers have any size (dma_buffer_kib)";
constexpr const char* one_process = "no two processes share a runlist";
constexpr const char* one_queue_only = "no engine has two queues for which it decides";

constexpr const char* no_dxbc = "no pipeline state of DXBC is created";
bool creates_no_dxbc(const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->creates_dxbc; }
bool has_one_wave_part(const Facts& facts, const Tokens&) { return facts.machine.shader_array.wave_parts == 1; }
bool has_no_cores(const Facts& facts, const Tokens&) { return facts.machine.host.cpu.cores == 0; }

constexpr const char* compiles_none = "nothing creates pipeline states or recompiles them";
bool compiles_nothing(const Facts& facts, const Tokens&) {
  return facts.uses && !facts.uses->creates_pipelines && !facts.uses->root_constants;
}

bool binds_no_constants(const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->root_constants; }

constexpr const char* no_timeouts = "nothing times out (level is off)";
constexpr const char* no_limits = "no timeout counts (level, debug_mode)";
constexpr const char* adapter_at_once = "the adapter is reset at once (engine_reset is unsupported)";

const Rule rules[] = {
    // What follows from timeouts.
    {"/tdr/delay_us", no_timeouts, never_times_out},
    {"/tdr/delay_us", "the policy xe has /scheduler/preemption_timeout_us",
     [](const Facts& facts, const Tokens&) { return facts.policy().stop_timeout; }},
    {"/tdr/too_long_us", no_timeouts, never_times_out},
    {"/tdr/too_long_us", "the Windows 7 model asks nobody to stop (caps.preemption_aware)",
     [](const Facts& facts, const Tokens&) { return !facts.scheduler().caps.preemption_aware; }},
    {"/tdr/limit_count", no_timeouts, never_times_out},
    {"/tdr/limit_count", no_limits, limits_nothing},
    {"/tdr/limit_time_us", no_timeouts, never_times_out},
    {"/tdr/limit_time_us", no_limits, limits_nothing},
    {"/tdr/debug_mode", no_timeouts, never_times_out},
    {"/tdr/engine_reset_us", adapter_at_once, resets_no_engine},
    {"/tdr/dependent_wait_us", adapter_at_once, resets_no_engine},
    {"/tdr/dependent_wait_us", "no engine has dependent_nodes", no_dependents},
    {"/engines/*/dependent_nodes", adapter_at_once, resets_no_engine},
    // The machine's parts that nothing of the run touches.
    {"/engines/*", "no queue runs on this engine", node_unused},
    {"/submission_paths/*", "no queue uses this path",
     [](const Facts& facts, const Tokens& at) { return facts.uses && facts.uses->paths.count(at[1]) == 0; }},
    {"/submission_paths/*/graphics", "no direct queue uses this path",
     [](const Facts& facts, const Tokens& at) { return facts.uses && path_of(facts, at)->queues == 0; }},
    {"/submission_paths/*/compute", "no compute queue uses this path",
     [](const Facts& facts, const Tokens& at) { return facts.uses && path_of(facts, at)->queues == 0; }},
    {"/submission_paths/*/copy", "no copy queue uses this path",
     [](const Facts& facts, const Tokens& at) { return facts.uses && path_of(facts, at)->queues == 0; }},
    {"/default_path", "each queue names its own path",
     [](const Facts& facts, const Tokens&) { return facts.uses && facts.uses->names_every_path; }},
    {"/display/width", only_programs, [](const Facts& facts, const Tokens&) { return facts.uses.has_value(); }},
    {"/display/height", presents_none, never_presents},
    {"/display/blank_lines", presents_none, never_presents},
    {"/display/refresh_hz", presents_none, never_presents},
    {"/display/variable_refresh_min_hz", presents_none, never_presents},
    {"/display/queued_flips", presents_none, never_presents},
    {"/display/outputs", presents_none, never_presents},
    {"/display/outputs/*/width", only_programs,
     [](const Facts& facts, const Tokens&) { return facts.uses.has_value(); }},
    {"/host/record_us", only_programs, [](const Facts& facts, const Tokens&) { return facts.uses.has_value(); }},
    {"/host/poll_us", only_programs, [](const Facts& facts, const Tokens&) { return facts.uses.has_value(); }},
    {"/host/call_us", "no CPU thread calls anything",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->cpu_threads; }},
    {"/host/wake_us", "no CPU thread waits for a fence or a vertical blank",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->cpu_waits; }},
    {"/host/after_sleep_us", "no CPU thread sleeps",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->cpu_sleeps; }},
    {"/host/cpu", "nothing computes on the CPU",
     [](const Facts& facts, const Tokens&) {
       return facts.uses && !facts.uses->cpu_computes && !facts.uses->root_constants;
     }},
    {"/host/cpu/smt_width", no_cores, has_no_cores},
    {"/host/cpu/smt_gain", no_cores, has_no_cores},
    {"/host/cpu/background_slowdown", no_cores, has_no_cores},
    {"/background_processing", "no command has root constants bound, and no CPU thread asks for background processing",
     [](const Facts& facts, const Tokens&) {
       return facts.uses && !facts.uses->root_constants && !facts.uses->background;
     }},
    {"/background_processing/folded", no_constants, binds_no_constants},
    {"/background_processing/pgo", no_constants, binds_no_constants},
    {"/background_processing/task_us", "no task is queued that leaves its CPU time open",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->queues_tasks; }},

    {"/shader_cache", "no CPU thread creates pipeline states",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->creates_pipelines; }},
    {"/shader_cache/converts_dxbc", no_dxbc, creates_no_dxbc},
    {"/shader_cache/convert_us", no_dxbc, creates_no_dxbc},
    {"/shader_cache/convert_us_per_instruction", no_dxbc, creates_no_dxbc},

    // What commands need.
    {"/shader_array", "nothing runs on the shader array",
     [](const Facts& facts, const Tokens&) {
       return facts.uses && !facts.uses->all.lists.draws && !facts.uses->all.lists.dispatches;
     }},
    {"/shader_array/graphics_sms", "nothing is drawn", none_has<&ListUse::draws>},
    {"/shader_array/graphics_queue_first", "3D and compute queues do not both dispatch", one_kind_dispatches},
    {"/shader_array/alu_lanes", "no shader has ALU instructions", none_has<&ListUse::alu>},
    {"/shader_array/alu_latency_cycles", "no shader has ALU instructions", none_has<&ListUse::alu>},
    {"/shader_array/sfu_lanes", "no shader has SFU instructions", none_has<&ListUse::sfu>},
    {"/shader_array/sfu_latency_cycles", "no shader has SFU instructions", none_has<&ListUse::sfu>},
    {"/shader_array/texture_samples_per_clock", "no shader samples a texture", none_has<&ListUse::texture>},
    {"/shader_array/texture_latency_cycles", "no shader samples a texture", none_has<&ListUse::texture>},
    {"/shader_array/shared_lanes", "no shader accesses shared memory", none_has<&ListUse::shared>},
    {"/shader_array/shared_latency_cycles", "no shader accesses shared memory", none_has<&ListUse::shared>},
    {"/shader_array/shared_bytes_per_sm", "no group has shared memory", none_has<&ListUse::shared_memory>},
    {"/shader_array/shared_bytes_reserved_per_group", "no group has shared memory", none_has<&ListUse::shared_memory>},
    {"/shader_array/shared_splits_kib", "no group has shared memory", none_has<&ListUse::shared_memory>},
    {"/shader_array/load_latency_ns", "no group moves bytes", none_has<&ListUse::streams>},
    {"/shader_array/memory_group_overhead_ns", "no group moves bytes", none_has<&ListUse::streams>},
    {"/shader_array/wave_parts", "no group moves bytes", none_has<&ListUse::streams>},
    {"/shader_array/wave_spread", "no group moves bytes", none_has<&ListUse::streams>},
    {"/shader_array/wave_spread", "waves do not drift apart where wave_parts is 1", has_one_wave_part},
    {"/memory/vram/contention_exponent", "no group moves bytes", none_has<&ListUse::streams>},
    {"/memory/l2/contention_exponent", "no group moves bytes", none_has<&ListUse::streams>},
    {"/memory/l2_latency_ns", "no group moves bytes", none_has<&ListUse::streams>},
    {"/memory/l2_hit_bytes", no_reuse, reuses_none},
    {"/memory/l2_miss_bytes", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/l2_first_loss", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/l2_last_hits", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/l2_hits_wait", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/l2_miss_bytes", keeps_none, l2_keeps_none},
    {"/memory/l2_first_loss", keeps_none, l2_keeps_none},
    {"/memory/l2_last_hits", keeps_none, l2_keeps_none},
    {"/memory/l2_hits_wait", keeps_none, no_cache_keeps},
    {"/memory/caches/*/contention_exponent", "no group moves bytes", none_has<&ListUse::streams>},
    {"/memory/caches/*/hit_latency_ns", "no group moves bytes", none_has<&ListUse::streams>},
    {"/memory/caches/*/hit_bytes", no_reuse, reuses_none},
    {"/memory/caches/*/miss_bytes", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/caches/*/first_loss", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/caches/*/last_hits", no_working_set, none_has<&ListUse::reuses>},
    {"/memory/caches/*/miss_bytes", cache_keeps, cache_keeps_none},
    {"/memory/caches/*/first_loss", cache_keeps, cache_keeps_none},
    {"/memory/caches/*/last_hits", cache_keeps, cache_keeps_none},
    {"/memory/pcie_to_device", "nothing comes over PCIe", none_has<&ListUse::to_device>},
    {"/memory/pcie_write_vram_cost", "nothing comes over PCIe", none_has<&ListUse::to_device>},
    {"/memory/pcie_to_host", "nothing goes over PCIe", none_has<&ListUse::to_host>},
    {"/memory/device_copy_gb_per_s", "nothing is copied within video memory", none_has<&ListUse::within_device>},
    {"/memory/device_copy_setup_ns", "nothing is copied within video memory", none_has<&ListUse::within_device>},
    {"/engines/*/triangles_per_clock", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/lanes_per_clock", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/rop_pixels_per_clock", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/rop_full_rate_bytes", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/triangle_lanes", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/tile_pixels", "no draw here has an extent", node_has_none<&ListUse::has_extents>},
    {"/engines/*/border_lanes", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/group_threads", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/write_back_bytes", "nothing is drawn here", node_has_none<&ListUse::draws>},
    {"/engines/*/pipeline_change_cycles", "no list here changes its graphics pipeline",
     node_has_none<&ListUse::changes_pipeline>},
    {"/engines/*/dispatch_switch_cycles", "nothing is dispatched here", node_has_none<&ListUse::dispatches>},
    {"/engines/*/indirect_fetch_ns", "no list here reads arguments or predicates", node_has_none<&ListUse::fetches>},
    {"/engines/*/barrier_cycles", "no list here has a barrier", node_has_none<&ListUse::barriers>},
    {"/engines/*/barrier_cycles", "the paths of its queues say what a barrier costs (barrier_ns)",
     [](const Facts& facts, const Tokens& at) {
       const PartUse* node = node_of(facts, at);
       return node != nullptr && !node->own_barriers;
     }},
    {"/engines/*/setup_cycles", "nothing is copied here", node_has_none<&ListUse::copies>},
    {"/engines/*/hardware_queues", "one queue runs here", one_queue},
    {"/submission_paths/*/*/copy_setup_ns", "nothing is copied on this path", path_has_none<&ListUse::copies>},
    {"/submission_paths/*/*/barrier_ns", "no list of this path has a barrier", path_has_none<&ListUse::barriers>},
    {"/submission_paths/*/*/to_device_share", "nothing comes over PCIe on this path",
     path_has_none<&ListUse::to_device>},
    {"/submission_paths/*/*/to_host_share", "nothing goes over PCIe on this path", path_has_none<&ListUse::to_host>},

    // Turns.
    {"/scheduler/bands", "only policy wddm has bands", no_bands},
    {"/scheduler/bands/*", "no queue is in this band", band_empty},
    {"/scheduler/bands/*/quantum_us", one_queue_only, no_turns_of_queues},
    {"/scheduler/bands/*/process_quantum_us", one_queue_only, no_turns_of_processes},
    {"/scheduler/bands/*/process_grace_us", one_queue_only, no_turns_of_processes},
    {"/scheduler/bands/idle/grace_us", "the idle band has no grace", [](const Facts&, const Tokens&) { return true; }},
    {"/scheduler/bands/*/grace_us", one_queue_only, none_waits_for_band},
    {"/workload/queues/*/grace_us", "only policy wddm has grace periods", no_bands},
    {"/workload/queues/*/grace_same_priority_us", "only policy wddm has grace periods", no_bands},
    {"/workload/queues/*/quantum_us", "only policies wddm and xe have turns of queues",
     [](const Facts& facts, const Tokens&) { return !facts.policy().has_turns(); }},
    {"/workload/queues/*/in_process_priority", no_priorities, looks_at_none},
    {"/workload/queues/*/realtime_level", no_priorities, looks_at_none},
    {"/workload/processes/*/realtime_level", no_priorities, looks_at_none},
    {"/scheduler/target_normal_band_percentage", "only policy wddm has bands", no_bands},
    {"/scheduler/target_normal_band_percentage", "no engine has queues of the normal and the focus band", no_floor},
    {"/scheduler/queued_present_limit", presents_none, never_presents},
    {"/scheduler/dma_command_bytes", never_split, splits_none},
    {"/scheduler/caps/no_dma_patching", never_split, splits_none},
    {"/workload/command_lists/*/commands/*/value", "no resource says what it contains, and no CPU thread writes",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->acts_on_bytes; }},
    {"/workload/command_lists/*/commands/*/commands/*/value",
     "no resource says what it contains, and no CPU thread writes",
     [](const Facts& facts, const Tokens&) { return facts.uses && !facts.uses->acts_on_bytes; }},
    {"/workload/command_lists/*/split_offsets", never_split, splits_none},
    {"/workload/command_lists/*/patches", "nobody looks for binding leaks (caps.no_dma_patching)", looks_for_no_leaks},
    {"/scheduler/caps/changes_split_buffers", "machines that it matters for are refused",
     [](const Facts&, const Tokens&) { return true; }},
    {"/scheduler/focus_quantum_without_present_us", "only policy wddm has bands", no_bands},
    {"/scheduler/focus_quantum_without_present_us", "no process with queues has the focus", no_focus},
    {"/scheduler/focus_yields", "only policy wddm has bands", no_bands},
    {"/scheduler/focus_yields", presents_none, never_presents},
    {"/scheduler/focus_yields", "no engine has queues of the normal and the focus band", no_floor},
    {"/scheduler/time_slice_us", "only policies time_slice and xe have time slices", no_slices},
    {"/scheduler/time_slice_us", one_process, no_turns_on_runlists},
    {"/scheduler/time_slice_us", one_queue_only, no_slices_of_contexts},
    {"/scheduler/process_switch_us", "only policy time_slice switches between processes", no_runlists},
    {"/scheduler/process_switch_us", one_process, no_turns_on_runlists},
    {"/scheduler/preemption_timeout_us", "only policy xe has this limit", no_timeout},
    {"/scheduler/seed", "nothing is random: interrupt_jitter_us is 0, and jitter is off",
     [](const Facts& facts, const Tokens&) {
       return facts.scheduler().interrupt_jitter_us == 0 && !facts.scheduler().jitter;
     }},
    {"/submission_paths/*/time_slice_us", "only policy time_slice has time slices of processes", no_runlists},
    {"/submission_paths/*/process_switch_us", "only policy time_slice switches between processes", no_runlists},
    {"/submission_paths/*/time_slice_us", one_process, no_turns_on_runlists},
    {"/submission_paths/*/process_switch_us", one_process, no_turns_on_runlists},
    {"/engines/*/runlist", "only policy time_slice has runlists", no_runlists},
    {"/scheduler/hardware_waits", "no queue waits for a fence",
     [](const Facts& facts, const Tokens& at) {
       const bool held_at_presents = facts.scheduler().queued_present_limit && !never_presents(facts, at);
       return facts.uses && facts.uses->all.waits == 0 && !held_at_presents;
     }},
    {"/scheduler/fences", "no queue signals a fence",
     [](const Facts& facts, const Tokens&) { return facts.uses && facts.uses->all.signals == 0; }},
    {"/workload/processes/*/priority", no_priorities, looks_at_none},
    {"/workload/processes/*/focus", no_priorities, looks_at_none},

    // Preemption.
    {"/engines/*/context_state/switch_us", "one queue runs here", one_queue},
    {"/engines/*/graphics_preemption/escalation", "one step is no escalation", one_step},
    {"/engines/*/compute_preemption/escalation", "one step is no escalation", one_step},
    {"/engines/*/preemption/escalation", "one step is no escalation", one_step},
    {"/engines/*/context_state/thread_bytes", "the engine stops where no thread is resident", stops_without_threads},
    {"/engines/*/context_state/bytes", "the engine never stops inside a packet", stops_between_packets},
    {"/engines/*/context_state/save_us", "the engine never stops inside a packet", stops_between_packets},
    {"/engines/*/context_state/restore_us", "the engine never stops inside a packet", stops_between_packets},
    {"/engines/*/context_state/gb_per_s", "the engine never stops inside a packet", stops_between_packets},

    // The workload's parts that nothing of the run touches.
    {"/workload/resources/*", "no command of a list that is executed names it",
     [](const Facts& facts, const Tokens& at) {
       const Resource& resource = facts.workload->resources[number(at[2])];
       return facts.names->resources.count(std::visit([](const auto& one) { return one.name; }, resource)) == 0;
     }},
    {"/workload/compute_pipelines/*", "no command of a list that is executed names it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->compute_pipelines.count(facts.workload->compute_pipelines[number(at[2])].name) == 0;
     }},
    {"/workload/graphics_pipelines/*", "no command of a list that is executed names it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->graphics_pipelines.count(facts.workload->graphics_pipelines[number(at[2])].name) == 0;
     }},
    {"/workload/command_lists/*", "nothing executes it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->lists.count(facts.workload->command_lists[number(at[2])].name) == 0;
     }},
    {"/workload/fences/*/name", "nothing signals it or waits for it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->fences.count(facts.workload->fences[number(at[2])].name) == 0;
     }},
    {"/workload/beats/*", "nothing keeps it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->beats.count(facts.workload->beats[number(at[2])].name) == 0;
     }},
    {"/workload/processes/*", "no queue belongs to it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->processes.count(facts.workload->processes[number(at[2])].name) == 0;
     }},
    {"/workload/queues/*", "nothing is submitted to it",
     [](const Facts& facts, const Tokens& at) {
       return facts.names->queues.count(facts.workload->queues[number(at[2])].name) == 0;
     }},
    {"/workload/compute_pipelines/*/working_set_bytes", "its groups stream no bytes", streams_none},
    {"/workload/compute_pipelines/*/working_set_bytes", keeps_none, no_cache_keeps},
    {"/workload/compute_pipelines/*/bytes_in_flight_per_thread", "its groups move no bytes", groups_move_none},
    {"/workload/compute_pipelines/*/texture_bytes_per_sample", no_samples, samples_none},
    {"/workload/compute_pipelines/*/texture_working_set_bytes", no_sample_bytes, samples_no_bytes},
    {"/workload/compute_pipelines/*/texture_working_set_bytes", keeps_none, no_cache_keeps},
    {"/workload/compute_pipelines/*/code_instructions", compiles_none, compiles_nothing},
    {"/workload/graphics_pipelines/*/*/code_instructions", compiles_none, compiles_nothing},
    {"/workload/graphics_pipelines/*/*/texture_bytes_per_sample", no_samples, samples_none},
    {"/workload/graphics_pipelines/*/*/texture_working_set_bytes", no_sample_bytes, samples_no_bytes},
    {"/workload/graphics_pipelines/*/*/texture_working_set_bytes", keeps_none, no_cache_keeps},
    {"/workload/graphics_pipelines/*/blend", "it writes no bytes of a pixel",
     [](const Facts& facts,
        const Tokens& at) { return facts.workload->graphics_pipelines[number(at[2])].bytes_per_pixel == 0; }},
    {"/workload/deadlines/*/value_step", "it is due once",
     [](const Facts& facts, const Tokens& at) { return facts.workload->deadlines[number(at[2])].count == 1; }},
    {"/workload/deadlines/*/us_step", "it is due once",
     [](const Facts& facts, const Tokens& at) { return facts.workload->deadlines[number(at[2])].count == 1; }},
};

/// Last, since what they say is true of what others say more of.
const Rule last_rules[] = {
    {"/engines/*/graphics_preemption", "nothing else wants this engine, so that nothing has to give way", none_waits},
    {"/engines/*/compute_preemption", "nothing else wants this engine, so that nothing has to give way", none_waits},
    {"/engines/*/preemption", "nothing else wants this engine, so that nothing has to give way", none_waits},
    {"/engines/*/context_state", "nothing else wants this engine, so that nothing has to give way", none_waits},
    {"/engines/*/graphics_preemption", "this policy stops nothing that runs", never_asked},
    {"/engines/*/compute_preemption", "this policy stops nothing that runs", never_asked},
    {"/engines/*/preemption", "this policy stops nothing that runs", never_asked},
    {"/engines/*/graphics_preemption", "the Windows 7 model withholds packets at most (caps.preemption_aware)",
     withheld_at_most},
    {"/engines/*/compute_preemption", "the Windows 7 model withholds packets at most (caps.preemption_aware)",
     withheld_at_most},
    {"/engines/*/preemption", "the Windows 7 model withholds packets at most (caps.preemption_aware)",
     withheld_at_most},
};

/// The pattern's tokens, compared as they come.
struct Pattern {
  Tokens tokens;
  const Rule* rule;
  bool reaches(const Tokens& at) const {
    if (at.size() < tokens.size()) return false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] != "*" && tokens[i] != at[i]) return false;
    }
    return true;
  }
};

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> made;
    for (const Rule& rule : rules) made.push_back({*split_pointer(rule.pattern), &rule});
    for (const Rule& rule : last_rules) made.push_back({*split_pointer(rule.pattern), &rule});
    return made;
  }();
  return all;
}

/// Steps of a repeat: `/workload/queues/N/timeline/N/steps/N/...`, the same of cpus.
const char* step_reason(const Facts& facts, const Tokens& at) {
  if (at.size() < 8 || (at[1] != "queues" && at[1] != "cpus") || at[3] != "timeline" || at[5] != "steps")
    return nullptr;
  struct Times {
    std::uint64_t count = 0;
    std::uint64_t from = 0;
  };
  const auto times_in = [&](const auto& repeat) {
    return std::visit(
        [&](const auto& step) {
          return Times{repeat.count, step.from_iteration};
        },
        repeat.steps[number(at[6])]);
  };
  Times times;
  if (at[1] == "queues") {
    times = times_in(std::get<QueueRepeat>(facts.workload->queues[number(at[2])].timeline[number(at[4])]));
  } else {
    times = times_in(std::get<CpuRepeat>(facts.workload->cpus[number(at[2])].timeline[number(at[4])]));
  }
  if (times.from >= times.count) return "its repeat ends before this iteration";
  const bool grows = at[7] == "value_step" || at[7] == "us_step";
  return grows && times.count - times.from == 1 ? "it takes part in one iteration" : nullptr;
}

}  // namespace

KnobSilence silence_of(const KnobFacts& facts, const std::vector<std::string>& at) {
  for (const Pattern& pattern : patterns()) {
    if (!pattern.reaches(at) || !pattern.rule->silent(facts, at)) continue;
    return {pattern.rule->reason, pattern.tokens.back() == "*" ? pattern.tokens.size() : 0};
  }
  return {at[0] == "workload" ? step_reason(facts, at) : nullptr};
}

}  // namespace fenceline
