// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/lasting_steps.hpp"

#include "api/workload/replay/needed_names.hpp"
#include "api/workload/replay/queue_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// What of a step lasts. Each has a key: what a later step with the same key does is in its place.
class Lasting {
 public:
  explicit Lasting(const NeededNames& needed) : needed_(needed) {}

  void add(const CpuStep& step, std::size_t cpu) {
    cpu_ = cpu;
    std::visit([this](const auto& one) { keep(one); }, step);
  }
  std::vector<std::vector<CpuStep>> steps(std::size_t cpus) const {
    std::vector<std::vector<CpuStep>> steps(cpus);
    for (const auto& [process, counts] : counts_) add_counts(process, counts, steps);
    for (const Kept& one : kept_) steps[one.cpu].push_back(one.step);
    return steps;
  }

 private:
  struct Kept {
    std::string key;
    std::size_t cpu;
    CpuStep step;
  };
  /// How often each resource has been made resident more often than evicted.
  struct Counts {
    std::size_t cpu = 0;
    std::map<std::string, std::int64_t> by_resource;
  };

  template <class One>
  void keep(const One&) {}
  void keep(const CpuFocus& step) { put("focus", step); }
  void keep(const CpuSetPriority& step) {
    if (needed_.queues.count(step.queue) == 0) return;
    put(fmt::format("queue {} {} {}", step.in_process_priority.has_value(), step.realtime_level.has_value(),
                    step.queue),
        step);
  }
  void keep(const CpuCloseSwapChain& step) {
    if (needed_.queues.count(step.swap_chain) + needed_.swap_chains.count(step.swap_chain) == 0) return;
    put("swap chain " + step.swap_chain, step);
  }
  void keep(const CpuSetProcessPriority& step) { put("process " + step.process, step, step.process); }
  void keep(const CpuSetResidencyPriority& step) {
    CpuSetResidencyPriority kept = step;
    const auto is_left_out = [this](const std::string& name) { return needed_.resources.count(name) == 0; };
    kept.resources.erase(std::remove_if(kept.resources.begin(), kept.resources.end(), is_left_out),
                         kept.resources.end());
    if (!kept.resources.empty()) put(fmt::format("residency {}", fmt::join(kept.resources, "\n")), kept);
  }
  void keep(const CpuSetVideoMemoryReservation& step) { put("reservation " + step.process, step, step.process); }
  void keep(const CpuSetBackgroundProcessingMode& step) {
    CpuSetBackgroundProcessingMode kept;
    kept.process = step.process;
    kept.mode = step.mode;
    put("mode " + step.process, kept, step.process);
  }
  void keep(const CpuShaderCacheControl& step) {
    CpuShaderCacheControl kept = step;
    if (step.control == CacheControlStep::clear) return;  // there is nothing in it yet
    if (step.control == CacheControlStep::clear_and_disable) kept.control = CacheControlStep::disable;
    if (step.control == CacheControlStep::clear_and_enable) kept.control = CacheControlStep::enable;
    put(fmt::format("cache {} {}", static_cast<int>(step.kind), step.process), kept, step.process);
  }
  void keep(const CpuMakeResident& step) { count(step.process, step.resources, 1); }
  void keep(const CpuEvict& step) { count(step.process, step.resources, -1); }

  void put(std::string key, const CpuStep& step, const std::string& process = "") {
    if (!process.empty() && needed_.processes.count(process) == 0) return;
    const auto has_key = [&](const Kept& one) { return one.key == key; };
    kept_.erase(std::remove_if(kept_.begin(), kept_.end(), has_key), kept_.end());
    kept_.push_back({std::move(key), cpu_, step});
  }
  void count(const std::string& process, const std::vector<std::string>& resources, std::int64_t by) {
    if (!process.empty() && needed_.processes.count(process) == 0) return;
    for (const std::string& name : resources) {
      if (needed_.resources.count(name) == 0) continue;
      counts_[process].cpu = cpu_;
      counts_[process].by_resource[name] += by;
    }
  }

  /// Who makes room goes first.
  static void add_counts(const std::string& process, const Counts& counts, std::vector<std::vector<CpuStep>>& steps) {
    CpuEvict evict;
    CpuMakeResident make_resident;
    evict.process = make_resident.process = process;
    for (const auto& [name, count] : counts.by_resource) {
      auto& resources = count < 0 ? evict.resources : make_resident.resources;
      resources.insert(resources.end(), static_cast<std::size_t>(std::abs(count)), name);
    }
    if (!evict.resources.empty()) steps[counts.cpu].push_back(evict);
    if (!make_resident.resources.empty()) steps[counts.cpu].push_back(make_resident);
  }

  const NeededNames& needed_;
  std::size_t cpu_ = 0;
  std::vector<Kept> kept_;                // in the order of the last of each key
  std::map<std::string, Counts> counts_;  // by process
};

bool may_last(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::focus:
    case Step::Kind::set_priority:
    case Step::Kind::close_swap_chain:
    case Step::Kind::set_process_priority:
    case Step::Kind::set_background_processing_mode:
    case Step::Kind::shader_cache_control:
    case Step::Kind::make_resident:
    case Step::Kind::evict:
    case Step::Kind::set_residency_priority:
    case Step::Kind::set_video_memory_reservation: return true;
    default: return false;
  }
}

}  // namespace

std::vector<std::vector<CpuStep>> lasting_steps(const Workload& workload, const WorkOrder& order, std::size_t events,
                                                const NeededNames& needed) {
  Lasting lasting(needed);
  for (std::size_t i = 0; i < events; ++i) {
    const WorkEvent& event = order.events[i];
    if (may_last(event.kind)) {
      lasting.add(cpu_step_at(workload, order, event), event.timeline - order.queues);
    }
  }
  return lasting.steps(workload.cpus.size());
}

}  // namespace fenceline
