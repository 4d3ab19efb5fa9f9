// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host/event_source.hpp"

#include "api/work_listener.hpp"

#include <map>
#include <utility>

namespace fenceline::d3d12 {
namespace {

struct Sources {
  std::map<HANDLE, EventSource> of;
  std::map<HANDLE, HANDLE> duplicates;  // of which each is one
};

Sources& sources() {
  static auto* const all = new Sources;  // events may outlive static objects
  return *all;
}

}  // namespace

void note_source(HANDLE event, EventSource source) { sources().of[event] = std::move(source); }

void note_duplicate(HANDLE event, HANDLE of) { sources().duplicates[event] = of; }

void tell_waited(HANDLE event, std::uint64_t since_ps) {
  const Sources& all = sources();
  const auto duplicate = all.duplicates.find(event);
  const auto found = all.of.find(duplicate != all.duplicates.end() ? duplicate->second : event);
  if (found != all.of.end()) tell_waited(found->second, since_ps);
}

void tell_waited(const EventSource& source, std::uint64_t since_ps) {
  WorkListener* const listener = source.machine->listener();
  if (listener == nullptr) return;
  for (const auto& [fence, value] : source.reached) {
    listener->thread_waited(source.machine->moment(), fence, value, since_ps, source.told_ps);
  }
}

void forget_source(HANDLE event) {
  sources().of.erase(event);
  sources().duplicates.erase(event);
}

void forget_sources(const Machine& machine) {
  auto& all = sources().of;
  for (auto one = all.begin(); one != all.end();) one = one->second.machine == &machine ? all.erase(one) : ++one;
}

}  // namespace fenceline::d3d12
