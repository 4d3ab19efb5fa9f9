// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/packets.hpp"
#include "scheduler/checker/checker.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// An engine whose every command is a CopyBuffer that takes as many picoseconds as it has bytes.
class TimedEngine final : public Engine {
 public:
  TimedEngine(sc_core::sc_module_name module_name, const EngineConfig& config, EventLog& log)
      : Engine(module_name, config, log) {}
  /// Commands started so far, by packet.
  const std::map<std::uint64_t, std::size_t>& started() const { return started_; }

 private:
  struct Running {
    std::uint64_t start_ps;
    std::uint64_t end_ps;
    Callback done;
    bool stopped = false;
  };
  void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
             Callback done) override {
    ++started_[packet.id];
    const std::uint64_t duration_ps =
        left != nullptr ? left->bytes->bytes[0] : std::get<CopyBuffer>(*issued.command).bytes;
    const std::uint64_t end_ps = now_ps() + duration_ps;
    runs_.push_back({now_ps(), end_ps, done});
    run_of_[id] = runs_.size() - 1;
    agenda().at<&TimedEngine::over>(end_ps, this, runs_.size() - 1);
  }
  void over(std::uint64_t run) {
    if (!runs_[run].stopped) runs_[run].done();
  }
  /// A picosecond is a unit of its work: it stops at once.
  void halt(std::uint32_t id, PreemptionLevel level) override {
    Running& run = runs_[run_of_.at(id)];
    if (level < PreemptionLevel::group || run.end_ps == now_ps()) return;
    run.stopped = true;
    CommandRemainder left;
    left.bytes = TransferRemainder{{run.end_ps - now_ps(), 0}, 0};
    halted(id, left);
  }
  bool has_worked(std::uint32_t id, PreemptionLevel) const override {
    return runs_[run_of_.at(id)].start_ps < now_ps();
  }
  WorkClass class_of(const Command&) const override { return WorkClass::copy; }
  std::vector<WorkClass> classes() const override { return {WorkClass::copy}; }

  std::map<std::uint64_t, std::size_t> started_;
  std::vector<Running> runs_;
  std::map<std::uint32_t, std::size_t> run_of_;
};

/// A node that costs nothing but its commands, one of which runs at a time.
inline EngineConfig plain_node(std::uint32_t depth = 2, std::uint32_t queues = 1) {
  EngineConfig config;
  config.hardware_queue_depth = depth;
  config.hardware_queues = queues;
  config.commands_in_flight = 1;
  return config;
}

/// A command list that keeps a TimedEngine busy.
inline std::shared_ptr<const CommandStream> busy_list(std::uint64_t duration_ps, std::size_t commands = 1) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = "busy";
  stream->commands.assign(commands, CopyBuffer{CopyRoute::device_to_device, duration_ps});
  return stream;
}

/// A scheduler with nodes of TimedEngines, fences, and everything the log said about packets. A test in which a rule of
/// the Checker is broken fails.
class Bench : private LogSink {
 public:
  explicit Bench(const std::vector<EngineConfig>& nodes, const SchedulerConfig& scheduler_config = {},
                 const DisplayConfig& screen = {})
      : kernel_([&] {
          auto top = std::make_unique<Top>("adapter", nodes, scheduler_config, screen, log_);
          top_ = top.get();
          return top;
        }) {
    std::vector<NodeLimits> limits;
    for (const auto& engine : top_->engines) {
      const auto stops_at = static_cast<PreemptionLevel>(engine->engine_config().copy_preemption.granularity);
      limits.push_back(limits_of(*engine, stops_at));
    }
    checker_.emplace(log_, limits, rules_of(scheduler_config), limits_of(screen, "adapter.display"));
    log_.attach(*this, EventLog::Detail::packets);
  }
  ~Bench() override {
    log_.detach(*this);
    if (!checker_->passed()) FAIL_CHECK(checker_->report());
  }

  Scheduler& scheduler() { return *top_->scheduler; }
  FenceUnit& fences() { return top_->fences; }
  Display& display() { return top_->display; }
  TimedEngine& engine(std::size_t node) { return *top_->engines[node]; }
  EventLog& log() { return log_; }
  Kernel& kernel() { return kernel_; }
  std::uint64_t now() const { return kernel_.now_ps(); }

