// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/deadlines.hpp"

#include "api/report/deadline_row.hpp"
#include "api/workload/program.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {

DeadlineWatch::DeadlineWatch(const Program& program, std::vector<LogName> fences, std::uint64_t start_ps)
    : program_(program),
      fences_(std::move(fences)),
      frames_(fences_.size()),
      start_ps_(start_ps),
      watched_(program.deadlines.size()) {
  begin();
}

void DeadlineWatch::begin_pass(std::uint64_t start_ps, std::vector<std::uint64_t> frames) {
  ++passes_;
  frames_ = std::move(frames);
  start_ps_ = start_ps;
  for (Watched& watched : watched_) watched.before += std::exchange(watched.reached, 0);
  begin();
}

void DeadlineWatch::begin() {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    reach(i, program_.fences[program_.deadlines[i].fence].initial_value, 0);
  }
}

void DeadlineWatch::counter(const EventLog&, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const std::uint32_t fence = program_.deadlines[i].fence;
    if (fences_[fence] != counter.track) continue;
    reach(i, counter.value - std::min(counter.value, frames_[fence]), counter.at_ps - start_ps_);
  }
}

void DeadlineWatch::reach(std::size_t index, std::uint64_t value, std::uint64_t since_start_ps) {
  const Deadline& deadline = program_.deadlines[index];
  Watched& watched = watched_[index];
  for (; watched.reached < deadline.count; ++watched.reached) {
    if (value < deadline.value + deadline.value_step * watched.reached) return;
    const std::uint64_t due_ps = deadline.due_ps + deadline.due_step_ps * watched.reached;
    if (keeps_rows_ && reached_.size() < most_rows) {
      reached_.push_back({index, deadline.value + deadline.value_step * watched.reached, start_ps_ + due_ps,
                          start_ps_ + since_start_ps});
    }
    if (since_start_ps <= due_ps) continue;
    ++watched.late;
    watched.worst_ps = std::max(watched.worst_ps, since_start_ps - due_ps);
    watched.sum_ps += since_start_ps - due_ps;
  }
}

std::uint64_t DeadlineWatch::to_keep(std::size_t index) const {
  const Deadline& deadline = program_.deadlines[index];
  if (!end_ps_) return deadline.count;
  const std::uint64_t since_start_ps = *end_ps_ - std::min(*end_ps_, start_ps_);
  std::uint64_t due = 0;
  if (since_start_ps >= deadline.due_ps) {
    const std::uint64_t step_ps = deadline.due_step_ps;
    due = step_ps == 0 ? deadline.count : std::min(deadline.count, (since_start_ps - deadline.due_ps) / step_ps + 1);
  }
  return std::max(due, watched_[index].reached);
}

std::vector<DeadlineRow> DeadlineWatch::rows(const std::vector<LogName>& names) const {
  std::vector<DeadlineRow> rows;
  const auto fence_of = [&](std::size_t deadline) { return fences_[program_.deadlines[deadline].fence]; };
  for (const Reached& one : reached_) {
    rows.push_back({names[one.deadline], fence_of(one.deadline), one.value, one.due_ps, one.at_ps});
  }
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Deadline& deadline = program_.deadlines[i];
    const std::uint64_t count = to_keep(i);
    for (std::uint64_t one = watched_[i].reached; one < count && rows.size() < most_rows; ++one) {
      rows.push_back({names[i], fence_of(i), deadline.value + deadline.value_step * one,
                      start_ps_ + deadline.due_ps + deadline.due_step_ps * one, std::nullopt});
    }
  }
  return rows;
}

std::vector<DeadlineResult> DeadlineWatch::results() const {
  std::vector<DeadlineResult> results;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Deadline& deadline = program_.deadlines[i];
    const Watched& watched = watched_[i];
    const std::uint64_t count = deadline.count * (passes_ - 1) + to_keep(i);
    const std::uint64_t reached = watched.before + watched.reached;
    const std::uint64_t not_reached = count - reached;
    results.push_back({deadline.name, count, reached - watched.late, watched.late + not_reached, not_reached,
                       watched.worst_ps,
                       watched.late == 0 ? 0 : static_cast<std::uint64_t>(watched.sum_ps / watched.late)});
  }
  return results;
}

}  // namespace fenceline
