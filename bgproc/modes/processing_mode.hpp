// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// D3D12_BACKGROUND_PROCESSING_MODE, names and values: how much dynamic profiling and recompiling there is.
enum class ProcessingMode : std::uint8_t {
  allowed = 0,                       ///< light measurements; tasks at idle priority, few at a time
  allow_intrusive_measurements = 1,  ///< rich measurements, glitches are accepted
  disable_background_work = 2,       ///< what is queued from now on is cancelled; needs developer mode
  disable_profiling_by_system = 3,   ///< nor does anything change that moves timings; needs developer mode
};
constexpr EnumNames<ProcessingMode, 4> enum_names(ProcessingMode) {
  return {{{ProcessingMode::allowed, "allowed"},
           {ProcessingMode::allow_intrusive_measurements, "allow_intrusive_measurements"},
           {ProcessingMode::disable_background_work, "disable_background_work"},
           {ProcessingMode::disable_profiling_by_system, "disable_profiling_by_system"}}};
}

/// D3D12_MEASUREMENTS_ACTION, names and values: what becomes of the measurements so far.
enum class MeasurementsAction : std::uint8_t {
  keep_all = 0,                      ///< nothing
  commit_results = 1,                ///< what they show is acted upon now
  commit_results_high_priority = 2,  ///< the same, fast; needs developer mode
  discard_previous = 3,              ///< they mean nothing any more
};
constexpr EnumNames<MeasurementsAction, 4> enum_names(MeasurementsAction) {
  return {{{MeasurementsAction::keep_all, "keep_all"},
           {MeasurementsAction::commit_results, "commit_results"},
           {MeasurementsAction::commit_results_high_priority, "commit_results_high_priority"},
           {MeasurementsAction::discard_previous, "discard_previous"}}};
}

/// New tasks are cancelled.
constexpr bool disables_tasks(ProcessingMode mode) {
  return mode == ProcessingMode::disable_background_work || mode == ProcessingMode::disable_profiling_by_system;
}
/// There is a set of tasks whose end may be waited for.
constexpr bool commits(MeasurementsAction action) {
  return action == MeasurementsAction::commit_results || action == MeasurementsAction::commit_results_high_priority;
}

/// What one call of ID3D12Device6's SetBackgroundProcessingMode asks for.
struct ModeRequest {
  ProcessingMode mode = ProcessingMode::allowed;
  MeasurementsAction action = MeasurementsAction::keep_all;
  bool has_event = false;  ///< somebody is to be told when a commit's tasks have finished
};

/// What a mode change came to.
struct ModeAnswer {
  std::string refusal;           ///< why it was refused (`refusal_of`); empty: it counts
  bool further_desired = false;  ///< pbFurtherMeasurementsDesired
  std::uint64_t commit = 0;      ///< the number of the commit; 0: there was none
};

/// Why the request is refused, for a message: an event without a commit, or what needs developer mode without it.
/// Empty: it is granted. A refused request changes nothing. Source: the specification's "Developer Mode"; that refusals
/// are E_INVALIDARG (message 1223) is inferred.
std::string refusal_of(const ModeRequest& request, bool developer_mode);

}  // namespace fenceline