  ProcessId process(const ProcessConfig& config) { return scheduler().create_process(config); }
  ContextId context(std::uint32_t node, int priority = 0, const NodePath& path = {}, double next_waiter_ns = 0,
                    ProcessId process = {}) {
    ContextConfig config;
    config.name = "queue" + std::to_string(scheduler().contexts());
    config.node = node;
    config.priority.queue_priority = priority;
    config.process = process;
    config.path = path;
    config.fence_next_waiter_ns = next_waiter_ns;
    return scheduler().create_context(config);
  }
  FenceId fence(std::uint64_t initial = 0) {
    return fences().create("fence" + std::to_string(fences().count()), initial);
  }

  // Each returns the id of its packet: they count from 1.
  std::uint64_t execute(ContextId context, std::uint64_t duration_ps, std::size_t commands = 1) {
    inside([&] { scheduler().execute(context, busy_list(duration_ps, commands)); });
    return ++submitted_;
  }
  std::uint64_t signal(ContextId context, FenceId fence, std::uint64_t value) {
    inside([&] { scheduler().signal(context, fence, value); });
    return ++submitted_;
  }
  std::uint64_t wait(ContextId context, FenceId fence, std::uint64_t value) {
    inside([&] { scheduler().wait(context, fence, value); });
    return ++submitted_;
  }
  std::uint64_t present(ContextId context, SwapChainId chain, Frame frame) {
    inside([&] {
      const std::uint64_t place = display().submit(chain, frame);
      scheduler().present(context, display().fence_of(chain), frame.number,
                          Callback::to<&Display::reached>(&display(), place));
    });
    return ++submitted_;
  }
  void cpu_signal(FenceId fence, std::uint64_t value) {
    inside([&] { fences().signal(fence, value, Signaller::cpu); });
  }

  /// Calls from inside the simulation at that time.
  void at(std::uint64_t time_ps, std::function<void()> call) {
    calls_.push_back(std::move(call));
    const std::uint64_t index = calls_.size() - 1;
    inside([&] { top_->host.at(time_ps, Callback::to<&Bench::call>(this, index)); });
  }
  /// Simulates to the end; true when every packet completed.
  bool run() {
    kernel_.run_to_end();
    checker_->rests(now());
    return scheduler().outstanding() == 0;
  }

  bool completed(std::uint64_t packet) const { return records_.count(packet) > 0; }
  const PacketRecord& record(std::uint64_t packet) const { return records_.at(packet); }
  const std::map<std::uint64_t, PacketRecord>& records() const { return records_; }
  /// Packets in the order of their completion.
  const std::vector<std::uint64_t>& order() const { return order_; }

  std::function<void(const PacketRecord&)> on_packet;
  std::function<void(std::string_view fence, std::uint64_t value)> on_fence;

 private:
  struct Top : sc_core::sc_module {
    Top(sc_core::sc_module_name module_name, const std::vector<EngineConfig>& nodes, const SchedulerConfig& config,
        const DisplayConfig& screen, EventLog& log)
        : sc_module(module_name),
          fences("fences", config.fences, log),
          display("display", screen, 0, fences, log),
          host("host") {
      std::vector<Engine*> pointers;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        engines.push_back(std::make_unique<TimedEngine>(("node" + std::to_string(i)).c_str(), nodes[i], log));
        pointers.push_back(engines.back().get());
      }
      scheduler = std::make_unique<Scheduler>("scheduler", config, pointers, fences, log);
    }
    std::vector<std::unique_ptr<TimedEngine>> engines;
    FenceUnit fences;
    Display display;
    std::unique_ptr<Scheduler> scheduler;
    Agenda host;
  };

  using LogSink::context;

  template <class Call>
  void inside(Call&& call) {
    if (kernel_.simulating()) {
      call();
    } else {
      kernel_.enter(call);
    }
  }
  void call(std::uint64_t index) { calls_[index](); }

  void packet(const EventLog&, const PacketRecord& record) override {
    records_.emplace(record.id, record);
    order_.push_back(record.id);
    if (on_packet) on_packet(record);
  }
  void counter(const EventLog& log, const Counter& counter) override {
    if (on_fence) on_fence(log.text(counter.track), counter.value);
  }

  EventLog log_;
  Top* top_ = nullptr;  // owned by the kernel
  std::deque<std::function<void()>> calls_;
  std::map<std::uint64_t, PacketRecord> records_;
  std::vector<std::uint64_t> order_;
  std::uint64_t submitted_ = 0;
  std::optional<Checker> checker_;
  Kernel kernel_;
};

}  // namespace fenceline::testing
