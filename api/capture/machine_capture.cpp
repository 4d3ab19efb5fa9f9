// SPDX-License-Identifier: Apache-2.0
#include "api/capture/machine_capture.hpp"

#include "api/capture/captured_markers.hpp"
#include "api/capture/captured_queue.hpp"
#include "api/machine.hpp"
#include "api/workload/workload.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/residency/residency_statistics.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/config.hpp"
#include "sim/files/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

/// What an execution depends on bytes for.
bool depends_on_bytes(const CommandStream& stream) {
  return std::any_of(stream.commands.begin(), stream.commands.end(), [](const Command& command) {
    const auto* const set = std::get_if<SetPredication>(&command);
    return std::holds_alternative<ExecuteIndirect>(command) || (set != nullptr && set->reads);
  });
}

}  // namespace

MachineCapture::MachineCapture(Machine& machine, OutputFile& file, const std::string& name, std::uint64_t start_ps,
                               std::function<void(const std::string& text)> tell)
    : machine_(machine),
      tell_(std::move(tell)),
      threads_(
          start_ps, [this](std::size_t thread, json step) { add(thread, std::move(step)); },
          [this](const std::string& thread) {
            batch_.objects.push_back(
                {{"cpus", json::array({{{"name", thread}, {"captured", true}, {"timeline", json::array()}}})}});
          }),
      swap_chains_(batch_, machine.config().display),
      reached_(std::make_shared<ReachedFences>(machine)),
      before_(std::make_shared<UnheardSignals>(
          [this](FenceId fence, std::uint64_t value) { others_signalled(machine_.moment(), fence, value); })),
      this_(std::make_shared<MachineCapture*>(this)) {
  json workload = {{"name", name}, {"source", "captured"}};
  for (const char* const key : {"resources", "compute_pipelines", "graphics_pipelines", "fences", "command_lists",
                                "queues", "swap_chains", "cpus"}) {
    workload[key] = json::array();
  }
  MachineConfig config = machine.config();
  config.shader_cache.directory.clear();  // documents say no directory, and tasks of theirs are simulated
  config.background_processing.executor = TaskExecution::simulated;
  writing_.emplace(file, workload, dump_config(config));
  machine_.listen(this);
  expect_pending();
}

/// Of what the queues have already only what it does to fences is captured, as signals by the CPU when they take place.
void MachineCapture::expect_pending() {
  const Scheduler& scheduler = machine_.scheduler();
  bool lists = false;
  const auto expect = [&](const QueuePacket& packet) {
    lists = lists || packet.type == PacketType::render;
    if (packet.type == PacketType::signal) {
      before_->expect(machine_, packet.fence, packet.value, before_);
    }
  };
  for (std::uint32_t i = 0; i < scheduler.contexts(); ++i) {
    if (scheduler.freed(static_cast<ContextId>(i))) continue;
    const Context& context = scheduler.context(static_cast<ContextId>(i));
    for (const Context::InFlight& one : context.in_flight) {
      lists = true;
      for (const QueuePacket& signal : one.signals) expect(signal);
    }
    for (const QueuePacket& packet : context.software_queue) expect(packet);
  }
  if (lists) other_work("the lists that were under way when it began, but for the fences behind them");
}

MachineCapture::~MachineCapture() {
  *this_ = nullptr;
  before_->forget();
  if (!finished_) machine_.listen(nullptr);
}

bool MachineCapture::finish() {
  if (finished_) return false;
  look_at_paging();
  const WorkMoment at = machine_.moment();
  guarded([&] { bytes_.look_at_all(writes_at(at)); });
  write_pending(true);
  writing_->finish();
  hear_of_errors();
  finished_ = true;
  *this_ = nullptr;
  machine_.listen(nullptr);
  return !failed_;
}

/// What the file's errors come to: the program's calls may not throw.
template <class Call>
void MachineCapture::guarded(const Call& call) {
  if (failed_ || finished_) return;
  try {
    call();
  } catch (const std::exception& error) {
    failed_ = true;
    tell_(error.what());
  }
}

/// What the thread that writes has met.
void MachineCapture::hear_of_errors() {
  if (writing_->mixed()) other_work("which variants of a pipeline state the draws of an ExecuteIndirect had");
  const std::string error = failed_ ? std::string() : writing_->error();
  if (error.empty()) return;
  failed_ = true;
  tell_(error);
}

