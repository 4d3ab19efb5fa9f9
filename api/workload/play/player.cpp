// SPDX-License-Identifier: Apache-2.0
#include "api/workload/play/player.hpp"

#include "api/contents/resource_contents.hpp"
#include "api/pgo/measured_lists.hpp"
#include "api/workload/play/budget_waits.hpp"
#include "api/workload/play/pass_reset.hpp"
#include "api/workload/play/played_contents.hpp"
#include "api/workload/play/played_swap_chains.hpp"
#include "api/workload/play/player_thread.hpp"
#include "api/workload/play/step_listener.hpp"
#include "api/workload/program.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/scheduler.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"
#include "sim/config_error.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace fenceline {
namespace {

/// It takes a call into the driver.
bool calls(const Step& step) {
  return step.kind != Step::Kind::work && step.kind != Step::Kind::sleep_until && step.kind != Step::Kind::input &&
         step.kind != Step::Kind::update_driver && step.kind != Step::Kind::write && !is_marker(step.kind);
}

/// A queue's region is to end that has not begun: the run goes on without.
void tell_no_event(Machine& machine, const Program& program, const TimelineCursor& cursor) {
  EventLog& log = machine.log();
  log.message({Severity::warning, log.name("adapter.scheduler." + program.queues[cursor.step().queue].name),
               machine.now_ps(),
               fmt::format("{}: expected a begin_event before it on the queue that has not ended, found none: nothing "
                           "ends",
                           cursor.pointer())});
}

}  // namespace

Player::Player(Machine& machine, const Program& program, std::shared_ptr<ResourceContents> contents)
    : machine_(machine),
      program_(program),
      call_ps_(ps_of_us(machine.config().host.call_us)),
      wake_ps_(ps_of_us(machine.config().host.wake_us)),
      after_sleep_ps_(ps_of_us(machine.config().host.after_sleep_us)),
      measured_(std::make_unique<MeasuredLists>(machine, program.folded_compute, program.folded_graphics)) {
  for (const FenceInfo& fence : program.fences) {
    fences_.push_back(fence.frames_of.empty() ? machine.create_fence(fence.name, fence.initial_value) : FenceId{});
  }
  for (const ProcessConfig& process : program.processes) machine.create_process(process);
  for (const QueueConfig& queue : program.queues) queues_.push_back(machine.create_queue(queue));
  budgets_ = std::make_unique<BudgetWaits>(machine, program, [this](std::uint64_t thread) { wake(thread); });
  create_allocations(machine, program.memory);
  swap_chains_ = std::make_unique<PlayedSwapChains>(machine, program);
  input_ps_.resize(queues_.size());
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (program.frames_of[i]) fences_[i] = machine.frame_fence(swap_chains_->of(*program.frames_of[i]));
  }
  for (std::size_t i = 0; i < program.cpu_timelines.size(); ++i) {
    threads_.emplace_back(program.cpu_timelines[i], program.captured[i]);
  }
  frames_before_.resize(fences_.size());
  owners_ = fence_owners(program);
  machine.when_device_removed([this](const std::string& process, RemovalReason) { device_removed(process); });
  if (program.contents) contents_ = std::make_unique<PlayedContents>(machine, program, std::move(contents));
  open_caches();
}

std::shared_ptr<ResourceContents> Player::contents() const { return contents_ ? contents_->contents() : nullptr; }

Player::~Player() { machine_.when_device_removed({}); }

/// Those of the programs that need them, where they have files.
void Player::open_caches() {
  if (machine_.config().shader_cache.directory.empty()) return;
  for (const Timeline& timeline : program_.cpu_timelines) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        const bool creates = step.kind == Step::Kind::create_pipeline_states;
        if (!creates && step.kind != Step::Kind::shader_cache_control) continue;
        caches_[step.process] = &creations_of(step).caches();
      }
    }
  }
  check_caches();
}

