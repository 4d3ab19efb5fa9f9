// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/device_allocations.hpp"

#include "api/machine.hpp"

#include <utility>

namespace fenceline::d3d12 {

void DeviceAllocations::tell(News news) {
  const std::lock_guard<std::mutex> lock(mutex_);
  news_.push_back(std::move(news));
  has_news_.store(true, std::memory_order_release);
}

/// All are of the process that has no name, as queues are.
void DeviceAllocations::tell(Machine& machine) {
  std::vector<News> all;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    all.swap(news_);
    has_news_.store(false, std::memory_order_release);
  }
  for (const News& one : all) {
    Place& place = *one.place;
    if (one.gone) {
      machine.remove_allocation(*place.number);
      place.number.reset();
    } else {
      place.number = machine.create_allocation(place.config);
      machine.know_allocation({}, *place.number);
    }
  }
}

}  // namespace fenceline::d3d12