/// What is told once: whoever plays it does not see this.
void MachineCapture::other_work(const char* what) {
  if (told_.insert(what).second) tell_(fmt::format("not captured: {}", what));
}

/// Residency leaves no trace in a timeline but where something moved, lay elsewhere or was not there for its use.
void MachineCapture::look_at_paging() {
  if (!machine_.is_paging()) return;
  const ResidencyStatistics all = machine_.residency_statistics();
  if (all.paging_packets > 0 || all.demoted_bytes > 0 || all.waited_ps > 0) {
    other_work("paging of video memory, and what waits for it");
  }
  bool faulted = machine_.page_fault("").has_value();
  for (const std::string& process : processes_) faulted = faulted || machine_.page_fault(process);
  if (faulted) other_work("a page fault, and that it removed the device");
}

void MachineCapture::queue_created(ContextId queue, const QueueConfig& config) {
  const std::string name = unique_name(config.name, queue_names_);
  queues_[queue] = {name, config.type};
  if (!config.process.empty() && processes_.insert(config.process).second) {
    batch_.objects.push_back({{"processes", json::array({{{"name", config.process}}})}});
  }
  batch_.objects.push_back({{"queues", json::array({captured_queue(config, name, machine_.open_events(queue))})}});
}

void MachineCapture::fence_created(FenceId fence, const std::string& name, std::uint64_t value) {
  if (swap_chains_.counts_frames(fence)) return;
  fences_[fence] = unique_name(name, fence_names_);
  json object = {{"name", fences_[fence]}};
  if (value > 0) object["initial_value"] = value;
  batch_.objects.push_back({{"fences", json::array({object})}});
}

void MachineCapture::swap_chain_created(SwapChainId chain, const SwapChainPlace& place, FenceId frames) {
  swap_chains_.created(chain, place, frames, machine_.display().presented(chain).presented);
}

std::shared_ptr<CommandEffects> MachineCapture::executed(const WorkMoment& at, ContextId queue,
                                                         const std::shared_ptr<const CommandStream>& stream,
                                                         std::shared_ptr<CommandEffects> effects,
                                                         const std::shared_ptr<StreamBytes>& bytes) {
  if (failed_) return effects;
  look_at_paging();
  const Queue& on = queues_.at(queue);
  const CommandListType type = command_list_type(on.type);
  json step = {{"type", "execute"}, {"queue", on.name}};
  std::vector<ActedCommand> acts;
  if (bytes != nullptr) {
    guarded([&] { bytes_.look_at(bytes, writes_at(at)); });
    acts = bytes->acts();
  }
  const bool measured = effects != nullptr && !stream->root_constants.empty() && machine_.pgo_driver("") != nullptr;
  const bool shows_later = std::any_of(acts.begin(), acts.end(), [](const auto& one) { return one.shows_when_done; });
  next_list_ = CapturedExecution{{*stream, type}};
  if (effects != nullptr && (measured || shows_later || depends_on_bytes(*stream))) {
    next_effects_ = std::make_shared<CapturedEffects>(stream, std::move(effects), outcomes_of(acts));
    effects = next_effects_;
  } else if (known_lists_.insert(next_list_->key).second) {
    next_list_->stream = bytes != nullptr ? bytes->region() : stream;
    if (next_list_->key.place != nullptr) kept_.push_back(stream);
    next_list_->outcomes = outcomes_of(acts);
  }
  if (!acts.empty()) follow(*bytes, std::move(acts));
  submits(at, std::move(step));
  return effects;
}

/// The calling thread has written that before.
CapturedBytes::Write MachineCapture::writes_at(const WorkMoment& at) {
  return [this, &at](json step) { threads_.act(at, std::move(step)); };
}

/// What is known of them before they run.
CapturedOutcomes MachineCapture::outcomes_of(const std::vector<ActedCommand>& acts) {
  CapturedOutcomes outcomes;
  guarded([&] {
    for (const ActedCommand& one : acts) {
      if (!one.shows_when_done) outcomes.effects[one.command] = bytes_.effects_of(one);
      if (!one.predicated) outcomes.not_predicated.insert(one.command);
    }
  });
  return outcomes;
}

