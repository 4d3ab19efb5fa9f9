// SPDX-License-Identifier: Apache-2.0
// Machine, its GPU side: queues, fences, frames, and time.
#include "api/machine_parts.hpp"
#include "api/work_listener.hpp"
#include "sim/assert.hpp"
#include "sim/config_error.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/numbered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

void check_range(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument(fmt::format("{}: expected {} to {}, found {}", what, least, most, value));
}

bool checked(InvariantChecks checks) {
  if (checks != InvariantChecks::by_default) return checks == InvariantChecks::on;
  constexpr const char* variable = "FENCELINE_CHECK_INVARIANTS";
  const char* const set = std::getenv(variable);
  const std::string_view wanted = set != nullptr ? set : "";
  if (wanted == "0" || wanted == "1") return wanted == "1";
  if (!wanted.empty()) throw ConfigError(variable, "", R"("0" or "1")", in_quotes(wanted));
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

}  // namespace

Machine::Machine(const MachineConfig& config, InvariantChecks checks)
    : parts_(std::make_unique<Parts>(config, checked(checks))) {}
Machine::~Machine() {
  inside([this](Hardware&) { parts_->background.clear(); });  // its tasks are the cores'
}

const MachineConfig& Machine::config() const { return parts_->config; }
EventLog& Machine::log() { return parts_->log; }
std::uint64_t Machine::now_ps() const { return parts_->kernel.now_ps(); }
const FenceUnit& Machine::fences() const { return parts_->hardware->fences; }
const Display& Machine::display() const { return parts_->hardware->display; }
const ShaderArray& Machine::shader_array() const { return parts_->hardware->shader_array; }
const Scheduler& Machine::scheduler() const { return *parts_->hardware->scheduler; }
std::uint64_t Machine::outstanding() const { return scheduler().outstanding(); }
std::uint64_t Machine::completed_value(FenceId fence) const { return fences().value(fence); }

FenceId Machine::create_fence(const std::string& name, std::uint64_t initial_value) {
  const FenceId fence = parts_->hardware->fences.create(name, initial_value);
  if (parts_->heard()) parts_->listener->fence_created(fence, name, initial_value);
  return fence;
}

FenceId Machine::create_fence(const std::string& name, std::shared_ptr<SharedFence> shared) {
  const FenceId fence = parts_->hardware->fences.create(name, std::move(shared));
  if (parts_->heard()) parts_->listener->fence_created(fence, name, completed_value(fence));
  return fence;
}

void Machine::create_process(const ProcessConfig& process) {
  if (parts_->processes.count(process.name) > 0) {
    throw std::invalid_argument(fmt::format("process {}: there is one of this name", in_quotes(process.name)));
  }
  parts_->processes[process.name] = parts_->hardware->scheduler->create_process(process);
}

void Machine::set_focus(const std::string& process) {
  const auto known = parts_->processes.find(process);
  if (known == parts_->processes.end()) {
    throw std::invalid_argument(fmt::format("process {}: there is none of this name", in_quotes(process)));
  }
  inside([&](Hardware& hardware) { hardware.scheduler->set_focus(known->second); });
}

void Machine::set_priority(const std::string& process, ProcessPriority priority, std::uint32_t realtime_level) {
  const auto known = parts_->processes.find(process);
  if (known == parts_->processes.end()) {
    throw std::invalid_argument(fmt::format("process {}: there is none of this name", in_quotes(process)));
  }
  check_range("realtime_level", realtime_level, 0, highest_realtime_level);
  inside([&](Hardware& hardware) { hardware.scheduler->set_priority(known->second, priority, realtime_level); });
}

void Machine::set_priority(ContextId queue, std::optional<int> in_process,
                           std::optional<std::uint32_t> realtime_level) {
  if (in_process) {
    check_range("in_process_priority", *in_process, -highest_in_process_priority, highest_in_process_priority);
  }
  if (realtime_level) check_range("realtime_level", *realtime_level, 0, highest_realtime_level);
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) {
      hardware.scheduler->set_priority(context, in_process, realtime_level);
    }
  });
}

