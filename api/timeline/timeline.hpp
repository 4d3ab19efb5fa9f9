// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/modes/processing_mode.hpp"
#include "scheduler/policies/priority.hpp"
#include "shadercache/implicit/implicit_cache_kind.hpp"
#include "sim/marker_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace fenceline {

/// One step of a timeline with its names resolved.
struct Step {
  enum class Kind : std::uint8_t {
    execute,
    queue_signal,
    queue_wait,
    present,
    begin_event,
    end_event,
    set_marker,
    input,
    compose,
    close_swap_chain,
    wait_vblank,
    fence_signal,
    fence_wait,
    work,
    sleep_until,
    focus,
    set_priority,
    set_process_priority,
    set_background_processing_mode,
    queue_processing_work,
    create_pipeline_states,
    shader_cache_control,
    update_driver,
    create_device,
    make_resident,
    evict,
    set_residency_priority,
    set_video_memory_reservation,
    wait_for_budget_change,
    write
  };
  static constexpr std::uint32_t no_process = ~std::uint32_t{0};
  static constexpr std::uint32_t no_fence = ~std::uint32_t{0};
  Kind kind = Kind::execute;
  std::uint32_t queue = 0;
  std::uint32_t fence = 0;
  std::uint32_t interval = 0;    ///< present: vertical blanks
  bool tearing = false;          ///< present
  bool restart = false;          ///< present
  std::uint32_t swap_chain = 0;  ///< present, compose, close_swap_chain: queues' own ones, then the workload's others
  std::string name;         ///< wait_vblank: the output's, empty: the primary one; begin_event, set_marker: the text
  std::uint32_t color = 0;  ///< begin_event, set_marker: 0: not said
  std::uint32_t process = no_process;  ///< focus, set_process_priority: no_process is the one without a name
  ProcessPriority priority = ProcessPriority::normal;  ///< set_process_priority
  std::optional<int> in_process_priority;              ///< set_priority
  std::optional<std::uint32_t> realtime_level;         ///< both
  std::uint64_t value = 0;
  std::uint64_t value_step = 0;
  std::uint64_t from_iteration = 0;
  std::uint64_t work_ps = 0;
  std::optional<std::uint64_t> task_ps{};  ///< queue_processing_work: of each task; unset: the machine's
  std::uint64_t count = 1;                 ///< queue_processing_work: tasks; create_pipeline_states: these
  std::uint32_t pipeline = 0;  ///< create_pipeline_states: one of Program::created; `value` is the first one's number
  ImplicitCacheKind cache = ImplicitCacheKind::d3d_cache_for_driver;  ///< shader_cache_control
  std::uint32_t control = 0;                                          ///< the same: bits of CacheControl
  ModeRequest mode{};          ///< set_background_processing_mode; with an event `fence` is signalled
  std::uint64_t until_ps = 0;  ///< since the start
  std::uint64_t until_step_ps = 0;
  std::vector<std::uint32_t> lists;
  std::vector<std::uint32_t> allocations;  ///< make_resident, evict, set_residency_priority
  bool deny_overbudget = false;            ///< make_resident; with a fence that is signalled
  std::uint32_t residency_priority = 0;    ///< set_residency_priority
  std::uint64_t reserved_mib = 0;          ///< set_video_memory_reservation
  std::uint32_t write = 0;                 ///< write: one of ProgramContents::writes
};

/// Of a marker's step.
constexpr Step::Kind marker_step(MarkerKind kind) {
  return kind == MarkerKind::begin ? Step::Kind::begin_event
         : kind == MarkerKind::end ? Step::Kind::end_event
                                   : Step::Kind::set_marker;
}
/// Nothing happens to the GPU.
constexpr bool is_marker(Step::Kind kind) {
  return kind == Step::Kind::begin_event || kind == Step::Kind::end_event || kind == Step::Kind::set_marker;
}
/// What a queue is told by a marker's step.
Marker marker_of(const Step& step);

/// Steps that are gone through `count` times.
struct StepBlock {
  std::uint64_t count = 1;
  bool repeat = false;        ///< it was a `repeat` step, not a step by itself
  bool until_steady = false;  ///< it ends early (CpuRepeat)
  std::vector<Step> steps;
};

/// Steps that the timelines of one program may have, repeats unrolled.
constexpr std::uint64_t max_program_steps = 10'000'000;

/// What one queue or CPU thread does.
struct Timeline {
  std::string owner;    ///< `queue "copy"`
  std::string pointer;  ///< `/queues/0/timeline`
  std::vector<StepBlock> blocks;
};

/// One step of a timeline, repeats unrolled.
struct StepPlace {
  std::uint32_t block = 0;
  std::uint32_t iteration = 0;  ///< of the block
  std::uint32_t step = 0;       ///< of the block
};
inline bool operator<(const StepPlace& a, const StepPlace& b) {
  return std::tie(a.block, a.iteration, a.step) < std::tie(b.block, b.iteration, b.step);
}

/// Goes through a timeline step by step, repeats unrolled on the way.
class TimelineCursor {
 public:
  explicit TimelineCursor(const Timeline& timeline) : timeline_(&timeline) { settle(); }
  bool at_end() const { return block_ == timeline_->blocks.size(); }
  const Step& step() const { return timeline_->blocks[block_].steps[step_]; }
  /// The fence value of this step in this iteration.
  std::uint64_t value() const { return step().value + step().value_step * (iteration_ - step().from_iteration); }
  /// When a sleep ends, in this iteration.
  std::uint64_t until_ps() const {
    return step().until_ps + step().until_step_ps * (iteration_ - step().from_iteration);
  }
  StepPlace place() const {
    return {static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(iteration_),
            static_cast<std::uint32_t>(step_)};
  }
  void next();
  /// Both stand in one iteration.
  bool is_in_iteration_of(const TimelineCursor& other) const {
    return block_ == other.block_ && iteration_ == other.iteration_;
  }
  /// It is the last step that takes part in an iteration of a repeat that may end early.
  bool may_leave() const;
  /// The step behind the present one is the first after the repeat.
  void leave();
  /// Where the step stands in the workload's file.
  std::string pointer() const;
  const Timeline& timeline() const { return *timeline_; }

 private:
  void settle();
  const Timeline* timeline_;
  std::size_t block_ = 0;
  std::uint64_t iteration_ = 0;
  std::size_t step_ = 0;
};

/// It signals this fence.
bool signals(const Step& step, std::uint32_t fence);
/// From here on the timeline signals the fence to at least this value.
bool signals_later(TimelineCursor cursor, std::uint32_t fence, std::uint64_t value);

}  // namespace fenceline
