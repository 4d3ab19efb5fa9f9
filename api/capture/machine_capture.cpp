// SPDX-License-Identifier: Apache-2.0
#include "api/capture/machine_capture.hpp"

#include "api/capture/captured_markers.hpp"
#include "api/capture/captured_queue.hpp"
#include "api/machine.hpp"
#include "api/workload/workload.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
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

constexpr const char* paging = "paging of video memory, and what waits for it";

/// What an execution depends on bytes for.
bool depends_on_bytes(const CommandStream& stream) {
  return std::any_of(stream.commands.begin(), stream.commands.end(), [](const Command& command) {
    const auto* const set = std::get_if<SetPredication>(&command);
    return std::holds_alternative<ExecuteIndirect>(command) || (set != nullptr && set->reads);
  });
}

}  // namespace

/// When fences came to the values that threads await.
class MachineCapture::Reached final : public FenceWaiter {
 public:
  explicit Reached(const Machine& machine) : machine_(machine) {}
  /// A wait for it begins, which the machine is to tell of under the number that comes back. Nothing: it is known of.
  std::optional<std::uint64_t> await(FenceId fence, std::uint64_t value) {
    if (!times_.try_emplace({fence, value}).second) return std::nullopt;
    awaited_[next_] = {fence, value};
    return next_++;
  }
  void fence_reached(std::uint64_t token, Signaller) override {
    const auto awaited = awaited_.find(token);
    const auto time = times_.find(awaited->second);
    if (time != times_.end()) time->second = machine_.now_ps();
    awaited_.erase(awaited);
  }
  /// Nothing: it was there before anybody waited, or is not yet.
  std::optional<std::uint64_t> time(FenceId fence, std::uint64_t value) const {
    const auto found = times_.find({fence, value});
    return found != times_.end() ? found->second : std::nullopt;
  }
  /// Nobody asks for lower values of the fence any more.
  void forget(FenceId fence, std::uint64_t below) {
    const auto end = times_.lower_bound({fence, below});
    for (auto time = times_.lower_bound({fence, 0}); time != end;) time = time->second ? times_.erase(time) : ++time;
  }

 private:
  const Machine& machine_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, std::pair<FenceId, std::uint64_t>> awaited_;  // by number
  std::map<std::pair<FenceId, std::uint64_t>, std::optional<std::uint64_t>> times_;
};

/// Signals by queues whose packets the capture has not heard.
class MachineCapture::Before final : public FenceWaiter {
 public:
  explicit Before(MachineCapture& capture) : capture_(&capture) {}
  void expect(Machine& machine, FenceId fence, std::uint64_t value, const std::shared_ptr<Before>& self) {
    expected_.emplace_back(fence, value);
    if (machine.watch_fence(fence, value, self, expected_.size() - 1)) expected_.pop_back();
  }
  void fence_reached(std::uint64_t token, Signaller) override {
    if (capture_ == nullptr) return;
    const auto& [fence, value] = expected_[token];
    capture_->others_signalled(capture_->machine_.moment(), fence, value);
  }
  /// The capture is over.
  void forget() { capture_ = nullptr; }

 private:
  MachineCapture* capture_;
  std::vector<std::pair<FenceId, std::uint64_t>> expected_;
};

MachineCapture::MachineCapture(Machine& machine, OutputFile& file, const std::string& name, std::uint64_t start_ps,
                               std::function<void(const std::string& text)> tell)
    : machine_(machine),
      tell_(std::move(tell)),
      threads_(
          start_ps, [this](std::size_t thread, json step) { add(thread, std::move(step)); },
          [this](const std::string& thread) {
            add_objects_.push_back(
                {{"cpus", json::array({{{"name", thread}, {"captured", true}, {"timeline", json::array()}}})}});
          }),
      reached_(std::make_shared<Reached>(machine)),
      before_(std::make_shared<Before>(*this)) {
  json workload = {{"name", name}, {"source", "captured"}};
  for (const char* const key :
       {"compute_pipelines", "graphics_pipelines", "fences", "command_lists", "queues", "cpus"}) {
    workload[key] = json::array();
  }
  MachineConfig config = machine.config();
  config.shader_cache.directory.clear();  // documents say no directory, and tasks of theirs are simulated
  config.background_processing.executor = TaskExecution::simulated;
  writer_.emplace(file, workload, dump_config(config));
  lists_.emplace(*writer_);
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
  before_->forget();
  if (!finished_) machine_.listen(nullptr);
}

