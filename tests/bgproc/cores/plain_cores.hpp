// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_places.hpp"
#include "sim/assert.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/now.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/time_limit.hpp"

#include <systemc>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// CpuCores by its plain rule: every thread is looked at at every change, and placed by cpu_places.
class PlainCores : public sc_core::sc_module {
 public:
  PlainCores(sc_core::sc_module_name name, const CpuConfig& config);

  /// A thread computes for `work_ps` (picoseconds at full speed) from now on; `done` is called once, when it has, never
  /// from inside. It competes from the end of this delta cycle on. The answer names it until `done` is called. Of equal
  /// priority a thread of a lower `order` is placed before others, however often it begins anew; then who began first.
  std::uint64_t start(std::uint64_t work_ps, CpuPriority priority, Callback done, std::uint64_t order = last);
  static constexpr std::uint64_t last = ~std::uint64_t{0};
  void set_priority(std::uint64_t thread, CpuPriority priority);
  /// It does not compute any more and is not called back. Of what it had left, picoseconds at full speed; 0 of one that
  /// has ended at this very time and is still to be called back.
  std::uint64_t cancel(std::uint64_t thread);
  /// Where it is now, if it has a processor of its own; from inside its `done`, where it was.
  std::optional<std::uint32_t> processor_of(std::uint64_t thread) const;
  /// Logical ones, all cores; without cores, 8 (assumption: a desktop's).
  std::uint32_t processors() const;

 private:
  struct Thread {
    std::uint64_t id;
    std::uint64_t order;
    CpuPriority priority;
    unsigned __int128 left;  ///< picoseconds x full_cpu_rate
    CpuPlace place;
    Callback done;
  };
  /// It has computed, and is called back when those that ended before it have been.
  struct Ended {
    std::uint64_t id;
    std::optional<std::uint32_t> processor;
    Callback done;
  };
  void advance();
  void update(std::uint64_t);
  std::deque<Ended>::iterator ended(std::uint64_t id);
  Thread& thread(std::uint64_t id);

  CpuConfig config_;
  std::vector<Thread> threads_;  // by order, then as they began
  std::deque<Ended> ended_;
  Ended calling_{};  // the last that was called back
  std::uint64_t next_id_ = 1;
  std::uint64_t advanced_to_ps_ = 0;
  DeltaCall update_soon_;
  Timer update_later_;
};

using Wide = unsigned __int128;

inline PlainCores::PlainCores(sc_core::sc_module_name module_name, const CpuConfig& config)
    : sc_module(module_name),
      config_(config),
      update_soon_("update", Callback::to<&PlainCores::update>(this)),
      update_later_("timer", Callback::to<&PlainCores::update>(this)) {}

inline std::uint64_t PlainCores::start(std::uint64_t work_ps, CpuPriority priority, Callback done,
                                       std::uint64_t order) {
  advance();
  const auto before = [](std::uint64_t mine, const Thread& other) { return mine < other.order; };
  const auto place = std::upper_bound(threads_.begin(), threads_.end(), order, before);
  threads_.insert(place, {next_id_, order, priority, Wide{work_ps} * full_cpu_rate, {}, done});
  update_soon_.request();
  return next_id_++;
}

inline void PlainCores::set_priority(std::uint64_t id, CpuPriority priority) {
  if (ended(id) != ended_.end()) return;
  advance();
  thread(id).priority = priority;
  update_soon_.request();
}

inline std::uint64_t PlainCores::cancel(std::uint64_t id) {
  if (const auto over = ended(id); over != ended_.end()) {
    ended_.erase(over);
    return 0;
  }
  advance();
  const Wide left = thread(id).left;
  threads_.erase(threads_.begin() + (&thread(id) - threads_.data()));
  update_soon_.request();
  return static_cast<std::uint64_t>((left + full_cpu_rate - 1) / full_cpu_rate);
}

inline std::optional<std::uint32_t> PlainCores::processor_of(std::uint64_t id) const {
  if (calling_.id == id) return calling_.processor;
  const auto at = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& one) { return one.id == id; });
  return at != threads_.end() ? at->place.processor : std::nullopt;
}

inline std::uint32_t PlainCores::processors() const {
  constexpr std::uint32_t without_cores = 8;
  return config_.cores > 0 ? config_.cores * config_.smt_width : without_cores;
}

inline std::deque<PlainCores::Ended>::iterator PlainCores::ended(std::uint64_t id) {
  return std::find_if(ended_.begin(), ended_.end(), [&](const Ended& one) { return one.id == id; });
}

inline PlainCores::Thread& PlainCores::thread(std::uint64_t id) {
  const auto at = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& one) { return one.id == id; });
  FENCELINE_ASSERT(at != threads_.end(), std::string(name()) + ": no thread " + std::to_string(id));
  return *at;
}

inline void PlainCores::advance() {
  const std::uint64_t now = now_ps();
  const std::uint64_t passed = now - std::exchange(advanced_to_ps_, now);
  if (passed == 0) return;
  for (Thread& one : threads_) one.left -= std::min(one.left, Wide{one.place.rate} * passed);
}

/// Those that are ready go; the others get their places, and the first that will be ready is waited for.
inline void PlainCores::update(std::uint64_t) {
  update_later_.set(Timer::never);
  advance();
  const auto working = [](const Thread& one) { return one.left > 0; };
  const auto ready = std::stable_partition(threads_.begin(), threads_.end(), working);
  for (auto one = ready; one != threads_.end(); ++one) ended_.push_back({one->id, one->place.processor, one->done});
  threads_.erase(ready, threads_.end());

  std::vector<CpuPriority> priorities;
  for (const Thread& one : threads_) priorities.push_back(one.priority);
  const std::vector<CpuPlace> places = cpu_places(config_, priorities);
  Wide next = ~Wide{0};
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    Thread& one = threads_[i];
    one.place = places[i];
    if (one.place.rate > 0) next = std::min(next, (one.left + one.place.rate - 1) / one.place.rate);
  }
  if (next != ~Wide{0}) {
    if (next > max_time_ps - advanced_to_ps_) throw_time_overflow(name());
    update_later_.set(advanced_to_ps_ + static_cast<std::uint64_t>(next));
  }
  // What one does may ask for another that ended with it.
  while (!ended_.empty()) {
    calling_ = ended_.front();
    ended_.pop_front();
    calling_.done();
  }
}

}  // namespace fenceline::testing
