// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host/mutex_handle.hpp"

#include "api/d3d12/host/event_handle.hpp"

#include <cstdint>
#include <map>

namespace fenceline::d3d12 {
namespace {

struct Hold {
  std::thread::id thread;   ///< none: nobody has it
  std::uint64_t times = 0;  ///< that it has to be released
};

std::map<HANDLE, Hold>& mutexes() {
  static auto* const all = new std::map<HANDLE, Hold>;  // threads may outlive static objects
  return *all;
}

}  // namespace

HANDLE create_mutex(bool taken) {
  const HANDLE mutex = create_semaphore(taken ? 0 : 1);
  if (mutex == nullptr) return nullptr;
  mutexes()[mutex] = taken ? Hold{std::this_thread::get_id(), 1} : Hold{};
  return mutex;
}

bool has_mutex(HANDLE mutex, std::thread::id thread) {
  const auto found = mutexes().find(mutex);
  return found != mutexes().end() && found->second.thread == thread;
}

bool take_mutex(HANDLE mutex) {
  const auto found = mutexes().find(mutex);
  if (found == mutexes().end()) return false;
  Hold& hold = found->second;
  if (hold.thread != std::this_thread::get_id()) {
    consume_event(mutex);
    hold = {std::this_thread::get_id(), 0};
  }
  ++hold.times;
  return true;
}

bool release_mutex(HANDLE mutex) {
  if (!has_mutex(mutex, std::this_thread::get_id())) return false;
  Hold& hold = mutexes()[mutex];
  if (--hold.times > 0) return true;
  hold = {};
  release_semaphore(mutex, 1);
  return true;
}

void forget_mutex(HANDLE mutex) { mutexes().erase(mutex); }

}  // namespace fenceline::d3d12
