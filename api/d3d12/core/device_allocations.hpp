// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {
class Machine;
}

namespace fenceline::d3d12 {

/// The allocations of a device in its machine's video memory. Programs make and release what they are of on any thread;
/// the machine hears of it, in that order, with the device's next call. Free-threaded.
class DeviceAllocations {
 public:
  /// One of them.
  struct Place {
    AllocationConfig config;
    /// On the machine, once it has heard of it. With the host's lock.
    std::optional<std::uint32_t> number;
  };

  explicit DeviceAllocations(bool fills_new) : fills_new_(fills_new) {}
  /// What is new is filled, unless it says otherwise: /video_memory/fill_new.
  bool fills_new() const { return fills_new_; }

  void add(std::shared_ptr<Place> place) { tell({std::move(place), false}); }
  /// Nothing uses it any more.
  void remove(std::shared_ptr<Place> place) { tell({std::move(place), true}); }
  /// The device's machine hears of all that. With the host's lock.
  void settle(Machine& machine) {
    if (has_news_.load(std::memory_order_acquire)) tell(machine);
  }

 private:
  struct News {
    std::shared_ptr<Place> place;
    bool gone;
  };
  void tell(News news);
  void tell(Machine& machine);

  const bool fills_new_;
  std::atomic<bool> has_news_{false};
  std::mutex mutex_;
  std::vector<News> news_;
};

}  // namespace fenceline::d3d12
