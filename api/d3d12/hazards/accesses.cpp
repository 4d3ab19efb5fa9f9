// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/accesses.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

void Accesses::add(const char* name, bool writes, AccessedPart part, std::size_t command, AccessCounts counts) {
  list_.push_back({{std::move(part), writes, name}, command, command, counts});
}

void Accesses::add_arguments(std::size_t command, std::uint32_t stride, std::uint64_t last_bytes, AccessedPart part) {
  add("ExecuteIndirect", false, std::move(part), command, AccessCounts::as_arguments);
  list_.back().stride = stride;
  list_.back().last_bytes = last_bytes;
}

void Accesses::extend_draws(std::size_t first, std::size_t count, std::size_t command) {
  for (std::size_t i = first; i < first + count; ++i) list_[i].last = command;
}

void Accesses::append(const Accesses& other, std::size_t first) {
  for (RecordedAccess recorded : other.list_) {
    recorded.first += first;
    recorded.last += first;
    list_.push_back(std::move(recorded));
  }
}

bool Accesses::touches(const AccessedResource* resource) const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const RecordedAccess& one) { return one.access.part.resource.get() == resource; });
}

bool Accesses::touches(const HeapMemory* memory) const {
  return std::any_of(list_.begin(), list_.end(), [&](const RecordedAccess& one) {
    return one.access.part.resource->memory.lock().get() == memory;
  });
}

}  // namespace fenceline::d3d12
