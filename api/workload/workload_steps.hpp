// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/resource.hpp"
#include "bgproc/modes/processing_mode.hpp"
#include "scheduler/policies/priority.hpp"
#include "shadercache/implicit/implicit_cache_kind.hpp"
#include "sim/config/described.hpp"
#include "sim/marker_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace fenceline {

/// Inside a `repeat`, a fence value grows by `value_step` an iteration, and the step is left out before
/// `from_iteration` (the first iteration is 0).
struct FenceValue {
  std::string fence;
  std::uint64_t value = 0;  ///< at the first iteration in which the step takes part
  std::uint64_t value_step = 0;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};

/// What an event or marker is called.
struct MarkerText {
  std::string name;
  std::uint32_t color = 0;  ///< as PIX_COLOR has it, 0xffRRGGBB; below 256 one of PIX's own; 0: not said
};

// Steps of a queue's own timeline: submitted at time 0, in order.
/// ID3D12CommandQueue::ExecuteCommandLists. Submitted at time 0, as all steps of a queue's own timeline are.
struct ExecuteStep {
  static constexpr const char* type_name = "execute";
  std::vector<std::string> lists;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12CommandQueue::Signal.
struct SignalStep : FenceValue {
  static constexpr const char* type_name = "signal";
};
/// ID3D12CommandQueue::Wait.
struct WaitStep : FenceValue {
  static constexpr const char* type_name = "wait";
};
/// IDXGISwapChain::Present.
struct PresentStep {
  static constexpr const char* type_name = "present";
  std::uint32_t interval = 1;  ///< vertical blanks that the frame stays for at least; 0: until a newer one is there
  bool tearing = false;        ///< of interval 0: on screen at once
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
  bool restart = false;              ///< frames that still wait are thrown away
  std::string swap_chain = {};       ///< one of the queue's further ones; empty: its own
};
/// ID3D12CommandQueue::BeginEvent: what the queue gets from here on is in a region.
struct BeginEventStep : MarkerText {
  static constexpr const char* type_name = "begin_event";
  static constexpr MarkerKind marker_kind = MarkerKind::begin;  ///< as streams have it
  std::uint64_t from_iteration = 0;                             ///< inside a repeat: left out before
};
/// ID3D12CommandQueue::EndEvent: the region ends that began last and has not ended.
struct EndEventStep {
  static constexpr const char* type_name = "end_event";
  static constexpr MarkerKind marker_kind = MarkerKind::end;  ///< as streams have it
  std::uint64_t from_iteration = 0;                           ///< inside a repeat: left out before
};
/// ID3D12CommandQueue::SetMarker.
struct SetMarkerStep : MarkerText {
  static constexpr const char* type_name = "set_marker";
  static constexpr MarkerKind marker_kind = MarkerKind::set;  ///< as streams have it
  std::uint64_t from_iteration = 0;                           ///< inside a repeat: left out before
};
/// Steps gone through `count` times.
struct QueueRepeat {
  static constexpr const char* type_name = "repeat";
  std::uint64_t count = 1;               ///< iterations
  std::optional<std::string> beat = {};  ///< in place of count: as often as it comes
  std::vector<std::variant<ExecuteStep, SignalStep, WaitStep, PresentStep, BeginEventStep, EndEventStep, SetMarkerStep>>
      steps = {};
};
using QueueStep = std::variant<ExecuteStep, SignalStep, WaitStep, PresentStep, BeginEventStep, EndEventStep,
                               SetMarkerStep, QueueRepeat>;

// Steps of a CPU thread's timeline.
/// D3D12_SHADER_CACHE_CONTROL_FLAGS: the combinations there are.
enum class CacheControlStep : std::uint8_t { disable, enable, clear, clear_and_disable, clear_and_enable };
constexpr EnumNames<CacheControlStep, 5> enum_names(CacheControlStep) {
  return {{{CacheControlStep::disable, "disable"},
           {CacheControlStep::enable, "enable"},
           {CacheControlStep::clear, "clear"},
           {CacheControlStep::clear_and_disable, "clear_and_disable"},
           {CacheControlStep::clear_and_enable, "clear_and_enable"}}};
}
/// Bits of CacheControl for the combination.
std::uint32_t cache_control(CacheControlStep step);

/// ExecuteCommandLists by a CPU thread.
struct CpuExecute : ExecuteStep {
  std::string queue;  ///< its name
};
/// ID3D12CommandQueue::Signal by a CPU thread.
struct CpuQueueSignal : FenceValue {
  static constexpr const char* type_name = "queue_signal";
  std::string queue;  ///< its name
};
/// ID3D12CommandQueue::Wait by a CPU thread.
struct CpuQueueWait : FenceValue {
  static constexpr const char* type_name = "queue_wait";
  std::string queue;  ///< its name
};
/// IDXGISwapChain::Present by a CPU thread.
struct CpuPresent : PresentStep {
  std::string queue;  ///< its name
};
/// The input is read that the queue's next frame shows.
struct CpuInput {
  static constexpr const char* type_name = "input";
  std::string queue;                 ///< its name
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The compositor takes the frames of its windows for its next frame.
struct CpuCompose {
  static constexpr const char* type_name = "compose";
  std::string queue;                 ///< the compositor's
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The last Release of an IDXGISwapChain.
struct CpuCloseSwapChain {
  static constexpr const char* type_name = "close_swap_chain";
  std::string swap_chain;            ///< its name, or of a queue, for its own
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// IDXGIOutput::WaitForVBlank.
struct CpuWaitVblank {
  static constexpr const char* type_name = "wait_vblank";
  std::string output;                ///< its name; empty: the primary one
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12Fence::Signal.
struct CpuFenceSignal : FenceValue {
  static constexpr const char* type_name = "fence_signal";
};
/// The thread waits for the fence (SetEventOnCompletion).
struct CpuFenceWait : FenceValue {
  static constexpr const char* type_name = "fence_wait";
};
/// The thread computes.
struct CpuWork {
  static constexpr const char* type_name = "work";
  double us = 0;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The thread sleeps.
struct CpuSleepUntil {
  static constexpr const char* type_name = "sleep_until";
  double us = 0;                     ///< since the run's start, at the first iteration in which the step takes part
  double us_step = 0;                ///< inside a repeat: added each further iteration
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
  /// In place of us and us_step: its times, the one of each iteration. Outside of a repeat its first one.
  std::optional<std::string> beat = {};
  double offset_us = 0;  ///< behind the beat's times; negative: before them
};
/// The process gets the focus.
struct CpuFocus {
  static constexpr const char* type_name = "focus";
  std::string process;               ///< empty: the one without a name
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// A queue's priorities change: what is not set stays.
struct CpuSetPriority {
  static constexpr const char* type_name = "set_priority";
  std::string queue;  ///< its name
  std::optional<int> in_process_priority;
  std::optional<std::uint32_t> realtime_level;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// A process's priority class changes.
struct CpuSetProcessPriority {
  static constexpr const char* type_name = "set_process_priority";
  std::string process;  ///< empty: the one without a name
  ProcessPriority priority = ProcessPriority::normal;
  std::uint32_t realtime_level = 0;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12Device6::SetBackgroundProcessingMode of a process's device.
struct CpuSetBackgroundProcessingMode {
  static constexpr const char* type_name = "set_background_processing_mode";
  std::string process;  ///< empty: the one without a name
  ProcessingMode mode = ProcessingMode::allowed;
  MeasurementsAction action = MeasurementsAction::keep_all;
  std::string fence;  ///< signalled to `value` when the commit's tasks have finished; empty: there is no event
  std::uint64_t value = 0;
  std::uint64_t value_step = 0;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The process's driver queues background tasks.
struct CpuQueueProcessingWork {
  static constexpr const char* type_name = "queue_processing_work";
  std::string process;               ///< empty: the one without a name
  std::optional<double> us;          ///< CPU time of each; unset: the machine's
  std::uint64_t count = 1;           ///< tasks
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12Device::CreateComputePipelineState and its like, one after the other.
struct CpuCreatePipelineStates {
  static constexpr const char* type_name = "create_pipeline_states";
  std::string process;               ///< empty: the one without a name
  std::string pipeline;              ///< name of a compute or graphics pipeline: what each costs
  std::uint64_t count = 1;           ///< pipeline states, each with code of its own
  std::uint64_t first = 0;           ///< number of the first: caches know each by pipeline and number
  std::uint64_t first_step = 0;      ///< inside a repeat: added each further iteration
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12Device9::ShaderCacheControl of a process's device, of one implicit cache.
struct CpuShaderCacheControl {
  static constexpr const char* type_name = "shader_cache_control";
  std::string process;  ///< empty: the one without a name
  ImplicitCacheKind kind = ImplicitCacheKind::d3d_cache_for_driver;
  CacheControlStep control = CacheControlStep::clear;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The system gets another version of the driver.
struct CpuUpdateDriver {
  static constexpr const char* type_name = "update_driver";
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The process's removed device is released, and another one created.
struct CpuCreateDevice {
  static constexpr const char* type_name = "create_device";
  std::string process;               ///< empty: the one without a name
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12Device::MakeResident of a process's device: the thread goes on when all is there; with a fence it is
/// EnqueueMakeResident, which returns at once and signals it then.
struct CpuMakeResident {
  static constexpr const char* type_name = "make_resident";
  std::string process;                 ///< empty: the one without a name
  std::vector<std::string> resources;  ///< once for each time that it is named
  bool deny_overbudget = false;        ///< D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET
  std::string fence;                   ///< that is signalled; empty: none, the thread waits
  std::uint64_t value = 0;             ///< to which, at the first iteration in which the step takes part
  std::uint64_t value_step = 0;        ///< inside a repeat: added each further iteration
  std::uint64_t from_iteration = 0;    ///< inside a repeat: left out before
};
/// ID3D12Device::Evict of a process's device.
struct CpuEvict {
  static constexpr const char* type_name = "evict";
  std::string process;                 ///< empty: the one without a name
  std::vector<std::string> resources;  ///< once for each time that it is named
  std::uint64_t from_iteration = 0;    ///< inside a repeat: left out before
};
/// ID3D12Device1::SetResidencyPriority.
struct CpuSetResidencyPriority {
  static constexpr const char* type_name = "set_residency_priority";
  std::vector<std::string> resources;
  std::uint32_t priority = 0;        ///< of all of them, from now on
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// IDXGIAdapter3::SetVideoMemoryReservation of a process.
struct CpuSetVideoMemoryReservation {
  static constexpr const char* type_name = "set_video_memory_reservation";
  std::string process;               ///< empty: the one without a name
  std::uint64_t mib = 0;             ///< at most half of dedicated_mib
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// The thread waits until the process's budget of video memory has changed: for the event that it has given
/// IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent at the start.
struct CpuWaitForBudgetChange {
  static constexpr const char* type_name = "wait_for_budget_change";
  std::string process;               ///< empty: the one without a name
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// What the thread writes into a resource that it has mapped.
struct CpuWrite {
  static constexpr const char* type_name = "write";
  std::string resource;
  std::uint64_t offset = 0;            ///< bytes
  std::optional<std::uint64_t> bytes;  ///< of a fill; unset: to the resource's end
  ContentInfo content;
  std::uint64_t from_iteration = 0;  ///< inside a repeat: left out before
};
/// ID3D12CommandQueue::BeginEvent by a CPU thread.
struct CpuBeginEvent : BeginEventStep {
  std::string queue;  ///< its name
};
/// ID3D12CommandQueue::EndEvent by a CPU thread.
struct CpuEndEvent : EndEventStep {
  std::string queue;  ///< its name
};
/// ID3D12CommandQueue::SetMarker by a CPU thread.
struct CpuSetMarker : SetMarkerStep {
  std::string queue;  ///< its name
};

/// The step is one of a CPU thread's, with a queue.
template <class One>
constexpr bool is_cpu_marker =
    std::is_same_v<One, CpuBeginEvent> || std::is_same_v<One, CpuEndEvent> || std::is_same_v<One, CpuSetMarker>;
using CpuSimpleStep =
    std::variant<CpuExecute, CpuQueueSignal, CpuQueueWait, CpuPresent, CpuInput, CpuCompose, CpuCloseSwapChain,
                 CpuWaitVblank, CpuFenceSignal, CpuFenceWait, CpuWork, CpuSleepUntil, CpuFocus, CpuSetPriority,
                 CpuSetProcessPriority, CpuSetBackgroundProcessingMode, CpuQueueProcessingWork, CpuCreatePipelineStates,
                 CpuShaderCacheControl, CpuUpdateDriver, CpuCreateDevice, CpuMakeResident, CpuEvict,
                 CpuSetResidencyPriority, CpuSetVideoMemoryReservation, CpuWaitForBudgetChange, CpuWrite, CpuBeginEvent,
                 CpuEndEvent, CpuSetMarker>;
/// Steps gone through `count` times.
struct CpuRepeat {
  static constexpr const char* type_name = "repeat";
  std::uint64_t count = 1;               ///< iterations
  std::optional<std::string> beat = {};  ///< in place of count: as often as it comes
  /// It ends after the iteration in which set_background_processing_mode answered that no further measurements are
  /// desired.
  bool until_steady = false;
  std::vector<CpuSimpleStep> steps;
};
using CpuStep =
    std::variant<CpuExecute, CpuQueueSignal, CpuQueueWait, CpuPresent, CpuInput, CpuCompose, CpuCloseSwapChain,
                 CpuWaitVblank, CpuFenceSignal, CpuFenceWait, CpuWork, CpuSleepUntil, CpuFocus, CpuSetPriority,
                 CpuSetProcessPriority, CpuSetBackgroundProcessingMode, CpuQueueProcessingWork, CpuCreatePipelineStates,
                 CpuShaderCacheControl, CpuUpdateDriver, CpuCreateDevice, CpuMakeResident, CpuEvict,
                 CpuSetResidencyPriority, CpuSetVideoMemoryReservation, CpuWaitForBudgetChange, CpuWrite, CpuBeginEvent,
                 CpuEndEvent, CpuSetMarker, CpuRepeat>;

void describe(Fields& f, MarkerText& c);
void describe(Fields& f, ExecuteStep& c);
void describe(Fields& f, SignalStep& c);
void describe(Fields& f, WaitStep& c);
void describe(Fields& f, PresentStep& c);
void describe(Fields& f, BeginEventStep& c);
void describe(Fields& f, EndEventStep& c);
void describe(Fields& f, SetMarkerStep& c);
void describe(Fields& f, QueueRepeat& c);
void describe(Fields& f, CpuExecute& c);
void describe(Fields& f, CpuQueueSignal& c);
void describe(Fields& f, CpuQueueWait& c);
void describe(Fields& f, CpuPresent& c);
void describe(Fields& f, CpuInput& c);
void describe(Fields& f, CpuCompose& c);
void describe(Fields& f, CpuCloseSwapChain& c);
void describe(Fields& f, CpuWaitVblank& c);
void describe(Fields& f, CpuFenceSignal& c);
void describe(Fields& f, CpuFenceWait& c);
void describe(Fields& f, CpuWork& c);
void describe(Fields& f, CpuSleepUntil& c);
void describe(Fields& f, CpuFocus& c);
void describe(Fields& f, CpuSetPriority& c);
void describe(Fields& f, CpuSetProcessPriority& c);
void describe(Fields& f, CpuSetBackgroundProcessingMode& c);
void describe(Fields& f, CpuQueueProcessingWork& c);
void describe(Fields& f, CpuCreatePipelineStates& c);
void describe(Fields& f, CpuShaderCacheControl& c);
void describe(Fields& f, CpuUpdateDriver& c);
void describe(Fields& f, CpuCreateDevice& c);
void describe(Fields& f, CpuMakeResident& c);
void describe(Fields& f, CpuEvict& c);
void describe(Fields& f, CpuSetResidencyPriority& c);
void describe(Fields& f, CpuSetVideoMemoryReservation& c);
void describe(Fields& f, CpuWaitForBudgetChange& c);
void describe(Fields& f, CpuWrite& c);
void describe(Fields& f, CpuBeginEvent& c);
void describe(Fields& f, CpuEndEvent& c);
void describe(Fields& f, CpuSetMarker& c);
void describe(Fields& f, CpuRepeat& c);

}  // namespace fenceline
