// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/accesses.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

void Accesses::clear() {
  list_.clear();
  windows_.clear();
  found_.clear();
}

void Accesses::add(const char* name, bool writes, AccessedPart part, std::size_t command, Counts counts) {
  list_.push_back({{std::move(part), writes, name}, command, command, counts});
}

void Accesses::add_arguments(std::size_t command, std::uint32_t stride, std::uint64_t last_bytes, AccessedPart part) {
  add("ExecuteIndirect", false, std::move(part), command, Counts::as_arguments);
  list_.back().stride = stride;
  list_.back().last_bytes = last_bytes;
}

void Accesses::extend_draws(std::size_t first, std::size_t count, std::size_t command) {
  for (std::size_t i = first; i < first + count; ++i) list_[i].last = command;
}

void Accesses::append(const Accesses& other, std::size_t first) {
  for (Recorded recorded : other.list_) {
    recorded.first += first;
    recorded.last += first;
    list_.push_back(std::move(recorded));
  }
}

bool Accesses::touches(const AccessedResource* resource) const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const Recorded& one) { return one.access.part.resource.get() == resource; });
}

bool Accesses::touches(const HeapMemory* memory) const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const Recorded& one) { return one.access.part.resource->memory.lock().get() == memory; });
}

void Accesses::Window::join(const Window& other) {
  start_ps = std::min(start_ps, other.start_ps);
  end_ps = std::max(end_ps, other.end_ps);
}

void Accesses::begin(std::size_t commands) {
  windows_.assign(commands, {});
  found_.clear();
}

void Accesses::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  windows_[command].join({start_ps, end_ps});
}

void Accesses::found(std::size_t command, std::uint64_t count, bool draws) {
  // Arguments may be read more than once, around a preemption: the last time counts.
  if (!found_.empty() && found_.back().command == command) found_.pop_back();
  found_.push_back({command, count, draws});
}

const Accesses::Found* Accesses::found_at(std::size_t command) const {
  const auto at = std::lower_bound(found_.begin(), found_.end(), command,
                                   [](const Found& one, std::size_t wanted) { return one.command < wanted; });
  return at != found_.end() && at->command == command ? &*at : nullptr;
}

/// The command has run, and covered pixels.
bool Accesses::draws(const CommandStream& stream, std::size_t command) const {
  if (!windows_[command].any()) return false;
  const Command& one = stream.commands[command];
  if (std::holds_alternative<ExecuteIndirect>(one)) {
    const Found* const found = found_at(command);
    return found != nullptr && found->draws;
  }
  const auto* const indexed = std::get_if<DrawIndexed>(&one);
  const auto* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&one);
  return draw != nullptr && draw->pixels > 0;
}

/// By command: when everything before it is complete. Before the first that has run it is when that begins.
std::vector<std::uint64_t> Accesses::boundaries(std::uint64_t end_ps) const {
  const auto first = std::find_if(windows_.begin(), windows_.end(), [](const Window& one) { return one.any(); });
  std::vector<std::uint64_t> result{first != windows_.end() ? first->start_ps : end_ps};
  for (const Window& window : windows_) result.push_back(std::max(result.back(), window.end_ps));
  return result;
}

/// When it took place; nothing if it did not.
Accesses::Window Accesses::window_of(const Recorded& recorded, const CommandStream& stream,
                                     const std::vector<std::uint64_t>& boundaries) const {
  Window window;
  switch (recorded.counts) {
    case Counts::always: return {boundaries[recorded.first], boundaries[recorded.first]};
    case Counts::when_run:
    case Counts::as_arguments: return windows_[recorded.first];
    case Counts::when_drawn:
      for (std::size_t i = recorded.first; i <= recorded.last; ++i) {
        if (draws(stream, i)) window.join(windows_[i]);
      }
      return window;
  }
  return window;
}

void Accesses::for_each(const CommandStream& stream, std::uint64_t end_ps,
                        const std::function<void(const TimedAccess&)>& visit) const {
  const std::vector<std::uint64_t> all_boundaries = boundaries(end_ps);
  for (const Recorded& recorded : list_) {
    const Window window = window_of(recorded, stream, all_boundaries);
    if (!window.any()) continue;
    ByteRegion region = recorded.access.part.region;
    if (recorded.counts == Counts::as_arguments) {
      const Found* const found = found_at(recorded.first);
      if (found == nullptr || found->count == 0) continue;
      region.row_bytes = (found->count - 1) * recorded.stride + recorded.last_bytes;
    }
    visit({recorded.access, region, window.start_ps, window.end_ps});
  }
}

}  // namespace fenceline::d3d12
