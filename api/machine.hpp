// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "bgproc/background_statistics.hpp"
#include "bgproc/modes/processing_mode.hpp"
#include "bgproc/tasks/task.hpp"
#include "scheduler/config/context_config.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/fences/fence.hpp"
#include "scheduler/fences/shared_fence.hpp"
#include "shadercache/implicit/creation_statistics.hpp"
#include "sim/callback.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class CommandEffects;
class Display;
class FenceUnit;
class PgoDriver;
enum class RemovalReason : std::uint8_t;
class PipelineCreations;
class Scheduler;
class ShaderArray;
class StreamBytes;
class WorkListener;
struct AllocationConfig;
struct ResidencyStatistics;
struct WorkMoment;

/// Whether a machine holds its own runs against the rules of queues, fences and preemption
/// (scheduler/checker/checker.hpp).
enum class InvariantChecks : std::uint8_t {
  by_default,  ///< FENCELINE_CHECK_INVARIANTS of the environment: 0, 1 or ConfigError; unset: as built without NDEBUG
  off,
  on,
};

/// A simulated machine: the door for C++. A value: create many, run them in any order, destroy them.
///
/// With background tasks on host threads (/background_processing/executor), `run` and `run_until` of a fence also wait
/// for these when nothing else is left.
///
/// Not thread-safe by itself; different machines may be used from different threads, but only one runs at a time in a
/// process. Submitting takes no simulated time; time passes in `run`, `run_until` and `advance_to`. Wrong arguments
/// are std::invalid_argument, and a FenceId or ContextId must come from the same machine. Where invariants are checked
/// and one is broken, the call that simulates throws InternalError, which names the first of them.
class Machine {
 public:
  /// At time 0, with nothing submitted.
  explicit Machine(const MachineConfig& config, InvariantChecks checks = InvariantChecks::by_default);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineConfig& config() const;                                                     ///< what it was made from
  PreemptionCaps preemption_caps() const { return fenceline::preemption_caps(config()); }  ///< what the adapter reports
  /// From now on those parameters that count while a machine runs (api/machine_change.hpp) are those of `config`, which
  /// is what it was made from with others changed; `config()` stays. Also from inside the simulation. Rules of who runs
  /// and who gives way are not held against the run after that.
  void change(const MachineConfig& config);
  /// The queue's priorities, quantum and graces are those of `config` from now on, in the same way. Throws
  /// std::invalid_argument where the machine cannot have such a queue.
  void change(ContextId queue, const QueueConfig& config);
  /// Attach sinks here before running. The log outlives every module.
  EventLog& log();
  std::uint64_t now_ps() const;  ///< simulated time since it was made, picoseconds
  /// From now on what the machine is told is told to the listener, too, which outlives it or is taken away by null.
  void listen(WorkListener* listener);
  WorkListener* listener() const;  ///< null: there is none
  WorkMoment moment() const;       ///< the present one, for the listener

  /// ID3D12Device's CreateFence. The name is what files call it.
  FenceId create_fence(const std::string& name, std::uint64_t initial_value = 0);
  /// One that other machines have, too, which are to be simulated in step with this one (coupled_machines.hpp).
  FenceId create_fence(const std::string& name, std::shared_ptr<SharedFence> shared);
  /// A process that queues may name. Its name is new.
  void create_process(const ProcessConfig& config);
  /// The process gets the focus, and whoever had it loses it (Scheduler::set_focus). Empty: the process of queues that
  /// name none.
  void set_focus(const std::string& process);
  /// D3DKMTSetProcessSchedulingPriorityClass: counts from now on. `realtime_level` 0 to 31. Empty name: the process of
  /// queues that name none.
  void set_priority(const std::string& process, ProcessPriority priority, std::uint32_t realtime_level = 0);
  /// D3DKMTSetContextInProcessSchedulingPriority (-7 to +7), and the level inside the realtime band (0 to 31); what is
  /// not set stays.
  void set_priority(ContextId queue, std::optional<int> in_process, std::optional<std::uint32_t> realtime_level);
  /// A queue of a process that nobody has created creates it, with defaults. Needs a node of the queue's type; several
  /// queues of one type are spread over the nodes of that type in turn.
  ContextId create_queue(const QueueConfig& config);

  /// Nothing more will be submitted to the queue: it is freed when all that it has is complete. Its id is used no more.
  void close_queue(ContextId queue);

