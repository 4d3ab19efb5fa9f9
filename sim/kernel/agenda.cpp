// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/agenda.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <string>

namespace fenceline {

Agenda::Agenda(sc_core::sc_module_name module_name)
    : sc_module(module_name), timer_("timer", Callback::to<&Agenda::run>(this)) {}

void Agenda::push(const Entry& entry) {
  const std::uint64_t now = now_ps();
  FENCELINE_ASSERT(entry.time_ps >= now, std::string(name()) + ": entry in the past");
  if (entry.time_ps > max_time_ps) throw_time_overflow(name());
  const bool first = heap_.empty() || entry.time_ps < heap_.front().time_ps;
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), Later());
  if (first && !running_) timer_.set(entry.time_ps);
}

void Agenda::run(std::uint64_t) {
  guarded([this] {
    const std::uint64_t now = now_ps();
    running_ = true;
    while (!heap_.empty() && heap_.front().time_ps <= now) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), Later());
      heap_.pop_back();
      entry.call();
    }
  });
  running_ = false;
  if (!heap_.empty()) timer_.set(heap_.front().time_ps);
}

}  // namespace fenceline
