// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/command_batches.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace fenceline {
namespace {

bool belongs(const CommandBatch& batch, const Span& command) {
  const std::uint64_t length = batch.span.end_ps - batch.span.start_ps;
  return batch.span.name == command.name && command.start_ps <= batch.span.end_ps + length;
}

void extend(CommandBatch& batch, const Span& command) {
  batch.span.start_ps = std::min(batch.span.start_ps, command.start_ps);
  batch.span.end_ps = std::max(batch.span.end_ps, command.end_ps);
  batch.span.stopped = batch.span.stopped || command.stopped;
  ++batch.commands;
}

}  // namespace

void CommandBatches::add(const Span& command) {
  std::vector<CommandBatch>& batches = open_[{command.track, command.id}];
  // The latest ones first: commands mostly belong to those.
  const auto found = std::find_if(batches.rbegin(), batches.rend(),
                                  [&](const CommandBatch& batch) { return belongs(batch, command); });
  if (found != batches.rend()) {
    extend(*found, command);
  } else if (batches.size() < most) {
    batches.push_back({command, 1});
  } else {
    if (batches.back().span.name != command.name) batches.back().span.name = LogName{};
    extend(batches.back(), command);
  }
}

std::vector<CommandBatch> CommandBatches::take(LogName track, std::uint64_t packet) {
  const auto found = open_.find({track, packet});
  if (found == open_.end()) return {};
  std::vector<CommandBatch> batches = std::move(found->second);
  open_.erase(found);
  std::stable_sort(batches.begin(), batches.end(), [](const CommandBatch& a, const CommandBatch& b) {
    return std::tie(a.span.end_ps, b.span.start_ps) < std::tie(b.span.end_ps, a.span.start_ps);
  });
  return batches;
}

std::vector<CommandBatch> CommandBatches::take_all() {
  std::vector<CommandBatch> all;
  while (!open_.empty()) {
    const auto [track, packet] = open_.begin()->first;
    const std::vector<CommandBatch> batches = take(track, packet);
    std::copy(batches.begin(), batches.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace fenceline