  /// ID3D12CommandQueue's ExecuteCommandLists, of one list (stream_builder.hpp). Returns the number that its packet has
  /// in the log and in PacketTimes. `effects` are of this execution alone; null: it takes time and nothing more.
  /// `bytes`, of it as well, are for who listens; null: nobody says what it does to bytes.
  std::uint64_t execute(ContextId queue, std::shared_ptr<const CommandStream> stream,
                        std::shared_ptr<CommandEffects> effects = nullptr,
                        const std::shared_ptr<StreamBytes>& bytes = nullptr);
  /// ID3D12CommandQueue's Signal: once all that the queue has before it is complete.
  void signal(ContextId queue, FenceId fence, std::uint64_t value);
  /// ID3D12CommandQueue's Wait: what the queue gets after it waits until the fence is at `value` or above.
  void wait(ContextId queue, FenceId fence, std::uint64_t value);

  /// ID3D12CommandQueue's BeginEvent, EndEvent and SetMarker, which take no time: what the queue gets after a beginning
  /// is in that region, until it ends. False: an end without a beginning, which is nothing.
  bool mark(ContextId queue, const Marker& marker);
  /// Beginnings of regions that have not ended, the outermost first.
  const std::vector<Marker>& open_events(ContextId queue) const;

  /// Gives the frames of a queue to a screen, or to a compositor. The listener may be null, and lives until the swap
  /// chain is closed.
  SwapChainId create_swap_chain(const std::string& name, FrameListener* listener = nullptr,
                                const SwapChainPlace& place = {});
  /// IDXGISwapChain's Present: the frame is ready for the screen when all that the queue has before it is complete.
  /// Returns its number. `frame_fence` counts: it stands at the frame on screen.
  std::uint64_t present(ContextId queue, SwapChainId chain, Frame frame);
  /// Stands at the number of the frame on screen.
  FenceId frame_fence(SwapChainId chain) const;
  /// For the frame that the compositor presents next each of its windows gives one (Display::compose).
  void compose(SwapChainId compositor);
  /// Calls back from inside the simulation when the operating system knows of the output's first vertical blank after
  /// now: IDXGIOutput's WaitForVBlank.
  void wait_vblank(OutputId output, Callback callback);
  /// Frames that wait for the screen are thrown away, and what waits for its frames goes on.
  void close_swap_chain(SwapChainId chain);
  /// Another one in the place of a swap chain that was closed, and whose frames are all over: its frames are numbered
  /// on.
  void reopen_swap_chain(SwapChainId chain);
  /// The log hears of the frames on screen until now: at the end of a run.
  void log_screen();

  /// ID3D12Fence's Signal and GetCompletedValue: from the CPU, at once.
  void signal(FenceId fence, std::uint64_t value);
  /// Where it stands now.
  std::uint64_t completed_value(FenceId fence) const;

  /// The fence goes to its highest value for good, and what waits for it goes on (FenceUnit::end).
  void end_fence(FenceId fence);
  /// All of them, and none is shared any more.
  void end_fences();
  /// Nobody waits for the fence or signals it any more but queues that were told to: it ends, and is freed after them,
  /// at once or, where a log is written, with the machine. Of its id nothing may be asked but the value.
  void release_fence(FenceId fence);

  /// The process's device is removed: what its queues get is discarded. Empty: the process of queues that name none.
  bool device_removed(const std::string& process) const;
  /// The page fault that the process's device was removed for; nothing: it is there, or the reason is another one.
  std::optional<FaultingAccess> page_fault(const std::string& process) const;
  /// A removed device is released and another one made. False: it is not removed, or the process gets none any more.
  bool create_device(const std::string& process);
  /// Hears of each removal, from inside the simulation, once the device's packets have been cancelled and before its
  /// background processing ends: whoever knows which fences and swap chains are the device's ends them.
  void when_device_removed(std::function<void(const std::string& process, RemovalReason reason)> call);
  /// Too many timeouts, or one that is not to be recovered from, have ended the run (docs/recovery.md): nothing is
  /// simulated any more.
  bool bugchecked() const;
  /// Frames of the swap chain that wait for the screen are thrown away.
  void discard_frames(SwapChainId chain);
  /// The fence of a removed device stands at that value again.
  void restart_fence(FenceId fence, std::uint64_t value);