/// What the list's commands write is the GPU's, and of some it shows then alone what that is.
void MachineCapture::follow(StreamBytes& bytes, std::vector<ActedCommand> acts) {
  std::map<std::size_t, ActedCommand> by_command;
  for (ActedCommand& one : acts) by_command[one.command] = std::move(one);
  bytes.when_done([capture = this_, &bytes, by_command = std::move(by_command),
                   list = std::weak_ptr<CapturedEffects>(next_effects_)](std::size_t command) {
    if (*capture == nullptr) return;
    const ActedCommand& done = by_command.at(command);
    (*capture)->guarded([&] {
      if (!done.shows_when_done) return (*capture)->bytes_.gpu_wrote(done);
      nlohmann::json effects = (*capture)->bytes_.effects_of(bytes.done(command));
      if (const auto into = list.lock()) into->add_effects(command, std::move(effects));
    });
  });
}

/// A step that puts something into a queue, of which the file is to tell whatever becomes of the process.
void MachineCapture::submits(const WorkMoment& at, json step) {
  next_submits_ = true;
  threads_.act(at, std::move(step));
  next_submits_ = false;
  next_list_.reset();
  next_effects_.reset();
  if (!at.inside) write_pending(false);
}

void MachineCapture::queue_signalled(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) {
  guarded([&] { bytes_.look_at_those_under_way(writes_at(at)); });
  threads_.signalled(fence, value);
  auto step = with_fence({{"type", "queue_signal"}, {"queue", queues_.at(queue).name}}, fence, value);
  if (step) submits(at, std::move(*step));
}

void MachineCapture::queue_waited(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) {
  looks_ahead(fence, value);
  auto step = with_fence({{"type", "queue_wait"}, {"queue", queues_.at(queue).name}}, fence, value);
  if (step) submits(at, std::move(*step));
}

void MachineCapture::queue_marked(const WorkMoment& at, ContextId queue, const Marker& marker) {
  threads_.act(at, marker_step(marker, queues_.at(queue).name));
}

void MachineCapture::presented(const WorkMoment& at, ContextId queue, SwapChainId chain, const Frame& frame) {
  const Queue& on = queues_.at(queue);
  const FenceId frames = swap_chains_.frames_of(chain);
  if (!swap_chains_.is_there(chain)) {
    fences_[frames] = unique_name(machine_.fences().name_of(frames), fence_names_);
  }
  const auto to = swap_chains_.presents(chain, queue, on.name, fences_[frames], queue_names_);
  if (!to) {
    fences_.erase(frames);
    return other_work("frames of a window of a compositor that is not there, or presents to several swap chains");
  }
  if (!to->is_its_queue) other_work("several queues of a swap chain");
  json step = {{"type", "present"}, {"queue", on.name}};
  if (!to->name.empty() && to->is_its_queue) step["swap_chain"] = to->name;
  if (frame.interval != 1) step["interval"] = frame.interval;
  if (frame.tearing) step["tearing"] = true;
  if (frame.restart) step["restart"] = true;
  submits(at, std::move(step));
}

void MachineCapture::cpu_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  if (at.inside) other_work("at which point of a moment the driver signals a fence");
  guarded([&] { bytes_.look_at_those_under_way(writes_at(at)); });
  threads_.signalled(fence, value);
  auto step = with_fence({{"type", "fence_signal"}}, fence, value);
  if (step) submits(at, std::move(*step));
}

/// By no thread that is known here.
void MachineCapture::others_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  WorkMoment inside = at;
  inside.inside = true;
  guarded([&] { bytes_.look_at_those_under_way(writes_at(inside)); });  // what waits for it may read another's bytes
  if (const auto step = with_fence({{"type", "fence_signal"}}, fence, value)) threads_.act(inside, *step);
}

/// Waits may know of another adapter's signal before those that came earlier have been told.
void MachineCapture::looks_ahead(FenceId fence, std::uint64_t value) {
  const FenceUnit& fences = machine_.fences();
  if (fences.freed(fence) || !fences.moved_ahead(fence) || fences.value(fence) < value) return;
  other_work("waits for what another adapter has signalled, before its interrupt has been handled");
}

/// As a signal of the highest value, which what waits for it takes as it takes the end.
void MachineCapture::fence_ended(const WorkMoment& at, FenceId fence) {
  constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  if (swap_chains_.counts_frames(fence) || fences_.count(fence) == 0) return;
  threads_.act(at, {{"type", "fence_signal"}, {"fence", fences_[fence]}, {"value", highest}});
  if (!at.inside) write_pending(false);
}

