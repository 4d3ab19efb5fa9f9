// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_cores.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

CpuCores::CpuCores(sc_core::sc_module_name module_name, const CpuConfig& config)
    : sc_module(module_name),
      config_(config),
      seats_(config),
      update_soon_("update", Callback::to<&CpuCores::update>(this)),
      update_later_("timer", Callback::to<&CpuCores::update>(this)) {}

std::uint64_t CpuCores::start(std::uint64_t work_ps, CpuPriority priority, Callback done, std::uint64_t order) {
  CpuThread& thread = threads_[next_id_];
  thread.id = next_id_;
  thread.order = order;
  thread.priority = priority;
  thread.done = done;
  thread.left = RatedWork{work_ps} * full_cpu_rate;
  changed_.push_back(next_id_);
  update_soon_.request();
  return next_id_++;
}

void CpuCores::set_priority(std::uint64_t id, CpuPriority priority) {
  if (threads_.count(id) == 0 && ended(id) != ended_.end()) return;
  thread(id).priority = priority;
  changed_.push_back(id);
  update_soon_.request();
}

std::uint64_t CpuCores::cancel(std::uint64_t id) {
  if (threads_.count(id) == 0) {
    if (const auto over = ended(id); over != ended_.end()) {
      ended_.erase(over);
      return 0;
    }
  }
  CpuThread& one = thread(id);
  if (CpuClass* const placed = one.placed) {
    placed->stop(one, now_ps());
    gone_.emplace_back(placed, one.key());
  }
  const RatedWork left = one.left;
  threads_.erase(id);
  update_soon_.request();
  return static_cast<std::uint64_t>((left + full_cpu_rate - 1) / full_cpu_rate);
}

std::optional<std::uint32_t> CpuCores::processor_of(std::uint64_t id) const {
  if (calling_.id == id) return calling_.processor;
  const auto at = threads_.find(id);
  return at != threads_.end() ? placed_on(at->second) : std::nullopt;
}

/// As it was placed last.
std::optional<std::uint32_t> CpuCores::placed_on(const CpuThread& thread) const {
  if (thread.placed == nullptr) return {};
  if (config_.cores == 0) {
    return static_cast<std::uint32_t>(normal_.number_of(thread.key()) + idle_.number_of(thread.key()));
  }
  const CpuPriority priority = thread.placed == &normal_ ? CpuPriority::normal : CpuPriority::idle;
  if (seats_.shared_rate(priority)) return {};
  return seats_.place_of(priority, thread.placed->number_of(thread.key())).processor;
}

std::uint32_t CpuCores::processors() const {
  constexpr std::uint32_t without_cores = 8;
  return config_.cores > 0 ? config_.cores * config_.smt_width : without_cores;
}

std::deque<CpuCores::Ended>::iterator CpuCores::ended(std::uint64_t id) {
  return std::find_if(ended_.begin(), ended_.end(), [&](const Ended& one) { return one.id == id; });
}

CpuThread& CpuCores::thread(std::uint64_t id) {
  const auto at = threads_.find(id);
  FENCELINE_ASSERT(at != threads_.end(), std::string(name()) + ": no thread " + std::to_string(id));
  return at->second;
}

/// Those that have nothing left, in their order.
void CpuCores::end_ready(std::uint64_t now_ps) {
  std::vector<CpuThread*> ready;
  normal_.add_ready(now_ps, ready);
  idle_.add_ready(now_ps, ready);
  for (const std::uint64_t id : changed_) {
    const auto at = threads_.find(id);
    if (at != threads_.end() && at->second.placed == nullptr && at->second.left == 0) ready.push_back(&at->second);
  }
  std::sort(ready.begin(), ready.end(), [](const CpuThread* a, const CpuThread* b) { return a->key() < b->key(); });
  ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
  for (const CpuThread* one : ready) ended_.push_back({one->id, placed_on(*one), one->done});
  for (CpuThread* one : ready) {
    if (CpuClass* const placed = one->placed) {
      placed->stop(*one, now_ps);
      gone_.emplace_back(placed, one->key());
    }
    threads_.erase(one->id);
  }
}

/// Anew, and the first that will be ready is waited for.
void CpuCores::place(std::uint64_t now_ps) {
  for (const auto& [placed, key] : std::exchange(gone_, {})) placed->forget(key);
  for (const std::uint64_t id : std::exchange(changed_, {})) {
    const auto at = threads_.find(id);
    if (at == threads_.end()) continue;
    CpuThread& one = at->second;
    if (CpuClass* const before = one.placed) {
      before->stop(one, now_ps);
      before->forget(one.key());
    }
    class_of(one.priority).add(one, now_ps);
  }
  if (config_.cores > 0) seats_.set(normal_.size(), idle_.size());
  std::optional<RatedWork> next;
  for (const CpuPriority priority : {CpuPriority::normal, CpuPriority::idle}) {
    CpuClass& threads = class_of(priority);
    const std::optional<std::uint64_t> shared =
        config_.cores > 0 ? seats_.shared_rate(priority) : std::make_optional(full_cpu_rate);
    if (shared) {
      threads.set_shared(*shared, now_ps);
    } else {
      threads.set_own([&](std::uint64_t number) { return seats_.place_of(priority, number).rate; }, now_ps);
    }
    const std::optional<RatedWork> end = threads.next_end(now_ps);
    if (end && (!next || *end < *next)) next = end;
  }
  if (!next) return;
  if (*next > max_time_ps - now_ps) throw_time_overflow(name());
  update_later_.set(now_ps + static_cast<std::uint64_t>(*next));
}

void CpuCores::update(std::uint64_t) {
  update_later_.set(Timer::never);
  end_ready(now_ps());
  place(now_ps());
  // What one does may ask for another that ended with it.
  while (!ended_.empty()) {
    calling_ = ended_.front();
    ended_.pop_front();
    calling_.done();
  }
}

}  // namespace fenceline
