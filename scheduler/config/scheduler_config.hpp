// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/fences/fence.hpp"
#include "scheduler/policies/priority.hpp"
#include "scheduler/policies/scheduling_policy.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

struct Allowance;

/// DXGK_VIDSCHCAPS, as far as they decide something here. Packets are not cancelled, so that CancelCommandAware has
/// nothing to say.
struct VidSchCaps {
  bool multi_engine_aware = true;                    ///< the driver has contexts
  bool preemption_aware = true;                      ///< Windows 8 model; else the Windows 7 model
  std::optional<std::uint32_t> hw_queue_packet_cap;  ///< unset: each engine's hardware_queue_depth
  bool no_dma_patching = true;                       ///< virtual addresses: nobody looks for bindings that leak
  bool changes_split_buffers = false;                ///< no bit of DXGK_VIDSCHCAPS: what a driver may do wrong
};
void describe(Fields& f, VidSchCaps& c);

/// What a priority band allows.
struct BandConfig {
  double quantum_us = 2500;          ///< engine time of one turn of a context
  double process_quantum_us = 2500;  ///< of a process
  double grace_us = 0;               ///< before a context of this band has to give way to a higher rank
  double process_grace_us = 0;       ///< after its turn, before a process of this band has to give way to another
};
void describe(Fields& f, BandConfig& c);

/// A configuration for each priority band.
struct BandConfigs {
  BandConfig idle;
  BandConfig normal;
  BandConfig focus;
  BandConfig realtime;
};
void describe(Fields& f, BandConfigs& c);

/// Who runs next and when, and what deciding costs.
struct SchedulerConfig {
  std::string source;
  SchedulingPolicy policy = SchedulingPolicy::wddm;
  BandConfigs bands;
  double target_normal_band_percentage = 10;
  std::optional<std::uint32_t> queued_present_limit;       ///< unset: there is none
  std::optional<double> focus_quantum_without_present_us;  ///< unset: there is none
  bool focus_yields = false;                               ///< when it presents the normal band gets what is owed to it
  std::optional<std::uint32_t> dma_buffer_kib;             ///< unset: no list is split
  std::uint32_t dma_command_bytes = 64;                    ///< assumed
  double time_slice_us = 2000;
  double process_switch_us = 0;
  double preemption_timeout_us = 640000;  ///< default of Linux's CONFIG_DRM_XE_PREEMPT_TIMEOUT
  VidSchCaps caps;
  bool enable_preemption = true;
  bool hardware_waits = false;
  FenceKind fences = FenceKind::monitored;
  bool hardware_scheduling = false;  ///< WDDM 2.7: the GPU changes between contexts by itself
  double isr_us = 0;
  double dpc_us = 0;
  double interrupt_jitter_us = 0;
  std::uint64_t rounds_without_progress = 1'000'000;  ///< after which it gives up
  std::uint32_t judged_one_by_one = 64;               ///< ready contexts of a node; of more only representatives are
  bool jitter = false;
  std::uint64_t seed = 1;
};
void describe(Fields& f, SchedulerConfig& c);

/// What contexts of a band may use up where they do not say themselves.
Allowance allowance_of(const SchedulerConfig& config, PriorityBand band);

}  // namespace fenceline