  /// A resource in video memory (docs/residency.md). Its number, which command streams name, from 0 on; resident where
  /// it finds room, at no cost.
  std::uint32_t create_allocation(const AllocationConfig& config);
  std::uint32_t allocations() const;  ///< above all their numbers
  /// It is gone, from each device's list, and its room is free. No packet that uses it is under way or will be.
  void remove_allocation(std::uint32_t allocation);
  /// The device of the process has it: with a count of 1, or 0 where it was created not resident. Empty: of the process
  /// of queues that name none.
  void know_allocation(const std::string& process, std::uint32_t allocation);
  /// Something is not in video memory, or need not be: what commands use counts. Else nobody asks.
  bool is_paging() const;
  /// It is on the list of the process's device: its count is 1 or more.
  bool wants_resident(const std::string& process, std::uint32_t allocation) const;
  /// ID3D12Device's MakeResident, each number adding 1: `done` is called from inside the simulation once all is there,
  /// calls of one device in the order made. False: it would exceed the budget (`deny_overbudget`) or all memory, and
  /// nothing has changed.
  bool make_resident(const std::string& process, const std::vector<std::uint32_t>& allocations, bool deny_overbudget,
                     std::function<void()> done);
  /// ID3D12Device's Evict, each number taking 1 away. Returns of how many there was none.
  std::uint64_t evict(const std::string& process, const std::vector<std::uint32_t>& allocations);
  /// It makes no room until it is let go of as often: what is to be done still needs it, whatever is evicted.
  void hold_allocation(std::uint32_t allocation);
  void let_go_of_allocation(std::uint32_t allocation);  ///< also from inside the simulation
  /// ID3D12Device1's SetResidencyPriority.
  void set_residency_priority(const std::vector<std::uint32_t>& allocations, std::uint32_t priority);
  /// IDXGIAdapter3's SetVideoMemoryReservation, bytes. More than half of the adapter's own memory is false, with
  /// nothing changed, or half of it (VideoMemoryConfig::over_reservation).
  bool set_video_memory_reservation(const std::string& process, std::uint64_t bytes);
  /// So many other processes that are not simulated have queues, and the process has the focus among them, or one of
  /// them has: its budget is what that leaves it, and nothing else changes.
  void set_background_processes(const std::string& process, std::uint32_t count, bool has_focus);
  /// IDXGIAdapter3's RegisterVideoMemoryBudgetChangeNotificationEvent: `told` hears of each change of the process's
  /// budget, which is so many bytes then, from inside the simulation.
  void on_budget_change(const std::string& process, std::function<void(std::uint64_t)> told);
  /// IDXGIAdapter3's QueryVideoMemoryInfo of the process, and what paging came to.
  ResidencyStatistics residency_statistics(const std::string& process) const;
  /// The same of the adapter: sums over processes, and what is in its memory.
  ResidencyStatistics residency_statistics() const;

  /// Asks the queue's node to stop what it holds of the queue, whatever the scheduler's policy says. For tests and
  /// measurements; false when nothing of it is there or a request is under way.
  bool preempt(ContextId queue);

  /// Nothing of the queue runs until it is resumed (Scheduler::suspend). True: it has stopped already.
  bool suspend(ContextId queue);
  /// It goes on when its turn comes.
  void resume(ContextId queue);