/// A run does not begin, or go on, whose caches cannot be read or left in the directory that it has.
void Player::check_caches() const {
  for (const auto& [process, caches] : caches_) {
    const std::string refusal = caches->refusal();
    if (refusal.empty()) continue;
    throw ConfigError("--set", "/shader_cache/directory", "a directory whose caches can be opened",
                      fmt::format("{} ({})", in_quotes(machine_.config().shader_cache.directory), refusal));
  }
}

bool Player::play(std::uint64_t limit_ps) {
  start_ps_ = machine_.now_ps();
  budgets_->begin();
  machine_.call_at(machine_.now_ps(), Callback::to<&Player::submit_queue_timelines>(this));
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].captured) {
      threads_[i].due_ps = start_ps_;
    } else {
      machine_.call_at(machine_.now_ps(), Callback::to<&Player::run_thread>(this, i));
    }
  }
  const std::uint64_t end_ps = limit_ps < no_limit - start_ps_ ? start_ps_ + limit_ps : no_limit;
  if (act_ && act_ps_ >= start_ps_ && act_ps_ < end_ps) {
    play_captured(act_ps_);
    machine_.run(act_ps_);
    if (machine_.left_to_do() || next_captured(threads_) < threads_.size()) std::exchange(act_, nullptr)();
  }
  play_captured(end_ps);
  if (limit_ps < no_limit - start_ps_) {
    machine_.run(start_ps_ + limit_ps);
  } else {
    machine_.run();
  }
  return finished();
}

bool Player::play_again(std::uint64_t limit_ps) {
  swap_chains_->begin_pass();
  reset_pass(machine_, program_, {fences_, queues_, owners_});
  frames_before_ = frames();
  listener_ = nullptr;  // it has heard them all
  input_ps_.assign(input_ps_.size(), std::nullopt);
  threads_.clear();
  for (std::size_t i = 0; i < program_.cpu_timelines.size(); ++i) {
    threads_.emplace_back(program_.cpu_timelines[i], program_.captured[i]);
  }
  if (contents_) contents_->contents()->reset();
  return play(limit_ps);
}

std::vector<std::uint64_t> Player::frames() const {
  std::vector<std::uint64_t> frames(fences_.size());
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (program_.frames_of[i]) frames[i] = swap_chains_->presented(*program_.frames_of[i]);
  }
  return frames;
}

bool Player::finished() const {
  // Frames may wait for the screen, and background tasks run, when all packets are complete.
  return machine_.outstanding() == 0 && !machine_.bugchecked() && !machine_.left_to_do() &&
         std::all_of(threads_.begin(), threads_.end(),
                     [](const PlayerThread& thread) { return thread.cursor.at_end(); });
}

bool Player::limited() const {
  return !finished() && (machine_.left_to_do() || next_captured(threads_) < threads_.size());
}

void Player::submit_queue_timelines(std::uint64_t) {
  for (const Timeline& timeline : program_.queue_timelines) {
    for (TimelineCursor cursor(timeline); !cursor.at_end(); cursor.next()) {
      if (listener_ != nullptr) listener_->queue_begins(cursor.step().queue, cursor);
      submit(cursor);
    }
  }
}

void Player::submit(const TimelineCursor& cursor) {
  const Step& step = cursor.step();
  const ContextId queue = queues_[step.queue];
  if (step.kind == Step::Kind::queue_signal) {
    machine_.signal(queue, fences_[step.fence], cursor.value());
  } else if (step.kind == Step::Kind::queue_wait) {
    machine_.wait(queue, fences_[step.fence], cursor.value() + frames_before_[step.fence]);
  } else if (step.kind == Step::Kind::present) {
    present(step);
  } else if (is_marker(step.kind)) {
    if (!machine_.mark(queue, marker_of(step))) tell_no_event(machine_, program_, cursor);
  } else {
    const std::string& process = program_.queues[step.queue].process;
    for (const std::uint32_t list : step.lists) {
      auto effects = measured_->effects_of(process, program_.lists[list]);
      if (contents_) {
        contents_->execute(queue, step.queue, list, std::move(effects));
      } else {
        machine_.execute(queue, program_.lists[list], std::move(effects));
      }
    }
  }
}