bool MachineCapture::finish() {
  if (finished_) return false;
  if (machine_.is_paging()) other_work(paging);
  write_pending(true);
  const bool whole = !failed_;
  guarded([&] { writer_->finish(); });
  finished_ = true;
  machine_.listen(nullptr);
  return whole && !failed_;
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

void MachineCapture::other_work(const char* what) {
  if (told_.insert(what).second) tell_(fmt::format("not captured: {}", what));
}

void MachineCapture::queue_created(ContextId queue, const QueueConfig& config) {
  const std::string name = unique_name(config.name, queue_names_);
  queues_[queue] = {name, config.type};
  if (!config.process.empty() && processes_.insert(config.process).second) {
    add_objects_.push_back({{"processes", json::array({{{"name", config.process}}})}});
  }
  add_objects_.push_back({{"queues", json::array({captured_queue(config, name, machine_.open_events(queue))})}});
}

void MachineCapture::fence_created(FenceId fence, const std::string& name, std::uint64_t value) {
  if (frame_fences_.count(fence) > 0) return;
  fences_[fence] = unique_name(name, fence_names_);
  json object = {{"name", fences_[fence]}};
  if (value > 0) object["initial_value"] = value;
  add_objects_.push_back({{"fences", json::array({object})}});
}

void MachineCapture::swap_chain_created(SwapChainId chain, const SwapChainPlace& place, FenceId frames) {
  chains_[chain] = {place, frames, {}, machine_.display().presented(chain).presented, 0};
  frame_fences_[frames] = chain;
  if (place.output != OutputId{} || place.composed_by) other_work("to which output a swap chain presents");
}

std::shared_ptr<CommandEffects> MachineCapture::executed(const WorkMoment& at, ContextId queue,
                                                         const std::shared_ptr<const CommandStream>& stream,
                                                         std::shared_ptr<CommandEffects> effects) {
  if (failed_) return effects;
  if (machine_.is_paging()) other_work(paging);
  const Queue& on = queues_.at(queue);
  const CommandListType type = command_list_type(on.type);
  json step = {{"type", "execute"}, {"queue", on.name}};
  const bool measured = effects != nullptr && !stream->root_constants.empty() && machine_.pgo_driver("") != nullptr;
  if (effects != nullptr && (measured || depends_on_bytes(*stream))) {
    next_list_ = std::make_shared<CapturedEffects>(stream, std::move(effects));
    next_type_ = type;
    effects = next_list_;
  } else {
    guarded([&] {
      write_objects();
      step["lists"] = json::array({lists_->name_of(stream, type)});
    });
  }
  submits(at, std::move(step));
  return effects;
}

/// A step that puts something into a queue, of which the file is to tell whatever becomes of the process.
void MachineCapture::submits(const WorkMoment& at, json step) {
  next_submits_ = true;
  threads_.act(at, std::move(step));
  next_submits_ = false;
  next_list_.reset();
  if (!at.inside) write_pending(false);
}

void MachineCapture::queue_signalled(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) {
  auto step = with_fence({{"type", "queue_signal"}, {"queue", queues_.at(queue).name}}, fence, value);
  if (step) submits(at, std::move(*step));
}

void MachineCapture::queue_waited(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) {
  looks_ahead(fence, value);
  if (const auto frames = frame_fences_.find(fence); frames != frame_fences_.end()) {
    chains_.at(frames->second).awaited = std::max(chains_.at(frames->second).awaited, value);
  }
  auto step = with_fence({{"type", "queue_wait"}, {"queue", queues_.at(queue).name}}, fence, value);
  if (step) submits(at, std::move(*step));
}

void MachineCapture::queue_marked(const WorkMoment& at, ContextId queue, const Marker& marker) {
  threads_.act(at, marker_step(marker, queues_.at(queue).name));
}

void MachineCapture::presented(const WorkMoment& at, ContextId queue, SwapChainId chain, const Frame& frame) {
  Queue& on = queues_.at(queue);
  Chain& to = chains_.at(chain);
  if (!to.queue && !on.chain) {
    to.queue = queue;
    on.chain = chain;
    fences_[to.frames] = unique_name(machine_.fences().name_of(to.frames), fence_names_);
    add_objects_.push_back({{"fences", json::array({{{"name", fences_[to.frames]}, {"frames_of", on.name}}})}});
  }
  if (on.chain != chain || to.queue != queue) other_work("several swap chains of a queue, or queues of a swap chain");
  json step = {{"type", "present"}, {"queue", on.name}};
  if (frame.interval != 1) step["interval"] = frame.interval;
  if (frame.tearing) step["tearing"] = true;
  if (frame.restart) step["restart"] = true;
  submits(at, std::move(step));
}

void MachineCapture::cpu_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  if (at.inside) other_work("at which point of a moment the driver signals a fence");
  auto step = with_fence({{"type", "fence_signal"}}, fence, value);
  if (step) submits(at, std::move(*step));
}

