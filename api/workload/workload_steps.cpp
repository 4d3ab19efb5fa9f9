// SPDX-License-Identifier: Apache-2.0
// The steps of queues and CPU threads in a workload's file.
#include "api/workload/workload_steps.hpp"

#include "api/timeline/workload_range.hpp"
#include "shadercache/implicit/driver_managed_cache.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

void describe_from_iteration(Fields& f, std::uint64_t& from_iteration) {
  f.optional("from_iteration", from_iteration, "inside a repeat: left out before this iteration (the first is 0)");
}

void describe_value(Fields& f, FenceValue& c) {
  f.required("fence", c.fence, "name of the fence");
  f.required("value", c.value, "value at the first iteration in which the step takes part");
  f.optional("value_step", c.value_step, "inside a repeat: added to the value each further iteration");
  describe_from_iteration(f, c.from_iteration);
}

void describe_process_name(Fields& f, std::string& process) {
  f.optional("process", process, "one of `processes`; empty: the process without a name");
}

void describe_queue_name(Fields& f, std::string& queue) { f.required("queue", queue, "name of the queue"); }

}  // namespace

void describe(Fields& f, MarkerText& c) {
  f.required("name", c.name, "what it is called");
  f.optional("color", c.color, "as PIX_COLOR has it, 0xffRRGGBB; below 256 one of PIX's own colours; 0: not said");
}

void describe(Fields& f, ExecuteStep& c) {
  f.about("ExecuteCommandLists");
  f.required("lists", c.lists, "names of command lists, in order");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, SignalStep& c) {
  f.about("ID3D12CommandQueue::Signal");
  describe_value(f, c);
}

void describe(Fields& f, WaitStep& c) {
  f.about("ID3D12CommandQueue::Wait");
  describe_value(f, c);
}

void describe(Fields& f, PresentStep& c) {
  f.about(
      "IDXGISwapChain::Present: the frame may go on screen when all that the queue has before it is complete; each "
      "queue that presents has a swap chain of its own");
  f.optional("swap_chain", c.swap_chain, "one of `swap_chains` whose queue it is; empty: the queue's own");
  f.optional(
      "interval", c.interval,
      "vertical blanks that the frame stays on screen for at least; 0: a newer one may take its place at the next",
      between(0, 4));
  f.optional("tearing", c.tearing, "of interval 0: it is on screen at once, in the middle of a refresh");
  f.optional("restart", c.restart, "DXGI_PRESENT_RESTART: frames that still wait for the screen are thrown away");
  f.check(!c.tearing || c.interval == 0, "interval 0 with tearing", fmt::format("interval {}", c.interval), "interval");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, BeginEventStep& c) {
  f.about(
      "ID3D12CommandQueue::BeginEvent: what the queue gets from here on is in a region, which end_event ends; takes no "
      "time");
  describe(f, static_cast<MarkerText&>(c));
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, EndEventStep& c) {
  f.about("ID3D12CommandQueue::EndEvent: the queue's region ends that began last and has not ended; takes no time");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, SetMarkerStep& c) {
  f.about("ID3D12CommandQueue::SetMarker: a single place among what the queue gets; takes no time");
  describe(f, static_cast<MarkerText&>(c));
  describe_from_iteration(f, c.from_iteration);
}

namespace {
/// Of a repeat.
template <class Repeat>
void describe_count(Fields& f, Repeat& c) {
  f.optional("count", c.count, "iterations", workload_range::count);
  f.optional("beat", c.beat, "one of `beats`, in place of count: as many iterations as it has times");
  f.in_place_of("beat", {"count"});
}
}  // namespace

void describe(Fields& f, QueueRepeat& c) {
  f.about("the steps, so many times");
  describe_count(f, c);
  f.required("steps", c.steps, "in order");
}

void describe(Fields& f, CpuExecute& c) {
  describe_queue_name(f, c.queue);
  describe(f, static_cast<ExecuteStep&>(c));
}

void describe(Fields& f, CpuQueueSignal& c) {
  f.about("ID3D12CommandQueue::Signal");
  describe_queue_name(f, c.queue);
  describe_value(f, c);
}

void describe(Fields& f, CpuQueueWait& c) {
  f.about("ID3D12CommandQueue::Wait");
  describe_queue_name(f, c.queue);
  describe_value(f, c);
}

void describe(Fields& f, CpuPresent& c) {
  describe_queue_name(f, c.queue);
  describe(f, static_cast<PresentStep&>(c));
}

