// SPDX-License-Identifier: Apache-2.0
#include "scheduler/config/scheduler_config.hpp"

#include "scheduler/policies/policy_traits.hpp"
#include "sim/config/fields.hpp"
#include "sim/duration.hpp"

namespace fenceline {

void describe(Fields& f, VidSchCaps& c) {
  f.about("DXGK_VIDSCHCAPS: what the driver tells the operating system's scheduler");
  f.optional(
      "multi_engine_aware", c.multi_engine_aware,
      "the driver has contexts (MultiEngineAware); false: all queues of a process on a node are one, in order of "
      "submission");
  f.optional("preemption_aware", c.preemption_aware,
             "Windows 8 model: packets are preempted as finely as the engine can; false: Windows 7 model, which "
             "withholds queued packets at most");
  f.optional("hw_queue_packet_cap", c.hw_queue_packet_cap,
             "DMA packets in one hardware queue at most (HwQueuePacketCap); absent: the engine's hardware_queue_depth",
             between(1, 15));
  f.optional("no_dma_patching", c.no_dma_patching,
             "hardware with virtual addresses (NoDmaPatching); false: pieces of a list that is split are held against "
             "binding leaks");
  f.optional(
      "changes_split_buffers", c.changes_split_buffers,
      "the driver changes the content of a DMA buffer that is split: refused on linked adapters in the Windows 8 "
      "model, where each runs the same bytes");
  // DxgkDdiStartDevice fails. Source: DXGK_VIDSCHCAPS, windows-driver-docs-ddi.
  f.check(c.multi_engine_aware || !c.preemption_aware, "false: preemption_aware needs multi_engine_aware", "true",
          "preemption_aware");
  f.check((c.multi_engine_aware && c.preemption_aware) || c.no_dma_patching,
          "true: what looks for binding leaks needs multi_engine_aware and preemption_aware", "false",
          "no_dma_patching");
}

void describe(Fields& f, BandConfig& c) {
  const Range microseconds = between(0, 1e9);
  f.optional("quantum_us", c.quantum_us, "engine time of one turn among contexts of one process, microseconds",
             between(1, 1e9));
  f.optional("process_quantum_us", c.process_quantum_us,
             "engine time of one turn among processes of this band, microseconds", between(1, 1e9));
  f.optional("grace_us", c.grace_us,
             "how long a context of this band may go on once a higher rank is ready (ignored for the idle band)",
             microseconds);
  f.optional("process_grace_us", c.process_grace_us,
             "how long a process of this band may go on once its turn is over and another process is ready",
             microseconds);
}

void describe(Fields& f, BandConfigs& c) {
  f.optional("idle", c.idle, "processes of idle priority");
  f.optional("normal", c.normal, "everybody else");
  f.optional("focus", c.focus, "the process whose window has the focus");
  f.optional("realtime", c.realtime, "processes of priority realtime, and queues of priority global_realtime");
}

void describe(Fields& f, SchedulerConfig& c) {
  f.about("the operating system's GPU scheduler");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("policy", c.policy, "who runs next, and for whom the one that runs has to stop");
  f.optional("bands", c.bands, "quanta and grace periods of the priority bands");
  f.optional("target_normal_band_percentage", c.target_normal_band_percentage,
             "of a node's time that the normal band keeps when the focus band would starve it (wddm)", between(0, 50));
  f.optional("queued_present_limit", c.queued_present_limit,
             "frames of a queue that may wait for the screen, the one that is to be shown next among them: what the "
             "queue has behind that many presents is held back (QueuedPresentLimit); absent: any number",
             between(1, 16));
  f.optional("focus_quantum_without_present_us", c.focus_quantum_without_present_us,
             "engine time on all nodes after which a process with the focus that has not presented ranks as if it had "
             "none, until it presents (MaxFocusGpuQuantumWithoutPresent; wddm); absent: none",
             between(1, 1e9));
  f.optional("focus_yields", c.focus_yields,
             "when the process with the focus presents, the normal band gets at once what its floor owes it so far "
             "(DxgkDdiNotifyFocusPresent; wddm)");
  f.optional("dma_buffer_kib", c.dma_buffer_kib,
             "commands that a DMA buffer holds, KiB: a list that takes more is split; absent: any number",
             between(1, 1 << 20));
  f.optional("dma_command_bytes", c.dma_command_bytes, "what a command takes of a DMA buffer (assumed)",
             between(1, 1 << 20));
  f.optional("time_slice_us", c.time_slice_us,
             "how long a process has a runlist's engines while another waits (time_slice), or a context an engine (xe)",
             between(1, 1e9));
  f.optional("process_switch_us", c.process_switch_us,
             "from the end of one process's last packet, its state saved, to the start of the next one's (time_slice)",
             between(0, 1e6));
  f.optional("preemption_timeout_us", c.preemption_timeout_us,
             "a request to preempt that an engine has not answered by then gives a warning (xe)", between(1, 1e9));
  f.optional("caps", c.caps, "what the driver tells the scheduler");
  f.optional("enable_preemption", c.enable_preemption,
             "false: the driver switches preemption off, which the Windows 8 model does not allow");
  f.check(c.enable_preemption || !c.caps.preemption_aware,
          "true: in the Windows 8 model (caps.preemption_aware) preemption cannot be switched off", "false",
          "enable_preemption");
  f.optional("hardware_waits", c.hardware_waits,
             "waits go to the hardware queue and hold it there; false: the scheduler holds them back");
  f.optional(
      "fences", c.fences,
      "which signals by queues interrupt the CPU: monitored, each; native, those above the smallest value that a "
      "CPU thread waits for");
  f.optional("hardware_scheduling", c.hardware_scheduling,
             "the GPU itself goes from context to context: it learns of what its engines did at once, not through an "
             "interrupt; CPU threads still do");
  const Range microseconds = between(0, 1e6);
  f.optional("isr_us", c.isr_us, "from an engine's interrupt to its service routine's end", microseconds);
  f.optional("dpc_us", c.dpc_us,
             "from there until the scheduler has learned of it, or the CPU threads that wait for a fence",
             microseconds);
  f.optional("interrupt_jitter_us", c.interrupt_jitter_us,
             "added to each interrupt of an engine: mean of an exponential distribution, drawn from `seed`",
             microseconds);
  f.optional(
      "rounds_without_progress", c.rounds_without_progress,
      "decisions in a row, without anything that ran, ended or came in between, after which the scheduler decides "
      "no more and the run ends as a deadlock",
      between(1, 1e15));
  f.optional(
      "judged_one_by_one", c.judged_one_by_one,
      "up to so many ready queues of a node make attempts to preempt of their own; of more, those that differ in "
      "nothing but their place in the order are represented by the first and by the one that has waited longest: "
      "the same runs when, and fewer attempts are counted",
      between(1, 1e9));
  f.optional("jitter", c.jitter,
             "launches and fences take longer at random, as the submission paths say (launch_jitter_ns, "
             "fence_jitter_ns), drawn from `seed`: on in runs of `--seed` and `--repeat`");
  f.optional("seed", c.seed, "of what is random in the scheduler");
}

Allowance allowance_of(const SchedulerConfig& config, PriorityBand band) {
  const BandConfig* bands[priority_bands] = {&config.bands.idle, &config.bands.normal, &config.bands.focus,
                                             &config.bands.realtime};
  const BandConfig& of_band = *bands[static_cast<std::size_t>(band)];
  Allowance allowance;
  const bool slices = traits_of(config.policy).context_slices();
  allowance.quantum_ps = ps_of_us(slices ? config.time_slice_us : of_band.quantum_us);
  allowance.process_quantum_ps = ps_of_us(of_band.process_quantum_us);
  allowance.grace_ps = ps_of_us(of_band.grace_us);
  allowance.process_grace_ps = ps_of_us(of_band.process_grace_us);
  return allowance;
}

}  // namespace fenceline
