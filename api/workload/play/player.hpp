// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class ImplicitCaches;
class MeasuredLists;
class PipelineCreations;
class PlayedContents;
class PlayedSwapChains;
class ResourceContents;
class StepListener;
class TimelineCursor;
struct Program;
struct Step;

class BudgetWaits;
struct PlayerThread;
struct ProgramMemory;

/// The program's resources in video memory become the machine's, which has none yet: std::invalid_argument.
void create_allocations(Machine& machine, const ProgramMemory& memory);

/// By fence the processes whose device's it is: its own one, or, where it names none, those whose queues signal it.
std::vector<std::vector<std::string>> fence_owners(const Program& program);

/// What a step of evict, set_residency_priority or set_video_memory_reservation does.
void change_residency(Machine& machine, const Program& program, const Step& step);

/// Plays a program on a machine, once: queue timelines are submitted at the machine's present time, CPU threads start
/// then and run as simulated threads. Captured ones act from outside the simulation, as the program's own did.
class Player : private FenceWaiter {
 public:
  /// Creates the program's fences, processes and queues on the machine. Both must outlive the player. Where the program
  /// acts on bytes these are in `contents`, which may have been played before (ResourceContents::reset); null: new
  /// ones.
  Player(Machine& machine, const Program& program, std::shared_ptr<ResourceContents> contents = nullptr);
  ~Player() override;
  /// Steps of `play` are told to the listener, which outlives the player. Before it.
  void listen(StepListener& listener) { listener_ = &listener; }

  /// `act` is called once from `play`, when all that happens by this time of the machine has; not where all is over
  /// before. Before `play`.
  void act_at(std::uint64_t time_ps, std::function<void()> act) {
    act_ps_ = time_ps;
    act_ = std::move(act);
  }

  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};  ///< of `play`

  /// Plays to the end, or everything up to and including `limit_ps` after the start. False when queues or CPU threads
  /// wait for ever, `deadlock()` says for what, and when the limit came first: `unfinished()` says what was left.
  bool play(std::uint64_t limit_ps = no_limit);
  /// Once more, after what came before has completed: fences and priorities are as in the beginning, and the machine is
  /// warm (docs/replay.md, rules 20 and 21).
  bool play_again(std::uint64_t limit_ps = no_limit);
  /// The limit came before the end.
  bool limited() const;
  /// One sentence per queue or CPU thread that waits.
  std::vector<std::string> deadlock() const;
  /// One sentence per queue with packets that have not completed, and per CPU thread that has steps left.
  std::vector<std::string> unfinished() const;

  /// What its resources contain, from the start on; null: the program does not act on bytes.
  std::shared_ptr<ResourceContents> contents() const;
  ContextId queue(std::size_t index) const { return queues_[index]; }  ///< by its place in Program::queues
  FenceId fence(std::size_t index) const { return fences_[index]; }    ///< by its place in Program::fences
  /// By fence of the program: how many frames have been presented so far to the swap chain whose frames it counts; 0:
  /// it counts none.
  std::vector<std::uint64_t> frames() const;

 private:
  bool finished() const;
  void submit_queue_timelines(std::uint64_t);
  void run_thread(std::uint64_t thread);
  void submit(const TimelineCursor& cursor);
  void present(const Step& step);
  void play_captured(std::uint64_t limit_ps);
  void wake(std::uint64_t index);
  bool wait_vblank(std::uint64_t index);
  void set_background_processing_mode(PlayerThread& thread);
  void queue_processing_work(const Step& step);
  std::optional<std::uint64_t> create_pipeline_state(PlayerThread& thread);
  PipelineCreations& creations_of(const Step& step);
  void device_removed(const std::string& process);
  void create_device(const Step& step);
  void open_caches();
  void check_caches() const;
  void spend(std::uint64_t index, std::uint64_t cost_ps, bool computing);
  bool make_resident(std::uint64_t index);
  void fence_reached(std::uint64_t thread, Signaller by) override;

  Machine& machine_;
  const Program& program_;
  std::uint64_t call_ps_;
  std::uint64_t wake_ps_;
  std::uint64_t after_sleep_ps_;
  std::uint64_t start_ps_ = 0;                          // of play
  std::vector<FenceId> fences_;                         // by fence of the program
  std::vector<std::uint64_t> frames_before_;            // the same: of earlier passes
  std::vector<ContextId> queues_;                       // by queue of the program
  std::vector<std::optional<std::uint64_t>> input_ps_;  // by queue of the program: of its next frame
  std::vector<std::vector<std::string>> owners_;        // processes, by fence of the program
  std::vector<PlayerThread> threads_;
  StepListener* listener_ = nullptr;
  std::uint64_t act_ps_ = 0;
  std::function<void()> act_;                              // empty: nothing, or it has been called
  bool woken_ = false;                                     // a captured thread has just been
  std::map<std::uint32_t, const ImplicitCaches*> caches_;  // with files; by process
  std::unique_ptr<MeasuredLists> measured_;
  std::unique_ptr<BudgetWaits> budgets_;
  std::unique_ptr<PlayedSwapChains> swap_chains_;
  std::unique_ptr<PlayedContents> contents_;                   // null: the program does not act on bytes
  std::shared_ptr<bool> life_ = std::make_shared<bool>(true);  // events of commits look whether it has ended
};

}  // namespace fenceline
