// SPDX-License-Identifier: Apache-2.0
/// @file
/// Machines, workloads and results: the C++ interface of Fenceline. Include this, not what it includes: where those
/// headers stand may change. What they declare is public; what they in turn include is detail.
///
/// | what | by |
/// |---|---|
/// | a machine as data | fenceline::MachineConfig, fenceline::builtin_machine, fenceline::load_machine |
/// | a machine that runs: queues, fences, command lists | fenceline::Machine |
/// | command lists for it | fenceline::StreamBuilder |
/// | when each list ran, waited and was stopped | fenceline::PacketTimes |
/// | a JSON workload, played as the command does | fenceline::load_workload, fenceline::run_workload |
/// | the same on a machine of one's own | fenceline::Player |
/// | everything that happens, as it happens | fenceline::LogSink, fenceline::EventLog |
/// | shader caches on disk and in memory | fenceline::ShaderCaches |
/// | what is thrown | fenceline::ConfigError, fenceline::InternalError, fenceline::OutputError |
#pragma once

#include "api/coupled_machines.hpp"
#include "api/machine.hpp"
#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "api/report/distribution.hpp"
#include "api/report/packet_times.hpp"
#include "api/report/preemption_stats.hpp"
#include "api/report/run/deadlines.hpp"
#include "api/report/run/run.hpp"
#include "api/report/run/run_preemption.hpp"
#include "api/report/stats.hpp"
#include "api/stream_builder.hpp"
#include "api/workload/knobs/silent_knobs.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/workload.hpp"
#include "api/workload/workload_steps.hpp"
#include "engines/command/command.hpp"
#include "engines/command/pipeline.hpp"
#include "engines/compute_engine_config.hpp"
#include "engines/copy_engine_config.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/hardware_queue/engine_config.hpp"
#include "engines/memory/memory_config.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "scheduler/config/context_config.hpp"
#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/config/submission_path.hpp"
#include "scheduler/display/display_config.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/fences/fence.hpp"
#include "scheduler/fences/shared_fence.hpp"
#include "scheduler/policies/priority.hpp"
#include "scheduler/policies/scheduling_policy.hpp"
#include "shadercache/cache_description.hpp"
#include "shadercache/cache_statistics.hpp"
#include "shadercache/cache_status.hpp"
#include "shadercache/shader_cache_session.hpp"
#include "shadercache/shader_caches.hpp"
#include "sim/assert.hpp"
#include "sim/callback.hpp"
#include "sim/config_error.hpp"
#include "sim/files/output_file.hpp"
#include "sim/kernel/channel_config.hpp"
#include "sim/log.hpp"
