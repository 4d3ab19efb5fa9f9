// SPDX-License-Identifier: Apache-2.0
#include "api/coupled_machines.hpp"

#include <algorithm>
#include <limits>

namespace fenceline {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

bool has_news(const Machine* machine) { return machine->has_news(); }

}  // namespace

bool run_coupled(const std::vector<Machine*>& machines, const std::function<bool()>& done, std::uint64_t limit_ps) {
  const auto stop = [&] { return done() || std::any_of(machines.begin(), machines.end(), has_news); };
  while (!done()) {
    Machine* first = nullptr;
    std::uint64_t first_ps = never;
    std::uint64_t second_ps = never;
    for (Machine* machine : machines) {
      if (machine->has_news()) machine->take_news();
      const std::uint64_t next_ps = machine->next_ps();
      if (next_ps < first_ps) {
        second_ps = first_ps;
        first_ps = next_ps;
        first = machine;
      } else {
        second_ps = std::min(second_ps, next_ps);
      }
    }
    if (first == nullptr || first_ps > limit_ps) {
      if (limit_ps == never) return done();  // news may have been all that there was
      for (Machine* machine : machines) machine->advance_to(limit_ps);
      return done();
    }
    first->run_until(stop, std::min(limit_ps, second_ps));
  }
  return true;
}

void advance_coupled(const std::vector<Machine*>& machines, std::uint64_t time_ps) {
  if (machines.size() == 1 && !machines.front()->has_news()) return machines.front()->advance_to(time_ps);
  for (const Machine* machine : machines) time_ps = std::max(time_ps, machine->now_ps());
  run_coupled(
      machines, [] { return false; }, time_ps);
}

}  // namespace fenceline