/// By no thread that is known here.
void MachineCapture::others_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  WorkMoment inside = at;
  inside.inside = true;
  const auto step = with_fence({{"type", "fence_signal"}}, fence, value);
  if (step) threads_.act(inside, *step);
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
  if (frame_fences_.count(fence) > 0 || fences_.count(fence) == 0) return;
  threads_.act(at, {{"type", "fence_signal"}, {"fence", fences_[fence]}, {"value", highest}});
  if (!at.inside) write_pending(false);
}

void MachineCapture::all_fences_ended(const WorkMoment& at) {
  if (at.inside) return;  // the removal of a device by the machine, which whoever plays it meets again
  const std::map<FenceId, std::string> all = fences_;
  for (const auto& [fence, name] : all) fence_ended(at, fence);
}

void MachineCapture::swap_chain_closed(SwapChainId chain) {
  const Chain& closed = chains_.at(chain);
  if (machine_.completed_value(closed.frames) < closed.awaited) {
    other_work("the end of a swap chain, for whose frames a queue waits");
  }
}

void MachineCapture::cpu_awaits(FenceId fence, std::uint64_t value) {
  looks_ahead(fence, value);
  const auto token = reached_->await(fence, value);
  if (token) machine_.watch_fence(fence, value, reached_, *token);
}

void MachineCapture::thread_waited(const WorkMoment& at, FenceId fence, std::uint64_t value, std::uint64_t since_ps,
                                   std::uint64_t told_ps) {
  looks_ahead(fence, value);
  const auto reached_ps = reached_->time(fence, value);
  const auto step = with_fence({{"type", "fence_wait"}}, fence, value);
  if (!step) return;
  if (machine_.completed_value(fence) < value) return other_work("waits for a fence that was rewound since");
  // Whoever plays it asks at `since_ps`: then the fence is there, or it is told as the thread was.
  const std::uint64_t then_ps = reached_ps.value_or(told_ps);
  threads_.waited(at, *step, since_ps, then_ps <= since_ps ? since_ps : std::max(told_ps, then_ps));
  threads_.is_news(fence, value);
  reached_->forget(fence, value);
}

void MachineCapture::thread_saw(const WorkMoment& at, FenceId fence, std::uint64_t value) {
  if (!threads_.is_news(fence, value)) return;
  looks_ahead(fence, value);
  const auto step = with_fence({{"type", "fence_wait"}}, fence, value);
  if (step) threads_.waited(at, *step, at.now_ps, at.now_ps);
}

void MachineCapture::thread_waited_vblank(const WorkMoment& at, OutputId output, std::uint64_t since_ps,
                                          std::uint64_t told_ps) {
  json step = {{"type", "wait_vblank"}};
  const std::vector<OutputConfig> screens = screens_of(machine_.config().display);
  if (output != OutputId{}) step["output"] = screens[static_cast<std::size_t>(output)].name;
  threads_.waited(at, step, since_ps, told_ps);
}

/// The step with the fence's name and value; nothing: the capture does not know it.
std::optional<json> MachineCapture::with_fence(json step, FenceId fence, std::uint64_t value) {
  const auto known = fences_.find(fence);
  if (known == fences_.end()) {
    other_work("waits for frames that were presented before");
    return std::nullopt;
  }
  const auto frames = frame_fences_.find(fence);
  const std::uint64_t before = frames != frame_fences_.end() ? chains_.at(frames->second).before : 0;
  if (before > 0 && value <= before) return std::nullopt;
  step["fence"] = known->second;
  step["value"] = value - before;
  return step;
}

void MachineCapture::add(std::size_t thread, json step) {
  // The step that submits comes last of what `act` adds: what is in front of it is work.
  const bool is_work = step["type"] == "work" || step["type"] == "sleep_until";
  pending_.push_back({thread, std::move(step), is_work ? nullptr : next_list_, next_type_, next_submits_ && !is_work});
}

void MachineCapture::write_objects() {
  for (const json& one : std::exchange(add_objects_, {})) writer_->add_objects(one);
}

/// What is known to the end is written, in order; else what is known of all.
void MachineCapture::write_pending(bool all) {
  guarded([&] {
    write_objects();
    bool submitted = false;
    while (!pending_.empty()) {
      Pending& next = pending_.front();
      if (next.list != nullptr) {
        if (!next.list->finished() && !all) break;
        next.step["lists"] = json::array({lists_->name_of(next.list->stream(), next.type, next.list->outcomes())});
        if (lists_->mixed()) other_work("which variants of a pipeline state the draws of an ExecuteIndirect had");
      }
      writer_->add_steps(CaptureWriter::Timeline::cpu, next.thread, json::array({std::move(next.step)}));
      submitted = submitted || next.submits;
      pending_.pop_front();
    }
    if (!submitted || ++flushes_ > CaptureWriter::most_flushes) return;
    writer_->flush();
  });
}

}  // namespace fenceline