void describe(Fields& f, CpuInput& c) {
  f.about("the input is read that the queue's next frame shows: latency is from here to the screen");
  describe_queue_name(f, c.queue);
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuCompose& c) {
  f.about("each window (composed_by) of the queue gives its frame, if one is ready, to the queue's next frame");
  describe_queue_name(f, c.queue);
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuCloseSwapChain& c) {
  f.about(
      "the last Release of an IDXGISwapChain: its frames leave the screen, or never come there, and what waits for one "
      "goes on; presents to it afterwards do nothing");
  f.required("swap_chain", c.swap_chain, "one of `swap_chains`, or a queue, for its own");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuWaitVblank& c) {
  f.about("IDXGIOutput::WaitForVBlank: the thread waits for the output's next vertical blank");
  f.optional("output", c.output, "one of the machine's; empty: the primary one");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuFenceSignal& c) {
  f.about("ID3D12Fence::Signal: at once, from the CPU");
  describe_value(f, c);
}

void describe(Fields& f, CpuFenceWait& c) {
  f.about("SetEventOnCompletion and WaitForSingleObject");
  describe_value(f, c);
}

void describe(Fields& f, CpuWork& c) {
  f.about("the CPU thread is busy with something else");
  f.required("us", c.us, "microseconds", workload_range::us);
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSleepUntil& c) {
  f.about("the CPU thread sleeps until a time; it goes on at once when that has passed");
  f.optional("us", c.us, "microseconds since the start, at the first iteration in which the step takes part",
             workload_range::us);
  f.optional("us_step", c.us_step, "inside a repeat: added to the time each further iteration", workload_range::us);
  f.optional("beat", c.beat,
             "one of `beats`, in place of us and us_step: until its time, in a repeat that of each iteration");
  f.in_place_of("beat", {"us", "us_step"});
  f.optional("offset_us", c.offset_us, "microseconds behind the beat; negative: before it", workload_range::offset_us);
  f.check(c.beat || c.offset_us == 0, "0 without a beat", fmt::format("{}", c.offset_us), "offset_us");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuFocus& c) {
  f.about("the window of a process gets the focus, and whoever had it loses it");
  f.required("process", c.process, "one of `processes`; empty: the process without a name");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSetPriority& c) {
  f.about("a queue's priority from now on (D3DKMTSetContextInProcessSchedulingPriority); what is not named stays");
  f.required("queue", c.queue, "name of the queue");
  f.optional("in_process_priority", c.in_process_priority, "against queues of its own process, higher first",
             between(-highest_in_process_priority, highest_in_process_priority));
  f.optional("realtime_level", c.realtime_level, "level inside the realtime band, where the queue is in it",
             between(0, highest_realtime_level));
  f.check(c.in_process_priority || c.realtime_level, "in_process_priority or realtime_level", "neither", "queue");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSetProcessPriority& c) {
  f.about("a process's priority class from now on (D3DKMTSetProcessSchedulingPriorityClass)");
  f.required("process", c.process, "one of `processes`; empty: the process without a name");
  f.required("priority", c.priority, "its class");
  f.optional("realtime_level", c.realtime_level, "level inside the realtime band, where the class is realtime",
             between(0, highest_realtime_level));
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSetBackgroundProcessingMode& c) {
  f.about("ID3D12Device6::SetBackgroundProcessingMode of a process's device");
  describe_process_name(f, c.process);
  f.required("mode", c.mode, "how much is measured and recompiled from now on");
  f.optional("action", c.action, "what becomes of the measurements so far");
  f.optional(
      "fence", c.fence,
      "name of the fence that is signalled, as the event is set, when the commit's tasks have finished; empty: none");
  f.optional("value", c.value, "to which it is signalled, at the first iteration in which the step takes part");
  f.optional("value_step", c.value_step, "inside a repeat: added to the value each further iteration");
  describe_from_iteration(f, c.from_iteration);
  const std::string refusal = refusal_of({c.mode, c.action, !c.fence.empty()}, true);
  f.check(refusal.empty(), "a commit beside a fence", refusal, "fence");
}

void describe(Fields& f, CpuQueueProcessingWork& c) {
  f.about("a process's driver queues background tasks (D3D12DDI's QueueProcessingWorkCb)");
  describe_process_name(f, c.process);
  f.optional("us", c.us, "CPU time of each, microseconds; absent: the machine's /background_processing/task_us",
             between(0, 1e9));
  f.optional("count", c.count, "tasks", between(0, 1e5));
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuCreatePipelineStates& c) {
  f.about("CreateComputePipelineState and its like, one call after the other: each takes what its caches leave to do");
  describe_process_name(f, c.process);
  f.required("pipeline", c.pipeline, "name of a compute or graphics pipeline, whose instructions are compiled");
  f.optional("count", c.count, "pipeline states, each with code of its own", between(1, 1e6));
  f.optional("first", c.first, "number of the first: caches know each by the pipeline and its number",
             between(0, 1e15));
  f.optional("first_step", c.first_step, "inside a repeat: added to `first` each further iteration", between(0, 1e9));
  describe_from_iteration(f, c.from_iteration);
}