  /// Simulates until nothing is left to do. True when every packet completed, false when queues wait for ever:
  /// `deadlock()` says for what.
  bool run();
  /// Simulates everything up to and including `limit_ps`. True when nothing is left and every packet completed; false
  /// when queues wait for ever, and when the limit stopped it: then something is `left_to_do`.
  bool run(std::uint64_t limit_ps);
  /// The last `run` came to its limit before its end.
  bool left_to_do() const;
  /// A call that simulates has thrown std::overflow_error: there is work beyond the end of simulated time (2^63 ps).
  /// The machine stands still from then on: such calls do nothing and return false.
  bool failed() const;
  /// Simulates until the fence is at `value` or above; false when nothing is left that could bring it there.
  bool run_until(FenceId fence, std::uint64_t value);
  /// Simulates until `done()`, up to and including `limit_ps` at most: asked first, whenever somebody calls `pause`
  /// from inside, and in the end. Returns its last answer.
  bool run_until(const std::function<bool()>& done, std::uint64_t limit_ps);
  /// From inside the simulation, a callback or a waiter: `run_until` asks again. Else nothing happens.
  static void pause();
  /// Simulates everything up to and including `time_ps`.
  void advance_to(std::uint64_t time_ps);
  /// When something is to be done next; the highest value: nothing is left.
  std::uint64_t next_ps() const;
  /// Fences of this machine are also fences of the other one.
  bool shares_fences_with(const Machine& other) const;
  /// Another machine has signalled a fence that is shared, or host threads have begun or done background tasks; who
  /// waits here is told once `take_news` has been called.
  bool has_news() const;
  void take_news();  ///< tells waiters, and the log, of what `has_news` speaks of
  /// Host threads have background tasks, or have left news of them.
  bool working_elsewhere() const;
  /// Called on host threads, without a lock, when they have news. To be set before there are tasks.
  void when_news(std::function<void()> call);
  /// Packets submitted and not completed.
  std::uint64_t outstanding() const;
  /// One sentence per queue that waits: for which fence and value, where the fence stands, who holds the signal.
  std::vector<std::string> deadlock() const;
  /// "; held by queue ..." for each queue with a submitted signal that would bring the fence there; empty if none has.
  std::string holders(FenceId fence, std::uint64_t value) const;

  /// For simulated CPU threads: calls back from inside the simulation. The callback may submit, signal and wait.
  void call_at(std::uint64_t time_ps, Callback callback);
  /// Calls back from inside the signal that brings the fence there, before CPU threads are told. True: it is there
  /// already. The machine keeps the watcher.
  bool watch_fence(FenceId fence, std::uint64_t value, const std::shared_ptr<FenceWaiter>& watcher,
                   std::uint64_t token);
  /// ID3D12Fence's SetEventOnCompletion: true when the fence is already there, else the waiter is called once from
  /// inside, when the interrupt of the signal has been handled.
  bool on_fence(FenceId fence, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token);

  /// A CPU thread computes so long, at full speed, on the machine's cores (/host/cpu): the callback comes from inside
  /// the simulation once it has. Threads of lower numbers get the first cores.
  void compute(std::uint64_t work_ps, Callback done, std::uint64_t thread = ~std::uint64_t{0});

  /// ID3D12Device6's SetBackgroundProcessingMode, of a process's device. Empty: of the process of queues that name
  /// none. `completed` is the event (BackgroundRuntime::set_mode), called from inside the simulation or before this
  /// returns.
  ModeAnswer set_background_processing_mode(const std::string& process, const ModeRequest& request,
                                            std::function<void()> completed = {});
  /// No process has background processing any more: queued tasks are cancelled, those that run end, and events of
  /// commits are told of it.
  void end_background_processing();
  /// The driver of that process queues a background task (TaskQueue::queue_processing_work).
  bool queue_processing_work(const std::string& process, TaskMethod callback, TaskMethod cancel, void* context,
                             const TaskInfo& info = {});
  /// The process's driver as far as it measures and recompiles pipeline states; null: it does not. Lives as long as the
  /// machine. Its type is declared by what `extend.hpp` includes, as that of `pipeline_creations` is.
  PgoDriver* pgo_driver(const std::string& process);
  /// The log calls tasks with this subject so (TaskInfo).
  void name_task_subject(const std::string& process, std::uint64_t subject, const std::string& name);
  /// Of each process that has had background processing to do.
  std::map<std::string, BackgroundStatistics> background_statistics() const;

  /// How a process creates pipeline states: what that takes, which the caller spends, and the implicit shader caches of
  /// its program. Processes of one program share these; the first call for a process says which program it is of. Lives
  /// as long as the machine.
  PipelineCreations& pipeline_creations(const std::string& process, const std::string& program);
  /// Another version of the driver, from now on: what the former one compiled is of no use.
  void update_driver();
  /// Of each process that has created pipeline states.
  std::map<std::string, CreationStatistics> creation_statistics() const;

  /// The parts, for whoever looks into them: their types are declared by what `extend.hpp` includes.
  const FenceUnit& fences() const;
  const Display& display() const;           ///< frames on screen and in their queues
  const Scheduler& scheduler() const;       ///< contexts and what they wait for
  const ShaderArray& shader_array() const;  ///< SMs and who is on them

 private:
  struct Parts;
  template <class Call>
  void inside(Call&& call);
  bool await_news();
  void check(bool rests);

  std::unique_ptr<Parts> parts_;
};

}  // namespace fenceline