void Player::present(const Step& step) {
  if (machine_.device_removed(program_.queues[step.queue].process)) return;
  Frame frame;
  frame.interval = step.interval;
  frame.tearing = step.tearing;
  frame.restart = step.restart;
  frame.input_ps = std::exchange(input_ps_[step.queue], {});
  if (!swap_chains_->is_open(step.swap_chain)) return;
  machine_.present(queues_[step.queue], swap_chains_->of(step.swap_chain), frame);
}

/// False: the thread goes on later.
bool Player::wait_vblank(std::uint64_t index) {
  PlayerThread& thread = threads_[index];
  thread.waiting = !thread.waiting;  // else it has just been woken
  if (!thread.waiting) return true;
  machine_.wait_vblank(output_named(machine_.config().display, thread.cursor.step().name).value(),
                       Callback::to<&Player::wake>(this, index));
  return false;
}

/// The thread's steps up to the first that takes time or blocks.
void Player::run_thread(std::uint64_t index) {
  PlayerThread& thread = threads_[index];
  while (!thread.cursor.at_end()) {
    const Step& step = thread.cursor.step();
    if (listener_ != nullptr && !std::exchange(thread.told, true)) {
      listener_->thread_begins(index, thread.cursor, machine_.now_ps());
    }
    if (calls(step) && std::exchange(thread.slept, false) && after_sleep_ps_ > 0 && !thread.captured) {
      machine_.call_at(machine_.now_ps() + after_sleep_ps_, Callback::to<&Player::run_thread>(this, index));
      return;
    }
    if (listener_ != nullptr) listener_->thread_acts(index, machine_.now_ps());
    std::uint64_t cost_ps = thread.captured ? 0 : call_ps_;
    switch (step.kind) {
      case Step::Kind::work: cost_ps = step.work_ps; break;
      case Step::Kind::sleep_until: {
        const std::uint64_t until_ps = start_ps_ + thread.cursor.until_ps();
        cost_ps = until_ps - std::min(until_ps, machine_.now_ps());
        thread.slept = thread.slept || cost_ps > 0;
        break;
      }
      case Step::Kind::fence_signal: machine_.signal(fences_[step.fence], thread.cursor.value()); break;
      case Step::Kind::fence_wait:
        if (thread.waiting) {
          thread.waiting = false;  // it has just been woken
        } else if (const std::uint64_t value = thread.cursor.value() + frames_before_[step.fence];
                   !machine_.on_fence(fences_[step.fence], value, *this, index)) {
          thread.waiting = true;
          return;
        }
        break;
      case Step::Kind::wait_vblank:
        if (!wait_vblank(index)) return;
        break;
      case Step::Kind::input:
        input_ps_[step.queue] = machine_.now_ps();
        cost_ps = 0;
        break;
      case Step::Kind::write:
        contents_->write(thread.cursor.timeline().owner, step);
        cost_ps = 0;
        break;
      case Step::Kind::create_device: create_device(step); break;
      case Step::Kind::make_resident:
        if (!make_resident(index)) return;
        break;
      case Step::Kind::evict:
      case Step::Kind::set_residency_priority:
      case Step::Kind::set_video_memory_reservation: change_residency(machine_, program_, step); break;
      case Step::Kind::wait_for_budget_change:
        thread.waiting = !thread.waiting && !budgets_->wait(index, process_of(program_, step));
        if (thread.waiting) return;
        break;
      case Step::Kind::compose: machine_.compose(swap_chains_->of(step.swap_chain)); break;
      case Step::Kind::close_swap_chain: swap_chains_->close(step.swap_chain); break;
      case Step::Kind::focus: machine_.set_focus(process_of(program_, step)); break;
      case Step::Kind::set_priority:
        machine_.set_priority(queues_[step.queue], step.in_process_priority, step.realtime_level);
        break;
      case Step::Kind::set_process_priority:
        machine_.set_priority(process_of(program_, step), step.priority, step.realtime_level.value_or(0));
        break;
      case Step::Kind::set_background_processing_mode:
        if (!machine_.device_removed(process_of(program_, step))) set_background_processing_mode(thread);
        break;
      case Step::Kind::queue_processing_work:
        if (!machine_.device_removed(process_of(program_, step))) queue_processing_work(step);
        break;
      case Step::Kind::create_pipeline_states:
        if (const auto takes_ps = create_pipeline_state(thread)) {
          spend(index, cost_ps + *takes_ps, true);
          return;
        }
        cost_ps = 0;
        break;
      case Step::Kind::shader_cache_control: creations_of(step).caches().control(step.cache, step.control); break;
      case Step::Kind::update_driver:
        machine_.update_driver();
        check_caches();
        cost_ps = 0;
        break;
      case Step::Kind::begin_event:
      case Step::Kind::end_event:
      case Step::Kind::set_marker:
        submit(thread.cursor);
        cost_ps = 0;
        break;
      case Step::Kind::execute:
      case Step::Kind::queue_signal:
      case Step::Kind::queue_wait:
      case Step::Kind::present: submit(thread.cursor); break;
    }
    const bool computing = step.kind != Step::Kind::sleep_until;
    const TimelineCursor before = thread.cursor;
    thread.told = false;
    if (thread.cursor.may_leave() && thread.steady) {
      thread.cursor.leave();
    } else {
      thread.cursor.next();
    }
    if (thread.cursor.at_end() || !thread.cursor.is_in_iteration_of(before)) thread.steady = false;
    const bool lets_others_go = thread.captured && step.kind == Step::Kind::work;
    if (cost_ps > 0 || lets_others_go) {
      spend(index, cost_ps, computing);
      return;
    }
  }
}

