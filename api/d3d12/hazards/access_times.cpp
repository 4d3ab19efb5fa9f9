// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/access_times.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

AccessTimes::AccessTimes(std::shared_ptr<const Accesses> accesses, const CommandStream& stream)
    : accesses_(std::move(accesses)), stream_(stream), windows_(stream.commands.size()) {}

void AccessTimes::Window::join(const Window& other) {
  start_ps = std::min(start_ps, other.start_ps);
  end_ps = std::max(end_ps, other.end_ps);
}

void AccessTimes::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  windows_[command].join({start_ps, end_ps});
}

void AccessTimes::found(std::size_t command, std::uint64_t count, bool draws) {
  // Arguments may be read more than once, around a preemption: the last time counts.
  if (!found_.empty() && found_.back().command == command) found_.pop_back();
  found_.push_back({command, count, draws});
}

const AccessTimes::Found* AccessTimes::found_at(std::size_t command) const {
  const auto at = std::lower_bound(found_.begin(), found_.end(), command,
                                   [](const Found& one, std::size_t wanted) { return one.command < wanted; });
  return at != found_.end() && at->command == command ? &*at : nullptr;
}

/// The command has run, and covered pixels.
bool AccessTimes::draws(std::size_t command) const {
  if (!windows_[command].any()) return false;
  const Command& one = stream_.commands[command];
  if (std::holds_alternative<ExecuteIndirect>(one)) {
    const Found* const found = found_at(command);
    return found != nullptr && found->draws;
  }
  const auto* const indexed = std::get_if<DrawIndexed>(&one);
  const auto* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&one);
  return draw != nullptr && draw->pixels > 0;
}

/// By command: when everything before it is complete. Before the first that has run it is when that begins.
std::vector<std::uint64_t> AccessTimes::boundaries(std::uint64_t end_ps) const {
  const auto first = std::find_if(windows_.begin(), windows_.end(), [](const Window& one) { return one.any(); });
  std::vector<std::uint64_t> result{first != windows_.end() ? first->start_ps : end_ps};
  for (const Window& window : windows_) result.push_back(std::max(result.back(), window.end_ps));
  return result;
}

/// When it took place; nothing if it did not.
AccessTimes::Window AccessTimes::window_of(const RecordedAccess& recorded,
                                           const std::vector<std::uint64_t>& boundaries) const {
  Window window;
  switch (recorded.counts) {
    case AccessCounts::always: return {boundaries[recorded.first], boundaries[recorded.first]};
    case AccessCounts::when_run:
    case AccessCounts::as_arguments: return windows_[recorded.first];
    case AccessCounts::when_drawn:
      for (std::size_t i = recorded.first; i <= recorded.last; ++i) {
        if (draws(i)) window.join(windows_[i]);
      }
      return window;
  }
  return window;
}

void AccessTimes::for_each(std::uint64_t end_ps, const std::function<void(const TimedAccess&)>& visit) const {
  const std::vector<std::uint64_t> all_boundaries = boundaries(end_ps);
  for (const RecordedAccess& recorded : accesses_->all()) {
    const Window window = window_of(recorded, all_boundaries);
    if (!window.any()) continue;
    ByteRegion region = recorded.access.part.region;
    if (recorded.counts == AccessCounts::as_arguments) {
      const Found* const found = found_at(recorded.first);
      if (found == nullptr || found->count == 0) continue;
      region.row_bytes = (found->count - 1) * recorded.stride + recorded.last_bytes;
    }
    visit({recorded.access, region, window.start_ps, window.end_ps});
  }
}

}  // namespace fenceline::d3d12