std::uint64_t Machine::execute(ContextId queue, std::shared_ptr<const CommandStream> stream,
                               std::shared_ptr<CommandEffects> effects, const std::shared_ptr<StreamBytes>& bytes) {
  // One stream is often executed many times: it is looked at once.
  Parts::Queue& state = parts_->queues[static_cast<std::uint32_t>(queue)];
  if (stream == nullptr) throw std::invalid_argument("execute: no command stream");
  if (state.checked.lock() != stream) {
    const std::string reason = refusal(*stream, state.type, parts_->config);
    if (!reason.empty()) throw std::invalid_argument(fmt::format("command list \"{}\": {}", stream->name, reason));
    state.checked = stream;
  }
  if (parts_->heard()) {
    effects = parts_->listener->executed(moment(), queue, stream, std::move(effects), bytes);
  }
  std::uint64_t packet = 0;
  inside([&](Hardware& hardware) { packet = hardware.scheduler->execute(state.contexts, stream, std::move(effects)); });
  return packet;
}

void Machine::signal(ContextId queue, FenceId fence, std::uint64_t value) {
  if (parts_->heard()) parts_->listener->queue_signalled(moment(), queue, fence, value);
  inside([&](Hardware& hardware) { hardware.scheduler->signal(parts_->contexts_of(queue), fence, value); });
}

void Machine::wait(ContextId queue, FenceId fence, std::uint64_t value) {
  if (parts_->heard()) parts_->listener->queue_waited(moment(), queue, fence, value);
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) hardware.scheduler->wait(context, fence, value);
  });
}

bool Machine::mark(ContextId queue, const Marker& marker) {
  std::vector<Marker>& open = parts_->queues[static_cast<std::uint32_t>(queue)].open_events;
  if (marker.kind == MarkerKind::begin) open.push_back(marker);
  if (marker.kind == MarkerKind::end) {
    if (open.empty()) return false;
    open.pop_back();
  }
  if (parts_->heard()) parts_->listener->queue_marked(moment(), queue, marker);
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) hardware.scheduler->mark(context, marker);
  });
  return true;
}

const std::vector<Marker>& Machine::open_events(ContextId queue) const {
  return parts_->queues[static_cast<std::uint32_t>(queue)].open_events;
}

SwapChainId Machine::create_swap_chain(const std::string& name, FrameListener* listener, const SwapChainPlace& place) {
  const SwapChainId chain = parts_->hardware->display.create(name, listener, place);
  if (parts_->heard()) parts_->listener->swap_chain_created(chain, place, frame_fence(chain));
  return chain;
}

void Machine::compose(SwapChainId compositor) {
  inside([&](Hardware& hardware) { hardware.display.compose(compositor); });
}

void Machine::wait_vblank(OutputId output, Callback callback) {
  inside([&](Hardware& hardware) { hardware.display.wait_vblank(output, callback); });
}

std::uint64_t Machine::present(ContextId queue, SwapChainId chain, Frame frame) {
  if (!parts_->queues[static_cast<std::uint32_t>(queue)].may_present) {
    throw std::invalid_argument("present: the queue is not on the first of the linked adapters (node_mask)");
  }
  if (parts_->heard()) parts_->listener->presented(moment(), queue, chain, frame);
  inside([&](Hardware& hardware) {
    const std::uint64_t place = hardware.display.submit(chain, frame);
    hardware.scheduler->present(parts_->contexts_of(queue), hardware.display.fence_of(chain), frame.number,
                                Callback::to<&Display::reached>(&hardware.display, place),
                                Callback::to<&Display::dropped>(&hardware.display, place));
  });
  return frame.number;
}

FenceId Machine::frame_fence(SwapChainId chain) const { return display().fence_of(chain); }

void Machine::close_swap_chain(SwapChainId chain) {
  if (parts_->heard()) parts_->listener->swap_chain_closed(chain);
  inside([&](Hardware& hardware) { hardware.display.close(chain); });
}

void Machine::reopen_swap_chain(SwapChainId chain) {
  inside([&](Hardware& hardware) { hardware.display.reopen(chain); });
}

void Machine::log_screen() {
  inside([](Hardware& hardware) { hardware.display.log_shown(); });
}

void Machine::signal(FenceId fence, std::uint64_t value) {
  if (parts_->heard()) parts_->listener->cpu_signalled(moment(), fence, value);
  inside([&](Hardware& hardware) { hardware.fences.signal(fence, value, Signaller::cpu); });
}

void Machine::change(const MachineConfig& config) {
  if (parts_->checker) parts_->checker->leave_rules();
  inside([&](Hardware& hardware) {
    hardware.scheduler->change(config.scheduler);
    const std::vector<Engine*> nodes = hardware.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      change_engine(*nodes[i], config.scheduler, config.engines[i % config.engines.size()]);
    }
  });
}

