// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fenceline::d3d12 {

/// Who hears when an adapter's budget of video memory has changed: events that DXGI was given, calls that DXCore was.
/// Cookies are of the process. Free-threaded.
class BudgetListeners {
 public:
  // With the host's lock.
  /// An event's cookie, never 0.
  std::uint32_t add_event(HANDLE event);
  /// Nothing for another cookie.
  void remove_event(std::uint32_t cookie);
  /// Those that have been closed since are not set.
  void set_events();

  // Without it: programs may call anything from inside.
  /// Called once before this returns, when `cookie` has been set, as DXCore promises. Calls of one registration follow
  /// each other.
  void add_call(std::function<void()> call, std::uint32_t& cookie);
  /// It is not called any more when this returns; from inside the call: once that has. False: another cookie.
  bool remove_call(std::uint32_t cookie);
  /// Each of them, once.
  void call();

 private:
  struct Event {
    std::uint32_t cookie;
    HANDLE handle;
    std::uint64_t generation;
  };
  struct Call {
    std::uint32_t cookie;
    std::function<void()> made;
    std::uint32_t outstanding = 0;  // times
    bool removed = false;
    std::thread::id caller{};  // none: nobody calls it now
  };
  void deliver(Call& one);

  std::vector<Event> events_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::shared_ptr<Call>> calls_;
};

}  // namespace fenceline::d3d12