void MachineCapture::all_fences_ended(const WorkMoment& at) {
  if (at.inside) return;  // the removal of a device by the machine, which whoever plays it meets again
  const std::map<FenceId, std::string> all = fences_;
  for (const auto& [fence, name] : all) fence_ended(at, fence);
}

void MachineCapture::swap_chain_closed(SwapChainId chain) {
  if (!swap_chains_.is_there(chain)) return;  // as far as the capture knows, nobody presents to it
  threads_.act(machine_.moment(), {{"type", "close_swap_chain"}, {"swap_chain", swap_chains_.name(chain)}});
}

void MachineCapture::cpu_awaits(FenceId fence, std::uint64_t value) {
  looks_ahead(fence, value);
  const auto token = reached_->await(fence, value);
  if (token) machine_.watch_fence(fence, value, reached_, *token);
}

void MachineCapture::thread_waited(const WorkMoment& at, FenceId fence, std::uint64_t value, std::uint64_t since_ps,
                                   std::uint64_t told_ps) {
  if (!failed_ && !finished_) writing_->drain();
  looks_ahead(fence, value);
  const auto reached_ps = reached_->time(fence, value, told_ps);
  const auto step = with_fence({{"type", "fence_wait"}}, fence, value);
  if (!step) return;
  if (machine_.completed_value(fence) < value) return other_work("waits for a fence that was rewound since");
  // Whoever plays it asks at `since_ps`: then the fence is there, or it is told as the thread was.
  const std::uint64_t then_ps = reached_ps.value_or(told_ps);
  threads_.waited(at, *step, since_ps, then_ps <= since_ps ? since_ps : std::max(told_ps, then_ps));
  threads_.is_news(at, fence, value);
  reached_->forget(fence, value);
}

void MachineCapture::thread_saw(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  if (!threads_.is_news(at, fence, value)) return;
  looks_ahead(fence, value);
  const auto step = with_fence({{"type", "fence_wait"}}, fence, value);
  if (step) threads_.waited(at, *step, at.now_ps, at.now_ps);
}

void MachineCapture::thread_waited_vblank(const WorkMoment& at, OutputId output, std::uint64_t since_ps,
                                          std::uint64_t told_ps) {
  json step = {{"type", "wait_vblank"}};
  if (output != OutputId{}) step["output"] = swap_chains_.output_name(output);
  threads_.waited(at, step, since_ps, told_ps);
}

/// The step with the fence's name and value; nothing: the capture does not know it.
std::optional<json> MachineCapture::with_fence(json step, FenceId fence, std::uint64_t value) {
  const auto known = fences_.find(fence);
  if (known == fences_.end()) {
    other_work("waits for frames that were presented before");
    return std::nullopt;
  }
  const std::uint64_t before = swap_chains_.frames_before(fence);
  if (before > 0 && value <= before) return std::nullopt;
  step["fence"] = known->second;
  step["value"] = value - before;
  return step;
}

void MachineCapture::add(std::size_t thread, json step) {
  // The step that submits comes last of what `act` adds: what is in front of it is work.
  const bool is_work = step["type"] == "work" || step["type"] == "sleep_until";
  Pending& pending = pending_.emplace_back();
  pending.step = {thread, std::move(step), {}};
  if (is_work) return;
  pending.step.list = std::exchange(next_list_, std::nullopt);
  pending.effects = next_effects_;
  pending.submits = next_submits_;
}

/// What is known to the end is written, in order; else what is known of all.
void MachineCapture::write_pending(bool all) {
  if (failed_ || finished_) return;
  while (!pending_.empty()) {
    Pending& next = pending_.front();
    if (next.effects != nullptr) {
      if (!next.effects->finished() && !all) break;
      next.step.list->stream = next.effects->kept_stream();
      next.step.list->outcomes = next.effects->outcomes();
      next.step.list->once = true;
    }
    batch_.flush = batch_.flush || next.submits;
    batch_.steps.push_back(std::move(next.step));
    pending_.pop_front();
  }
  writing_->let_go();
  hear_of_errors();
  if (!batch_.empty() && !failed_) writing_->write(std::exchange(batch_, {}));
}

}  // namespace fenceline
