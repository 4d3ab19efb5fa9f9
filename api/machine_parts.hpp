// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/driver_version.hpp"
#include "api/hardware.hpp"
#include "api/machine.hpp"
#include "bgproc/background_processing.hpp"
#include "scheduler/checker/checker.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/numbered.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline {

/// What a machine is made of, for its own sources.
struct Machine::Parts {
  /// Pauses the simulation when a fence gets there.
  struct Pause : FenceWaiter {
    void fence_reached(std::uint64_t, Signaller) override {
      reached = true;
      Kernel::pause_running();
    }
    bool reached = false;
  };

  Parts(const MachineConfig& machine, bool checked)
      : config(machine),
        queues_of_type(config.linked_adapters, std::vector<std::uint32_t>(3)),
        driver_version(fenceline::driver_version(machine)),
        kernel([this] {
          auto top = std::make_unique<Hardware>("adapter", config, log);
          hardware = top.get();
          return top;
        }) {
    hardware->scheduler->on_removal([this](ProcessId process, RemovalReason reason) { removed(process, reason); });
    if (!checked) return;
    std::vector<NodeLimits> limits;
    const std::vector<Engine*> nodes = hardware->nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      limits.push_back(limits_of(*nodes[i], stops_at(config, config.engines[i % config.engines.size()])));
    }
    checker.emplace(log, limits, rules_of(config.scheduler), limits_of(config.display, "adapter.display"),
                    TdrRules(config.tdr, config.scheduler));
  }
  MachineConfig config;
  EventLog log;
  std::optional<Checker> checker;
  Hardware* hardware = nullptr;                            // owned by the kernel
  std::vector<std::vector<std::uint32_t>> queues_of_type;  // by linked adapter and type
  struct Queue {
    QueueType type;
    std::weak_ptr<const CommandStream> checked;  // the last one found to be allowed
    std::vector<ContextId> contexts;             // of the scheduler: one on each of its linked adapters, in order
    bool may_present;
    QueueConfig config;
    std::vector<Marker> open_events = {};  // the outermost first
  };
  Numbered<Queue> queues;  // by ContextId
  void removed(ProcessId process, RemovalReason reason);
  std::function<void(const std::string&, RemovalReason)> when_device_removed;
  const std::vector<ContextId>& contexts_of(ContextId queue) const {
    return queues[static_cast<std::uint32_t>(queue)].contexts;
  }
  std::map<std::string, ProcessId> processes = {{"", {}}};
  std::uint32_t process_index(const std::string& process);
  std::vector<std::unique_ptr<Pause>> pauses;
  std::vector<std::shared_ptr<FenceWaiter>> watchers;  // each once
  bool left_to_do = false;
  bool failed = false;
  /// That of a process, made when it is asked for first.
  BackgroundProcessing& background_of(const std::string& process);
  std::map<std::string, std::unique_ptr<BackgroundProcessing>> background;       // by process
  std::map<std::string, std::unique_ptr<ImplicitCaches>> implicit_caches;        // by program
  std::map<std::string, std::unique_ptr<PipelineCreations>> pipeline_creations;  // by process
  std::uint64_t driver_version = 0;
  /// What `run` returns; nothing is simulated any more once its work has gone beyond the end of simulated time.
  template <class Run>
  bool simulate(Run&& run) {
    if (failed) return false;
    ++slices;
    try {
      return run();
    } catch (const std::overflow_error&) {
      failed = true;
      throw;
    }
  }
  /// Somebody listens, which few programs have: the way without is the straight one.
  bool heard() const { return __builtin_expect(static_cast<long>(listener != nullptr), 0) != 0; }
  WorkListener* listener = nullptr;
  std::uint64_t slices = 0;  // how often it has been simulated
  bool tasks_have_news() const;
  std::function<void()> when_news;
  bool inside = false;  // a call of the host's has entered the kernel: events call the machine from there
  Kernel kernel;
};

/// As long as a call of the host's is inside the kernel.
class Inside {
 public:
  explicit Inside(bool& flag) : flag_(flag) { flag_ = true; }
  ~Inside() { flag_ = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool& flag_;
};

/// Touches modules with the right SystemC context current, from the host or from inside the simulation.
template <class Call>
void Machine::inside(Call&& call) {
  if (parts_->kernel.simulating() || parts_->inside) {
    call(*parts_->hardware);
    return;
  }
  parts_->kernel.enter([&] {
    const Inside here(parts_->inside);
    call(*parts_->hardware);
  });
}

}  // namespace fenceline