void Machine::end_fence(FenceId fence) {
  if (parts_->heard()) parts_->listener->fence_ended(moment(), fence);
  inside([&](Hardware& hardware) { hardware.fences.end(fence); });
}

void Machine::end_fences() {
  if (parts_->heard()) parts_->listener->all_fences_ended(moment());
  inside([](Hardware& hardware) {
    hardware.fences.unshare();
    hardware.fences.end_all();
  });
}

void Machine::release_fence(FenceId fence) {
  if (parts_->heard()) parts_->listener->fence_ended(moment(), fence);
  inside([&](Hardware& hardware) { hardware.fences.release(fence); });
}

bool Machine::preempt(ContextId queue) {
  bool asked = false;
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) {
      if (hardware.scheduler->preempt(context)) asked = true;
    }
  });
  return asked;
}

bool Machine::suspend(ContextId queue) {
  bool stopped = true;
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) {
      if (!hardware.scheduler->suspend(context)) stopped = false;
    }
  });
  return stopped;
}

void Machine::resume(ContextId queue) {
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) hardware.scheduler->resume(context);
  });
}

void Machine::call_at(std::uint64_t time_ps, Callback callback) {
  if (!callback) throw std::invalid_argument("call_at: no callback");
  if (time_ps < now_ps()) {
    throw std::invalid_argument(fmt::format("call_at: {} ps has passed, it is {} ps", time_ps, now_ps()));
  }
  inside([&](Hardware& hardware) { hardware.host.at(time_ps, callback); });
}

bool Machine::on_fence(FenceId fence, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  if (parts_->heard() && completed_value(fence) < value) parts_->listener->cpu_awaits(fence, value);
  return parts_->hardware->fences.cpu_wait(fence, value, waiter, token);
}

/// `rests`: nothing is left to do.
void Machine::check(bool rests) {
  std::optional<Checker>& checker = parts_->checker;
  if (!checker) return;
  if (rests && !scheduler().gave_up() && !bugchecked()) checker->rests(now_ps());  // what it left is no rest
  FENCELINE_ASSERT(checker->passed(), "adapter: " + checker->report());
}

bool Machine::run() {
  return parts_->simulate([this] {
    do {
      parts_->kernel.run([this] { return bugchecked(); });
    } while (!bugchecked() && await_news());
    parts_->left_to_do = false;
    check(true);
    return outstanding() == 0;
  });
}

bool Machine::run(std::uint64_t limit_ps) {
  return parts_->simulate([&] {
    bool rests = false;
    do {
      rests = parts_->kernel.run_to_end(limit_ps, [this] { return bugchecked(); });
    } while (rests && !bugchecked() && await_news());
    parts_->left_to_do = !rests;
    check(rests);
    return rests && outstanding() == 0;
  });
}

bool Machine::left_to_do() const { return parts_->left_to_do; }
bool Machine::failed() const { return parts_->failed; }

bool Machine::run_until(FenceId fence, std::uint64_t value) {
  // A waiter that is never reached stays registered, so the machine keeps it.
  auto& pauses = parts_->pauses;
  pauses.push_back(std::make_unique<Parts::Pause>());
  const Parts::Pause& pause = *pauses.back();
  if (parts_->hardware->fences.wait(fence, value, *pauses.back(), 0)) {
    pauses.pop_back();
    return true;
  }
  return parts_->simulate([&] {
    bool reached = false;
    do {
      reached = parts_->kernel.run([&] { return pause.reached; });
    } while (!reached && await_news());
    if (reached) pauses.pop_back();
    check(!reached);
    return reached;
  });
}

bool Machine::run_until(const std::function<bool()>& done, std::uint64_t limit_ps) {
  return parts_->simulate([&] {
    const bool satisfied = parts_->kernel.run_until(done, limit_ps);
    check(false);
    return satisfied;
  });
}

void Machine::pause() { Kernel::pause_running(); }

void Machine::advance_to(std::uint64_t time_ps) {
  parts_->simulate([&] {
    parts_->kernel.advance_to(time_ps);
    check(false);
    return true;
  });
}

std::uint64_t Machine::next_ps() const {
  if (failed()) return std::numeric_limits<std::uint64_t>::max();
  return std::min(parts_->kernel.next_ps(), std::max(now_ps(), fences().news_ps()));
}

bool Machine::shares_fences_with(const Machine& other) const { return fences().shares_with(other.fences()); }

}  // namespace fenceline
