// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_cores.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

using Wide = unsigned __int128;

CpuCores::CpuCores(sc_core::sc_module_name module_name, const CpuConfig& config)
    : sc_module(module_name),
      config_(config),
      update_soon_("update", Callback::to<&CpuCores::update>(this)),
      update_later_("timer", Callback::to<&CpuCores::update>(this)) {}

std::uint64_t CpuCores::start(std::uint64_t work_ps, CpuPriority priority, Callback done, std::uint64_t order) {
  advance();
  const auto before = [](std::uint64_t mine, const Thread& other) { return mine < other.order; };
  const auto place = std::upper_bound(threads_.begin(), threads_.end(), order, before);
  threads_.insert(place, {next_id_, order, priority, Wide{work_ps} * full_cpu_rate, {}, done});
  update_soon_.request();
  return next_id_++;
}

void CpuCores::set_priority(std::uint64_t id, CpuPriority priority) {
  if (ended(id) != ended_.end()) return;
  advance();
  thread(id).priority = priority;
  update_soon_.request();
}

std::uint64_t CpuCores::cancel(std::uint64_t id) {
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

std::optional<std::uint32_t> CpuCores::processor_of(std::uint64_t id) const {
  if (calling_.id == id) return calling_.processor;
  const auto at = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& one) { return one.id == id; });
  return at != threads_.end() ? at->place.processor : std::nullopt;
}

std::uint32_t CpuCores::processors() const {
  constexpr std::uint32_t without_cores = 8;
  return config_.cores > 0 ? config_.cores * config_.smt_width : without_cores;
}

std::deque<CpuCores::Ended>::iterator CpuCores::ended(std::uint64_t id) {
  return std::find_if(ended_.begin(), ended_.end(), [&](const Ended& one) { return one.id == id; });
}

CpuCores::Thread& CpuCores::thread(std::uint64_t id) {
  const auto at = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& one) { return one.id == id; });
  FENCELINE_ASSERT(at != threads_.end(), std::string(name()) + ": no thread " + std::to_string(id));
  return *at;
}

void CpuCores::advance() {
  const std::uint64_t now = now_ps();
  const std::uint64_t passed = now - std::exchange(advanced_to_ps_, now);
  if (passed == 0) return;
  for (Thread& one : threads_) one.left -= std::min(one.left, Wide{one.place.rate} * passed);
}

/// Those that are ready go; the others get their places, and the first that will be ready is waited for.
void CpuCores::update(std::uint64_t) {
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

}  // namespace fenceline
