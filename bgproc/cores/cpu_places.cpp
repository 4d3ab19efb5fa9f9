// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_places.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fenceline {
namespace {

/// Processors that are taken, core by core.
class Cores {
 public:
  explicit Cores(const CpuConfig& config) : config_(config), taken_(config.cores) {}

  std::uint64_t free() const {
    std::uint64_t free = 0;
    for (const std::uint32_t taken : taken_) free += config_.smt_width - taken;
    return free;
  }
  /// The next processor, one of those that are free.
  std::uint32_t take() {
    const auto core = std::min_element(taken_.begin(), taken_.end());
    const auto index = static_cast<std::uint32_t>(core - taken_.begin());
    return index * config_.smt_width + (*core)++;
  }
  /// Of a thread on a processor, as a part of full speed.
  double speed(std::uint32_t processor) const {
    const double busy = taken_[processor / config_.smt_width];
    return processor_speed(config_, busy);
  }

 private:
  const CpuConfig& config_;
  std::vector<std::uint32_t> taken_;
};

/// Threads of one class, and the processors that they have.
struct Class {
  std::vector<std::size_t> threads;
  std::vector<std::uint32_t> processors;
};

Class seat(CpuPriority priority, const std::vector<CpuPriority>& threads, Cores& cores) {
  Class seated;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (threads[i] == priority) seated.threads.push_back(i);
  }
  const std::uint64_t seats = std::min<std::uint64_t>(seated.threads.size(), cores.free());
  for (std::uint64_t i = 0; i < seats; ++i) seated.processors.push_back(cores.take());
  return seated;
}

void place(const Class& seated, const Cores& cores, double slowdown, std::vector<CpuPlace>& places) {
  if (seated.processors.empty()) return;
  double all = 0;
  for (const std::uint32_t processor : seated.processors) all += cores.speed(processor);
  const bool in_turns = seated.processors.size() < seated.threads.size();
  for (std::size_t i = 0; i < seated.threads.size(); ++i) {
    CpuPlace& place = places[seated.threads[i]];
    if (!in_turns) place.processor = seated.processors[i];
    const double speed =
        in_turns ? all / static_cast<double>(seated.threads.size()) : cores.speed(seated.processors[i]);
    place.rate = cpu_rate(speed * slowdown);
  }
}

}  // namespace

std::uint64_t cpu_rate(double speed) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(speed * full_cpu_rate)));
}

double processor_speed(const CpuConfig& config, double busy) { return (1 + (busy - 1) * config.smt_gain) / busy; }

std::vector<CpuPlace> cpu_places(const CpuConfig& config, const std::vector<CpuPriority>& threads) {
  std::vector<CpuPlace> places(threads.size());
  if (config.cores == 0) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = {static_cast<std::uint32_t>(i), full_cpu_rate};
    return places;
  }
  Cores cores(config);
  const Class normal = seat(CpuPriority::normal, threads, cores);
  const Class idle = seat(CpuPriority::idle, threads, cores);
  const double slowdown = std::pow(1 - config.background_slowdown, static_cast<double>(idle.processors.size()));
  place(normal, cores, slowdown, places);
  place(idle, cores, 1, places);
  return places;
}

}  // namespace fenceline
