// SPDX-License-Identifier: Apache-2.0
/// @file
/// For those who drive the parts of a machine themselves: scheduling policies as pure functions, the SystemC modules
/// that a fenceline::Machine is made of, the rules that runs are held against, and descriptions of configurations. It
/// goes with fenceline.hpp, includes SystemC, and follows the simulator's inside: between versions it changes more.
///
/// | what | by |
/// |---|---|
/// | who is next, who gives way | fenceline::choose_context, fenceline::judge, fenceline::PolicyTraits |
/// | queues and fences of a machine | fenceline::Scheduler, fenceline::FenceUnit |
/// | its screen and SMs | fenceline::Display, fenceline::ShaderArray |
/// | its driver's PGO, its implicit shader caches | fenceline::PgoDriver, fenceline::PipelineCreations |
/// | a whole machine in a simulation of one's own | fenceline::Hardware, fenceline::Kernel |
/// | what resources contain, one play after another | fenceline::ResourceContents |
/// | a node | fenceline::Engine |
/// | the rules | fenceline::Checker |
/// | a workload in part, or on a single queue | fenceline::replayed |
/// | a configuration from JSON, its schema, its effective values | fenceline::Fields, fenceline::read_config |
#pragma once

#include "api/contents/byte_extents.hpp"
#include "api/contents/content_access.hpp"
#include "api/contents/resource_contents.hpp"
#include "api/hardware.hpp"
#include "api/report/contents/contents_result.hpp"
#include "api/workload/replay/replay_point.hpp"
#include "api/workload/replay/replayed.hpp"
#include "api/workload/replay/trim.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "engines/engine.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "scheduler/checker/checker.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/policies/candidate.hpp"
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/policy_traits.hpp"
#include "scheduler/scheduler.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"
#include "sim/config/config.hpp"
#include "sim/config/fields.hpp"
#include "sim/kernel/kernel.hpp"