void Player::set_background_processing_mode(PlayerThread& thread) {
  const Step& step = thread.cursor.step();
  std::function<void()> completed;
  if (step.mode.has_event) {
    // The machine's end brings commits to theirs, when the player and those of its threads that wait may be gone.
    completed = [this, life = std::weak_ptr<bool>(life_), fence = fences_[step.fence], value = thread.cursor.value()] {
      if (!life.expired()) machine_.signal(fence, value);
    };
  }
  thread.steady =
      !machine_.set_background_processing_mode(process_of(program_, step), step.mode, completed).further_desired;
}

void Player::queue_processing_work(const Step& step) {
  const TaskMethod nothing = [](void*) {};
  for (std::uint64_t i = 0; i < step.count; ++i) {
    machine_.queue_processing_work(process_of(program_, step), nothing, nullptr, nullptr, {0, step.task_ps});
  }
}

PipelineCreations& Player::creations_of(const Step& step) {
  const std::string& process = process_of(program_, step);
  const bool named = step.process != Step::no_process && !program_.processes[step.process].program.empty();
  return machine_.pipeline_creations(process, named ? program_.processes[step.process].program : process);
}

/// The one that was begun is there; begins the next of the step. What that takes, picoseconds; nothing: all are there.
std::optional<std::uint64_t> Player::create_pipeline_state(PlayerThread& thread) {
  const Step& step = thread.cursor.step();
  PipelineCreations& creations = creations_of(step);
  if (thread.creating) {
    creations.end(*thread.creating, machine_.now_ps());
    thread.creating.reset();
    ++thread.created;
  }
  if (thread.created == step.count) {
    thread.created = 0;
    return {};
  }
  const CreatablePipeline& pipeline = program_.created[step.pipeline];
  thread.creating =
      creations.begin(numbered(pipeline, thread.cursor.value() + thread.created), pipeline.name, machine_.now_ps());
  return thread.creating->takes.cpu_ps;
}

void Player::fence_reached(std::uint64_t thread, Signaller) { wake(thread); }

}  // namespace fenceline