std::uint32_t cache_control(CacheControlStep step) {
  switch (step) {
    case CacheControlStep::disable: return CacheControl::disable;
    case CacheControlStep::enable: return CacheControl::enable;
    case CacheControlStep::clear: return CacheControl::clear;
    case CacheControlStep::clear_and_disable: return CacheControl::clear | CacheControl::disable;
    case CacheControlStep::clear_and_enable: return CacheControl::clear | CacheControl::enable;
  }
  return 0;
}

void describe(Fields& f, CpuShaderCacheControl& c) {
  f.about("ID3D12Device9::ShaderCacheControl of one implicit cache; the machine's system is in developer mode");
  describe_process_name(f, c.process);
  f.required("kind", c.kind, "which of the implicit caches; where there is none of that kind nothing happens");
  f.required("control", c.control, "what happens to it");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuUpdateDriver& c) {
  f.about("the system gets another version of the driver: what the former one compiled is of no use");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuCreateDevice& c) {
  f.about("a process's removed device is released, and another one created; nothing happens where it is not removed");
  describe_process_name(f, c.process);
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuMakeResident& c) {
  f.about("ID3D12Device::MakeResident, or with a fence EnqueueMakeResident, of a process's device");
  describe_process_name(f, c.process);
  f.required("resources", c.resources, "names of resources in video memory that its queues use; each time counts");
  f.optional("deny_overbudget", c.deny_overbudget, "it fails where the device would use more than its budget");
  f.optional("fence", c.fence,
             "name of the fence that is signalled once all is there, and the thread goes on at once; empty: the thread "
             "waits");
  f.optional("value", c.value, "to which it is signalled, at the first iteration in which the step takes part");
  f.optional("value_step", c.value_step, "inside a repeat: added to the value each further iteration");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuEvict& c) {
  f.about("ID3D12Device::Evict of a process's device: nothing moves before its room is needed");
  describe_process_name(f, c.process);
  f.required("resources", c.resources, "names of resources in video memory that its queues use; each time counts");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSetResidencyPriority& c) {
  f.about("ID3D12Device1::SetResidencyPriority: whoever has a lower one makes room first");
  f.required("resources", c.resources, "names of resources in video memory");
  f.required("priority", c.priority, "of all of them; D3D12_RESIDENCY_PRIORITY_NORMAL is 2013265920");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuSetVideoMemoryReservation& c) {
  f.about("IDXGIAdapter3::SetVideoMemoryReservation: raises no budget");
  describe_process_name(f, c.process);
  f.required("mib", c.mib, "MiB, at most half of the machine's dedicated_mib (see /video_memory/over_reservation)");
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuWaitForBudgetChange& c) {
  f.about(
      "the thread waits until the process's budget of video memory has changed, since the start or its last such step");
  describe_process_name(f, c.process);
  describe_from_iteration(f, c.from_iteration);
}

void describe(Fields& f, CpuWrite& c) {
  f.about("what the thread writes into a resource that it has mapped, at this moment; takes no time");
  f.required("resource", c.resource, "name of a buffer on an upload or readback heap, or of a memory");
  f.optional("offset", c.offset, "of the first byte", between(0, 1e15));
  f.optional("bytes", c.bytes, "how many, with a fill; absent: up to the resource's end", between(1, 1e15));
  f.required("content", c.content, "what it writes");
  describe_from_iteration(f, c.from_iteration);
  f.check(!c.bytes || c.content.fill.has_value(), "a fill beside bytes", "bytes that say how many they are", "bytes");
}

void describe(Fields& f, CpuBeginEvent& c) {
  describe_queue_name(f, c.queue);
  describe(f, static_cast<BeginEventStep&>(c));
}

void describe(Fields& f, CpuEndEvent& c) {
  describe_queue_name(f, c.queue);
  describe(f, static_cast<EndEventStep&>(c));
}

void describe(Fields& f, CpuSetMarker& c) {
  describe_queue_name(f, c.queue);
  describe(f, static_cast<SetMarkerStep&>(c));
}

void describe(Fields& f, CpuRepeat& c) {
  f.about("the steps, so many times");
  describe_count(f, c);
  f.optional("until_steady", c.until_steady,
             "count is the most: no further iteration after one in which set_background_processing_mode answered that "
             "no further measurements are desired");
  f.required("steps", c.steps, "in order");
  const bool asks = std::any_of(c.steps.begin(), c.steps.end(), [](const CpuSimpleStep& step) {
    return std::holds_alternative<CpuSetBackgroundProcessingMode>(step);
  });
  f.check(!c.until_steady || asks, "set_background_processing_mode among the steps, whose answer ends it", "none",
          "until_steady");
}

}  // namespace fenceline
